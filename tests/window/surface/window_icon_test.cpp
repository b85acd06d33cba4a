// The window's icon, compared with the desktop's icon file.
#include "app/window/surface/window_icon.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "core/io/files.h"

namespace ropewalk {
namespace {

Color pixel_at(const Image& image, double x, double y) {
    return image.pixels.at(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(x));
}

Color color_called(const std::string& hex) {
    const auto part = [&](std::size_t at) {
        return static_cast<std::uint8_t>(std::stoi(hex.substr(at, 2), nullptr, 16));
    };
    return {part(0), part(2), part(4)};
}

TEST(WindowIcon, IsTheDesktopsIcon) {
    const Image icon = window_icons().back();
    ASSERT_EQ(icon.width, 128);
    const std::string svg = read_file(std::string(ROPEWALK_SOURCE_DIR) + "/assets/desktop/ropewalk.svg", 1 << 20);
    const std::regex square(
        R"re(<rect x="([\d.]+)" y="([\d.]+)" width="(11[\d.]+)" height="11[\d.]+" rx="2.6" fill="#(\w+)")re");
    int squares = 0;
    for (std::sregex_iterator found(svg.begin(), svg.end(), square), end; found != end; ++found, ++squares) {
        const double x = std::stod((*found)[1]), y = std::stod((*found)[2]), side = std::stod((*found)[3]);
        const Color color = color_called((*found)[4]);
        for (const double share : {0.15, 0.5, 0.85})
            EXPECT_EQ(pixel_at(icon, x + share * side, y + side / 2), color) << x << ", " << y;
        EXPECT_NE(pixel_at(icon, x - 1, y + side / 2), color) << "the gap at " << x << ", " << y;
    }
    EXPECT_EQ(squares, 28);
    EXPECT_EQ(pixel_at(icon, 89 - 21, 39), color_called("4a5264"));
    EXPECT_EQ(pixel_at(icon, 89, 39), color_called("ffa244"));
    EXPECT_EQ(pixel_at(icon, (89 + 101.93) / 2, (39 + 22.45) / 2), color_called("ffa244"));
    EXPECT_EQ(pixel_at(icon, 8, 64), color_called("15171d"));
}

TEST(WindowIcon, HasRoundCornersInEverySize) {
    for (const Image& icon : window_icons()) {
        EXPECT_EQ(icon.width, icon.height);
        EXPECT_LT(icon.pixels.front().a, 10) << icon.width;
        EXPECT_EQ(pixel_at(icon, icon.width / 2.0, icon.height / 2.0).a, 255) << icon.width;
    }
}

}  // namespace
}  // namespace ropewalk
