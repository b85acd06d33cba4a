// Colours as eyes see them that lack cones of one kind.
#include <gtest/gtest.h>

#include <cmath>

#include "app/plot/color_vision.h"
#include "app/plot/theme.h"

namespace ropewalk {
namespace {

constexpr Sight deficiencies[] = {Sight::protanopia, Sight::deuteranopia, Sight::tritanopia, Sight::grey};

int apart(Color a, Color b) {
    return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
}

TEST(ColorVision, GreyStaysGrey) {
    for (const Sight sight : deficiencies)
        for (int level = 0; level < 256; ++level) {
            const auto value = static_cast<std::uint8_t>(level);
            EXPECT_LE(apart(as_seen(Color{value, value, value, 77}, sight), {value, value, value}), 3);
            EXPECT_EQ(as_seen(Color{value, value, value, 77}, sight).a, 77);
        }
}

/// First columns of the published matrices, through the transfer function of sRGB by hand.
TEST(ColorVision, RedIsAsPublished) {
    const auto encoded = [](double light) {
        return static_cast<int>(std::lround(255 * (1.055 * std::pow(light, 1 / 2.4) - 0.055)));
    };
    const Color red{255, 0, 0};
    EXPECT_EQ(as_seen(red, Sight::protanopia),
              (Color{static_cast<std::uint8_t>(encoded(0.152286)), static_cast<std::uint8_t>(encoded(0.114503)), 0}));
    EXPECT_EQ(as_seen(red, Sight::deuteranopia),
              (Color{static_cast<std::uint8_t>(encoded(0.367322)), static_cast<std::uint8_t>(encoded(0.280085)), 0}));
    EXPECT_EQ(as_seen(red, Sight::grey).g, encoded(0.2126));
}

/// Those without green or without red cones take a red and a green of like lightness for one another; others do not.
TEST(ColorVision, RedAndGreenAreConfused) {
    const Color red{200, 60, 60}, green{110, 110, 50};
    EXPECT_GT(apart(red, green), 140);
    EXPECT_LT(apart(as_seen(red, Sight::deuteranopia), as_seen(green, Sight::deuteranopia)), 70);
    EXPECT_GT(apart(as_seen(red, Sight::tritanopia), as_seen(green, Sight::tritanopia)), 110);
}

TEST(ColorVision, TheFirstCurvesStayApart) {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Sight sight : {Sight::protanopia, Sight::deuteranopia, Sight::tritanopia})
            for (std::size_t a = 0; a < 4; ++a)
                for (std::size_t b = 0; b < a; ++b)
                    EXPECT_GT(apart(as_seen(theme->series[a], sight), as_seen(theme->series[b], sight)), 40)
                        << theme->id << ' ' << a << ' ' << b;
}

TEST(ColorVision, AnImageIsSeenPixelByPixel) {
    const Image image{2, 1, {{255, 0, 0}, {0, 0, 255}}};
    const Image seen = as_seen(image, Sight::protanopia);
    EXPECT_EQ(seen.pixels[0], as_seen(Color{255, 0, 0}, Sight::protanopia));
    EXPECT_EQ(seen.pixels[1], as_seen(Color{0, 0, 255}, Sight::protanopia));
    EXPECT_EQ(as_seen(image, Sight::all_colors).pixels, image.pixels);
}

}  // namespace
}  // namespace ropewalk
