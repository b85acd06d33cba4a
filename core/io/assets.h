// The location of the bundled scenes and other assets, independent of the working directory.
#pragma once

#include <filesystem>

namespace ropewalk {

/// Returns the folder that contains `scenes`: next to the program's build folder, in share/ropewalk of an installation,
/// or in the sources. Throws IoError if there is none.
std::filesystem::path assets_folder();

}  // namespace ropewalk
