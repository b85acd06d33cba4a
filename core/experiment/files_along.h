// What a scene's file needs beside it.
#pragma once

#include <filesystem>

#include "core/error.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// A file that a scene reads no longer exists.
class MissingFile : public IoError {
    using IoError::IoError;
};

/// Copies arrays and texts from other folders next to the scene, and makes all paths relative to its folder. Throws
/// MissingFile, and IoError if a file cannot be copied or named, or no longer has the content that was read.
void bring_files_along(Experiment& copied, const std::filesystem::path& old_folder,
                       const std::filesystem::path& folder);

}  // namespace ropewalk
