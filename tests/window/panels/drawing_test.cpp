// Drawing on figures with the mouse: the resulting head, and undo.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "app/figures/figure_list.h"
#include "core/analysis/fit/band_fit.h"
#include "core/attention/make_problem.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class DrawingTest : public MainWindowTest {
  protected:
    void show(const Figure& figure) {
        session_.document.view.figures[0] = figure;
        robot_.settle();
    }
    TargetFigure& target() { return get<TargetFigure>(session_.document.view.figures[0]); }
    std::vector<Band> bands() { return listed_bands(experiment()).value_or(std::vector<Band>{}); }
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    void drag_with_the_right_button(double from_x, double to_x, double y) {
        const Rect rect = find("panel0.plot")->rect;
        const auto move = [&](double x) {
            surface_.events().push(
                MouseMoved{std::round(rect.x + x * rect.width), std::round(rect.y + y * rect.height)});
            robot_.settle();
        };
        move(from_x);
        surface_.events().push(MouseButton{1, true});
        for (int i = 0; i <= 5; ++i) move(from_x + (to_x - from_x) * i / 5);
        surface_.events().push(MouseButton{1, false});
        robot_.settle();
    }
    /// The bands that are closest to the panel's target, found here.
    std::vector<Band> closest() {
        return band_fit(make_problem(experiment()), TargetCurve::of_list(target().points), {.ridge = target().ridge},
                        {})
            .bands;
    }
};

TEST_F(DrawingTest, BrowsingAListIsNotAStepAndKeepsTheRedoHistory) {
    session_.preferences.folded = "Queries & keys, More";
    robot_.settle();
    robot_.click("attention.against/Difference");
    robot_.drag("temperature", 0.3, 0.6);
    robot_.key("Ctrl+Z");
    const std::vector<std::string> steps = session_.document.steps();
    for (const char* list : {"encoding", "attention.quantity"}) {
        robot_.click(list);
        robot_.key("Down");
        robot_.key("Down");
        robot_.key("Esc");
        robot_.settle();
        EXPECT_EQ(session_.document.steps(), steps) << list;
    }
    robot_.key("Ctrl+Y");
    EXPECT_FALSE(session_.document.can_redo());
    EXPECT_NE(experiment().temperature, Experiment{}.temperature);
}

TEST_F(DrawingTest, BrowsingAListRestoresAllFieldsOfTheFirstChoice) {
    session_.document.edit(changed(experiment(),
                                   "encoding=yarn encoding.beta_fast=10 encoding.truncate=false construction=bands "
                                   "construction.amplitudes=3 construction.phases=0.5"),
                           Gesture::complete);
    robot_.settle();
    const Experiment before = experiment();
    const std::size_t steps = session_.document.count_of_steps();
    for (const char* list : {"encoding", "construction"})
        for (const char* key : {"Down", "Up"}) {
            robot_.click(list);
            robot_.key(key);
            robot_.key(key);
            EXPECT_NE(experiment(), before) << list;
            robot_.key("Esc");
            robot_.settle();
            EXPECT_EQ(experiment(), before) << list;
            EXPECT_EQ(session_.document.count_of_steps(), steps) << list;
        }
    robot_.click("encoding");
    robot_.key("Down");
    robot_.key("Ctrl+Z");
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("unavailable while a list is open"));
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(experiment(), before);
    EXPECT_EQ(session_.document.count_of_steps(), steps);
}

TEST_F(DrawingTest, TheUnlockedCursorFollowsTheBrush) {
    show(BandsFigure{});
    robot_.drag("panel0.plot", 0.4, 0.7, 0.35, 0.35);
    EXPECT_NEAR(session_.document.cursor().pair, 22, 3) << "the readout shows the drawn pair";
}

TEST_F(DrawingTest, UndoIsUnavailableDuringADrag) {
    show(TargetFigure{});
    robot_.drag("temperature", 0.3, 0.6);
    const Experiment before = experiment();
    const Rect plot = find("panel0.plot")->rect;
    const auto move = [&](double x, double y) {
        surface_.events().push(MouseMoved{std::round(plot.x + x * plot.width), std::round(plot.y + y * plot.height)});
        robot_.settle();
    };
    move(0.3, 0.3);
    surface_.events().push(MouseButton{0, true});
    for (const double x : {0.35, 0.4, 0.5}) move(x, 0.3);
    robot_.key("Ctrl+Z");
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("unavailable while a mouse button is down"));
    move(0.6, 0.3);
    surface_.events().push(MouseButton{0, false});
    robot_.settle();
    EXPECT_EQ(session_.document.count_of_steps(), 3u);
    EXPECT_GT(target().points.size(), 2u);
    const std::vector<std::string> steps = session_.document.steps();
    for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_FALSE(steps[i].empty()) << i;
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before);
}

TEST_F(DrawingTest, AnAxisThatWasDrawnOnShrinksForMuchSmallerAmplitudes) {
    show(BandsFigure{});
    for (int i = 0; i < 4; ++i) robot_.drag("panel0.plot", 0.4, 0.7, 0.2, 0.02);
    robot_.settle();
    const auto top_of = [&] {
        double top = 0;
        for (const Band& band : bands()) top = std::max(top, band.amplitude);
        return top;
    };
    EXPECT_GT(top_of(), 10);
    type_into("construction.amplitudes", "0.5");
    robot_.settle();
    robot_.drag("panel0.plot", 0.4, 0.7, 0.4, 0.4);
    EXPECT_LT(top_of(), 1) << "the axis fits them";
}

TEST_F(DrawingTest, PointsThatDoNotGrowAreRefused) {
    session_.preferences.folded = "Sequence, Encoding, Queries & keys, Softmax, More";
    show(TargetFigure{.points = {0, 10, 50, 0}});
    robot_.click("target.points");
    robot_.key("Ctrl+A");
    robot_.type("0, 1, 9, 2, 5, 3");
    robot_.key("Enter");
    EXPECT_EQ(target().points, (std::vector<double>{0, 10, 50, 0}));
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("distances must increase"));
    EXPECT_FALSE(session_.document.can_undo());
    ASSERT_NE(find("refusal"), nullptr);
    robot_.click("target.points");
    robot_.key("Ctrl+A");
    robot_.type("0, 1, 5, 3");
    robot_.key("Enter");
    EXPECT_EQ(target().points, (std::vector<double>{0, 1, 5, 3}));
}

TEST_F(DrawingTest, AmplitudesFollowTheMouseInOneStepOfUndo) {
    show(BandsFigure{});
    const Experiment before = experiment();
    robot_.drag("panel0.plot", 0.4, 0.7, 0.35, 0.35);
    const auto drawn = bands();
    ASSERT_EQ(drawn.size(), 32u) << "the head is made of bands now";
    EXPECT_NEAR(drawn[0].amplitude, 10, 1e-12) << "pairs that were not drawn on are unchanged: α = 10";
    EXPECT_NEAR(drawn[0].phase, -1, 1e-12) << "one token back";
    EXPECT_NEAR(drawn[31].amplitude, 10, 1e-12);
    const double level = drawn[17].amplitude;
    EXPECT_LT(level, 9);
    EXPECT_GT(level, 2);
    int touched = 0;
    for (const Band& band : drawn) touched += band.amplitude != 10 && std::abs(band.amplitude - level) < 0.1;
    EXPECT_GE(touched, 9);
    EXPECT_LE(touched, 12);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before);
    EXPECT_THAT(status(), HasSubstr("Undone. Construction: Previous token"));
    robot_.key("Ctrl+Shift+Z");
    EXPECT_EQ(bands(), drawn);
    robot_.drag("panel0.plot", 0.2, 0.3, 0.5, 0.5);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(bands(), drawn);
    EXPECT_THAT(status(), HasSubstr("Undone. Amplitudes"));
}

TEST_F(DrawingTest, PhasesAreDrawnBelowAndTheRightButtonSetsToZero) {
    show(BandsFigure{});
    robot_.drag("panel0.plot", 0.3, 0.8, 0.7, 0.7);
    auto drawn = bands();
    ASSERT_EQ(drawn.size(), 32u);
    EXPECT_GT(drawn[16].phase, 0.2) << "above the middle of the lower plot";
    EXPECT_LT(drawn[16].phase, std::numbers::pi);
    EXPECT_NEAR(drawn[16].amplitude, 10, 1e-12) << "its amplitude stays";
    EXPECT_NEAR(drawn[0].phase, -1, 1e-12);
    drag_with_the_right_button(0.4, 0.6, 0.3);
    drawn = bands();
    EXPECT_EQ(drawn[16].amplitude, 0);
    EXPECT_GT(drawn[16].phase, 0.2) << "a pair with amplitude 0 keeps its phase";
    EXPECT_NEAR(drawn[2].amplitude, 10, 1e-12);
    drag_with_the_right_button(0.45, 0.65, 0.7);
    EXPECT_EQ(bands()[16].phase, 0);
}

TEST_F(DrawingTest, AClickStillLocksTheCursor) {
    for (const Figure& figure : {Figure(BandsFigure{}), Figure(TargetFigure{})}) {
        show(figure);
        const Experiment before = experiment();
        const bool was_locked = session_.document.view.cursor_locked;
        robot_.click("panel0.plot", 0.5, 0.3);
        EXPECT_NE(session_.document.view.cursor_locked, was_locked);
        EXPECT_EQ(experiment(), before);
        EXPECT_EQ(session_.document.view.figures[0], figure);
        EXPECT_FALSE(session_.document.can_undo());
    }
}

TEST_F(DrawingTest, TheHeadFollowsTheTargetAndUndoRevertsBoth) {
    show(TargetFigure{});
    const Experiment before = experiment();
    const auto points = target().points;
    robot_.drag("panel0.plot", 0.3, 0.7, 0.15, 0.4);
    const auto drawn = target().points;
    EXPECT_NE(drawn, points);
    const Experiment fitted = experiment();
    EXPECT_EQ(fitted, with_bands(before, closest()));
    EXPECT_EQ(find("panel0.use"), nullptr) << "it is applied";
    EXPECT_THAT(session_.document.steps().back(), testing::MatchesRegex("Target curve: [0-9]+ points"));
    robot_.drag("panel0.plot", 0.5, 0.9, 0.3, 0.15);
    EXPECT_NE(target().points, drawn);
    EXPECT_EQ(experiment(), with_bands(before, closest()));
    robot_.key("Ctrl+Z");
    EXPECT_EQ(target().points, drawn);
    EXPECT_EQ(experiment(), fitted);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(target().points, points);
    EXPECT_EQ(experiment(), before);
    EXPECT_FALSE(session_.document.can_undo());
    robot_.key("Ctrl+Y");
    EXPECT_EQ(target().points, drawn);
    EXPECT_EQ(experiment(), fitted);
}

TEST_F(DrawingTest, TheHeadCanWaitForTheButton) {
    show(TargetFigure{.use = TargetUse::asked});
    const Experiment before = experiment();
    robot_.drag("panel0.plot", 0.3, 0.7, 0.15, 0.4);
    EXPECT_EQ(experiment(), before);
    ASSERT_NE(find("panel0.use"), nullptr);
    robot_.click("panel0.use");
    EXPECT_EQ(experiment(), with_bands(before, closest()));
    EXPECT_EQ(find("panel0.use"), nullptr);
    EXPECT_EQ(session_.document.steps().back(), "Target curve: Apply");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before);
    EXPECT_NE(target().points, TargetFigure{}.points);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(target().points, TargetFigure{}.points) << "the drawing can be undone, too";
    EXPECT_THAT(status(), HasSubstr("Undone: Target curve"));
}

TEST_F(DrawingTest, TheRightButtonErasesTheTarget) {
    show(TargetFigure{.points = {0, 1, 10, 5, 19, 2}, .use = TargetUse::asked});
    drag_with_the_right_button(0.3, 0.99, 0.2);
    const auto left = TargetCurve::of_list(target().points).whole_distances(20);
    EXPECT_EQ(left.first, 0);
    EXPECT_GE(left.second, 3);
    EXPECT_LE(left.second, 7);
    EXPECT_EQ(target().check(), std::nullopt);
}

TEST_F(DrawingTest, EveryPresetIsOneStepOfUndo) {
    session_.document.view.cursor = {.query = 15, .key = 10, .pair = 3};
    for (const Figure& figure : {Figure(BandsFigure{}), Figure(TargetFigure{})}) {
        show(figure);
        for (const Preset& preset : presets_of(figure)) {
            const Experiment before = experiment();
            robot_.click("panel0.menu");
            robot_.click(std::string("panel0.preset.") + preset.id);
            robot_.key("Esc");
            robot_.settle();
            const bool is_empty = session_.document.view.figures[0] == Figure(TargetFigure{.points = {}});
            EXPECT_NE(experiment() == before, !is_empty) << preset.id;
            EXPECT_EQ(session_.complaint(), "") << preset.id;
            EXPECT_EQ(session_.document.steps().back(), fmt::format("{}: {}", title_of(figure), preset.label));
            robot_.key("Ctrl+Z");
            EXPECT_EQ(experiment(), before) << preset.id;
            EXPECT_EQ(session_.document.view.figures[0], figure) << preset.id;
        }
    }
}

TEST_F(DrawingTest, TheAxesStayWhileTheMouseDraws) {
    show(BandsFigure{});
    const Rect rect = find("panel0.plot")->rect;
    const auto move = [&](double x, double y) {
        surface_.events().push(MouseMoved{std::round(rect.x + x * rect.width), std::round(rect.y + y * rect.height)});
        robot_.settle();
    };
    const auto max = [&] {
        double found = 0;
        for (const Band& band : bands()) found = std::max(found, band.amplitude);
        return found;
    };
    move(0.5, 0.4);
    surface_.events().push(MouseButton{0, true});
    move(0.5, 0.1);
    const double high = max();
    EXPECT_GT(high, 10);
    move(0.5, 0.4);
    move(0.5, 0.1);
    EXPECT_EQ(max(), high) << "the same place is the same value";
    move(0.5, -0.2);
    const double beyond = max();
    EXPECT_GT(beyond, high * 1.2) << "drawing continues above the plot";
    surface_.events().push(MouseButton{0, false});
    robot_.settle();
    move(0.5, 0.4);
    surface_.events().push(MouseButton{0, true});
    move(0.5, 0.1);
    EXPECT_GT(max(), high * 1.2) << "now the axis reaches that far";
    surface_.events().push(MouseButton{0, false});
    robot_.settle();
}

TEST_F(DrawingTest, TheAxisStaysWhereItWasOnceTheButtonIsUp) {
    show(BandsFigure{});
    robot_.drag("panel0.plot", 0.5, 0.01, 0.4, 0.4);
    robot_.drag("panel0.plot", 0.5, 0.99, 0.4, 0.4);  // all pairs are lower than before
    const auto drawn = bands();
    ASSERT_EQ(drawn.size(), 32u);
    const double level = drawn[16].amplitude;
    for (const Band& band : drawn) EXPECT_LT(band.amplitude, 8);
    robot_.drag("panel0.plot", 0.4, 0.6, 0.4, 0.4);
    EXPECT_NEAR(bands()[16].amplitude, level, 0.02) << "the same place is the same value still";
    session_.files.open_bundled("barbero-fig2a");
    robot_.settle();
    session_.document.undo();
    show(BandsFigure{});
    robot_.drag("panel0.plot", 0.4, 0.6, 0.4, 0.4);
    EXPECT_LT(bands()[16].amplitude, level - 0.5) << "opening another scene resets the axis";
}

TEST_F(DrawingTest, ASceneKeepsTheTarget) {
    show(TargetFigure{});
    robot_.drag("panel0.plot", 0.3, 0.7, 0.15, 0.4);
    const TargetFigure drawn = target();
    const Experiment fitted = experiment();
    const TemporaryFolder folder;
    session_.files.save(folder.file("a.json"));
    session_.files.open_bundled("barbero-prop31");
    session_.files.open({folder.file("a.json")});
    EXPECT_EQ(Figure(target()), Figure(drawn));
    EXPECT_EQ(experiment(), fitted);
}

TEST_F(DrawingTest, TheMarkOfTheShiftIsDraggedInEitherPlot) {
    show(ShiftFigure{.shift = 100, .max = 500});
    const auto shift = [&] { return get<ShiftFigure>(session_.document.view.figures[0]).shift; };
    robot_.drag("panel0.plot", 0.3, 0.6, 0.25, 0.25);
    const int above = shift();
    EXPECT_GT(above, 200);
    robot_.drag("panel0.plot", 0.6, 0.8, 0.8, 0.8);
    EXPECT_GT(shift(), above + 50);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(shift(), above) << "one step per drag";
}

}  // namespace
}  // namespace ropewalk
