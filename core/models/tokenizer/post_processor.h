// The special tokens that go around a text, such as BOS.
#pragma once

#include <vector>

#include "core/io/json_reader.h"

namespace ropewalk {

struct PostProcessor {
    std::vector<int> before, after;
};

/// Reads the post-processor at `value`; null adds nothing. Throws InputError with the place for what is not supported.
PostProcessor read_post_processor(const JsonValue& value);

}  // namespace ropewalk
