// Gradual changes of figures.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/figures/figure_list.h"
#include "core/experiment/settings.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"
#include "tests/window/parse_key.h"

namespace ropewalk {
namespace {

class BlendingTest : public MainWindowTest {
  protected:
    BlendingTest() : MainWindowTest("barbero-fig2a", true) {
        session_.preferences.reduced_motion = false;
        show(DecayFigure{.axis = AxisScale::linear});
    }
    void show(Figure figure) {
        session_.document.view.show_only({std::move(figure)});
        robot_.settle();
        robot_.rest(0.5);
    }
    void change(const char* setting, Gesture gesture) {
        session_.document.edit(changed(experiment(), setting), gesture);
    }
    /// Draws frames until a change is shown gradually. Returns whether one is, soon.
    bool begins_to_move() {
        for (int i = 0; i < 6 && !gui_.ui().is_moving; ++i) frame();
        return gui_.ui().is_moving;
    }
    /// Returns the number of pixels of the figure in which two pictures of the window differ.
    int difference(const Image& one, const Image& another) {
        const Rect plot = gui_.ui().registry.find("panel0.plot")->rect;
        int count = 0;
        for (int y = static_cast<int>(plot.y); y < static_cast<int>(plot.bottom()); ++y)
            for (int x = static_cast<int>(plot.x); x < static_cast<int>(plot.right()); ++x) {
                const auto at = static_cast<std::size_t>(y * one.width + x);
                count += one.pixels[at] != another.pixels[at];
            }
        return count;
    }
    std::string shown_readout() { return gui_.ui().registry.find("readout")->value; }
    void expect_to_blend() {
        const Image before = gui_.screenshot();
        change("encoding.base=500", Gesture::complete);
        ASSERT_TRUE(begins_to_move());
        for (int i = 0; i < 5; ++i) frame();
        const Image between = gui_.screenshot();
        const std::string readout = shown_readout();
        robot_.rest(0.5);
        EXPECT_FALSE(gui_.ui().is_moving);
        EXPECT_EQ(shown_readout(), readout) << "numbers change at once";
        const Image after = gui_.screenshot();
        EXPECT_GT(difference(before, between), 300);
        EXPECT_GT(difference(between, after), 300);
    }
};

TEST_F(BlendingTest, CurvesMoveToTheirNewValues) {
    expect_to_blend();
    session_.document.undo();
    EXPECT_TRUE(begins_to_move()) << "undo";
}

TEST_F(BlendingTest, MatricesFade) {
    show(AttentionFigure{.quantity = Quantity::logits});
    expect_to_blend();
}

TEST_F(BlendingTest, BarsMoveToTheirNewValues) {
    show(ContributionsFigure{});
    expect_to_blend();
}

TEST_F(BlendingTest, DragsAndReducedMotionAreImmediate) {
    change("encoding.base=500", Gesture::ongoing);
    EXPECT_FALSE(begins_to_move()) << "a drag is followed live";
    session_.document.end_gesture();
    robot_.rest(0.5);
    session_.preferences.reduced_motion = true;
    change("encoding.base=5000", Gesture::complete);
    EXPECT_FALSE(begins_to_move());
}

TEST_F(BlendingTest, APictureOfTheWindowWaitsForTheEnd) {
    const TemporaryFolder folder;
    const auto was_in = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const auto written = [&] { return std::filesystem::exists(folder.file("ropewalk.png")); };
    change("encoding.base=500", Gesture::complete);
    EXPECT_TRUE(begins_to_move());
    gui_.surface().events().push(KeyChanged{parse_key("F12")->key, true});
    frame();
    EXPECT_TRUE(gui_.ui().is_moving);
    EXPECT_FALSE(written());
    robot_.rest(0.5);
    for (int i = 0; i < 500 && !written(); ++i) frame();
    EXPECT_TRUE(written());
    std::filesystem::current_path(was_in);
}

}  // namespace
}  // namespace ropewalk
