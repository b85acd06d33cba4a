// Splitting of text, for lesson files.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/text/split.h"

namespace ropewalk {

/// Returns the trimmed parts between separators; none for an empty text. A separator between two quotes, if any are
/// given, does not separate.
inline std::vector<std::string_view> parts_of(std::string_view text, char separator, std::string_view quote = {}) {
    std::vector<std::string_view> parts;
    while (!trimmed(text).empty()) {
        std::size_t end = 0;
        for (bool quoted = false; end < text.size() && (quoted || text[end] != separator); ++end)
            quoted ^= text.substr(end, 1) == quote;
        parts.push_back(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

}  // namespace ropewalk
