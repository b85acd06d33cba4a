#include "app/window/session/recovery.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::string_view prefix_saved = "desk-", suffix = ".json", prefix_unopened = "unopened-desk-",
                           prefix_aside = "desk-aside-";

bool is_saved_file(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with(prefix_saved) && name.ends_with(suffix);
}

bool was_put_aside(const std::filesystem::path& file) {
    return file.filename().string().starts_with(prefix_aside);
}

/// Returns a file name that is not taken, with this number or a higher one.
std::filesystem::path free_file(const std::filesystem::path& folder, std::string_view beginning, int number = 1) {
    std::error_code error;
    for (;; ++number) {
        auto file = folder / fmt::format("{}{}{}", beginning, number, suffix);
        if (!std::filesystem::exists(file, error)) return file;
    }
}

/// Returns the lock file of a session file. A running process holds a lock on it, which ends with the process in any
/// case.
std::filesystem::path lock_of(std::filesystem::path file) {
    return file.replace_extension(".lock");
}

/// Returns a descriptor of the locked lock file; −1 if another process holds the lock, or it cannot be created.
int take_lock(const std::filesystem::path& file) {
    const int descriptor = ::open(lock_of(file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    if (descriptor >= 0) ::close(descriptor);
    return -1;
}

/// Removes the locks of processes that were killed before they saved anything. A process may be about to hold those of
/// the last seconds.
void remove_abandoned_locks(const std::filesystem::path& folder) {
    const auto latest = std::filesystem::file_time_type::clock::now() - std::chrono::seconds(2);
    for (const std::string& name : names_in(folder)) {
        std::error_code error;
        std::filesystem::path file = folder / name;
        if (!name.starts_with(prefix_saved) || file.extension() != ".lock") continue;
        if (std::filesystem::last_write_time(file, error) > latest || error) continue;
        if (std::filesystem::exists(file.replace_extension(suffix), error)) continue;
        if (const int lock = take_lock(file); lock >= 0) {
            std::filesystem::remove(lock_of(file), error);
            ::close(lock);
        }
    }
}

/// Returns whether no process holds the session file's lock.
bool is_recoverable(const std::filesystem::path& file) {
    const int descriptor = ::open(lock_of(file).c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return errno == ENOENT;
    const bool is_free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return is_free;
}

/// Returns the local time of the file's last change.
std::string time_of(const std::filesystem::path& file) {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(file, error);
    if (error) return {};
    const std::time_t time = std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::file_clock::to_sys(written)));
    std::tm local{};
    if (!::localtime_r(&time, &local)) return {};
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local)};
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

Recovery::Recovery(std::filesystem::path folder) : folder_(std::move(folder)) {}

std::vector<SessionFile> Recovery::recoverable() const {
    std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
    for (const std::string& name : names_in(folder_)) {
        std::error_code error;
        const std::filesystem::path path = folder_ / name;
        if (is_saved_file(path) && is_recoverable(path))
            files.emplace_back(std::filesystem::last_write_time(path, error), path);
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<SessionFile> recoverable_file;
    for (const auto& [time, path] : files) recoverable_file.push_back({path, time_of(path)});
    return recoverable_file;
}

bool Recovery::has_others() const {
    const auto names = names_in(folder_);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        const std::filesystem::path path = folder_ / name;
        return is_saved_file(path) && path != file_ && !is_recoverable(path);
    });
}

std::optional<RecoveredSession> Recovery::take_recovered() {
    for (const SessionFile& file : recoverable()) {
        auto left = was_put_aside(file.path) ? std::nullopt : take(file.path);
        if (!left) continue;
        left->is_chosen = false;
        return left;
    }
    return std::nullopt;
}

std::optional<RecoveredSession> Recovery::take(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return std::nullopt;
    const int lock = take_lock(path);
    if (lock < 0) return std::nullopt;
    // The file is only deleted once the session is open, so a session that cannot be opened or crashes the program is
    // kept.
    RecoveredSession left{.text = {}, .file = free_file(folder_, prefix_unopened), .is_chosen = true};
    std::filesystem::rename(path, left.file, error);
    if (error) {
        ::close(lock);
        return std::nullopt;
    }
    remove_with_lock(path, lock);
    left.others = recoverable().size();
    try {
        left.text = read_file(left.file.string(), max_bytes);
    } catch (const std::exception&) {  // the text stays empty
    }
    return left;
}

std::filesystem::path Recovery::set_aside(const std::string& text) const {
    auto file = free_file(folder_, prefix_aside);
    atomic_write(file.string(), text);
    return file;
}

void Recovery::discard(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::remove(file, error);
}

void Recovery::choose_file() {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    remove_abandoned_locks(folder_);
    // An earlier process may have had the same id, and in containers several do at the same time.
    const std::string beginning = fmt::format("{}{}-", prefix_saved, ::getpid());
    constexpr int most = 1000;
    for (int number = 1; lock_ < 0 && number <= most; ++number) {
        file_ = free_file(folder_, beginning, number);
        lock_ = take_lock(file_);
        // Meanwhile another process may have taken it, saved into it and died.
        if (lock_ >= 0 && std::filesystem::exists(file_, error)) ::close(std::exchange(lock_, -1));
    }
}

void Recovery::renew_lock() {
    std::error_code error;
    if (lock_ < 0 || std::filesystem::exists(lock_of(file_), error)) return;
    std::filesystem::create_directories(folder_, error);
    ::close(std::exchange(lock_, take_lock(file_)));
}

bool Recovery::save(std::string text) {
    if (folder_.empty()) return true;
    renew_lock();
    if (lock_ < 0) choose_file();
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
