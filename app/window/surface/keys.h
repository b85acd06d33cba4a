// Keys and their names in the window, the robot and the lists of shortcuts.
#pragma once

#include <cstdint>
#include <string>

namespace ropewalk {

/// Key codes as in GLFW. Letters and digits are their capital ASCII codes: Key{'Z'}.
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
    menu,
};

/// Returns the key Fn.
constexpr Key function_key(int n) {
    return Key{static_cast<std::uint16_t>(static_cast<int>(Key::f1) + n - 1)};
}

struct Modifiers {
    bool control = false, shift = false, alt = false, super = false;

    bool operator==(const Modifiers&) const = default;
};

/// A key that goes down, with the held modifiers. `repeat` is true if the system repeats a held key.
struct KeyPress {
    Key key = Key::none;
    Modifiers modifiers;
    bool repeat = false;

    bool is(Key k, Modifiers m = {}) const { return key == k && modifiers == m; }
};

/// Returns the name as help and menus write it: "Ctrl+Shift+Z".
std::string name_of(Key key, Modifiers modifiers = {});

}  // namespace ropewalk
