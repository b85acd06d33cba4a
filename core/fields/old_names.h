// Ids that earlier versions spelled differently. Both names are read; only the current one is written.
#pragma once

#include <string_view>

namespace ropewalk {

/// Returns the name of `id` in earlier versions; empty if it has not changed.
std::string_view old_name_of(std::string_view id);

/// Returns whether `text` is `id` or its name in earlier versions.
bool is_name_of(std::string_view id, std::string_view text);

}  // namespace ropewalk
