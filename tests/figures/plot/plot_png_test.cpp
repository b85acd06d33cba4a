#include <gmock/gmock.h>

#include "app/plot/fonts.h"
#include "core/error.h"
#include "tests/figures/plot/export_sample.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

/// Returns the data of a PNG's first chunk of this type; empty if there is none.
std::string chunk(const std::string& file, const std::string& type) {
    for (std::size_t at = 8; at + 12 <= file.size();) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(file[at + i]);
        if (file.compare(at + 4, 4, type) == 0) return file.substr(at + 8, length);
        at += 12 + length;
    }
    return {};
}

TEST(Png, DecodesToThePixelsThatWereEncoded) {
    const Image opaque{2, 2, {{1, 2, 3}, {255, 255, 255}, {0, 0, 0}, {9, 8, 7}}};
    EXPECT_EQ(decode(png_bytes(opaque, {})).pixels, opaque.pixels);
    const Image open{3, 1, {{1, 2, 3, 0}, {200, 100, 50, 128}, {9, 8, 7}}};
    EXPECT_EQ(decode(png_bytes(open, {})).pixels, open.pixels);
}

TEST(Png, CarriesTheSceneAsText) {
    const std::string file = draw_png(options(), draw_sample);
    EXPECT_EQ(chunk(file, "iTXt"), std::string("ropewalk\0\0\0\0\0", 13) + carried);
    EXPECT_EQ(chunk(png_bytes({1, 1, {Color{}}}, {}), "iTXt"), "");
}

TEST(Png, ContainsItsSizeOnPaper) {
    ExportOptions twice = options();
    twice.scale = 2;
    // 192 dots per inch are 7559 per metre, in both directions.
    EXPECT_EQ(chunk(draw_png(twice, draw_sample), "pHYs"), std::string("\0\0\x1d\x87\0\0\x1d\x87\1", 9));
}

TEST(Png, RefusesSizesThatItCannotHave) {
    EXPECT_THROW(png_bytes({}, {}), LimitError);
    EXPECT_THROW(draw_png({.width = 40'000, .height = 1}, draw_sample), LimitError);
    EXPECT_THROW(draw_png({.width = 0, .height = 1}, draw_sample), LimitError);
    EXPECT_THROW(draw_png({.width = NAN, .height = 1}, draw_sample), LimitError);
}

TEST(Png, DrawsExactColoursOnWholePixels) {
    const Color red{255, 0, 0}, green{0, 128, 0}, blue{0, 0, 255}, white{255, 255, 255}, veil{200, 100, 50, 128};
    const Image picture = decode(draw_png({.width = 40, .height = 30, .background = white}, [&](Canvas& canvas) {
        canvas.fill_rect({2, 3, 5, 6}, red);
        canvas.image({10, 10, 8, 4}, {2, 1, {green, blue}});
        canvas.push_clip({30, 0, 5, 5});
        canvas.fill_rect({0, 0, 40, 30}, blue);
        canvas.pop_clip();
        canvas.image({20, 20, 4, 4}, {2, 1, {red, red.with_alpha(0)}});
        canvas.fill_rect({0, 28, 40, 2}, veil);
    }));
    for (const auto& [x, y, expected] : std::vector<std::tuple<int, int, Color>>{{2, 3, red},
                                                                                 {6, 8, red},
                                                                                 {7, 8, white},
                                                                                 {2, 9, white},
                                                                                 {10, 10, green},
                                                                                 {13, 13, green},
                                                                                 {14, 10, blue},
                                                                                 {17, 13, blue},
                                                                                 {18, 13, white},
                                                                                 {30, 4, blue},
                                                                                 {30, 5, white},
                                                                                 {29, 4, white},
                                                                                 {21, 21, red},
                                                                                 {22, 21, white},
                                                                                 {5, 28, {227, 177, 152}}})
        EXPECT_EQ(at(picture, x, y), expected) << x << ", " << y;
}

TEST(Png, KeepsTransparencyStraight) {
    const Image picture = decode(draw_png({.width = 4, .height = 1, .background = {0, 0, 0, 0}}, [](Canvas& canvas) {
        canvas.fill_rect({0, 0, 1, 1}, {200, 100, 50, 128});
        canvas.fill_rect({1, 0, 1, 1}, {200, 100, 50, 255});
    }));
    EXPECT_EQ(at(picture, 0, 0).a, 128);
    EXPECT_NEAR(at(picture, 0, 0).r, 200, 1);
    EXPECT_NEAR(at(picture, 0, 0).b, 50, 1);
    EXPECT_EQ(at(picture, 1, 0), (Color{200, 100, 50}));
    EXPECT_EQ(at(picture, 2, 0).a, 0);
}

TEST(Png, PutsInkWhereTheRecordingCanvasExpectsIt) {
    constexpr double scale = 4;
    const Point anchor{100, 60};
    for (const char* text : {"Hamburg", "⟨ℝ⟩ p", "−3×10⁻⁴"})
        for (const Weight weight : {Weight::regular, Weight::semibold})
            for (const Align across : {Align::start, Align::middle, Align::end})
                for (const Align down : {Align::start, Align::middle, Align::end})
                    for (const Rotation rotation : {Rotation::none, Rotation::quarter_left}) {
                        const TextStyle style{.size = 12,
                                              .color = {0, 0, 0},
                                              .weight = weight,
                                              .across = across,
                                              .down = down,
                                              .rotation = rotation};
                        const Image picture = decode(
                            draw_png({.width = 200, .height = 120, .scale = scale, .background = {255, 255, 255}},
                                     [&](Canvas& canvas) { canvas.text(anchor, text, style); }));
                        int left = picture.width, right = -1, top = picture.height, bottom = -1;
                        for (int y = 0; y < picture.height; ++y)
                            for (int x = 0; x < picture.width; ++x)
                                if (at(picture, x, y).r < 128) {
                                    left = std::min(left, x);
                                    right = std::max(right, x + 1);
                                    top = std::min(top, y);
                                    bottom = std::max(bottom, y + 1);
                                }
                        const Rect expected = ink_box(anchor, text, style);
                        SCOPED_TRACE(text);
                        EXPECT_NEAR(left / scale, expected.x, 0.5);
                        EXPECT_NEAR(right / scale, expected.right(), 0.5);
                        EXPECT_NEAR(top / scale, expected.y, 0.5);
                        EXPECT_NEAR(bottom / scale, expected.bottom(), 0.5);
                    }
}

}  // namespace
}  // namespace ropewalk
