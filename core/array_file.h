// A file as part of a plain value: its path and its content, compared by the content's hash.
#pragma once

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

}  // namespace ropewalk
