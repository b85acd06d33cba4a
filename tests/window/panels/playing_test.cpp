// The animation of the distance, from the header of a figure.
#include <gtest/gtest.h>

#include "app/figures/figure_list.h"
#include "app/figures/parts/marks/token_line.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using Playing = MainWindowTest;

TEST_F(Playing, PhasorsArePlayedFromTheirHeader) {
    session_.files.open_bundled("long-term-phasors");
    robot_.settle();
    const auto label = [&] { return gui_.ui().registry.find("panel0.play")->label; };
    EXPECT_EQ(gui_.ui().registry.find("panel1.play"), nullptr) << "a figure without animation";
    EXPECT_EQ(label(), "Play");
    robot_.click("panel0.play");
    EXPECT_EQ(label(), "Pause");
    robot_.click("panel0.play");
    EXPECT_EQ(label(), "Play");
}

TEST_F(Playing, TheSpeedIsChosenNextToThePlayButton) {
    session_.files.open_bundled("long-term-phasors");
    session_.document.forget_steps();
    robot_.settle();
    const auto label = [&] { return gui_.ui().registry.find("panel0.speed")->label; };
    EXPECT_EQ(gui_.ui().registry.find("panel1.speed"), nullptr) << "a figure without animation";
    EXPECT_EQ(label(), "1×");
    robot_.wheel("panel0.speed", 1);
    EXPECT_EQ(label(), "2×");
    robot_.wheel("panel0.speed", -2);
    EXPECT_EQ(label(), "0.5×");
    robot_.click("panel0.speed");
    robot_.click("panel0.speed/16×");
    robot_.settle();
    EXPECT_EQ(label(), "16×");
    robot_.wheel("panel0.speed", 1);
    robot_.click("panel0.speed");
    robot_.click("panel0.speed/64×");
    robot_.settle();
    EXPECT_EQ(label(), "64×") << "next to the one that the wheel chose";
    robot_.click("panel0.speed");
    robot_.click("panel0.speed/16×");
    robot_.settle();
    robot_.click("panel0.play");
    robot_.key("-");
    EXPECT_EQ(label(), "8×") << "keys change the same";
    robot_.click("panel0.play");
    EXPECT_FALSE(session_.document.can_undo()) << "it is not a step";
}

TEST_F(Playing, ADraggedMarkIsNotExplained) {
    session_.document.view.figures[0] = ArrowsFigure{};
    robot_.settle();
    const double line = 1 - TokenLine::height / 2 / gui_.ui().registry.find("panel0.plot")->rect.height;
    robot_.hover("panel0.plot", 0.7, line);
    robot_.rest(1);
    ASSERT_NE(gui_.ui().registry.find("tooltip"), nullptr);
    const Cursor before = session_.document.cursor();
    robot_.drag("panel0.plot", 0.7, 0.4, line, line);
    EXPECT_NE(session_.document.cursor(), before);
    robot_.rest(1);
    EXPECT_EQ(gui_.ui().registry.find("tooltip"), nullptr) << "it would hide the numbers that changed";
    robot_.hover("panel0.figure");
    robot_.hover("panel0.plot", 0.7, line);
    robot_.rest(1);
    EXPECT_NE(gui_.ui().registry.find("tooltip"), nullptr);
}

TEST_F(Playing, TheDistanceIsDraggedBeyondTheEndsOfItsTrack) {
    session_.files.open_bundled("long-term-phasors");
    robot_.settle();
    const int query = session_.document.cursor().query;
    const double track = 1 - 10 / gui_.ui().registry.find("panel0.plot")->rect.height;
    robot_.drag("panel0.plot", 0.5, 0.5, track, track);
    EXPECT_TRUE(session_.document.view.cursor_locked) << "a press there is enough";
    EXPECT_NEAR(session_.document.cursor().distance(), query / 2.0, 0.05 * query);
    robot_.click("panel0.plot", 0.25, track);
    EXPECT_TRUE(session_.document.view.cursor_locked);
    EXPECT_NEAR(session_.document.cursor().distance(), query / 4.0, 0.05 * query);
    robot_.drag("panel0.plot", 0.5, 1.3, track, 0.8);
    EXPECT_EQ(session_.document.cursor().distance(), query);
    robot_.drag("panel0.plot", 0.5, -0.3, track, 1.2);
    EXPECT_EQ(session_.document.cursor().distance(), 0);
}

TEST_F(Playing, BothTokensAreDraggedTogether) {
    session_.files.open_bundled("barbero-thm61");  // 2048 tokens
    session_.document.view.figures[0] = ArrowsFigure{};
    session_.document.view.cursor = {.query = 1024, .key = 512, .pair = 20};
    robot_.settle();
    const double line = 0.95;  // of the figure's height
    robot_.hover("panel0.plot", 0.4, line);
    EXPECT_EQ(session_.document.cursor(), (Cursor{1024, 512, 20})) << "pointing alone moves nothing";
    robot_.drag("panel0.plot", 0.375, 0.625, line, line);
    EXPECT_EQ(session_.document.cursor().distance(), 512);
    EXPECT_NEAR(session_.document.cursor().query, 1536, 40);
    EXPECT_TRUE(session_.document.view.cursor_locked);
    robot_.drag("panel0.plot", 0.75, 0.9, line, 0.2);  // the query's mark, then away from the line
    EXPECT_NEAR(session_.document.cursor().query, 1843, 40);
    EXPECT_NEAR(session_.document.cursor().key, 1024, 40);
}

TEST_F(Playing, DraggingALineLeavesTheLockedCursor) {
    session_.files.open_bundled("barbero-thm53-robustness");
    session_.document.view.figures[1] = DecayFigure{.axis = AxisScale::linear};
    session_.document.view.cursor = {.query = 600, .key = 100, .pair = 3};
    session_.document.view.cursor_locked = true;
    robot_.settle();
    const Experiment before = experiment();
    robot_.drag("panel1.handle.construction.distance", 0.5, 40);
    EXPECT_NE(experiment(), before);
    EXPECT_EQ(session_.document.view.cursor, (Cursor{600, 100, 3}));
    EXPECT_TRUE(session_.document.view.cursor_locked);
}

TEST_F(Playing, TheLineOfATrainingIsDraggedInBothOfItsPlots) {
    session_.files.open_bundled("train-back");
    session_.document.edit(changed(experiment(), "construction.recipe.steps=8"), Gesture::complete);
    session_.document.view.show_only({TrainingFigure{}});
    robot_.settle();
    const auto step = [&] { return number_at(experiment(), "construction.step"); };
    const auto left_of = [&](const char* item) { return gui_.ui().registry.find(item)->rect.x; };
    EXPECT_LT(left_of("readout.loss"), left_of("readout.step")) << "a place follows what is measured there";
    robot_.drag("panel0.handle.construction.step.above", 0.5, -300);
    EXPECT_LT(step(), 8);
    const auto reached = step();
    ASSERT_GT(reached, 2);
    robot_.drag("panel0.handle.construction.step", 0.5, -300);
    EXPECT_LT(step(), reached);
    EXPECT_EQ(zoom_of(session_.document.view.figures[0]), Zoom{}) << "the line is not a mark to zoom to";
}

TEST_F(Playing, ALineIsNotDraggedWhereItIsNotDrawn) {
    session_.document.edit(changed(experiment(), "encoding=p_rope encoding.p=0.5"), Gesture::complete);
    for (const Figure& figure : {Figure(ContributionsFigure{}), Figure(FrequencyUsageFigure{})}) {
        session_.document.view.show_only({figure});
        robot_.settle();
        EXPECT_NE(gui_.ui().registry.find("panel0.handle.encoding.p"), nullptr);
        EXPECT_EQ(gui_.ui().registry.find("panel0.handle.encoding.p.above"), nullptr);
    }
}

TEST_F(Playing, ADragBeyondAPlotStaysInIt) {
    session_.document.view.figures[0] = TruncationFigure{};
    session_.document.view.figures[1] = MethodsFigure{.axis = MethodsAxis::pair};
    session_.document.view.cursor_locked = true;  // the pointer's later position does not count
    robot_.settle();
    const int last = experiment().head_dim / 2 - 1;
    robot_.drag("panel1.plot", 0.5, 2);
    EXPECT_EQ(session_.document.cursor().pair, last);
    robot_.drag("panel1.plot", 0.5, -1);
    EXPECT_EQ(session_.document.cursor().pair, 0);
    robot_.drag("panel0.plot", 0.3, 2, 0.3, 5);
    EXPECT_EQ(session_.document.cursor().pair, 8)
        << "the first pair that partial RoPE does not rotate, in the lowest row";
    session_.document.view.figures[0] = PhasorsFigure{};
    robot_.settle();
    robot_.drag("panel0.plot", 0.2, 0.2, 0.15, 0.15);
    const int above = session_.document.cursor().pair;
    robot_.drag("panel0.plot", 0.2, 0.2, 0.15, 0.7);
    EXPECT_GT(session_.document.cursor().pair, above) << "clocks have rows";
}

TEST_F(Playing, TheDistanceIsDraggedToTheEndsOfAnAxis) {
    robot_.drag("panel1.plot", 0.5, 2, 0.5, 0.5);
    EXPECT_EQ(session_.document.cursor().distance(), experiment().seq_len - 1);
    robot_.drag("panel1.plot", 0.5, -1, 0.5, 3);
    EXPECT_LE(session_.document.cursor().distance(), 1);
}

}  // namespace
}  // namespace ropewalk
