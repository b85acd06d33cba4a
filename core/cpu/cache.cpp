#include "core/cpu/cache.h"

#include <unistd.h>

namespace ropewalk::cpu {

int second_level_cache_bytes() {
#ifdef _SC_LEVEL2_CACHE_SIZE
    if (const long told = sysconf(_SC_LEVEL2_CACHE_SIZE); told > 0) return static_cast<int>(told);
#endif
    return 512 << 10;
}

}  // namespace ropewalk::cpu
