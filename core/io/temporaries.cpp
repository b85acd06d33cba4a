#include "core/io/temporaries.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string_view>
#include <system_error>

#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/numbers/hash.h"

namespace ropewalk {
namespace {

constexpr std::string_view temporary_start = ".ropewalk-", temporary_end = ".tmp";

/// Returns the prefix of names made on this kernel, where programs see each other's locks; empty if it is unknown.
std::string start_on_this_machine() {
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    return boot.empty() ? boot : fmt::format("{}{:016x}-", temporary_start, hash_text(boot));
}

bool is_young(const std::string& path) {
    std::error_code unknown;
    const auto written = std::filesystem::last_write_time(path, unknown);
    return unknown || written > std::filesystem::file_time_type::clock::now() - std::chrono::seconds(2);
}

}  // namespace

std::string temporary_name(const std::string& folder) {
    std::random_device random;
    const std::string own = start_on_this_machine();
    return fmt::format("{}/{}{:08x}{:08x}{}", folder, own.empty() ? temporary_start : own, random(), random(),
                       temporary_end);
}

bool lock_temporary(int descriptor, const std::string& name) {
    // On a file system without locks nobody removes it.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
    struct stat status {};
    return ::lstat(name.c_str(), &status) == 0;
}

void remove_abandoned(const std::string& folder) {
    const std::string own = start_on_this_machine();
    for (const std::string& name : names_in(folder)) {
        if (!name.starts_with(temporary_start) || !name.ends_with(temporary_end)) continue;
        const std::string path = folder + "/" + name;
        if ((own.empty() || !name.starts_with(own)) && is_young(path)) continue;
        const Descriptor file(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
        struct stat status {};
        if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 || ::fstat(file.get(), &status) != 0) continue;
        std::error_code ignored;
        if (!S_ISDIR(status.st_mode))
            ::unlink(path.c_str());
        else if (status.st_uid == ::geteuid())
            std::filesystem::remove_all(path, ignored);
    }
}

}  // namespace ropewalk
