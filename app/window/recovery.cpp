#include "app/window/recovery.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::string_view prefix = "desk-", suffix = ".json";
constexpr std::uint64_t greatest_bytes = 16 << 20;

std::filesystem::path file_of(const std::filesystem::path& folder, int process) {
    return folder / fmt::format("{}{}{}", prefix, process, suffix);
}

bool is_kept_file(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with(prefix) && name.ends_with(suffix);
}

/// What says that a process still runs: it holds a lock on this file, which ends with it, however it ends.
std::filesystem::path lock_of(std::filesystem::path file) {
    return file.replace_extension(".lock");
}

/// A descriptor of the lock file with the lock on it; −1 if another process holds it, or there can be none.
int take_lock(const std::filesystem::path& file) {
    const int descriptor = ::open(lock_of(file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    if (descriptor >= 0) ::close(descriptor);
    return -1;
}

void remove_with_lock(const std::filesystem::path& file, int lock) {
    std::error_code error;
    std::filesystem::remove(file, error);
    std::filesystem::remove(lock_of(file), error);
    if (lock >= 0) ::close(lock);
}

}  // namespace

std::filesystem::path state_folder() {
    if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state == '/')
        return std::filesystem::path(state) / "ropewalk";
    if (const char* home = std::getenv("HOME"); home && *home == '/')
        return std::filesystem::path(home) / ".local/state/ropewalk";
    return {};
}

Recovery::Recovery(std::filesystem::path folder)
    : folder_(std::move(folder)), file_(file_of(folder_, static_cast<int>(::getpid()))) {}

std::optional<std::string> Recovery::take_left_behind() {
    std::error_code error;
    std::vector<std::filesystem::directory_entry> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error))
        if (is_kept_file(entry.path())) files.push_back(entry);
    std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) {
        return a.last_write_time(error) > b.last_write_time(error);  // the newest first
    });
    for (const auto& entry : files) {
        const int lock = take_lock(entry.path());
        if (lock < 0) continue;
        try {
            std::string text = read_file(entry.path().string(), greatest_bytes);
            remove_with_lock(entry.path(), lock);
            return text;
        } catch (const Error&) {
            ::close(lock);
        }
    }
    return std::nullopt;
}

bool Recovery::keep(std::string text) {
    if (folder_.empty()) return true;
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    if (lock_ < 0) {
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        lock_ = take_lock(file_);
    }
    writing_ = std::async(std::launch::async, [file = file_, text = std::move(text)] {
        try {
            atomic_write(file.string(), text);
        } catch (const Error&) {  // a full disk, say
        }
    });
    return true;
}

void Recovery::forget() {
    if (writing_.valid()) writing_.wait();
    if (lock_ >= 0) remove_with_lock(file_, std::exchange(lock_, -1));
}

Recovery::~Recovery() {
    if (writing_.valid()) writing_.wait();
    if (lock_ >= 0) ::close(lock_);
}

}  // namespace ropewalk
