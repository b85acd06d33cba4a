#include "core/io/temporaries.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <string_view>
#include <system_error>

#include "core/io/descriptor.h"
#include "core/io/files.h"

namespace ropewalk {

constexpr std::string_view temporary_start = ".ropewalk-", temporary_end = ".tmp";

std::string temporary_name(const std::string& folder) {
    std::random_device random;
    return fmt::format("{}/{}{:08x}{:08x}{}", folder, temporary_start, random(), random(), temporary_end);
}

void remove_abandoned(const std::string& folder) {
    const auto latest = std::filesystem::file_time_type::clock::now() - std::chrono::seconds(2);
    for (const std::string& name : names_in(folder)) {
        if (!name.starts_with(temporary_start) || !name.ends_with(temporary_end)) continue;
        const std::string path = folder + "/" + name;
        std::error_code unknown;
        const auto written = std::filesystem::last_write_time(path, unknown);
        if (unknown || written > latest) continue;
        const Descriptor file(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
        struct stat status {};
        if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 || ::fstat(file.get(), &status) != 0) continue;
        if (!S_ISDIR(status.st_mode))
            ::unlink(path.c_str());
        else if (status.st_uid == ::geteuid())
            std::filesystem::remove_all(path, unknown);
    }
}

}  // namespace ropewalk
