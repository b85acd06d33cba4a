#include "app/window/surface/event_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tests/window/parse_key.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;

/// A frame as ImGui sees it.
struct Seen {
    ImVec2 mouse;
    bool down = false, control = false;
    std::vector<Key> keys;
    std::u32string characters;
};

class Queue : public testing::Test {
  protected:
    Queue() : context_(ImGui::CreateContext()) { ImGui::SetCurrentContext(context_); }
    ~Queue() override { ImGui::DestroyContext(context_); }

    std::vector<Seen> run() {
        std::vector<Seen> frames;
        while (queue_.pending()) {
            ImGuiIO& io = ImGui::GetIO();
            const FrameInput input = queue_.feed(io);
            Seen seen{io.MousePos, io.MouseDown[0], io.KeyCtrl, {}, input.characters};
            for (const KeyPress& press : input.keys) seen.keys.push_back(press.key);
            frames.push_back(seen);
            inputs_.push_back(input);
        }
        return frames;
    }

    void press(Key key) {
        queue_.push(KeyChanged{key, true});
        queue_.push(KeyChanged{key, false});
    }

    ImGuiContext* context_;
    EventQueue queue_;
    std::vector<FrameInput> inputs_;
};

TEST_F(Queue, TwentyClicksInOneBurstAllArriveWhereTheyWereMade) {
    for (int i = 0; i < 20; ++i) {
        queue_.push(MouseMoved{10.0 * i, 5});
        queue_.push(MouseButton{0, true});
        queue_.push(MouseButton{0, false});
    }
    int presses = 0, releases = 0;
    bool was_down = false;
    for (const Seen& frame : run()) {
        if (frame.down && !was_down) {
            EXPECT_EQ(frame.mouse.x, 10.0f * static_cast<float>(presses++));
        }
        if (!frame.down && was_down) {
            EXPECT_EQ(frame.mouse.x, 10.0f * static_cast<float>(releases++));
        }
        was_down = frame.down;
    }
    EXPECT_EQ(presses, 20);
    EXPECT_EQ(releases, 20);
}

TEST_F(Queue, ADragEndsWhereItWasReleased) {
    queue_.push(MouseMoved{1, 1});
    queue_.push(MouseButton{0, true});
    queue_.push(MouseMoved{50, 1});
    queue_.push(MouseMoved{100, 1});
    queue_.push(MouseButton{0, false});
    queue_.push(MouseMoved{300, 1});
    const std::vector<Seen> frames = run();
    ASSERT_EQ(frames.size(), 4u);
    EXPECT_TRUE(frames[0].down);
    EXPECT_EQ(frames[0].mouse.x, 1);
    EXPECT_TRUE(frames[1].down);
    EXPECT_EQ(frames[1].mouse.x, 100);
    EXPECT_FALSE(frames[2].down);
    EXPECT_EQ(frames[2].mouse.x, 100);
    EXPECT_EQ(frames[3].mouse.x, 300);
}

TEST_F(Queue, ControlIsHeldWithTheKeyItWasPressedWith) {
    queue_.push(KeyChanged{Key::left_control, true});
    press(Key{'A'});
    queue_.push(KeyChanged{Key::left_control, false});
    queue_.push(KeyChanged{Key{'X'}, true});
    queue_.push(CharacterTyped{U'x'});
    const std::vector<Seen> frames = run();
    for (const Seen& frame : frames) {
        if (frame.keys == std::vector{Key{'A'}}) {
            EXPECT_TRUE(frame.control);
            EXPECT_TRUE(frame.characters.empty());
        }
        if (frame.keys == std::vector{Key{'X'}}) {
            EXPECT_FALSE(frame.control);
            EXPECT_EQ(frame.characters, U"x");
        }
    }
    ASSERT_EQ(frames.size(), 4u);
    EXPECT_TRUE(inputs_[1].keys.at(0).is(Key{'A'}, {.control = true}));
    EXPECT_TRUE(inputs_[3].keys.at(0).is(Key{'X'}));
}

TEST_F(Queue, NothingTypedComesAfterAnEditingKeyOfTheSameFrame) {
    queue_.push(CharacterTyped{U'a'});
    queue_.push(CharacterTyped{U'b'});
    press(Key::backspace);
    queue_.push(CharacterTyped{U'c'});
    press(Key::left);
    press(Key::del);
    const std::vector<Seen> frames = run();
    ASSERT_EQ(frames.size(), 4u);
    EXPECT_EQ(frames[0].characters, U"ab");
    EXPECT_THAT(frames[0].keys, ElementsAre(Key::backspace));
    EXPECT_EQ(frames[1].characters, U"c");
    EXPECT_THAT(frames[1].keys, ElementsAre(Key::left));
    EXPECT_THAT(frames[2].keys, ElementsAre(Key::del));
}

TEST_F(Queue, ARepeatedKeyGoesUpAndDownAgain) {
    queue_.push(KeyChanged{Key::left, true});
    queue_.push(KeyChanged{Key::left, true, true});
    queue_.push(KeyChanged{Key::left, true, true});
    queue_.push(KeyChanged{Key::left, false});
    run();
    int presses = 0, repeats = 0;
    for (const FrameInput& input : inputs_)
        for (const KeyPress& key : input.keys) ++(key.repeat ? repeats : presses);
    EXPECT_EQ(presses, 1);
    EXPECT_EQ(repeats, 2);
    EXPECT_FALSE(ImGui::GetIO().KeysDown[static_cast<int>(Key::left)]);
}

TEST_F(Queue, LosingTheFocusReleasesEverything) {
    queue_.push(KeyChanged{Key::left_control, true});
    queue_.push(MouseButton{0, true});
    queue_.push(FocusChanged{false});
    run();
    EXPECT_EQ(queue_.modifiers(), Modifiers{});
    EXPECT_FALSE(ImGui::GetIO().KeyCtrl);
    EXPECT_FALSE(ImGui::GetIO().MouseDown[0]);
}

TEST_F(Queue, DropsAndWindowChangesAreReported) {
    queue_.push(FilesDropped{{"a.json", "b.npy"}});
    queue_.push(WindowChanged{});
    run();
    ASSERT_EQ(inputs_.size(), 1u);
    EXPECT_THAT(inputs_[0].dropped, ElementsAre("a.json", "b.npy"));
    EXPECT_TRUE(inputs_[0].window_changed);
}

TEST(Keys, NamesAreReadBack) {
    for (int code = 32; code < 348; ++code) {
        const Key key = static_cast<Key>(code);
        const auto press = parse_key(name_of(key, {.control = true, .shift = true}));
        ASSERT_TRUE(press) << code;
        if (name_of(key).size() > 1 || code < 'a' || code > 'z') {
            EXPECT_TRUE(press->is(key, {.control = true, .shift = true})) << name_of(key);
        }
    }
    EXPECT_EQ(name_of(Key{'Z'}, {.control = true, .shift = true}), "Ctrl+Shift+Z");
    EXPECT_TRUE(parse_key("ctrl+-")->is(Key::minus, {.control = true}));
    EXPECT_TRUE(parse_key("F12")->is(static_cast<Key>(301)));
    EXPECT_TRUE(parse_key("?")->is(Key::slash, {.shift = true}));
    EXPECT_EQ(name_of(Key::slash, {.shift = true}), "?");
    EXPECT_EQ(name_of(Key::slash, {.control = true, .shift = true}), "Ctrl+Shift+/");
    EXPECT_FALSE(parse_key("Ctrl+Nothing"));
}

TEST_F(Queue, AltAloneIsTapped) {
    const auto taps = [&] {
        run();
        return std::count_if(inputs_.begin(), inputs_.end(), [](const FrameInput& input) { return input.alt_tapped; });
    };
    press(Key::left_alt);
    EXPECT_EQ(taps(), 1);
    queue_.push(KeyChanged{Key::left_alt, true});
    press(Key{'F'});
    queue_.push(KeyChanged{Key::left_alt, false});
    queue_.push(KeyChanged{Key::left_alt, true});
    queue_.push(FocusChanged{false});  // as with Alt+Tab
    queue_.push(KeyChanged{Key::left_alt, false});
    press(Key::right_alt);
    EXPECT_EQ(taps(), 1);
}

}  // namespace
}  // namespace ropewalk
