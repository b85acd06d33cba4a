// Numbers as text, whatever the locale.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace ropewalk {

/// Returns the number that is the whole text; nothing if the text is anything else.
template <class T>
std::optional<T> number_of(std::string_view text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace ropewalk
