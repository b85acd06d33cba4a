// The column of controls: its groups, and what stays where while controls come and go.
#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class SidebarTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
};

TEST_F(SidebarTest, AFoldedGroupShowsWholeValues) {
    session_.preferences.folded = Preferences{}.folded;
    std::set<std::string> shown;
    for (const double width : {250.0, 330.0, 420.0, 500.0}) {
        session_.document.resize([&](Layout& layout) { layout.sidebar = width; });
        robot_.settle();
        const std::string hint = find("group.More.hint")->value;
        shown.insert(hint);
        EXPECT_THAT(hint, testing::StartsWith("First position 0 · "));
        EXPECT_THAT(hint, testing::EndsWith(" · …")) << "no word is cut";
    }
    EXPECT_GE(shown.size(), 2u) << testing::PrintToString(shown);
}

TEST_F(SidebarTest, TheScrollBarIsApartFromTheControls) {
    resize({1280, 2400});
    const Rect without = find("construction")->rect;
    resize({1280, 500});
    const Rect with = find("construction")->rect;
    EXPECT_EQ(with.width, without.width);
    int bars = 0;
    for (ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows) {
        if (!window->ScrollbarY || std::string_view(window->Name).find("/sidebar_") == std::string_view::npos) continue;
        ++bars;
        EXPECT_GE(static_cast<double>(ImGui::GetWindowScrollbarRect(window, ImGuiAxis_Y).Min.x), with.right() + 2);
    }
    EXPECT_EQ(bars, 1);
}

TEST_F(SidebarTest, ItsWidthCanBeReadAgainHoweverNarrowTheWindow) {
    for (const double text_size : {1.0, 2.0}) {
        session_.preferences.text_size = text_size;
        resize({static_cast<int>(360 * text_size), 700});
        robot_.drag("split.sidebar", 0.5, -20);
        EXPECT_EQ(check_fields(session_.document.view.layout), std::nullopt);
    }
}

TEST_F(SidebarTest, ACheckBoxIsOnTheLineOfItsLabel) {
    session_.document.edit(changed(experiment(), "encoding=yarn"), Gesture::complete);
    robot_.settle();
    const RegisteredWidget *box = find("encoding.scale_attention"), *slider = find("encoding.factor");
    ASSERT_TRUE(box && slider);
    EXPECT_EQ(box->label_above, 0);
    EXPECT_EQ(box->rect.right(), slider->rect.right());
    EXPECT_GT(slider->label_above, 0);
    EXPECT_NE(find("encoding.scale_attention.more"), nullptr);
}

TEST_F(SidebarTest, GroupsOfControlsFold) {
    session_.preferences.folded = Preferences{}.folded;
    robot_.settle();
    EXPECT_EQ(find("temperature"), nullptr);
    ASSERT_NE(find("group.Softmax"), nullptr);
    EXPECT_EQ(find("group.Softmax")->value, "folded");
    robot_.click("group.Softmax");
    ASSERT_NE(find("temperature"), nullptr);
    EXPECT_GT(find("temperature")->rect.width, 250) << "the slider is below its label";
    EXPECT_EQ(session_.preferences.folded, "Encoding after training, Display, More");
    robot_.hover("group.Softmax");
    robot_.key("Space");
    EXPECT_EQ(find("temperature"), nullptr);
    EXPECT_EQ(session_.preferences.folded, "Encoding after training, Display, More, Softmax");
    robot_.hover("group.Encoding");
    for (const char* keys : {"Left", "Left"}) robot_.key(keys);
    EXPECT_EQ(find("group.Encoding")->value, "folded");
    for (const char* keys : {"Right", "Right"}) robot_.key(keys);
    EXPECT_EQ(find("group.Encoding")->value, "open");
    for (const char* advanced : {"positions.start", "positions.stride", "encoding.exponent", "pairing"})
        EXPECT_EQ(find(advanced), nullptr) << advanced;
    robot_.click("group.More");
    for (const char* advanced : {"positions.start", "positions.stride", "encoding.exponent", "pairing"})
        EXPECT_NE(find(advanced), nullptr) << advanced;
}

TEST_F(SidebarTest, TheWindowIsSetWhereTheMaskIsAWindow) {
    EXPECT_EQ(find("window"), nullptr);
    session_.document.edit(changed(experiment(), "mask=window"), Gesture::complete);
    robot_.settle();
    ASSERT_NE(find("window"), nullptr);
    robot_.drag("window", 0.2, 0.6);
    EXPECT_NE(experiment().window, Experiment{}.window);
}

TEST_F(SidebarTest, TheFocusedControlStaysWhenOthersComeAbove) {
    session_.document.edit(changed(experiment(), "encoding=rope"), Gesture::complete);
    robot_.click("temperature");
    robot_.key("Esc");
    robot_.settle();
    ASSERT_EQ(gui_.ui().interaction.focused, "temperature");
    const double before = find("temperature")->rect.y, of_list = find("encoding")->rect.y;
    session_.document.edit(changed(experiment(), "encoding=p_rope"), Gesture::complete);  // which also has p
    robot_.settle();
    ASSERT_NE(find("encoding.p"), nullptr);
    EXPECT_NEAR(find("temperature")->rect.y, before, 1);
    EXPECT_LT(find("encoding")->rect.y, of_list - 20) << "what is above moves";
}

TEST_F(SidebarTest, ShiftAndAnArrowMoveAFractionByTenPairs) {
    session_.document.edit(changed(experiment(), "encoding=p_rope encoding.p=0.5"), Gesture::complete);
    robot_.settle();
    const auto rotated = [&] {
        return std::lround(*number_at(experiment(), "encoding.p") * experiment().head_dim / 2);
    };
    const long before = rotated();
    robot_.hover("encoding.p");
    robot_.key("Right");
    EXPECT_EQ(rotated(), before + 1);
    robot_.key("Shift+Right");
    EXPECT_EQ(rotated(), before + 11);
    robot_.key("Shift+Left");
    EXPECT_EQ(rotated(), before + 1);
}

TEST_F(SidebarTest, ATypedFractionThatIsRoundedIsNamed) {
    session_.document.edit(changed(experiment(), "head_dim=128 encoding=p_rope encoding.p=1"), Gesture::complete);
    robot_.settle();
    type_into("encoding.p", "0.25");
    EXPECT_THAT(session_.notices.current().sentence, testing::Not(testing::HasSubstr("rounded")));
    type_into("encoding.p", "0.3");
    EXPECT_EQ(number_at(experiment(), "encoding.p"), 0.296875);
    EXPECT_EQ(session_.notices.current().sentence, "Fraction p was rounded to 0.2969, a whole number of pairs.");
}

class SidebarOfOneHead : public MainWindowTest {
  protected:
    SidebarOfOneHead() : MainWindowTest("train-back", true) {}

    /// Returns whether anything is drawn in the left half of a control, where a slider's track is.
    bool has_track(const char* id) {
        const RegisteredWidget* widget = gui_.ui().registry.find(id);
        if (!widget || !widget->visible) return ADD_FAILURE() << id << " is not in sight", false;
        const Image drawn = gui_.screenshot();
        const auto left = static_cast<int>(widget->rect.x), middle = static_cast<int>(widget->rect.centre().y);
        const auto row = drawn.pixels.begin() + std::ptrdiff_t{middle} * drawn.width + left;
        return std::any_of(row, row + static_cast<std::ptrdiff_t>(widget->rect.width / 2),
                           [&](const Color& pixel) { return pixel != *row; });
    }
};

TEST_F(SidebarOfOneHead, AnOnlyValueHasNoTrack) {
    session_.preferences.folded = "Task, Model, Training, Softmax, More";
    robot_.settle();
    EXPECT_TRUE(has_track("construction.step"));
    EXPECT_FALSE(has_track("construction.layer"));
    EXPECT_FALSE(has_track("construction.head"));
    session_.document.edit(changed(experiment(), "construction.recipe.layers=2 construction.recipe.steps=2"),
                           Gesture::complete);
    robot_.settle();
    EXPECT_TRUE(has_track("construction.layer"));
    EXPECT_FALSE(has_track("construction.head"));
}

TEST_F(SidebarTest, WhatIsTrainedStandsAboveWhatIsChangedAfterwards) {
    session_.document.edit(
        changed(experiment(),
                "construction=model_head construction.source=trained construction.recipe.layers=1 "
                "construction.recipe.heads=1 construction.recipe.head_dim=8 construction.recipe.width=16 "
                "construction.recipe.feed_forward=0 construction.recipe.batch=2 "
                "construction.recipe.context=16 construction.recipe.steps=2 head_dim=8 seq_len=16"),
        Gesture::complete);
    robot_.settle();
    double above = 0;
    for (const char* id : {"group.Task", "group.Model", "construction.recipe.encoding", "group.Training",
                           "group.Queries & keys", "group.Sequence", "group.Encoding after training", "encoding"}) {
        ASSERT_NE(find(id), nullptr) << id;
        EXPECT_GT(find(id)->rect.y, above) << id;
        above = find(id)->rect.y;
    }
    session_.document.edit(changed(experiment(), "construction.recipe.encoding=p_rope"), Gesture::complete);
    robot_.settle();
    const auto top = [&](const char* field) { return find(std::string("construction.recipe.") + field)->rect.y; };
    EXPECT_GT(top("rope_heads") - top("encoding.p"), top("encoding.p") - top("encoding.base") + 10)
        << "a line below says how many pairs rotate";
    session_.preferences.folded = Preferences{}.folded;
    robot_.settle();
    EXPECT_EQ(find("encoding"), nullptr) << "folded at first: it changes nothing in the training";
    EXPECT_NE(find("construction.recipe.encoding"), nullptr);
}

TEST_F(SidebarTest, AnotherSceneBeginsAtTheTop) {
    resize({1280, 720});
    robot_.wheel("encoding", -8);
    ASSERT_FALSE(find("seq_len")->visible);
    session_.files.open_bundled("p-rope");
    robot_.settle();
    EXPECT_TRUE(find("seq_len")->visible);
}

TEST_F(SidebarTest, TooltipsAreWithinTheWindow) {
    session_.preferences.folded = "Softmax";
    resize({1280, 720});
    std::vector<std::string> low;
    for (const RegisteredWidget& widget : gui_.ui().registry.all())
        if (widget.visible && widget.rect.y > 400 && widget.rect.bottom() < 715 && widget.rect.width > 0)
            low.push_back(widget.id);
    int shown = 0;
    for (const std::string& id : low) {
        if (!find(id)) continue;
        robot_.hover(id);
        robot_.rest(1);
        const RegisteredWidget* tooltip = find("tooltip");
        if (!tooltip) continue;
        ++shown;
        EXPECT_LE(tooltip->rect.bottom(), 720.5) << id;
        EXPECT_LE(tooltip->rect.right(), 1280.5) << id;
    }
    EXPECT_GE(shown, 5);
}

TEST_F(SidebarTest, AListClosesWhenAnotherSceneOpens) {
    robot_.key("Ctrl+C");
    session_.document.edit(changed(experiment(), "encoding=yarn"), Gesture::complete);
    robot_.settle();
    robot_.click("encoding");
    ASSERT_NE(find("encoding/RoPE"), nullptr);
    robot_.key("Ctrl+V");
    robot_.settle();
    EXPECT_EQ(find("encoding/RoPE"), nullptr);
    robot_.key("Esc");
    EXPECT_STREQ(id_of(experiment().encoding), "rope") << "the pasted scene's";

    robot_.click("panel1.figure");
    robot_.key("Down");
    const std::size_t steps = session_.document.count_of_steps();
    robot_.key("Ctrl+V");
    const std::vector<Figure> figures = session_.document.view.figures;
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(session_.document.view.figures, figures);
    EXPECT_EQ(session_.document.count_of_steps(), steps + 1);
}

TEST_F(SidebarTest, NothingIsUndoneWhileAListIsOpen) {
    robot_.key("Ctrl+D");
    const int panels = session_.document.view.panels();
    robot_.click("panel1.figure");
    robot_.key("Down");
    robot_.key("Ctrl+Z");
    EXPECT_THAT(session_.notices.current().sentence, testing::HasSubstr("while a list is open"));
    EXPECT_EQ(session_.document.view.panels(), panels);
    robot_.key("Esc");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(session_.document.view.panels(), panels - 1);
}

TEST_F(SidebarTest, WhatIsTypedIsGivenUpWithItsControl) {
    const int before = experiment().head_dim;
    robot_.key_down("Ctrl");
    robot_.click("head_dim");
    robot_.key_up("Ctrl");
    robot_.key("Ctrl+A");
    robot_.type("32");
    ASSERT_EQ(gui_.ui().interaction.editing, "head_dim");
    session_.preferences.folded = "Sequence";
    robot_.settle();
    session_.preferences.folded.clear();
    robot_.settle();
    EXPECT_EQ(experiment().head_dim, before);
    EXPECT_EQ(gui_.ui().interaction.editing, "");
}

}  // namespace
}  // namespace ropewalk
