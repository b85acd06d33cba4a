// Keys as the window, the robot and the lists of shortcuts name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ropewalk {

/// The numbers are those of GLFW. Letters and digits are their capital ASCII codes: Key{'Z'}.
enum class Key : std::uint16_t {
    none = 0,
    space = 32,
    minus = 45,
    slash = 47,
    equal = 61,
    escape = 256,
    enter,
    tab,
    backspace,
    insert,
    del,
    right,
    left,
    down,
    up,
    page_up,
    page_down,
    home,
    end,
    f1 = 290,  // f1 + n − 1 is Fn
    keypad_0 = 320,
    keypad_subtract = 333,
    keypad_add = 334,
    keypad_enter = 335,
    left_shift = 340,
    left_control,
    left_alt,
    left_super,
    right_shift,
    right_control,
    right_alt,
    right_super,
};

struct Modifiers {
    bool control = false, shift = false, alt = false, super = false;

    bool operator==(const Modifiers&) const = default;
};

/// A key that goes down while modifiers are held. `repeat` if it was held long enough for the system to repeat it.
struct KeyPress {
    Key key = Key::none;
    Modifiers modifiers;
    bool repeat = false;

    bool is(Key k, Modifiers m = {}) const { return key == k && modifiers == m; }
};

/// "Ctrl+Shift+Z", as help and menus write it.
std::string name_of(Key key, Modifiers modifiers = {});
/// Reads what name_of writes, in any case; nothing if it is no key.
std::optional<KeyPress> parse_key(std::string_view name);

}  // namespace ropewalk
