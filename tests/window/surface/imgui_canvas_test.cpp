#include "app/window/surface/imgui_canvas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "app/plot/fonts.h"
#include "app/window/surface/egl_surface.h"
#include "app/window/widgets/gui.h"
#include "app/window/widgets/widgets.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr Color red{255, 0, 0}, green{0, 255, 0}, blue{0, 0, 255};

class InWindow : public testing::Test {
  protected:
    void SetUp() override {
        try {
            surface_ =
                std::make_unique<EglSurface>(SurfaceOptions{.width = 200, .height = 100, .scale = 1, .debug = true});
        } catch (const DisplayError& error) {
            GTEST_SKIP() << error.what();
        }
        gui_ = std::make_unique<Gui>(*surface_, 1.0 / 60);
    }

    void TearDown() override {
        if (gui_) {
            EXPECT_EQ(gui_->renderer().debug_messages(), 0) << gui_->renderer().last_debug_message();
        }
    }

    Image draw(const std::function<void(Canvas&)>& act, const FrameOptions& options = {}) {
        Ui& ui = gui_->begin_frame(options);
        {
            const Root root;
            ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
            act(canvas);
        }
        gui_->end_frame();
        return gui_->screenshot();
    }

    static Color at(const Image& image, int x, int y) {
        return image.pixels[static_cast<std::size_t>(y * image.width + x)];
    }

    int ink(const Image& image) const {
        int count = 0;
        for (const Color& pixel : image.pixels) count += pixel != dark_theme().window;
        return count;
    }

    std::unique_ptr<EglSurface> surface_;
    std::unique_ptr<Gui> gui_;
};

TEST_F(InWindow, RectanglesCoverTheirPixels) {
    const Image image = draw([](Canvas& canvas) { canvas.fill_rect({10, 20, 100, 50}, red); });
    EXPECT_EQ(at(image, 10, 20), red);
    EXPECT_EQ(at(image, 109, 69), red);
    EXPECT_EQ(at(image, 9, 20), dark_theme().window);
    EXPECT_EQ(at(image, 110, 20), dark_theme().window);
    EXPECT_EQ(ink(image), 5000);
}

TEST_F(InWindow, LevelLinesCoverWholePixels) {
    const Image image = draw([](Canvas& canvas) { canvas.line({10, 30}, {60, 30}, {red, 1, 0}); });
    const int row = at(image, 30, 30) == red ? 30 : 29;
    EXPECT_EQ(at(image, 30, row), red);
    EXPECT_EQ(at(image, 30, row - 1), dark_theme().window);
    EXPECT_EQ(at(image, 30, row + 1), dark_theme().window);
}

TEST_F(InWindow, CurvesThatReverseGrowNoSpikes) {
    std::vector<Point> zigzag;
    for (int i = 0; i < 10'000; ++i) zigzag.push_back({50 + i * 0.01, i % 2 == 0 ? 40.0 : 60.0});
    for (const Dashes& dash : {Dashes(), Dashes(30), Dashes{9, 3, 2, 3}}) {
        const Image image = draw([&](Canvas& canvas) { canvas.polyline(zigzag, {red, 1.5, dash}); });
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 200; ++x)
                if (y < 37 || y > 62 || x < 47 || x > 153) {
                    ASSERT_EQ(at(image, x, y), dark_theme().window) << x << ", " << y;
                }
        EXPECT_EQ(at(image, 100, 50), red);
    }
}

TEST_F(InWindow, DashesLeaveGaps) {
    const Image image = draw([](Canvas& canvas) { canvas.line({0, 10.5}, {80, 10.5}, {red, 1, 10}); });
    int drawn = 0;
    for (int x = 0; x < 80; ++x) drawn += at(image, x, 10) == red;
    EXPECT_NEAR(drawn, 40, 4);
}

TEST_F(InWindow, DashesOfSeveralLengthsFollowEachOther) {
    const Image image = draw([](Canvas& canvas) { canvas.line({0, 10.5}, {80, 10.5}, {red, 1, {20, 10, 4, 6}}); });
    for (const int drawn : {2, 10, 17, 31, 32, 42, 50, 57, 71, 72}) EXPECT_EQ(at(image, drawn, 10), red) << drawn;
    for (const int gap : {22, 25, 28, 36, 38, 62, 65, 68, 76, 78})
        EXPECT_EQ(at(image, gap, 10), dark_theme().window) << gap;
}

TEST_F(InWindow, ClipsCut) {
    const Image image = draw([](Canvas& canvas) {
        canvas.push_clip({20, 20, 30, 30});
        canvas.fill_rect({0, 0, 200, 100}, green);
        canvas.pop_clip();
    });
    EXPECT_EQ(ink(image), 900);
}

TEST_F(InWindow, AreasBetweenCurvesAreFilled) {
    const std::vector<Point> upper = {{10, 10}, {50, 20}, {90, 10}}, lower = {{10, 50}, {50, 50}, {90, 50}};
    const Image image = draw([&](Canvas& canvas) { canvas.fill_between(upper, lower, blue); });
    EXPECT_EQ(at(image, 50, 40), blue);
    EXPECT_EQ(at(image, 50, 15), dark_theme().window);
    EXPECT_NEAR(ink(image), 80 * 35, 60);
}

TEST_F(InWindow, HeatMapsShowTheirExactColours) {
    HeatMap map;
    map.values = SharedNumbers::of(std::vector<double>{0, 1, 0.5, nan});
    map.rows = map.columns = 2;
    map.not_a_number = red;
    const Image image = draw([&](Canvas& canvas) { canvas.heat_map({0, 0, 40, 40}, map); });
    const Image cells = colored(map);
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column)
            for (const int edge : {0, 19})
                EXPECT_EQ(at(image, column * 20 + edge, row * 20 + edge),
                          cells.pixels[static_cast<std::size_t>(row * 2 + column)]);
    EXPECT_EQ(at(image, 30, 30), red);
}

TEST_F(InWindow, TexturesAreCachedByValueAndFreedWhenUnused) {
    HeatMap map;
    map.values = SharedNumbers::of(std::vector<double>(4, 0.5));
    map.rows = map.columns = 2;
    const auto show = [&] { draw([&](Canvas& canvas) { canvas.heat_map({0, 0, 40, 40}, map); }); };
    show();
    show();
    EXPECT_EQ(gui_->textures().size(), 1u);
    map.scale.max = 2;
    show();
    EXPECT_EQ(gui_->textures().size(), 2u);
    for (int i = 0; i < 40; ++i) draw([](Canvas&) {});
    EXPECT_EQ(gui_->textures().size(), 0u);
}

TEST_F(InWindow, TextIsAsWideAsMeasured) {
    const std::string text = "HxH θᵢ ⟨q⟩ αβγ";
    for (const Rotation rotation : {Rotation::none, Rotation::quarter_left}) {
        const Image image = draw([&](Canvas& canvas) {
            canvas.text({20, 95}, text,
                        {.size = 12, .color = red, .across = Align::start, .down = Align::end, .rotation = rotation});
        });
        int first = 1000, last = -1;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                if (at(image, x, y) != dark_theme().window) {
                    const int along = rotation == Rotation::none ? x : 99 - y;
                    first = std::min(first, along);
                    last = std::max(last, along);
                }
        const double width = measure_text(text, 12, Weight::regular).width;
        EXPECT_NEAR(last - first + 1, width, 3) << (rotation == Rotation::none ? "upright" : "rotated");
    }
}

TEST_F(InWindow, TextLargerThanItsAtlasIsStretched) {
    constexpr double zoom = 8.4;
    float line = 0;
    const auto write = [&](Canvas& canvas) {
        line = ImGui::GetFontSize();
        canvas.text({1, 6}, "HH", {.size = 9, .color = red});
    };
    draw(write, {.zoom = 2});
    const float usual_line = line;
    const Image image = draw(write, {.zoom = zoom});
    EXPECT_NEAR(line, usual_line * zoom / 2, 4) << "of what ImGui itself writes";
    int first = image.width, last = -1, inside = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            if (at(image, x, y) != dark_theme().window) first = std::min(first, x), last = std::max(last, x);
            inside += at(image, x, y) == red;
        }
    EXPECT_NEAR(last - first + 1, measure_text("HH", 9, Weight::regular).width * zoom, zoom * 3);
    EXPECT_GT(inside, 300) << "the glyphs are in their texture";
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    EXPECT_LE(std::max(atlas.TexWidth, atlas.TexHeight), 8192) << "the largest atlas";
}

TEST_F(InWindow, RareSymbolsAreAsHighAsUsualOnes) {
    const auto middle_of_ink = [&](const char* text) {
        const Image image = draw([&](Canvas& canvas) {
            canvas.text({20, 50}, text, {.size = 16, .color = {255, 255, 255}});
        });
        int top = image.height, bottom = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                if (at(image, x, y) != dark_theme().window) top = std::min(top, y), bottom = std::max(bottom, y);
        return (top + bottom) / 2.0;
    };
    const double usual = middle_of_ink("$=$");
    EXPECT_NEAR(middle_of_ink("$\\propto$"), usual, 2);
    EXPECT_NEAR(middle_of_ink("$≡$"), usual, 2) << "not among the symbols of the atlas";
    EXPECT_NEAR(middle_of_ink("$a ≡ b$"), middle_of_ink("$a = b$"), 2);
}

TEST_F(InWindow, ManyVerticesAreDrawn) {
    std::vector<Point> wave;
    for (int i = 0; i < 60'000; ++i) wave.push_back({i * 200.0 / 60'000, 50 + 40 * std::sin(i * 0.001)});
    const Image image = draw([&](Canvas& canvas) {
        canvas.polyline(wave, {green, 2, 0});
        canvas.fill_rect({150, 80, 50, 20}, red);
    });
    EXPECT_EQ(at(image, 199, 99), red) << "vertices after the first 65 536 are drawn, too";
}

}  // namespace
}  // namespace ropewalk
