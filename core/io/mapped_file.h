// Files larger than memory, read where they are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/io/descriptor.h"

namespace ropewalk {

/// A regular file mapped into memory, read-only. Pages are read when they are touched. If another program shortens the
/// file meanwhile, its missing pages read as zeros, instead of a signal ending the program.
class MappedFile {
  public:
    /// Maps a file. Throws IoError with the path and the reason.
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::string& path() const { return path_; }
    const std::byte* data() const { return data_; }
    std::uint64_t size() const { return state_.size; }
    /// Returns a hash of the file's identity and of its last write, as of opening.
    std::uint64_t version() const { return version_; }
    /// Throws IoError if the file's bytes may have changed since it was opened. Call it after reading.
    void require_intact() const;

  private:
    std::string path_;
    const std::byte* data_ = nullptr;
    FileState state_;
    std::uint64_t version_ = 0;
    int slot_ = -1;  // in the table that the signal handler reads
};

}  // namespace ropewalk
