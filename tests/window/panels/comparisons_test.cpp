// The reference, the state before a change, and pinned curves.
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using Comparisons = MainWindowTest;

TEST_F(Comparisons, TheReferenceIsSetComparedAndShownInPlace) {
    const auto badge = [&] {
        const RegisteredWidget* widget = gui_.ui().registry.find("panel0.badge");
        return widget ? widget->label : std::string();
    };
    session_.document.view.figures[0] = AttentionFigure{.against = Against::reference};
    robot_.key("R");
    ASSERT_NE(session_.document.reference(), nullptr);
    const Experiment reference = experiment();
    robot_.drag("temperature", 0.2, 0.4);
    robot_.settle();
    ASSERT_NE(experiment(), reference);
    EXPECT_EQ(*session_.document.reference(), reference);
    EXPECT_THAT(badge(), testing::HasSubstr("max |Δ|"));
    const auto read = [&](const char* id) { return gui_.ui().registry.find(id)->value; };
    session_.notices.dismiss();
    robot_.hover("panel0.plot", 0.3, 0.8);
    robot_.settle();
    const std::string present = read("temperature"), formula = read("formula");
    const Experiment moved = experiment();
    EXPECT_THAT(read("readout"), testing::HasSubstr("(Δ "));
    robot_.key_down("Shift");
    robot_.settle();
    EXPECT_EQ(badge(), "reference");
    EXPECT_THAT(read("readout"), testing::Not(testing::HasSubstr("Δ"))) << "its own values are shown";
    EXPECT_EQ(read("temperature"), "1") << "controls and formula show it, too";
    EXPECT_NE(read("formula"), formula);
    EXPECT_EQ(experiment(), moved);
    robot_.key_up("Shift");
    robot_.settle();
    EXPECT_EQ(read("temperature"), present);
    EXPECT_EQ(read("formula"), formula);
    EXPECT_THAT(badge(), testing::HasSubstr("max |Δ|"));
    EXPECT_EQ(gui_.ui().registry.find("keep_reference")->label, "Clear reference") << "what a click does now";
    robot_.key("Shift+R");
    EXPECT_EQ(session_.document.reference(), nullptr);
    EXPECT_EQ(session_.notices.current().sentence, "Reference cleared.");
    EXPECT_THAT(badge(), testing::Not(testing::HasSubstr("Δ")));
}

TEST_F(Comparisons, ShiftPrefersTheStateBeforeToTheReferenceOfAnotherScene) {
    session_.document.set_reference();
    EXPECT_EQ(session_.other_on_shift(), Other::reference);
    session_.files.open_bundled("p-rope");
    robot_.settle();
    EXPECT_EQ(session_.other_on_shift(), Other::reference) << "nothing has changed yet";
    robot_.key_down("Shift");
    robot_.settle();
    EXPECT_EQ(gui_.ui().registry.find("panel0.badge")->label, "reference from another scene");
    robot_.key_up("Shift");
    robot_.settle();
    const auto read = [&](const char* id) { return gui_.ui().registry.find(id)->value; };
    const std::string before = read("formula");
    session_.document.edit(changed(experiment(), "encoding.base=500"), Gesture::complete);
    robot_.settle();
    const std::string now = read("formula");
    EXPECT_NE(now, before);
    EXPECT_EQ(session_.other_on_shift(), Other::before);
    robot_.key_down("Shift");
    robot_.settle();
    EXPECT_EQ(read("formula"), before) << "the formula is that of the figures";
    EXPECT_EQ(gui_.ui().registry.find("panel0.badge")->label, "before");
    robot_.key_up("Shift");
    robot_.settle();
    EXPECT_EQ(read("formula"), now);
}

TEST_F(Comparisons, TheStateBeforeAChangeStaysUntilTheNextOne) {
    const Experiment first = experiment();
    const auto hotter = [&](double temperature) {
        Experiment changed = experiment();
        changed.temperature = temperature;
        return changed;
    };
    const Needs needs{DecayQuestion{}};
    const auto before = [&] { return session_.computation.results_for(Other::before, needs); };
    EXPECT_EQ(before(), nullptr);
    for (const double temperature : {2.0, 3.0}) {
        session_.document.edit(hotter(temperature), Gesture::ongoing);
        frame();
        ASSERT_NE(before(), nullptr);
        EXPECT_EQ(before()->request.experiment, first);
        EXPECT_FALSE(before()->answers.empty());
        EXPECT_TRUE(before()->all_of<ViewQuestion>().empty()) << "matrices take much memory";
    }
    session_.document.end_gesture();
    robot_.settle();
    ASSERT_NE(before(), nullptr);
    EXPECT_EQ(before()->request.experiment, first) << "after the drag, too";
    EXPECT_THAT(gui_.ui().registry.find("readout")->value, testing::HasSubstr(" → "));
    robot_.hover("panel0.plot", 0.3, 0.8);
    robot_.settle();
    const Cursor pointed = session_.document.cursor();
    robot_.key_down("Shift");
    robot_.settle();
    EXPECT_EQ(gui_.ui().registry.find("panel0.badge")->label, "before");
    EXPECT_THAT(gui_.ui().registry.find("readout")->value, testing::Not(testing::HasSubstr(" → ")))
        << "only its own values";
    EXPECT_EQ(session_.document.cursor(), pointed) << "the mouse is still";
    robot_.key_up("Shift");
    const Experiment second = experiment();
    session_.document.edit(hotter(4), Gesture::complete);
    robot_.settle();
    ASSERT_NE(before(), nullptr);
    EXPECT_EQ(before()->request.experiment, second) << "the next change has a state before it, too";
    session_.document.view.cursor = {.query = 9, .key = 2}, session_.document.view.cursor_locked = true;
    robot_.settle();
    EXPECT_EQ(before()->request.cursor.query, 9) << "it goes with the cursor";
    robot_.key("Esc");
    EXPECT_EQ(before(), nullptr);
    EXPECT_THAT(gui_.ui().registry.find("readout")->value, testing::Not(testing::HasSubstr(" → ")));
    session_.document.undo();
    EXPECT_EQ(before(), nullptr) << "undo leads back to it";
}

TEST_F(Comparisons, AReadoutThatLacksItsPlaceIsInTheStatusLine) {
    const auto find = [&](const char* id) { return gui_.ui().registry.find(id); };
    session_.document.view.figures[0] = AttentionFigure{};
    session_.document.view.cursor = {.query = 9, .key = 2}, session_.document.view.cursor_locked = true;
    robot_.settle();
    Experiment hotter = experiment();
    hotter.temperature = 3;
    session_.document.edit(hotter, Gesture::complete);
    bool has_room = false, lacks_room = false;
    for (int width = 1600; width >= 640; width -= 120) {
        resize({width, 1000});
        const RegisteredWidget* readout = find("readout");
        if (!readout) continue;
        EXPECT_THAT(readout->value, testing::HasSubstr(" → "));
        const bool has_place = find("readout.i") && find("readout.j") && find("readout.r");
        EXPECT_EQ(find("status")->value.find(readout->value) == std::string::npos, has_place) << "at " << width;
        (has_place ? has_room : lacks_room) = true;
    }
    EXPECT_TRUE(has_room);
    EXPECT_TRUE(lacks_room);
}

TEST_F(Comparisons, ACurveIsPinnedAndAClickOnItsNameRemovesIt) {
    session_.document.view.figures[1] = DecayFigure{};
    robot_.settle();
    const Experiment before = experiment();
    const auto pins = [&] { return get<DecayFigure>(session_.document.view.figures[1]).pinned; };
    const auto chip = [&] { return gui_.ui().registry.find("panel1.chip0"); };
    EXPECT_EQ(chip(), nullptr);
    robot_.click("panel1.menu");
    robot_.click("panel1.pin");
    robot_.settle();
    EXPECT_NE(pins(), "");
    EXPECT_THAT(session_.document.steps().back(), testing::EndsWith(": Pin"));
    session_.document.edit(changed(before, "encoding.base=300"), Gesture::complete);
    robot_.settle();  // its name now shows the difference
    for (int i = 0; i < 100 && (!chip() || chip()->rect.width == 0); ++i)
        robot_.rest(0.02);  // it needs a frame to find its place
    ASSERT_NE(chip(), nullptr);
    EXPECT_GT(chip()->rect.width, 20);
    EXPECT_THAT(chip()->value, testing::HasSubstr("base θ 10 000")) << "its parameters";
    robot_.click("panel1.chip0");
    EXPECT_EQ(pins(), "");
    EXPECT_THAT(session_.document.steps().back(), testing::EndsWith(": Unpin"));
    EXPECT_FALSE(session_.document.view.cursor_locked) << "that click was for the chip alone";
    robot_.key("Ctrl+Z");
    EXPECT_NE(pins(), "") << "undo restores it";
}

}  // namespace
}  // namespace ropewalk
