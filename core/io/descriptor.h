// Open files, and why one cannot be opened, read or written, in words.
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/cancel.h"

namespace ropewalk {

/// Returns the reason of a system's error, and what to do.
std::string reason(int error, const std::filesystem::path& path);
/// Throws IoError: the path cannot be read, or written, because of this.
[[noreturn]] void cannot(const char* verb, const std::string& path, const std::string& why);

/// Returns what happened to which file, and what to do.
std::string sentence_of(const std::filesystem::filesystem_error& error);

/// Returns whether there is something at a path. Throws IoError if the system does not tell: for example, a folder
/// before it permits no access.
bool is_there(const std::filesystem::path& path);
/// What distinguishes a file from all others, whatever its names and links.
struct FileIdentity {
    std::uint64_t device = 0, number = 0;

    /// Returns the identity of the file at a path; zeros if there is no file.
    static FileIdentity of(const std::filesystem::path& path);
    auto operator<=>(const FileIdentity&) const = default;
};
/// A file's identity, and what changes when its bytes change. Renaming, replacing, linking or removing a file, which
/// leaves its bytes, changes none of these.
struct FileState {
    FileIdentity identity;
    std::uint64_t size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;  // of the last write

    /// Returns the state of the file at a path; zeros if there is no file.
    static FileState of(const std::filesystem::path& path);
    bool operator==(const FileState&) const = default;
};
/// Throws IoError unless a path is a folder whose files can be listed and read.
void require_readable_folder(const std::string& path);

/// Throws IoError if the path contains a NUL byte: the system would take the part before it for the whole path.
void require_no_nul(const char* verb, const std::string& path);

/// A file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(const std::string& path, int flags, mode_t mode = 0);
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    explicit operator bool() const { return fd_ >= 0; }
    int get() const { return fd_; }
    /// Writes all bytes. Returns false with errno on failure. Throws Cancelled.
    bool write_all(std::string_view bytes, const Cancel& cancel = {}) const;
    /// Closes the file. Returns false if the system reports a failed write only now.
    bool close();

  private:
    int fd_;
};

/// A regular file opened for reading. Never waits for a pipe or touches a device. Throws IoError.
struct RegularFile {
    Descriptor descriptor;
    FileState state;
    std::uint64_t version = 0;  // a hash of the file's identity and of when it was last written or changed

    explicit RegularFile(const std::string& path);
};

}  // namespace ropewalk
