#include "core/machine/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace ropewalk {

double memory_bytes() {
    static const double bytes = [] {
        const double machine =
            static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
        double limit = 0;  // "max", where there is none, is not a number
        std::ifstream("/sys/fs/cgroup/memory.max") >> limit;
        return limit > 0 ? std::min(machine, limit) : machine;
    }();
    return bytes;
}

}  // namespace ropewalk
