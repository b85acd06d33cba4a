// Named layouts: built-in and saved ones, and damaged files.
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
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

TEST(SavedLayouts, AreRestoredAtTheNextStart) {
    const TemporaryFolder folder;
    SavedLayouts saved(folder.file("new"));
    EXPECT_THAT(saved.names(), IsEmpty());
    saved.save("Für die Vorlesung", some_arrangement());
    saved.save("b", {});
    const SavedLayouts again(folder.file("new"));
    EXPECT_EQ(again.complaint(), "");
    EXPECT_THAT(again.names(), ElementsAre("Für die Vorlesung", "b"));
    EXPECT_EQ(again.find("Für die Vorlesung"), some_arrangement());
    EXPECT_EQ(again.find("b"), Arrangement{});
    EXPECT_THROW(again.find("c"), InputError);
}

TEST(SavedLayouts, DoNotIncludeTheZoom) {
    SavedLayouts saved;
    Arrangement zoomed;
    show(zoomed.figures.front(), {.rows = {10, 20}, .columns = {0, 5}});
    saved.save("a", zoomed);
    EXPECT_EQ(saved.find("a"), Arrangement{});
}

TEST(SavedLayouts, BuiltInOnesAreDifferentAndHaveTheirNames) {
    for (const NamedLayout& own : built_in_layouts()) {
        EXPECT_EQ(SavedLayouts().find(own.name), own.arrangement);
        EXPECT_LE(own.arrangement.panels(), most_places) << own.name;
        for (const NamedLayout& other : built_in_layouts())
            EXPECT_EQ(own.arrangement == other.arrangement, &own == &other) << own.name << ", " << other.name;
        EXPECT_THROW(SavedLayouts().save(own.name, {}), InputError);
    }
}

TEST(SavedLayouts, NamesAreOneLine) {
    SavedLayouts saved;
    for (const std::string& name : {std::string(), std::string(" a"), std::string("a "), std::string("a\nb"),
                                    std::string(SavedLayouts::longest_name + 1, 'a')})
        EXPECT_THROW(saved.save(name, {}), InputError) << name;
    saved.save("a/../\"b\"", some_arrangement());
    saved.rename("a/../\"b\"", "b");
    EXPECT_THAT(saved.names(), ElementsAre("b"));
    EXPECT_THROW(saved.rename("a", "c"), InputError);
    EXPECT_THROW(saved.rename("b", "Curves"), InputError);
    EXPECT_EQ(saved.find("b"), some_arrangement());
    saved.remove("b");
    EXPECT_THAT(saved.names(), IsEmpty());
}

TEST(SavedLayouts, UnreadableFilesAreNotChanged) {
    for (const char* text : {"", "{", "[]", "3", R"({"layouts": []})", "\x89PNG"}) {
        const TemporaryFolder folder;
        atomic_write(folder.file("layouts.json"), text);
        SavedLayouts saved(folder.path());
        EXPECT_THAT(saved.complaint(), HasSubstr("layouts.json")) << text;
        EXPECT_THAT(saved.names(), IsEmpty()) << text;
        EXPECT_THROW(saved.save("a", {}), InputError) << text;
        EXPECT_EQ(text_of_layouts(folder), text);
    }
}

TEST(SavedLayouts, AnInvalidOneDoesNotAffectTheOthers) {
    const TemporaryFolder folder;
    atomic_write(folder.file("layouts.json"),
                 R"({"layouts": {"a": 3, "b": {"figures": [{"id": "pink"}]}, "c": {"layout": {"main": 99}},
                     "d": {"beside": [9]}, "e": {"figures": 3}, "f": {"new": 1, "layout": {"newer": 2}}}, "later": true})");
    SavedLayouts saved(folder.path());
    for (const char* name : {"a", "b", "c", "d", "e"}) EXPECT_THROW(saved.find(name), InputError) << name;
    EXPECT_EQ(saved.find("f"), Arrangement{});
    saved.save("g", some_arrangement());
    for (const char* part : {R"("a": 3)", R"("pink")", R"("newer": 2)", R"("later": true)"})
        EXPECT_THAT(text_of_layouts(folder), HasSubstr(part));
}

TEST(SavedLayouts, ThoseOfAnotherWindowAreSavedToo) {
    const TemporaryFolder folder;
    SavedLayouts one(folder.path()), other(folder.path());
    one.save("a", {});
    other.save("b", {});
    EXPECT_THAT(SavedLayouts(folder.path()).names(), ElementsAre("a", "b"));
    EXPECT_THROW(SavedLayouts("/proc/no/such").save("a", {}), IoError);
}

class LayoutsTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    const Arrangement& arrangement() { return session_.document.view; }
    void choose(const char* layout) {
        robot_.key("Ctrl+Shift+L");
        robot_.type(layout);
        robot_.key("Enter");
    }
    void save_as(const char* name) {
        choose("save layout");
        robot_.key("Ctrl+A");
        robot_.type(name);
        robot_.key("Enter");
    }
};

TEST_F(LayoutsTest, ChoosingOneIsOneStepOfUndo) {
    const Arrangement before = arrangement();
    const Experiment experiment_before = experiment();
    choose("pairs and frequencies");
    EXPECT_EQ(arrangement(), built_in_layouts()[3].arrangement);
    EXPECT_EQ(experiment(), experiment_before);
    EXPECT_EQ(session_.document.steps().back(), "Layout Pairs and frequencies");
    session_.document.view.layout.main = 0.7;  // dragging a splitter is not a step
    const Arrangement changed = arrangement();
    robot_.key("Ctrl+Z");
    EXPECT_EQ(arrangement(), before);
    EXPECT_EQ(status(), "Undone: Layout Pairs and frequencies");
    robot_.key("Ctrl+Shift+Z");
    EXPECT_EQ(arrangement(), changed);
    session_.files.open_bundled("p-rope");
    choose("curves");
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(arrangement(), changed) << "each scene is restored as it was left";
}

TEST_F(LayoutsTest, EveryBuiltInOneIsDrawn) {
    for (const NamedLayout& own : built_in_layouts()) {
        const Arrangement expected = session_.layouts.saved().find(own.name, arrangement());
        robot_.key("Ctrl+K");
        robot_.type(("layout: " + own.name).c_str());
        robot_.key("Enter");
        EXPECT_EQ(arrangement(), expected) << own.name;
        EXPECT_NE(find("panel0.plot"), nullptr) << own.name;
        const std::string last = fmt::format("panel{}.plot", own.arrangement.panels() - 1);
        EXPECT_EQ(find(last) == nullptr, own.arrangement.maximised().has_value()) << own.name;
        robot_.key("Ctrl+Shift+L");
        EXPECT_EQ(find("layout." + own.name)->value, "on") << "the current one is selected";
        robot_.key("Esc");
    }
}

TEST_F(LayoutsTest, ABuiltInOneKeepsTheFiguresOptions) {
    session_.document.view.figures[0] = AttentionFigure{.quantity = Quantity::logits};
    session_.document.view.figures[1] = DecayFigure{.axis = AxisScale::linear};
    choose("curves");
    EXPECT_EQ(session_.document.view.figures[0], Figure(DecayFigure{.axis = AxisScale::linear}));
    robot_.key("Ctrl+Z");
    choose("standard");
    EXPECT_EQ(session_.document.view.figures[0], Figure(AttentionFigure{.quantity = Quantity::logits}));
    EXPECT_EQ(session_.document.view.figures[1], Figure(DecayFigure{.axis = AxisScale::linear}));
}

TEST_F(LayoutsTest, TheyAreSavedRenamedAndDeleted) {
    session_.document.view.duplicate(1);
    const Arrangement mine = arrangement();
    save_as("  mine ");
    EXPECT_EQ(status(), "Layout saved as 'mine'");
    choose("standard");
    choose("mine");
    EXPECT_EQ(arrangement(), mine);
    save_as("Curves");
    EXPECT_THAT(find("name.complaint")->value, HasSubstr("choose another name"));
    robot_.key("Ctrl+A");
    robot_.type("mine");
    robot_.key("Enter");
    EXPECT_THAT(find("name.complaint")->value, HasSubstr("Press Replace")) << "the keyboard stays with the name";
    robot_.key("Esc");
    robot_.key("Esc");
    EXPECT_EQ(find("name.text"), nullptr);
    choose("curves");
    save_as("mine");
    EXPECT_THAT(find("name.complaint")->value, HasSubstr("Press Replace"));
    robot_.click("name.accept");
    EXPECT_EQ(session_.layouts.saved().find("mine"), arrangement());
    choose("rename a layout");
    robot_.key("Enter");
    robot_.key("Ctrl+A");
    robot_.type("yours");
    robot_.key("Enter");
    EXPECT_THAT(session_.layouts.saved().names(), ElementsAre("yours"));
    choose("delete a layout");
    robot_.key("Enter");
    EXPECT_THAT(session_.layouts.saved().names(), IsEmpty());
    EXPECT_EQ(status(), "Layout 'yours' deleted. You can restore it from Layouts.");
    choose("restore layout");
    EXPECT_THAT(session_.layouts.saved().names(), ElementsAre("yours"));
    choose("restore layout");
    EXPECT_THAT(session_.layouts.saved().names(), ElementsAre("yours")) << "once";
    robot_.key("Esc");
}

}  // namespace
}  // namespace ropewalk
