// Splits and trims texts.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace ropewalk {

/// Returns the text without blanks at either end.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// Returns the parts of a text between separators; one empty part for an empty text.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == text.npos) return parts;
        text.remove_prefix(end + separator.size());
    }
}

}  // namespace ropewalk
