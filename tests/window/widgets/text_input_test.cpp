// Typed texts and numbers, refused ones, and the keys that typing uses.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/window/widgets/widgets_fixture.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(Window, NumbersAreTyped) {
    robot_->click("log", 0.95);
    robot_->type("2.5k");
    EXPECT_EQ(logarithmic_, 10);
    robot_->key("Enter");
    EXPECT_EQ(logarithmic_, 2500);
    EXPECT_EQ(commits_, 1);

    robot_->key_down("Ctrl");
    robot_->click("log", 0.2);
    robot_->key_up("Ctrl");
    robot_->type("nonsense");
    robot_->key("Enter");
    EXPECT_EQ(logarithmic_, 2500);
    EXPECT_THAT(rejected_, HasSubstr("Logarithmic is 'nonsense'; it must be a number"));
    robot_->expect("refusal", rejected_);
    EXPECT_EQ(gui_->ui().registry.find("refusal")->rect.y, gui_->ui().registry.find("log")->rect.y);
    robot_->key("Home");
    EXPECT_EQ(gui_->ui().registry.find("refusal"), nullptr) << "until the next key";

    robot_->click("log", 0.95);
    robot_->type("77");
    robot_->key("Esc");
    EXPECT_EQ(logarithmic_, 2500);

    robot_->click("log", 0.95);
    robot_->type("88");
    robot_->click("check");
    EXPECT_EQ(logarithmic_, 88) << "a click elsewhere commits the typed text";
}

TEST_F(Window, ARefusedTextStaysForCorrection) {
    robot_->click("text");
    robot_->type("nonsense");
    robot_->key("Enter");
    EXPECT_EQ(text_, "old");
    robot_->expect("text", "nonsense");
    robot_->expect("refusal", "Text is nonsense");
    robot_->click("text");
    robot_->key("End");
    robot_->type("!");
    robot_->key("Enter");
    EXPECT_EQ(text_, "nonsense!");
    robot_->expect("text", "nonsense!");

    robot_->click("text");
    robot_->type("nonsense");
    robot_->key("Enter");
    robot_->click("text");
    robot_->key("Esc");
    robot_->expect("text", "nonsense!");

    robot_->click("text");
    robot_->type("nonsense");
    robot_->key("Enter");
    robot_->expect("refusal", "Text is nonsense");
    robot_->click("text");
    EXPECT_EQ(gui_->ui().registry.find("refusal"), nullptr);
    robot_->key("Enter");
    robot_->expect("refusal", "Text is nonsense");  // it might be valid now
    text_ = "other";
    robot_->settle();
    robot_->expect("text", "other");
    text_ = "nonsense!";  // as undo does
    robot_->settle();
    robot_->expect("text", "nonsense!");
}

TEST_F(Window, TextIsEdited) {
    robot_->click("text");
    robot_->key("Ctrl+A");
    robot_->type("new θ");
    robot_->key("Backspace");
    robot_->type("α");
    EXPECT_EQ(text_, "old");
    robot_->key("Enter");
    EXPECT_EQ(text_, "new α");
    EXPECT_EQ(commits_, 1);
    robot_->click("text");
    robot_->key("Ctrl+A");
    robot_->key("Ctrl+C");
    EXPECT_EQ(surface_->clipboard(), "new α");
    robot_->type("other");
    robot_->key("Esc");
    EXPECT_EQ(text_, "new α");
}

TEST_F(Window, KeysOfAnEditedTextAreNotShortcuts) {
    robot_->click("text");
    for (const char* key : {"Ctrl+Z", "Left", "Ctrl+S", "F11", "Esc"}) robot_->key(key);
    EXPECT_THAT(shortcuts_, ElementsAre("Ctrl+S", "F11"));
    robot_->key("Ctrl+Z");
    EXPECT_EQ(shortcuts_.back(), "Ctrl+Z");
}

TEST_F(Window, AClickElsewhereRemovesTheFocus) {
    robot_->click("even", 0.3);
    robot_->hover("button");
    const double before = even_;
    robot_->key("Right");
    EXPECT_EQ(even_, before + 2);
    robot_->click("button");
    robot_->key("Right");
    EXPECT_EQ(even_, before + 2);
    EXPECT_THAT(shortcuts_, ElementsAre("Right"));
}

}  // namespace
}  // namespace ropewalk
