// The only way of input into the window. GLFW's callbacks and the test robot put events in. Each frame takes as many as
// ImGui can distinguish within one frame and leaves the rest for the next, so slow frames lose no click or key.
#pragma once

#include <bitset>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "app/window/surface/keys.h"

struct ImGuiIO;

namespace ropewalk {

// Positions are in framebuffer pixels.
struct MouseMoved {
    double x = 0, y = 0;
};
struct MouseLeft {};
struct MouseButton {
    int button = 0;
    bool down = false;
};  // 0 left, 1 right, 2 middle
struct MouseWheel {
    double x = 0, y = 0;
};
struct KeyChanged {
    Key key = Key::none;
    bool down = false;
    bool repeat = false;
};
struct CharacterTyped {
    char32_t character = 0;
};
struct FocusChanged {
    bool focused = false;
};
struct FilesDropped {
    std::vector<std::string> paths;
};
/// The system changed the framebuffer's size, scale or content: query the surface and redraw.
struct WindowChanged {};

using Event = std::variant<MouseMoved, MouseLeft, MouseButton, MouseWheel, KeyChanged, CharacterTyped, FocusChanged,
                           FilesDropped, WindowChanged>;

/// The events of a frame that ImGui does not pass on. Shortcuts come from `keys`, because ImGui 1.86 knows only 22
/// keys.
struct FrameInput {
    std::vector<KeyPress> keys;
    std::vector<KeyPress> text_keys;  // those taken by the edited text; they are not shortcuts
    std::u32string characters;
    std::vector<std::string> dropped;
    bool window_changed = false;
    bool alt_tapped = false;  // the left Alt key was pressed and released, and nothing else meanwhile
    bool any = false;         // whether there was any event at all

    /// Returns whether any key was pressed, also while text is edited.
    bool has_typing() const { return !keys.empty() || !text_keys.empty() || !characters.empty(); }
};

class EventQueue {
  public:
    void push(Event event);
    /// Returns whether events wait for a further frame.
    bool pending() const { return !events_.empty(); }
    Modifiers modifiers() const;

    /// Passes one frame's worth of events to ImGui. A frame gets at most one edge per button or key; no move after a
    /// button edge or the wheel; no release after a move while a button is held; no modifier edge together with that of
    /// another key, or after a button edge or the wheel; no character together with a button edge; at most one editing
    /// key, and no character after it.
    FrameInput feed(ImGuiIO& io);

  private:
    /// The events that this frame has already received.
    struct Seen {
        bool moved_while_held = false, button = false, wheel = false;
        bool key_down = false, modifier = false, editing = false, character = false;
        std::bitset<8> buttons;
        std::bitset<512> keys;
    };
    bool fits(const Event& event, const Seen& seen) const;
    void apply(const Event& event, Seen& seen, FrameInput& input, ImGuiIO& io);
    void apply_button(const MouseButton& button, Seen& seen, ImGuiIO& io);
    void apply_key(const KeyChanged& key, Seen& seen, FrameInput& input, ImGuiIO& io);
    void release_everything(ImGuiIO& io);
    bool held(Key key) const { return keys_[static_cast<std::size_t>(key)]; }
    bool edits(Key key) const;

    std::deque<Event> events_;
    std::bitset<8> buttons_;
    std::bitset<512> keys_;
    bool alt_alone_ = false;  // the left Alt key is held, and nothing else happened since
};

}  // namespace ropewalk
