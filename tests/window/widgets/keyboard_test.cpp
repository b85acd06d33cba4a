// Keyboard focus: Tab through the window and its cards, and the pointer's influence.
#include <gmock/gmock.h>

#include <string>

#include "core/encodings/encoding_list.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class Keyboard : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
};

TEST_F(Keyboard, TabMovesThroughTheControls) {
    const auto focused = [&] { return gui_.ui().interaction.focused; };
    robot_.hover("panel0.plot");
    robot_.key("Tab");
    EXPECT_EQ(focused(), "group.Sequence");
    robot_.key("Tab");
    EXPECT_EQ(focused(), "seq_len");
    const int before = experiment().seq_len;
    robot_.key("Right");
    EXPECT_GT(experiment().seq_len, before) << "although the pointer rests on a plot";
    robot_.key("Tab");
    EXPECT_EQ(focused(), "head_dim");
    robot_.key("Shift+Tab");
    robot_.key("Enter");
    robot_.key("Ctrl+A");
    robot_.type("300");
    robot_.key("Tab");
    EXPECT_EQ(experiment().seq_len, 300) << "what was typed is taken";
    EXPECT_EQ(focused(), "head_dim");
    const std::size_t encoding = experiment().encoding.index();
    for (int i = 0; i < 20 && focused() != "encoding"; ++i) robot_.key("Tab");
    ASSERT_EQ(focused(), "encoding");
    robot_.key("Enter");
    robot_.key("End");
    robot_.key("Enter");
    EXPECT_EQ(experiment().encoding.index(), choice_type<Encoding>().alternatives.size() - 1);
    EXPECT_NE(experiment().encoding.index(), encoding);
    robot_.hover("panel0.plot", 0.3, 0.8);
    const Cursor cursor = session_.document.view.cursor;
    robot_.key("Right");
    EXPECT_NE(session_.document.view.cursor, cursor) << "moving the mouse restores its priority";
}

TEST_F(Keyboard, TabMovesThroughACardOnly) {
    const auto focused = [&] { return gui_.ui().interaction.focused; };
    const auto tab_to = [&](std::string_view id, const char* key = "Tab") {
        for (int i = 0; i < 40 && focused() != id; ++i) robot_.key(key);
        EXPECT_EQ(focused(), id);
    };
    robot_.key("Tab");
    EXPECT_EQ(focused(), "group.Sequence");
    robot_.key("Ctrl+E");
    robot_.key("Tab");
    EXPECT_EQ(focused(), "export.figure");
    robot_.key("Tab");
    EXPECT_EQ(focused(), "page.format");
    tab_to("page.figure.width");
    const double width = session_.preferences.page.figure.width;
    robot_.key("Right");
    EXPECT_GT(session_.preferences.page.figure.width, width);
    robot_.key("Enter");
    robot_.type("123");
    robot_.key("Tab");
    EXPECT_EQ(session_.preferences.page.figure.width, 123);
    EXPECT_EQ(focused(), "page.figure.height");
    tab_to("export.cancel", "Shift+Tab");
    robot_.key("Enter");
    EXPECT_EQ(find("export.cancel"), nullptr) << "is closed, and nothing was exported";
    EXPECT_EQ(find("file.name"), nullptr);
    EXPECT_EQ(focused(), "") << "the focus disappeared with the card";
    robot_.key("Ctrl+E");
    EXPECT_NE(find("export.cancel"), nullptr);
    wait_for_preview();
    robot_.key("Enter");
    EXPECT_NE(find("file.name"), nullptr) << "Enter exports: it asks where to";
    robot_.key("Esc");
    robot_.key("Tab");
    EXPECT_EQ(focused(), "group.Sequence") << "in the window again";

    robot_.click("panel1.menu");
    robot_.key("Tab");
    EXPECT_TRUE(focused().starts_with("panel1.option.decay.")) << focused();
    tab_to("panel1.maximise");
    robot_.key("Space");
    EXPECT_EQ(session_.document.view.maximised(), 1);

    robot_.key("Ctrl+K");
    robot_.type("clear");
    robot_.key("Tab");
    robot_.type(" ref");
    EXPECT_EQ(gui_.ui().interaction.text, "clear ref") << "there is no other text field";
}

TEST_F(Keyboard, TheHoveredSliderTakesTheArrowKeys) {
    robot_.click("temperature", 0.3);
    const Experiment before = experiment();
    robot_.hover("head_dim");
    robot_.key("Right");
    EXPECT_EQ(experiment().temperature, before.temperature);
    EXPECT_GT(experiment().head_dim, before.head_dim);
    robot_.hover("panel0.plot");
    robot_.key("Right");
    EXPECT_EQ(experiment().temperature, before.temperature);
    EXPECT_TRUE(session_.document.view.cursor_locked);
}

TEST_F(Keyboard, ArrowsMoveAFractionToTheNextPairAndNeverTheOtherWay) {
    const auto fraction = [&] { return get<PRope>(experiment().encoding).p; };
    session_.document.edit(changed(experiment(), "head_dim=64 encoding=p_rope encoding.p=0.3"), Gesture::complete);
    robot_.settle();
    robot_.hover("encoding.p");
    robot_.key("Left");
    EXPECT_EQ(fraction(), 9.0 / 32) << "0.3 is nine pairs and a bit";
    robot_.key("Left");
    EXPECT_EQ(fraction(), 8.0 / 32);
    robot_.key("Right");
    EXPECT_EQ(fraction(), 9.0 / 32);
}

}  // namespace
}  // namespace ropewalk
