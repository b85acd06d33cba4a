#include "app/window/surface/keys.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace ropewalk {
namespace {

struct NamedKey {
    Key key;
    std::string_view name;
};
constexpr std::array<NamedKey, 31> named_keys{{
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
    {Key::menu, "Menu"},
}};

std::string plain_name(Key key) {
    for (const NamedKey& entry : named_keys)
        if (entry.key == key) return std::string(entry.name);
    const int code = static_cast<int>(key), function = code - static_cast<int>(Key::f1);
    if (function >= 0 && function < 25) return fmt::format("F{}", function + 1);
    return code > 32 && code < 127 ? std::string(1, static_cast<char>(code)) : fmt::format("Key{}", code);
}

}  // namespace

std::string name_of(Key key, Modifiers modifiers) {
    if (modifiers == Modifiers{.shift = true})
        for (const auto& [plain, shifted] : {std::pair{Key::slash, "?"}, {Key{'['}, "{"}, {Key{']'}, "}"}})
            if (key == plain) return shifted;
    return fmt::format("{}{}{}{}{}", modifiers.control ? "Ctrl+" : "", modifiers.alt ? "Alt+" : "",
                       modifiers.shift ? "Shift+" : "", modifiers.super ? "Super+" : "", plain_name(key));
}

}  // namespace ropewalk
