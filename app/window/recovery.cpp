#include "app/window/recovery.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::string_view prefix = "desk-", suffix = ".json";
constexpr std::uint64_t greatest_bytes = 16 << 20;

std::filesystem::path file_of(const std::filesystem::path& folder, int process) {
    return folder / fmt::format("{}{}{}", prefix, process, suffix);
}

/// The process that a file belongs to; nothing if it is no such file.
std::optional<int> process_of(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
    int process = 0;
    const char* const end = name.data() + name.size() - suffix.size();
    const auto parsed = std::from_chars(name.data() + prefix.size(), end, process);
    return parsed.ec == std::errc{} && parsed.ptr == end && process > 0 ? std::optional(process) : std::nullopt;
}

bool is_running(int process) {
    return ::kill(process, 0) == 0 || errno == EPERM;
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
    std::filesystem::path newest;
    std::filesystem::file_time_type newest_time;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
        const auto process = process_of(entry.path());
        if (!process || is_running(*process)) continue;
        const auto time = entry.last_write_time(error);
        if (newest.empty() || time > newest_time) newest = entry.path(), newest_time = time;
    }
    if (newest.empty()) return std::nullopt;
    try {
        std::string text = read_file(newest.string(), greatest_bytes);
        std::filesystem::remove(newest, error);
        return text;
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool Recovery::keep(std::string text) {
    if (folder_.empty()) return true;
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    writing_ = std::async(std::launch::async, [folder = folder_, file = file_, text = std::move(text)] {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        try {
            atomic_write(file.string(), text);
        } catch (const Error&) {  // a full disk, say
        }
    });
    return true;
}

void Recovery::forget() {
    if (writing_.valid()) writing_.wait();
    std::error_code error;
    std::filesystem::remove(file_, error);
}

}  // namespace ropewalk
