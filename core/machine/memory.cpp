#include "core/machine/memory.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace ropewalk {
namespace {

/// Returns the lowest limit in bytes of the control groups that the program is in, or infinity.
double limit_of_groups() {
    double lowest = std::numeric_limits<double>::infinity();
    std::ifstream groups("/proc/self/cgroup");
    for (std::string entry; std::getline(groups, entry);) {
        if (!entry.starts_with("0::/")) continue;  // belongs to version 1
        for (std::filesystem::path group = entry.substr(4);; group = group.parent_path()) {
            double limit = 0;  // stays 0 if the file contains "max", which means no limit
            std::ifstream("/sys/fs/cgroup" / group / "memory.max") >> limit;
            if (limit > 0) lowest = std::min(lowest, limit);
            if (group.empty()) break;
        }
    }
    return lowest;
}

}  // namespace

double memory_bytes() {
    static const double bytes = [] {
        const double machine =
            static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
        return std::min(machine, limit_of_groups());
    }();
    return bytes;
}

}  // namespace ropewalk
