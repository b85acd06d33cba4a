#include "core/io/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <list>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/io/descriptor.h"
#include "core/io/temporaries.h"

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
        : target((require_no_nul("written", path), follow_links(path))),
          folder(target.has_parent_path() ? target.parent_path().string() : "."),
          directory(folder, O_RDONLY | O_DIRECTORY) {
        if (!directory)
            cannot("written", path,
                   errno == ENOENT ? fmt::format("the folder '{}' does not exist; create it", folder)
                                   : reason(errno, target));
        exists = ::stat(path.c_str(), &old) == 0;  // the target of a link to a pipe is not a path
        if (!exists && errno != ENOENT) cannot("written", path, reason(errno, target));
        if (exists && S_ISDIR(old.st_mode)) cannot("written", path, reason(EISDIR, path));
        if (exists && !S_ISREG(old.st_mode))
            cannot("written", path, "it is not a regular file; name a regular file, or '-' for standard output");
        for (const std::string& changed : {exists ? target.string() : folder, folder})
            if (::faccessat(AT_FDCWD, changed.c_str(), W_OK, AT_EACCESS) != 0)
                cannot("written", path, reason(errno, target));
        if (exists && old.st_uid != ::geteuid() && ::geteuid() != 0)
            cannot("written", path, "it belongs to another user, and would become yours; choose another name");
    }
};

/// Returns whether files without a name can get one later.
bool can_name_files() {
    return ::access("/proc/self/fd", X_OK) == 0;
}

/// A file in the making. It has no name until it is complete, so that nothing of it remains if the program is killed.
/// Where the file system needs names, it has a random one. It is locked, so that others can see that it is in use.
class Unfinished {
  public:
    explicit Unfinished(const std::string& folder) : folder_(folder), file_(open()) {}
    ~Unfinished() {
        if (!name_.empty()) ::unlink(name_.c_str());
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    const Descriptor& file() const { return file_; }
    /// Gives it a temporary name. Returns false with errno on failure.
    bool name() {
        if (!name_.empty()) return true;
        name_ = temporary_name(folder_);
        return link_to(name_) || (name_.clear(), false);
    }
    /// Gives it its final name. Returns false with errno on failure.
    bool finish(const std::filesystem::path& target, bool replaces) {
        if (name_.empty() && !replaces && link_to(target.string())) return true;
        if (!name() || ::rename(name_.c_str(), target.c_str()) != 0) return false;
        name_.clear();
        return true;
    }

  private:
    int open() {
        int fd = -1;
        if (can_name_files()) fd = ::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
        if (fd >= 0) {
            ::flock(fd, LOCK_EX | LOCK_NB);
            return fd;
        }
        for (int made = 0; made < most_temporaries; ++made) {
            std::string name = temporary_name(folder_);
            fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (fd < 0) return fd;
            if (lock_temporary(fd, name)) {
                name_ = std::move(name);
                return fd;
            }
            ::unlink(name.c_str());
            ::close(fd);
        }
        errno = EBUSY;
        return -1;
    }
    bool link_to(const std::string& name) const {
        const std::string self = fmt::format("/proc/self/fd/{}", file_.get());
        return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    }

    std::string folder_, name_;  // name_: empty while it has none
    Descriptor file_;
};

/// Gives a file the owner, the group and the permissions of the one that it replaces. Returns false with errno if it
/// would have another owner.
bool take_over(const Descriptor& file, const struct stat& old) {
    struct stat own {};
    if (::fstat(file.get(), &own) != 0) return false;
    if (::fchown(file.get(), old.st_uid, old.st_gid) != 0 && own.st_uid != old.st_uid) return false;
    return ::fchmod(file.get(), old.st_mode & 07777) == 0;
}

/// An unfinished file with its content and destination.
struct Writing {
    explicit Writing(const FileContent& content) : path(content.path), bytes(content.bytes), to(path), file(to.folder) {
        require(static_cast<bool>(file.file()));
    }

    void write(const Cancel& cancel) const {
        const Descriptor& open = file.file();
        require((!to.exists || take_over(open, to.old)) && open.write_all(bytes, cancel) && ::fsync(open.get()) == 0);
    }
    std::filesystem::path file_name() const { return std::filesystem::weakly_canonical(to.target); }
    /// Throws IoError with the reason in errno unless `done`.
    void require(bool done) const {
        if (!done) cannot("written", path, reason(errno, path));
    }

    std::string path;
    std::string_view bytes;
    Destination to;
    Unfinished file;
};

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
    return text.size() >= lower.size() &&
           std::equal(lower.begin(), lower.end(), text.begin(),
                      [](char expected, char c) { return std::tolower(static_cast<unsigned char>(c)) == expected; });
}

/// Gives the files their final names. If one cannot get its name, those that replaced nothing are removed again.
void give_final_names(std::list<Writing>& writings) {
    for (auto writing = writings.begin(); writing != writings.end(); ++writing) {
        if (writing->file.finish(writing->to.target, writing->to.exists)) continue;
        const int error = errno;
        for (auto named = writings.begin(); named != writing; ++named)
            if (!named->to.exists) ::unlink(named->to.target.c_str());
        errno = error;
        writing->require(false);
    }
}

/// Waits while another program names several files in this folder, so that its files and ours are not mixed. Waits at
/// most a second, because any program can hold this lock, and not at all where the file system has no locks.
void wait_for_turn(const Descriptor& directory, const Cancel& cancel) {
    using namespace std::chrono_literals;
    const auto end = std::chrono::steady_clock::now() + 1s;
    while (::flock(directory.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
           std::chrono::steady_clock::now() < end) {
        cancel.check();
        std::this_thread::sleep_for(5ms);
    }
}

}  // namespace

std::string read_file(const std::string& path, std::uint64_t limit) {
    const RegularFile opened(path);
    const Descriptor& file = opened.descriptor;

    const auto too_large = [&](std::uint64_t size) {
        return LimitError(
            fmt::format("{}: has {} bytes, more than the limit of {}; choose a smaller file", path, size, limit));
    };
    const std::uint64_t size = opened.state.size;
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

FileStart read_start(const std::string& path, std::size_t most) {
    const RegularFile opened(path);
    std::string bytes(most, '\0');
    std::size_t filled = 0;
    while (filled < most) {
        const ssize_t got = ::read(opened.descriptor.get(), bytes.data() + filled, most - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) cannot("read", path, reason(errno, path));
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return {std::move(bytes), opened.state.size};
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
    const Destination to(path);
    // Permissions do not say whether a file system makes files: /proc and /sys make none, not even for root.
    if (!Unfinished(to.folder).file()) cannot("written", path, reason(errno, path));
}

void atomic_write(const std::string& path, std::string_view bytes, const Cancel& cancel) {
    write_together({{path, bytes}}, cancel);
}

void write_together(const std::vector<FileContent>& files, const Cancel& cancel) {
    std::list<Writing> writings;
    for (const FileContent& content : files) {
        const Writing& added = writings.emplace_back(content);
        for (const Writing& other : writings)
            if (&other != &added && other.file_name() == added.file_name())
                cannot("written", added.path, "it is the same file as " + other.path + "; choose another name");
    }
    for (Writing& writing : writings) writing.write(cancel);
    cancel.check();
    // Between the first final name and the last, the program allocates no memory and writes no content.
    if (writings.size() > 1) {
        for (Writing& writing : writings) writing.require(writing.file.name());
        wait_for_turn(writings.front().to.directory, cancel);
    }
    give_final_names(writings);
    for (const Writing& writing : writings) {
        remove_abandoned(writing.to.folder);
        // Some file systems cannot sync a folder and report EINVAL; the file itself is already safe.
        writing.require(::fsync(writing.to.directory.get()) == 0 || errno == EINVAL);
    }
}

std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& error) {
    std::vector<std::string> names;
    errno = 0;
    if (const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir); entries)
        for (errno = 0; const dirent* const entry = ::readdir(entries.get()); errno = 0)
            if (const std::string name = entry->d_name; name != "." && name != "..") names.push_back(name);
    error.assign(errno, std::generic_category());
    return names;
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::error_code ignored;
    return names_in(folder, ignored);
}

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
    std::error_code of_time, of_size;
    const FileStamp stamp{std::filesystem::last_write_time(file, of_time), std::filesystem::file_size(file, of_size)};
    return of_time || of_size ? std::nullopt : std::optional(stamp);
}

std::map<std::string, FileStamp> stamps_in(const std::filesystem::path& folder, std::string_view ending) {
    std::map<std::string, FileStamp> stamps;
    for (const std::string& name : names_in(folder)) {
        if (!name.ends_with(ending)) continue;
        if (const auto stamp = stamp_of(folder / name)) stamps[name] = *stamp;
    }
    return stamps;
}

std::filesystem::path own_folder(const char* variable, const char* usual_place) {
    if (const char* base = std::getenv(variable); base && *base == '/') return std::filesystem::path(base) / "ropewalk";
    if (const char* home = std::getenv("HOME"); home && *home == '/')
        return std::filesystem::path(home) / usual_place / "ropewalk";
    return {};
}

std::string extension_of(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension.empty() ? extension : extension.substr(1);
}

}  // namespace ropewalk
