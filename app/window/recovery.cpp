#include "app/window/recovery.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
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
    return own_folder("XDG_STATE_HOME", ".local/state");
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
    if (lock_ < 0) {
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        lock_ = take_lock(file_);
    }
    return writer_.write(file_, std::move(text));
}

void Recovery::forget() {
    writer_.wait();
    if (lock_ >= 0) remove_with_lock(file_, std::exchange(lock_, -1));
}

Recovery::~Recovery() {
    writer_.wait();
    if (lock_ >= 0) ::close(lock_);
}

}  // namespace ropewalk
