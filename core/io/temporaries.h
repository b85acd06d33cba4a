// Files and folders in the making, and those that killed programs have left.
#pragma once

#include <string>

namespace ropewalk {

/// Returns a random name in a folder for a file or a folder that does not last.
std::string temporary_name(const std::string& folder);

/// Removes what programs that were killed have left under such names in a folder. Skips what another process has
/// locked, what is younger than two seconds, because its program may be about to lock it, and folders of other users.
void remove_abandoned(const std::string& folder);

}  // namespace ropewalk
