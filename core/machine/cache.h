// The caches that blocks are made for.
#pragma once

namespace ropewalk {

/// What one core's second-level cache holds; 512 KB where the system does not tell.
int second_level_cache_bytes();

}  // namespace ropewalk
