#include "core/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/io/descriptor.h"

namespace ropewalk {
namespace {

/// Returns the file at the end of a chain of symbolic links, whether or not it exists.
std::filesystem::path follow_links(const std::string& path) {
    std::filesystem::path target = path;
    std::error_code error;
    for (int links = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(target, error)); ++links) {
        if (links == 40) cannot("written", path, reason(ELOOP, path));
        const std::filesystem::path next = std::filesystem::read_symlink(target, error);
        if (error) cannot("written", path, reason(error.value(), path));
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
}

/// The destination of a file. Throws IoError if its folder does not exist, or if the file cannot be written or
/// replaced.
struct Destination {
    std::filesystem::path target;
    std::string folder;
    Descriptor directory;
    struct stat old {};
    bool exists = false;

    explicit Destination(const std::string& path)
        : target(follow_links(path)),
          folder(target.has_parent_path() ? target.parent_path().string() : "."),
          directory(folder, O_RDONLY | O_DIRECTORY) {
        if (!directory)
            cannot("written", path,
                   errno == ENOENT ? fmt::format("the folder '{}' does not exist; create it", folder)
                                   : reason(errno, target));
        exists = ::stat(target.c_str(), &old) == 0;
        if (!exists && errno != ENOENT) cannot("written", path, reason(errno, target));
        if (exists && S_ISDIR(old.st_mode)) cannot("written", path, reason(EISDIR, path));
        if (exists && !S_ISREG(old.st_mode))
            cannot("written", path, "it is not a regular file; name a regular file, or '-' for standard output");
        for (const std::string& changed : {exists ? target.string() : folder, folder})
            if (::faccessat(AT_FDCWD, changed.c_str(), W_OK, AT_EACCESS) != 0)
                cannot("written", path, reason(errno, target));
    }
};

/// Removes the file unless it was renamed to its final name.
struct Temporary {
    std::string path;
    bool keep = false;

    explicit Temporary(std::string name) : path(std::move(name)) {}
    ~Temporary() {
        if (!keep) ::unlink(path.c_str());
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
};

bool write_all(int fd, std::string_view bytes, const Cancel& cancel) {
    constexpr std::size_t most_at_once = 16 << 20;
    while (!bytes.empty()) {
        cancel.check();
        const ssize_t written = ::write(fd, bytes.data(), std::min(bytes.size(), most_at_once));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
    return text.size() >= lower.size() &&
           std::equal(lower.begin(), lower.end(), text.begin(),
                      [](char expected, char c) { return std::tolower(static_cast<unsigned char>(c)) == expected; });
}

}  // namespace

std::string read_file(const std::string& path, std::uint64_t limit) {
    const RegularFile opened(path);
    const Descriptor& file = opened.descriptor;

    const auto too_large = [&](std::uint64_t size) {
        return LimitError(
            fmt::format("{}: has {} bytes, more than the limit of {}; choose a smaller file", path, size, limit));
    };
    const std::uint64_t size = opened.size;
    if (size > limit) throw too_large(size);
    // One byte more than the file's size, to detect its end without growing.
    std::string bytes(static_cast<std::size_t>(size) + 1, '\0');
    std::size_t filled = 0;
    while (true) {
        if (filled == bytes.size()) bytes.resize(bytes.size() * 2);
        const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) cannot("read", path, reason(errno, path));
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
        if (filled > limit) throw too_large(filled);
    }
    bytes.resize(filled);
    return bytes;
}

std::string impostor(std::string_view bytes) {
    if (bytes.empty()) return "is empty";
    if (bytes.starts_with("version https://git-lfs.github.com/spec/"))
        return "is a Git LFS pointer; fetch the file itself with 'git lfs pull'";
    const std::string_view text = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
    if (starts_with_ignoring_case(text, "<!doctype html") || starts_with_ignoring_case(text, "<html"))
        return "is an HTML page; download the file itself";

    struct Signature {
        std::string_view start;
        const char* sentence;
    };
    static constexpr std::array<Signature, 6> signatures{{
        {"\x1f\x8b", "is gzip-compressed; unpack it first with gunzip"},
        {"PK\x03\x04", "is a zip archive; rename it to .npz if numpy.savez wrote it, or else extract it"},
        {"PK\x05\x06", "is an empty zip archive; choose another file"},
        {"\xfd"
         "7zXZ",
         "is xz-compressed; unpack it first with unxz"},
        {"\x28\xb5\x2f\xfd", "is zstd-compressed; unpack it first with unzstd"},
        {"\x89HDF\r\n", "is an HDF5 file; save the array with numpy.save"},
    }};
    for (const Signature& signature : signatures)
        if (bytes.starts_with(signature.start)) return signature.sentence;
    if (bytes.size() > 1 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5)  // the protocol
        return "is a Python pickle, which is never executed; save the array with numpy.save";
    return {};
}

void require_writable(const std::string& path) {
    const Destination checked(path);
}

void atomic_write(const std::string& path, std::string_view bytes, const Cancel& cancel) {
    static std::atomic<unsigned> count = 0;  // makes temporary names unique within the process

    const Destination to(path);
    Temporary temporary(fmt::format("{}/.ropewalk-{}-{}.tmp", to.folder, ::getpid(), count++));
    Descriptor file(temporary.path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (!file) {
        const int error = errno;
        temporary.keep = true;  // the file belongs to someone else
        cannot("written", path, reason(error, path));
    }
    if ((to.exists && ::fchmod(file.get(), to.old.st_mode & 07777) != 0) || !write_all(file.get(), bytes, cancel) ||
        ::fsync(file.get()) != 0 || !file.close() || ::rename(temporary.path.c_str(), to.target.c_str()) != 0)
        cannot("written", path, reason(errno, path));
    temporary.keep = true;
    // Some file systems cannot sync a folder and report EINVAL; the file itself is already safe.
    if (::fsync(to.directory.get()) != 0 && errno != EINVAL) cannot("written", path, reason(errno, path));
}

std::map<std::string, FileStamp> stamps_in(const std::filesystem::path& folder) {
    std::map<std::string, FileStamp> stamps;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) {
        const FileStamp stamp{entry.last_write_time(gone), entry.file_size(gone)};
        if (!gone) stamps[entry.path().filename().string()] = stamp;
    }
    return stamps;
}

std::string extension_of(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension.empty() ? extension : extension.substr(1);
}

}  // namespace ropewalk
