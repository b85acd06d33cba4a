// A file as part of a plain value: its path and its content, compared by the content's hash.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/io/npy.h"

namespace ropewalk {

struct ArrayFile {
    std::string path;  // as written in the scene, relative to it; absolute if it came from elsewhere
    std::shared_ptr<const NpyArray> content;  // null until read

    bool operator==(const ArrayFile& other) const {
        return path == other.path && (content ? content->hash : 0) == (other.content ? other.content->hash : 0);
    }
};

/// Where the files that fields name are looked for. A confined folder may not be left, by "..", an absolute path or a
/// link.
struct FileAccess {
    enum class Reach { confined, anywhere };

    std::filesystem::path folder;
    Reach reach = Reach::confined;
};

/// Reads the file that `file.path` names. InputError if it may not be read or is no array; IoError if it cannot be.
void load(ArrayFile& file, const FileAccess& access);

}  // namespace ropewalk
