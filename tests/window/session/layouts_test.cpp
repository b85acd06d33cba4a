// Layouts by name: the program's own, those that are kept, and what a damaged file does.
#include <gmock/gmock.h>

#include "core/error.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string text_of_layouts(const TemporaryFolder& folder) {
    return read_file(folder.file("layouts.json"), 1 << 20);
}

Arrangement some_arrangement() {
    Arrangement arrangement;
    arrangement.figures.front() = PhasorsFigure{};
    arrangement.figures[1] = DecayFigure{.axis = AxisScale::linear};
    arrangement.duplicate(1);
    arrangement.layout.main = 0.5;
    return arrangement;
}

TEST(SavedLayouts, AreThereAgainAtTheNextStart) {
    const TemporaryFolder folder;
    SavedLayouts kept(folder.file("new"));
    EXPECT_THAT(kept.names(), IsEmpty());
    kept.keep("Für die Vorlesung", some_arrangement());
    kept.keep("b", {});
    const SavedLayouts again(folder.file("new"));
    EXPECT_EQ(again.complaint(), "");
    EXPECT_THAT(again.names(), ElementsAre("Für die Vorlesung", "b"));
    EXPECT_EQ(again.find("Für die Vorlesung"), some_arrangement());
    EXPECT_EQ(again.find("b"), Arrangement{});
    EXPECT_THROW(again.find("c"), InputError);
}

TEST(SavedLayouts, ShowAllThatThereIs) {
    SavedLayouts kept;
    Arrangement zoomed;
    show(zoomed.figures.front(), {.rows = {10, 20}, .columns = {0, 5}});
    kept.keep("a", zoomed);
    EXPECT_EQ(kept.find("a"), Arrangement{});
}

TEST(SavedLayouts, OwnOnesAreAllDifferentAndBearTheirNames) {
    for (const NamedLayout& own : built_in_layouts()) {
        EXPECT_EQ(SavedLayouts().find(own.name), own.arrangement);
        EXPECT_EQ(own.arrangement.panels(), panel_count) << own.name;
        for (const NamedLayout& other : built_in_layouts())
            EXPECT_EQ(own.arrangement == other.arrangement, &own == &other) << own.name << ", " << other.name;
        EXPECT_THROW(SavedLayouts().keep(own.name, {}), InputError);
    }
}

TEST(SavedLayouts, NamesAreOneLine) {
    SavedLayouts kept;
    for (const std::string& name : {std::string(), std::string(" a"), std::string("a "), std::string("a\nb"),
                                    std::string(SavedLayouts::longest_name + 1, 'a')})
        EXPECT_THROW(kept.keep(name, {}), InputError) << name;
    kept.keep("a/../\"b\"", some_arrangement());
    kept.rename("a/../\"b\"", "b");
    EXPECT_THAT(kept.names(), ElementsAre("b"));
    EXPECT_THROW(kept.rename("a", "c"), InputError);
    EXPECT_THROW(kept.rename("b", "Curves"), InputError);
    EXPECT_EQ(kept.find("b"), some_arrangement());
    kept.remove("b");
    EXPECT_THAT(kept.names(), IsEmpty());
}

TEST(SavedLayouts, WhatCannotBeReadIsLeftAsItIs) {
    for (const char* text : {"", "{", "[]", "3", R"({"layouts": []})", "\x89PNG"}) {
        const TemporaryFolder folder;
        atomic_write(folder.file("layouts.json"), text);
        SavedLayouts kept(folder.path());
        EXPECT_THAT(kept.complaint(), HasSubstr("layouts.json")) << text;
        EXPECT_THAT(kept.names(), IsEmpty()) << text;
        EXPECT_THROW(kept.keep("a", {}), InputError) << text;
        EXPECT_EQ(text_of_layouts(folder), text);
    }
}

TEST(SavedLayouts, OneThatIsNoneDoesNoHarmToTheOthers) {
    const TemporaryFolder folder;
    atomic_write(folder.file("layouts.json"),
                 R"({"layouts": {"a": 3, "b": {"figures": [{"id": "pink"}]}, "c": {"layout": {"main": 99}},
                     "d": {"beside": [1]}, "e": {"figures": 3}, "f": {"new": 1, "layout": {"newer": 2}}}, "later": true})");
    SavedLayouts kept(folder.path());
    for (const char* name : {"a", "b", "c", "d", "e"}) EXPECT_THROW(kept.find(name), InputError) << name;
    EXPECT_EQ(kept.find("f"), Arrangement{});
    kept.keep("g", some_arrangement());
    for (const char* part : {R"("a": 3)", R"("pink")", R"("newer": 2)", R"("later": true)"})
        EXPECT_THAT(text_of_layouts(folder), HasSubstr(part));
}

TEST(SavedLayouts, AnotherWindowsAreKeptToo) {
    const TemporaryFolder folder;
    SavedLayouts one(folder.path()), other(folder.path());
    one.keep("a", {});
    other.keep("b", {});
    EXPECT_THAT(SavedLayouts(folder.path()).names(), ElementsAre("a", "b"));
    EXPECT_THROW(SavedLayouts("/proc/no/such").keep("a", {}), IoError);
}

class LayoutsTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    const Arrangement& arrangement() { return session_.view; }
    void choose(const char* layout) {
        robot_.key("Ctrl+Shift+L");
        robot_.type(layout);
        robot_.key("Enter");
    }
    void keep_as(const char* name) {
        choose("keep this layout");
        robot_.key("Ctrl+A");
        robot_.type(name);
        robot_.key("Enter");
    }
};

TEST_F(LayoutsTest, OneIsChosenAndTakenBackInOneStep) {
    const Arrangement before = arrangement();
    const Experiment experiment_before = experiment();
    choose("pairs and frequencies");
    EXPECT_EQ(arrangement(), built_in_layouts()[3].arrangement);
    EXPECT_EQ(experiment(), experiment_before);
    EXPECT_EQ(session_.steps().back(), "Layout Pairs and frequencies");
    session_.view.layout.main = 0.7;  // a splitter that is dragged is ink
    const Arrangement changed = arrangement();
    robot_.key("Ctrl+Z");
    EXPECT_EQ(arrangement(), before);
    EXPECT_EQ(status(), "Undone: Layout Pairs and frequencies");
    robot_.key("Ctrl+Shift+Z");
    EXPECT_EQ(arrangement(), changed);
    session_.open_bundled("million");
    choose("curves");
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(arrangement(), changed) << "each scene comes back as it was left";
}

TEST_F(LayoutsTest, EveryOwnOneIsDrawn) {
    for (const NamedLayout& own : built_in_layouts()) {
        const Arrangement expected = session_.layouts().find(own.name, arrangement());
        robot_.key("Ctrl+K");
        robot_.type(("layout: " + own.name).c_str());
        robot_.key("Enter");
        EXPECT_EQ(arrangement(), expected) << own.name;
        EXPECT_NE(find("panel0.plot"), nullptr) << own.name;
        EXPECT_EQ(find("panel4.plot") == nullptr, own.arrangement.maximised().has_value()) << own.name;
        robot_.key("Ctrl+Shift+L");
        EXPECT_EQ(find("layout." + own.name)->value, "on") << "the present one is in front";
        robot_.key("Esc");
    }
}

TEST_F(LayoutsTest, AnOwnOneLeavesFiguresTheirOptions) {
    session_.view.figures[0] = AttentionFigure{.quantity = Quantity::logits};
    session_.view.figures[1] = DecayFigure{.axis = AxisScale::linear};
    choose("curves");
    EXPECT_EQ(session_.view.figures[0], Figure(DecayFigure{.axis = AxisScale::linear}));
    robot_.key("Ctrl+Z");
    choose("standard");
    EXPECT_EQ(session_.view.figures[0], Figure(AttentionFigure{.quantity = Quantity::logits}));
    EXPECT_EQ(session_.view.figures[1], Figure(DecayFigure{.axis = AxisScale::linear}));
}

TEST_F(LayoutsTest, OnesOwnAreKeptRenamedAndDeleted) {
    session_.view.duplicate(1);
    const Arrangement mine = arrangement();
    keep_as("  mine ");
    EXPECT_EQ(status(), "This layout is kept as 'mine'");
    choose("standard");
    choose("mine");
    EXPECT_EQ(arrangement(), mine);
    keep_as("Curves");
    EXPECT_THAT(find("name.complaint")->value, HasSubstr("choose another name"));
    robot_.key("Ctrl+A");
    robot_.type("mine");
    robot_.key("Enter");
    EXPECT_THAT(find("name.complaint")->value, HasSubstr("press Replace")) << "the keyboard stays with the name";
    robot_.key("Esc");
    robot_.key("Esc");
    EXPECT_EQ(find("name.text"), nullptr);
    choose("curves");
    keep_as("mine");
    EXPECT_THAT(find("name.complaint")->value, HasSubstr("press Replace"));
    robot_.click("name.accept");
    EXPECT_EQ(session_.layouts().find("mine"), arrangement());
    choose("rename a layout");
    robot_.key("Enter");
    robot_.key("Ctrl+A");
    robot_.type("yours");
    robot_.key("Enter");
    EXPECT_THAT(session_.layouts().names(), ElementsAre("yours"));
    choose("delete a layout");
    robot_.key("Enter");
    EXPECT_THAT(session_.layouts().names(), IsEmpty());
    EXPECT_EQ(status(), "The layout 'yours' is deleted; Layouts can bring it back");
    choose("bring back a layout");
    EXPECT_THAT(session_.layouts().names(), ElementsAre("yours"));
    choose("bring back a layout");
    EXPECT_THAT(session_.layouts().names(), ElementsAre("yours")) << "once";
    robot_.key("Esc");
}

}  // namespace
}  // namespace ropewalk
