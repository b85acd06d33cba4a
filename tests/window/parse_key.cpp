#include "tests/window/parse_key.h"

#include <cctype>

namespace ropewalk {
namespace {

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

}  // namespace

std::optional<KeyPress> parse_key(std::string_view name) {
    if (name == "?") return KeyPress{.key = Key::slash, .modifiers = {.shift = true}};
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
        if (equal_ignoring_case(name_of(static_cast<Key>(code)), name)) press.key = static_cast<Key>(code);
    if (press.key == Key::none) return std::nullopt;
    return press;
}

}  // namespace ropewalk
