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
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/io/files.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr std::string_view prefix_saved = "desk-", prefix_aside = "desk-aside-", prefix_taken = "desk-taken-",
                           prefix_unopened = "unopened-desk-", suffix = ".json";

bool has_prefix(const std::filesystem::path& file, std::string_view prefix) {
    return file.filename().string().starts_with(prefix);
}

bool is_saved_file(const std::filesystem::path& file) {
    return has_prefix(file, prefix_saved) && file.extension() == suffix;
}

/// Returns the lock file of a session file. A running process holds a lock on it, which ends with the process in any
/// case.
std::filesystem::path lock_of(std::filesystem::path file) {
    return file.replace_extension(".lock");
}

/// Returns a descriptor of the locked lock file, or −1 if there can be none, for example in a network folder; nullopt
/// if another process holds the lock.
std::optional<int> take_lock(const std::filesystem::path& file) {
    const int descriptor = ::open(lock_of(file).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    const bool is_held = errno == EWOULDBLOCK;
    ::close(descriptor);
    return is_held ? std::nullopt : std::optional(-1);
}

/// Lets other processes claim a file.
void release(const ClaimedFile& claim) {
    if (claim.lock >= 0) ::close(claim.lock);
}
void remove_lock(const ClaimedFile& claim) {
    std::error_code error;
    std::filesystem::remove(lock_of(claim.file), error);
    release(claim);
}
void remove_with_lock(const ClaimedFile& claim) {
    std::error_code error;
    std::filesystem::remove(claim.file, error);
    remove_lock(claim);
}

/// Claims a file of this beginning that does not exist yet.
ClaimedFile new_file(const std::filesystem::path& folder, std::string_view beginning) {
    std::error_code error;
    for (int number = 1;; ++number) {
        auto file = folder / fmt::format("{}{}{}", beginning, number, suffix);
        if (std::filesystem::exists(file, error)) continue;
        const auto lock = take_lock(file);
        if (!lock) continue;
        ClaimedFile claim{std::move(file), *lock};
        if (!std::filesystem::exists(claim.file, error)) return claim;
        release(claim);  // meanwhile another process took it, saved into it and died
    }
}

/// Removes the locks of processes that were killed before they saved anything. A process may be about to hold those of
/// the last seconds.
void remove_abandoned_locks(const std::filesystem::path& folder) {
    const auto latest = std::filesystem::file_time_type::clock::now() - std::chrono::seconds(2);
    for (const std::string& name : names_in(folder)) {
        std::error_code error;
        std::filesystem::path file = folder / name;
        if (!(name.starts_with(prefix_saved) || name.starts_with(prefix_unopened)) || file.extension() != ".lock")
            continue;
        if (std::filesystem::last_write_time(file, error) > latest || error) continue;
        if (std::filesystem::exists(file.replace_extension(suffix), error)) continue;
        if (const auto lock = take_lock(file); lock && *lock >= 0) {
            std::filesystem::remove(lock_of(file), error);
            ::close(*lock);
        }
    }
}

/// Returns whether the process that a session file is named after runs, as far as this machine knows.
bool is_of_running_process(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    const std::string id = name.substr(prefix_saved.size(), name.find('-', prefix_saved.size()) - prefix_saved.size());
    std::error_code error;
    return std::filesystem::exists(std::filesystem::path("/proc") / id, error);
}

/// Returns whether no process holds the session file's lock, or runs where locks do not work.
bool is_recoverable(const std::filesystem::path& file) {
    const int descriptor = ::open(lock_of(file).c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return errno == ENOENT;
    const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0;
    const bool has_locks = !is_locked || errno == EWOULDBLOCK;
    ::close(descriptor);
    return has_locks ? !is_locked : !is_of_running_process(file);
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
        const bool is_own = std::ranges::any_of(held_, [&](const Held& held) { return held.claim.file == path; });
        if (is_saved_file(path) && !is_own && is_recoverable(path))
            files.emplace_back(std::filesystem::last_write_time(path, error), path);
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<SessionFile> recoverable_file;
    for (const auto& [time, path] : files)
        recoverable_file.push_back({path, time_of(path), has_prefix(path, prefix_aside)});
    return recoverable_file;
}

bool Recovery::has_others() const {
    const auto names = names_in(folder_);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        const std::filesystem::path path = folder_ / name;
        return is_saved_file(path) && path != own_.file && !is_recoverable(path);
    });
}

std::optional<RecoveredSession> Recovery::take_recovered() {
    for (const SessionFile& file : recoverable()) {
        auto left = file.was_set_aside || has_prefix(file.path, prefix_taken) ? std::nullopt : take(file.path);
        if (!left) continue;
        left->is_chosen = false;
        return left;
    }
    return std::nullopt;
}

std::optional<RecoveredSession> Recovery::take(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return std::nullopt;
    const auto lock = take_lock(path);
    if (!lock) return std::nullopt;
    ClaimedFile claim{path, *lock};
    if (!has_prefix(path, prefix_aside) && !has_prefix(path, prefix_taken)) {
        ClaimedFile taken = new_file(folder_, prefix_taken);
        std::filesystem::rename(path, taken.file, error);
        remove_lock(std::exchange(claim, std::move(taken)));
        if (error) {
            remove_lock(claim);
            return std::nullopt;
        }
    }
    RecoveredSession left{.text = {}, .file = claim.file, .is_chosen = true};
    held_.push_back({std::move(claim)});
    left.others = recoverable().size();
    try {
        left.text = read_file(left.file.string(), max_bytes);
    } catch (const std::exception&) {  // the text stays empty
    }
    return left;
}

std::vector<Recovery::Held>::iterator Recovery::held(const RecoveredSession& session) {
    return std::ranges::find_if(held_, [&](const Held& held) { return held.claim.file == session.file; });
}

void Recovery::accept(const RecoveredSession& session) {
    if (const auto found = held(session); found != held_.end()) found->progress = Progress::opened;
}

std::filesystem::path Recovery::reject(const RecoveredSession& session) {
    const auto found = held(session);
    if (found == held_.end()) return session.file;
    const ClaimedFile taken = std::move(found->claim), unopened = new_file(folder_, prefix_unopened);
    held_.erase(found);
    std::error_code error;
    std::filesystem::rename(taken.file, unopened.file, error);
    remove_lock(taken), remove_lock(unopened);
    return error ? taken.file : unopened.file;
}

void Recovery::discard_accepted(Progress least) {
    std::erase_if(held_, [&](const Held& held) {
        if (held.progress < least) return false;
        remove_with_lock(held.claim);
        return true;
    });
}

std::filesystem::path Recovery::set_aside(const std::string& text) const {
    const ClaimedFile claim = new_file(folder_, prefix_aside);
    const std::shared_ptr<void> released(nullptr, [&](void*) { remove_lock(claim); });  // also on an exception
    atomic_write(claim.file.string(), text);
    return claim.file;
}

void Recovery::discard(const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::remove(file, error);
}

void Recovery::renew_lock() {
    std::error_code error;
    const bool is_locked = own_.lock >= 0 && std::filesystem::exists(lock_of(own_.file), error);
    if (own_.file.empty() || is_locked) return;
    std::filesystem::create_directories(folder_, error);
    release(own_);
    const auto lock = take_lock(own_.file);
    own_ = lock ? ClaimedFile{own_.file, *lock} : ClaimedFile{};
}

bool Recovery::save(std::string text) {
    if (folder_.empty()) return true;
    renew_lock();
    if (own_.file.empty()) {
        std::error_code error;
        std::filesystem::create_directories(folder_, error);
        remove_abandoned_locks(folder_);
        // An earlier process may have had the same id, and in containers several do at the same time.
        own_ = new_file(folder_, fmt::format("{}{}-", prefix_saved, ::getpid()));
    }
    if (!writer_.write(own_.file, std::move(text))) return false;
    for (Held& held : held_)
        if (held.progress == Progress::opened) held.progress = Progress::saved;
    return true;
}

const std::string& Recovery::failure() {
    static const std::string no_folder = "neither XDG_STATE_HOME nor HOME is an absolute path";
    return folder_.empty() ? no_folder : writer_.failure();
}

double Recovery::patience() {
    const double patience = writer_.patience();
    if (patience == infinity) discard_accepted(Progress::saved);
    return patience;
}

void Recovery::wait() {
    writer_.wait();
    patience();
}

void Recovery::forget() {
    writer_.wait();
    discard_accepted(Progress::opened);
    if (!own_.file.empty()) remove_with_lock(std::exchange(own_, {}));
}

Recovery::~Recovery() {
    writer_.wait();
    for (const Held& held : held_) release(held.claim);
    release(own_);
}

}  // namespace ropewalk
