#include "core/io/assets.h"

#include "core/error.h"

namespace ropewalk {

std::filesystem::path assets_folder() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const std::filesystem::path& candidate :
         {program / "../assets", program / "../share/ropewalk", std::filesystem::path(ROPEWALK_SOURCE_ASSETS)})
        if (std::filesystem::is_directory(candidate / "scenes", error)) return candidate.lexically_normal();
    throw IoError(
        "cannot find the bundled scenes next to the program, in ../share/ropewalk or in the sources; reinstall "
        "Ropewalk");
}

}  // namespace ropewalk
