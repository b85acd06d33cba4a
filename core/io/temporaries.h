// Files and folders in the making, and those that killed programs have left.
#pragma once

#include <string>

namespace ropewalk {

/// Returns a random name in a folder for a file or a folder that does not last.
std::string temporary_name(const std::string& folder);

/// How many temporaries are made in a row while other programs remove each.
constexpr int most_temporaries = 100;

/// Locks what was just made under such a name, until its descriptor is closed, so that others can see that it is in
/// use. Returns false if another program is removing it: make another, at most `most_temporaries`.
bool lock_temporary(int descriptor, const std::string& name);

/// Removes what programs that were killed have left under such names in a folder. Skips what another process has
/// locked, and folders of other users. What other machines made is skipped while it is younger than two seconds, as
/// their locks may be invisible here.
void remove_abandoned(const std::string& folder);

}  // namespace ropewalk
