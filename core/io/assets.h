// Where the bundled scenes and other assets lie, from whatever working directory the program is started.
#pragma once

#include <filesystem>

namespace ropewalk {

/// The folder that holds `scenes`: beside the program's build folder, in share/ropewalk of an installation, or in the
/// sources it was built from. Throws IoError if there is none.
std::filesystem::path assets_folder();

}  // namespace ropewalk
