// Splits a text at a separator.
#pragma once

#include <string_view>
#include <vector>

namespace ropewalk {

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
