// What a scene's file needs beside it.
#pragma once

#include <filesystem>

#include "core/experiment/experiment.h"

namespace ropewalk {

/// Copies arrays and texts from other folders next to the scene, and makes all paths relative to its folder. Throws
/// IoError if a file that the experiment names no longer exists or cannot be copied.
void bring_files_along(Experiment& copied, const std::filesystem::path& old_folder,
                       const std::filesystem::path& folder);

}  // namespace ropewalk
