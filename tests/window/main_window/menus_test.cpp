// The menu bar and the toolbar, by mouse and by keyboard alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/window/main_window/commands.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class MenusTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    bool is_open(const std::string& menu) { return find("menu") && find("menu." + menu)->value == "on"; }
    std::string selected() {
        for (const RegisteredWidget& widget : gui_.ui().registry.all())
            if (widget.id.starts_with("menu/") && widget.value == "selected") return widget.id.substr(5);
        return "";
    }
};

TEST_F(MenusTest, HoldEveryCommand) {
    std::set<std::string> shown;
    for (const char* menu : {"File", "Edit", "View", "Figures", "Learn", "Help"}) {
        robot_.click(std::string("menu.") + menu);
        ASSERT_TRUE(is_open(menu));
        for (const RegisteredWidget& widget : gui_.ui().registry.all())
            if (widget.id.starts_with("menu/")) {
                EXPECT_TRUE(shown.insert(widget.id.substr(5)).second) << widget.id;
            }
        robot_.key("Esc");
        EXPECT_EQ(find("menu"), nullptr);
    }
    for (const Command& command : commands()) EXPECT_TRUE(shown.contains(command.id)) << command.id;
}

TEST_F(MenusTest, AClickRunsAndAClickElsewhereOnlyCloses) {
    choose("View", "theme");
    EXPECT_EQ(session_.preferences.theme, ThemeChoice::light);
    EXPECT_EQ(find("menu"), nullptr);
    const Experiment before = experiment();
    robot_.click("menu.Edit");
    surface_.events().push(MouseMoved{find("seq_len")->rect.centre().x, find("seq_len")->rect.centre().y});
    surface_.events().push(MouseButton{0, true});
    surface_.events().push(MouseButton{0, false});
    robot_.settle();
    EXPECT_EQ(find("menu"), nullptr);
    EXPECT_EQ(experiment(), before) << "the click is not for what is under the menu";
    robot_.click("menu.Edit");
    robot_.click("menu.Edit");
    EXPECT_EQ(find("menu"), nullptr) << "a second click on the title closes it";
}

TEST_F(MenusTest, FollowThePointerFromTitleToTitle) {
    robot_.click("menu.File");
    robot_.hover("menu.View");
    EXPECT_TRUE(is_open("View"));
    EXPECT_EQ(selected(), "");
    robot_.hover("menu/fit");
    EXPECT_EQ(selected(), "fit");
}

TEST_F(MenusTest, AreUsedByKeysAlone) {
    robot_.key("Alt");
    EXPECT_TRUE(is_open("File"));
    robot_.key("Alt");
    EXPECT_EQ(find("menu"), nullptr);
    robot_.key("F10");
    robot_.key("Right");
    robot_.key("Right");
    EXPECT_TRUE(is_open("View"));
    robot_.key("Left");
    EXPECT_TRUE(is_open("Edit"));
    robot_.key("Left");
    robot_.key("Left");
    EXPECT_TRUE(is_open("Help")) << "after the first comes the last";
    robot_.key("Esc");
    robot_.key("Alt+V");
    EXPECT_TRUE(is_open("View"));
    robot_.key("End");
    EXPECT_EQ(selected(), "normal_text");
    robot_.type("l");
    EXPECT_EQ(selected(), "larger_text");
    const double before = gui_.ui().scale;
    robot_.key("Enter");
    robot_.settle();
    EXPECT_GT(gui_.ui().scale, before);
    EXPECT_EQ(find("menu"), nullptr);
}

TEST_F(MenusTest, AltWithAnotherKeyOrAClickOpensNothing) {
    robot_.key("Alt+Left");
    EXPECT_EQ(find("menu"), nullptr);
    robot_.key_down("Alt");
    robot_.click("panel0.plot");
    robot_.key_up("Alt");
    EXPECT_EQ(find("menu"), nullptr);
}

TEST_F(MenusTest, KeysOfAnOpenMenuLeaveTheSceneAlone) {
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    const Experiment before = experiment();
    robot_.click("menu.Edit");
    for (const char* key : {"Ctrl+Z", "R", "Down", "Ctrl+T"}) robot_.key(key);
    EXPECT_EQ(experiment(), before);
    EXPECT_EQ(session_.document.reference(), nullptr);
    EXPECT_EQ(session_.preferences.theme, ThemeChoice::dark);
}

TEST_F(MenusTest, AnUnavailableEntryGivesTheReason) {
    robot_.click("menu.Edit");
    robot_.hover("menu/redo");
    robot_.rest(1);
    ASSERT_NE(find("tooltip"), nullptr);
    EXPECT_THAT(find("tooltip")->value, HasSubstr("Unavailable: there is nothing to redo."));
    robot_.click("menu/redo");
    EXPECT_NE(find("menu"), nullptr) << "it stays open";
}

TEST_F(MenusTest, TheToolbarHasWhatIsUsedMost) {
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    robot_.settle();
    robot_.click("undo");
    EXPECT_EQ(experiment().temperature, 1);
    robot_.click("redo");
    EXPECT_EQ(experiment().temperature, 2);
    robot_.click("keep_reference");
    EXPECT_NE(session_.document.reference(), nullptr);
    robot_.click("keep_reference");
    EXPECT_EQ(session_.document.reference(), nullptr) << "a second click clears it";
    robot_.click("find");
    EXPECT_NE(find("palette.find"), nullptr);
}

TEST_F(MenusTest, NothingOverlapsInWindowsOfAnyWidth) {
    for (const int width : {300, 400, 550, 700, 900, 1100, 1280, 1600}) {
        resize({width, 700});
        double end = 0;
        for (const char* menu : {"File", "Edit", "View", "Figures", "Learn", "Help"}) {
            EXPECT_GE(find(std::string("menu.") + menu)->rect.x, end);
            end = find(std::string("menu.") + menu)->rect.right();
        }
        if (const RegisteredWidget* title = find("title")) {
            EXPECT_GE(title->rect.x, end) << width;
        }
        end = 0;
        for (const Command& command : commands())
            if (const RegisteredWidget* button = command.toolbar_group > 0 ? find(command.id) : nullptr)
                end = std::max(end, button->rect.right());
        ASSERT_NE(find("find"), nullptr);
        EXPECT_GE(find("find")->rect.x, end) << width;
        EXPECT_LE(find("find")->rect.right(), width);
        if (width >= 400) {
            EXPECT_NE(find("present"), nullptr) << width;
        }
    }
    resize({500, 300});
    robot_.click("menu.File");
    EXPECT_LE(find("menu")->rect.bottom(), 300) << "it scrolls";
    robot_.key("End");
    EXPECT_EQ(selected(), "quit");
    EXPECT_TRUE(find("menu/quit")->visible);
}

TEST_F(MenusTest, ARightClickOffersWhatCanBeDoneWithAFigure) {
    robot_.click("panel1.plot", 0.5, 0.5, 1);
    ASSERT_NE(find("context"), nullptr);
    robot_.click("menu/make_main");
    robot_.settle();
    EXPECT_EQ(find("context"), nullptr);
    EXPECT_THAT(session_.document.steps().back(), HasSubstr("the main figure"));
    robot_.click("panel1.plot", 0.5, 0.5, 1);
    robot_.click("menu/options");
    robot_.settle();
    EXPECT_NE(find("panel1.export"), nullptr) << "its options are open";
    robot_.key("Esc");
    session_.document.view.figure(1) = figure_of("contributions");
    robot_.settle();
    robot_.click("panel1.plot", 0.5, 0.5, 1);
    robot_.click("menu/explain");
    const auto lists = [&](std::string_view title) {
        const auto all = gui_.ui().registry.all();
        return std::any_of(all.begin(), all.end(),
                           [&](const RegisteredWidget& widget) { return widget.id.empty() && widget.label == title; });
    };
    EXPECT_TRUE(lists(title_of(session_.document.view.figure(1))));
    EXPECT_TRUE(lists("pair, chunk, band, dimension")) << "a term that its summary uses";
    robot_.key("Esc");
    robot_.click("panel0.plot", 0.5, 0.5, 1);
    robot_.key("Esc");
    EXPECT_EQ(find("context"), nullptr);
}

TEST_F(MenusTest, TooltipsOfEntriesCoverNoOthers) {
    for (const char* panel : {"panel0.plot", "panel1.plot", "panel3.plot"}) {
        robot_.click(panel, 0.9, 0.9, 1);
        ASSERT_NE(find("context"), nullptr);
        robot_.hover("menu/fit");
        robot_.rest(2);
        ASSERT_NE(find("tooltip"), nullptr) << panel;
        const Rect menu = find("context")->rect, tip = find("tooltip")->rect;
        EXPECT_TRUE(tip.x >= menu.right() || tip.right() <= menu.x) << panel;
        robot_.key("Esc");
        robot_.key("Esc");
        robot_.settle();
    }
}

}  // namespace
}  // namespace ropewalk
