#include "core/io/descriptor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/numbers/hash.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

/// Returns the part of a path that should be a folder but is not; empty if there is none.
std::filesystem::path no_folder_in(const std::filesystem::path& path) {
    std::filesystem::path part;
    for (const std::filesystem::path& next : path.parent_path()) {
        part /= next;
        std::error_code error;
        const auto status = std::filesystem::status(part, error);
        if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) return part;
    }
    return {};
}

FileState state_of(const struct stat& status) {
    return {.identity = {.device = status.st_dev, .number = status.st_ino},
            .size = static_cast<std::uint64_t>(status.st_size),
            .seconds = status.st_mtim.tv_sec,
            .nanoseconds = status.st_mtim.tv_nsec};
}

/// Returns what the system says about an open file. Throws IoError unless it is a regular file.
struct stat regular_status(const Descriptor& file, const std::string& path) {
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0) cannot("read", path, reason(errno, path));
    if (S_ISDIR(status.st_mode)) cannot("read", path, reason(EISDIR, path));
    if (!S_ISREG(status.st_mode)) cannot("read", path, "it is not a regular file; name a regular file");
    return status;
}

/// Opens a file for reading if it is regular: opening a pipe would release a program that waits to write to it.
int open_regular(const std::string& path) {
    require_no_nul("read", path);
    const Descriptor place(path, O_PATH);
    regular_status(place, path);
    constexpr int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
    const int file = ::open(fmt::format("/proc/self/fd/{}", place.get()).c_str(), flags);
    const bool has_no_proc = file < 0 && errno == ENOENT;
    return has_no_proc ? ::open(path.c_str(), flags) : file;
}

}  // namespace

std::string reason(int error, const std::filesystem::path& path) {
    if (const auto part = error == ENOTDIR ? no_folder_in(path) : ""; !part.empty())
        return fmt::format("'{}' is not a folder; name a file in an existing folder", part.string());
    switch (error) {
        case ENOENT: return "there is no such file or folder; check the name";
        case EACCES:
        case EPERM: return "permission denied; choose a folder you have access to";
        case EROFS: return "the disk is read-only; choose another folder";
        case ENOSPC:
        case EDQUOT: return "the disk is full; free some space or choose another folder";
        case EFBIG: return "the file would exceed the system's size limit";
        case EISDIR: return "it is a folder; name a file in it";
        case ENAMETOOLONG: return "its name is too long; choose a shorter one";
        case ELOOP: return "its symbolic links form a loop";
        default: return std::generic_category().message(error);
    }
}

void cannot(const char* verb, const std::string& path, const std::string& why) {
    throw IoError(fmt::format("{}: cannot be {}: {}", path.empty() ? "''" : path, verb, why));
}

std::string sentence_of(const std::filesystem::filesystem_error& error) {
    const std::filesystem::path& path = error.path1();
    return fmt::format("{}: cannot be accessed: {}", path.empty() ? "the working folder" : path.string(),
                       reason(error.code().value(), path));
}

FileIdentity FileIdentity::of(const std::filesystem::path& path) {
    return FileState::of(path).identity;
}

FileState FileState::of(const std::filesystem::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? state_of(status) : FileState{};
}

bool is_there(const std::filesystem::path& path) {
    std::error_code error;
    const bool exists = std::filesystem::exists(path, error);
    if (error) cannot("read", path.string(), reason(error.value(), path));
    return exists;
}

void require_readable_folder(const std::string& path) {
    const Descriptor folder(path, O_RDONLY | O_DIRECTORY);
    if (!folder && (errno == ENOENT || errno == ENOTDIR)) cannot("read", path, "there is no such folder");
    if (!folder || ::faccessat(folder.get(), ".", R_OK | X_OK, AT_EACCESS) != 0)
        cannot("read", path, reason(errno, path));
}

void require_no_nul(const char* verb, const std::string& path) {
    if (path.find('\0') != path.npos) cannot(verb, brief(path), "its name contains a NUL byte; choose another file");
}

Descriptor::Descriptor(const std::string& path, int flags, mode_t mode)
    : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}

bool Descriptor::write_all(std::string_view bytes, const Cancel& cancel) const {
    constexpr std::size_t most_at_once = 16 << 20;
    while (!bytes.empty()) {
        cancel.check();
        const ssize_t written = ::write(fd_, bytes.data(), std::min(bytes.size(), most_at_once));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool Descriptor::close() {
    return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0;
}

RegularFile::RegularFile(const std::string& path) : descriptor(open_regular(path)) {
    const struct stat status = regular_status(descriptor, path);
    state = state_of(status);
    version = hash_text(fmt::format("{} {} {} {}.{:09} {}.{:09}", status.st_dev, status.st_ino, status.st_size,
                                    status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                                    status.st_ctim.tv_nsec));
}

}  // namespace ropewalk
