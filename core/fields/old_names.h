// Ids that files of earlier versions spell differently. They are read under both names and written under today's.
#pragma once

#include <string_view>

namespace ropewalk {

/// Returns what earlier versions called `id`; empty if it never had another name.
std::string_view old_name_of(std::string_view id);

/// Returns whether `text` is `id` or what earlier versions called it.
bool is_name_of(std::string_view id, std::string_view text);

}  // namespace ropewalk
