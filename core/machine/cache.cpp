#include "core/machine/cache.h"

#include <unistd.h>

namespace ropewalk {
namespace {

int told_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
    if (const long told = sysconf(_SC_LEVEL2_CACHE_SIZE); told > 0) return static_cast<int>(told);
#endif
    return 512 << 10;
}

}  // namespace

int second_level_cache_bytes() {
    static const int bytes = told_bytes();  // fixed, because the last bits of results depend on it
    return bytes;
}

}  // namespace ropewalk
