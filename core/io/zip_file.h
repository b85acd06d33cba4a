// Reads zip archives, such as NumPy's .npz files.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/io/mapped_file.h"

struct zip;

namespace ropewalk {

/// An entry of an archive. Its name is only compared, never used as a path.
struct ZipEntry {
    std::string name;
    std::uint64_t index = 0, bytes = 0, packed_bytes = 0;  // bytes: once unpacked
    std::uint32_t checksum = 0;
};

/// An archive of stored and deflated entries, each unpacked when it is read. Thread-safe.
class ZipFile {
  public:
    /// Reads the list of entries. Throws IoError, InputError with the file and the reason, or LimitError if there are
    /// too many entries, their names are too long, or they are too large together.
    explicit ZipFile(const std::string& path);

    const std::string& path() const { return file_.path(); }
    const std::vector<ZipEntry>& entries() const { return entries_; }
    /// Returns the first bytes of an entry, at most `most`; its checksum is compared if these are all. Throws
    /// InputError, LimitError if far more bytes are wanted than the entry takes in the file, or IoError if the file
    /// changed.
    std::string read(const ZipEntry& entry, std::uint64_t most) const;

  private:
    struct Close {
        void operator()(zip* archive) const;
    };

    MappedFile file_;
    std::unique_ptr<zip, Close> archive_;
    std::vector<ZipEntry> entries_;
    mutable std::mutex mutex_;
};

}  // namespace ropewalk
