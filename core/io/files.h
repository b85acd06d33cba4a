// Whole files in, whole files out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "core/cancel.h"

namespace ropewalk {

/// The content of a regular file of at most `limit` bytes. Throws IoError (not there, not readable, not a file) with
/// the path and the system's reason, LimitError if it is larger.
std::string read_file(const std::string& path, std::uint64_t limit);

/// What a content that is not what it should be looks like: "is empty", "is a Git LFS pointer; fetch the file itself",
/// "is an HTML page", "is gzip-compressed", "is a zip archive", "is a Python pickle" …; empty if nothing is recognised.
std::string impostor(std::string_view bytes);

/// Replaces the file at `path` by `bytes`, whole or not at all: a temporary file in the same folder, checked writes,
/// fsync, rename, fsync of the folder. Symbolic links are followed and an existing file's permissions kept; a file that
/// may not be written is not replaced. Throws IoError with the path and the reason; the old file is then untouched, but
/// where the folder alone could not be synced, and no temporary is left. The same holds where `cancel` asks to stop,
/// which throws Cancelled.
void atomic_write(const std::string& path, std::string_view bytes, const Cancel& cancel = {});

/// Throws the IoError with which `atomic_write` would fail, as far as that can be known before.
void require_writable(const std::string& path);

/// When a file was written last, and how long it is: what changes when it is saved.
struct FileStamp {
    std::filesystem::file_time_type written{};
    std::uintmax_t bytes = 0;

    bool operator==(const FileStamp&) const = default;
};
/// Those of a folder's files, by name; none where there is no such folder. A file that vanishes meanwhile is left out.
std::map<std::string, FileStamp> stamps_in(const std::filesystem::path& folder);

/// "npy" of "out.NPY"; empty if there is none.
std::string extension_of(const std::string& path);

}  // namespace ropewalk
