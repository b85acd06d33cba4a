#include "core/machine/cache.h"

#include <unistd.h>

namespace ropewalk {

int second_level_cache_bytes() {
    // Asked once, because the last bits of results depend on it.
    static const int bytes = [] {
#ifdef _SC_LEVEL2_CACHE_SIZE
        if (const long told = sysconf(_SC_LEVEL2_CACHE_SIZE); told > 0) return static_cast<int>(told);
#endif
        return 512 << 10;
    }();
    return bytes;
}

}  // namespace ropewalk
