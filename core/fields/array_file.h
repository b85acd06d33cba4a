// A file as part of a plain value: its path and its content, compared by path and content hash.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/npy.h"

namespace ropewalk {

struct ArrayFile {
    std::string path;                         // as in the scene, relative to its folder; absolute if from elsewhere
    std::shared_ptr<const NpyArray> content;  // null until read

    bool operator==(const ArrayFile& other) const {
        return path == other.path && (content ? content->hash : 0) == (other.content ? other.content->hash : 0);
    }
};

/// The folder in which files named by fields are looked up. `confined` forbids leaving it by "..", an absolute path or
/// a link.
struct FileAccess {
    enum class Reach { confined, anywhere };

    std::filesystem::path folder;
    Reach reach = Reach::confined;
};

/// Reads the file at `file.path`. Throws InputError if it is outside the folder or not an array, IoError if it cannot
/// be read.
void load(ArrayFile& file, const FileAccess& access);

}  // namespace ropewalk
