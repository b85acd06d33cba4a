#include "app/window/surface/keys.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace ropewalk {
namespace {

struct NamedKey {
    Key key;
    std::string_view name;
};
constexpr std::array<NamedKey, 30> named{{
    {Key::space, "Space"},
    {Key::minus, "-"},
    {Key::slash, "/"},
    {Key::equal, "="},
    {Key::escape, "Esc"},
    {Key::enter, "Enter"},
    {Key::tab, "Tab"},
    {Key::backspace, "Backspace"},
    {Key::insert, "Insert"},
    {Key::del, "Delete"},
    {Key::right, "Right"},
    {Key::left, "Left"},
    {Key::down, "Down"},
    {Key::up, "Up"},
    {Key::page_up, "PageUp"},
    {Key::page_down, "PageDown"},
    {Key::home, "Home"},
    {Key::end, "End"},
    {Key::keypad_0, "Keypad0"},
    {Key::keypad_subtract, "Keypad-"},
    {Key::keypad_add, "Keypad+"},
    {Key::keypad_enter, "KeypadEnter"},
    {Key::left_shift, "Shift"},
    {Key::left_control, "Ctrl"},
    {Key::left_alt, "Alt"},
    {Key::left_super, "Super"},
    {Key::right_shift, "RightShift"},
    {Key::right_control, "RightCtrl"},
    {Key::right_alt, "RightAlt"},
    {Key::right_super, "RightSuper"},
}};

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i])))
            return false;
    return true;
}

bool take_prefix(std::string_view& name, std::string_view prefix) {
    if (name.size() <= prefix.size() || !equal_ignoring_case(name.substr(0, prefix.size()), prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
}

constexpr Modifiers question_mark{.shift = true};  // with the slash

std::string plain_name(Key key) {
    for (const NamedKey& entry : named)
        if (entry.key == key) return std::string(entry.name);
    const int code = static_cast<int>(key), function = code - static_cast<int>(Key::f1);
    if (function >= 0 && function < 25) return fmt::format("F{}", function + 1);
    return code > 32 && code < 127 ? std::string(1, static_cast<char>(code)) : fmt::format("Key{}", code);
}

}  // namespace

std::string name_of(Key key, Modifiers modifiers) {
    if (key == Key::slash && modifiers == question_mark) return "?";
    return fmt::format("{}{}{}{}{}", modifiers.control ? "Ctrl+" : "", modifiers.alt ? "Alt+" : "",
                       modifiers.shift ? "Shift+" : "", modifiers.super ? "Super+" : "", plain_name(key));
}

std::optional<KeyPress> parse_key(std::string_view name) {
    if (name == "?") return KeyPress{Key::slash, question_mark};
    KeyPress press;
    while (true) {
        if (take_prefix(name, "Ctrl+"))
            press.modifiers.control = true;
        else if (take_prefix(name, "Alt+"))
            press.modifiers.alt = true;
        else if (take_prefix(name, "Shift+"))
            press.modifiers.shift = true;
        else if (take_prefix(name, "Super+"))
            press.modifiers.super = true;
        else
            break;
    }
    for (int code = 1; code < 512 && press.key == Key::none; ++code)
        if (equal_ignoring_case(plain_name(static_cast<Key>(code)), name)) press.key = static_cast<Key>(code);
    if (press.key == Key::none) return std::nullopt;
    return press;
}

}  // namespace ropewalk
