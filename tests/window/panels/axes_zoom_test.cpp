// The mouse and the keyboard on the axes of curves.
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class AxesZoomTest : public MainWindowTest {
  protected:
    AxesZoomTest() : MainWindowTest("barbero-fig2a") {
        session_.document.view.show_only({DecayFigure{.axis = AxisScale::linear}});
        robot_.settle();
    }
    Zoom zoom() { return zoom_of(session_.document.view.figures[0]).value(); }
};

TEST_F(AxesZoomTest, TheWheelZoomsTheAxisUnderThePointer) {
    ASSERT_EQ(zoom(), Zoom{});
    robot_.wheel("panel0.plot", 3);
    robot_.settle();
    ASSERT_EQ(zoom().x.size(), 2u);
    EXPECT_TRUE(zoom().y.empty());
    EXPECT_LT(zoom().x[1] - zoom().x[0], 0.6 * 4096);
    robot_.key_down("Ctrl");
    robot_.wheel("panel0.plot", 2);
    robot_.key_up("Ctrl");
    EXPECT_EQ(zoom().y.size(), 2u);
    robot_.rest(1);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(zoom(), Zoom{}) << "turns without a rest are one step";
    robot_.key("Ctrl+Y");
    EXPECT_EQ(zoom().y.size(), 2u);
    robot_.double_click("panel0.plot");
    robot_.settle();
    EXPECT_EQ(zoom(), Zoom{});
}

TEST_F(AxesZoomTest, ADragMovesZoomedAxes) {
    const Cursor before = session_.document.cursor();
    robot_.drag("panel0.plot", 0.4, 0.6);
    EXPECT_EQ(zoom(), Zoom{}) << "nothing is zoomed";
    session_.document.view.cursor = before;
    session_.document.view.cursor_locked = true;
    robot_.wheel("panel0.plot", 4);
    robot_.rest(1);
    const std::vector<double> range = zoom().x;
    robot_.drag("panel0.plot", 0.4, 0.6);
    EXPECT_LT(zoom().x[0], range[0]);
    EXPECT_NEAR(zoom().x[1] - zoom().x[0], range[1] - range[0], 1e-6 * range[1]);
    EXPECT_EQ(session_.document.cursor(), before) << "the cursor stays";
    robot_.key("Ctrl+Z");
    EXPECT_EQ(zoom().x, range) << "a drag is one step";
}

TEST_F(AxesZoomTest, AClickZoomsToTheFirstNegativeValue) {
    const auto answer = session_.computation.results_for({{DecayQuestion{}}})->find(DecayQuestion{});
    ASSERT_TRUE(answer && answer->verdict.first_negative);
    const double distance = *answer->verdict.first_negative;
    robot_.hover("panel0.mark0");
    robot_.rest(1);
    ASSERT_NE(gui_.ui().registry.find("tooltip"), nullptr);
    EXPECT_THAT(gui_.ui().registry.find("tooltip")->value,
                testing::StartsWith("First negative value at r = " + readable(distance) + "\nClick to zoom"));
    robot_.click("panel0.mark0");
    robot_.settle();
    ASSERT_EQ(zoom().x.size(), 2u);
    EXPECT_LT(zoom().x[0], distance);
    EXPECT_GT(zoom().x[1], distance);
    EXPECT_NEAR(zoom().x[1] - zoom().x[0], 420, 20);
    EXPECT_EQ(session_.document.cursor().distance(), distance);
    EXPECT_TRUE(session_.document.view.cursor_locked);
    robot_.click("panel0.mark0");
    EXPECT_NEAR(zoom().x[1] - zoom().x[0], 42, 2) << "closer";
    robot_.double_click("panel0.plot", 0.8, 0.8);
    EXPECT_EQ(zoom(), Zoom{});
    robot_.key("Ctrl+Z");
    EXPECT_NEAR(zoom().x[1] - zoom().x[0], 42, 2);
}

TEST_F(AxesZoomTest, TheOverviewMovesTheRange) {
    EXPECT_EQ(gui_.ui().registry.find("panel0.overview"), nullptr) << "only below zoomed curves";
    robot_.wheel("panel0.plot", 4);
    robot_.rest(1);
    const std::vector<double> range = zoom().x;
    robot_.drag("panel0.overview", 0.5, 0.7);
    EXPECT_NEAR(zoom().x[0] - range[0], 0.2 * 4096, 120);
    EXPECT_NEAR(zoom().x[1] - zoom().x[0], range[1] - range[0], 1e-6 * range[1]);
    robot_.click("panel0.overview", 0.1);
    EXPECT_LT((zoom().x[0] + zoom().x[1]) / 2, 1000) << "a click outside the window centres it there";
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(zoom().x, range);
    robot_.double_click("panel0.overview");
    EXPECT_EQ(zoom(), Zoom{});
}

TEST_F(AxesZoomTest, ZoomingLeavesNothingToSave) {
    session_.files.open_bundled("barbero-fig2a");
    robot_.settle();
    ASSERT_FALSE(session_.document.has_unsaved_changes());
    robot_.wheel("panel0.plot", 4);
    robot_.rest(1);
    ASSERT_EQ(zoom().x.size(), 2u);
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    Scene kept_scene = session_.document.current_scene();
    const View kept = read_view(kept_scene);
    EXPECT_EQ(zoom_of(kept.figures[0])->x.size(), 2u) << "saved nevertheless";
}

TEST_F(AxesZoomTest, ArrowKeysMoveTheCursorAlongTheAxes) {
    session_.document.view.cursor = {.query = 4000, .key = 1500};
    robot_.key("Right");
    EXPECT_EQ(session_.document.cursor().distance(), 2501) << "to larger distances";
    robot_.key("Shift+Left");
    EXPECT_EQ(session_.document.cursor().distance(), 2491);
    robot_.key("Up");
    EXPECT_EQ(session_.document.cursor().query, 3999);
    EXPECT_EQ(session_.document.cursor().distance(), 2491) << "nothing moves sideways";
    for (int i = 0; i < 60; ++i) robot_.key("Ctrl+Left");
    EXPECT_EQ(session_.document.cursor().distance(), 0);
    session_.document.view.show_only({figure_of("attention")});
    robot_.settle();
    session_.document.view.cursor = {.query = 4000, .key = 1500};
    robot_.key("Right");
    robot_.key("Down");
    EXPECT_EQ(session_.document.cursor().key, 1501);
    EXPECT_EQ(session_.document.cursor().query, 4001);
}

TEST_F(AxesZoomTest, AZoomedFigureFollowsTheCursor) {
    session_.document.view.cursor = {.query = 4000, .key = 1500};
    session_.document.view.cursor_locked = true;
    robot_.hover("panel0.plot");
    for (int i = 0; i < 6; ++i) robot_.key("Z");
    const std::vector<double> range = zoom().x;
    ASSERT_EQ(range.size(), 2u);
    robot_.key("Right");
    EXPECT_EQ(zoom().x, range) << "still in sight";
    robot_.key("Ctrl+Right");
    EXPECT_GT(zoom().x[1], 2601);
    EXPECT_LT(zoom().x[0], 2601);
    EXPECT_NEAR(zoom().x[1] - zoom().x[0], range[1] - range[0], 1e-6 * range[1]);
    session_.document.view.show_only({figure_of("attention")});
    show(session_.document.view.figures[0], {.rows = {}, .columns = {1590, 1610}});
    robot_.settle();
    session_.document.view.cursor = {.query = 4000, .key = 1600};
    robot_.key("Ctrl+Left");
    EXPECT_EQ(shown_part(session_.document.view.figures[0])->columns, (TokenRange{1500, 1520}));
    EXPECT_EQ(shown_part(session_.document.view.figures[0])->rows, TokenRange{});
}

TEST_F(AxesZoomTest, KeysZoomAboutTheCursor) {
    session_.document.view.cursor = {.query = 4000, .key = 1500};
    session_.document.view.cursor_locked = true;
    robot_.hover("panel0.plot");
    for (int i = 0; i < 6; ++i) robot_.key("Z");
    ASSERT_EQ(zoom().x.size(), 2u);
    EXPECT_LT(zoom().x[1] - zoom().x[0], 100);
    EXPECT_LT(zoom().x[0], 2500);
    EXPECT_GT(zoom().x[1], 2500);
    for (int i = 0; i < 6; ++i) robot_.key("Shift+Z");
    EXPECT_EQ(zoom(), Zoom{});
}

}  // namespace
}  // namespace ropewalk
