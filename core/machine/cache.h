// Cache sizes, which determine block sizes.
#pragma once

namespace ropewalk {

/// Returns the size of one core's second-level cache in bytes; 512 KB if the system does not report it.
int second_level_cache_bytes();

}  // namespace ropewalk
