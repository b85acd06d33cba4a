// core/io: files and other programs: .npy arrays, checked JSON, the bundled assets. Here: reading and writing whole
// files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/cancel.h"

namespace ropewalk {

/// Returns the content of a regular file of at most `limit` bytes. Throws IoError with the path and the system's reason
/// if it cannot be read, and LimitError if it is larger.
std::string read_file(const std::string& path, std::uint64_t limit);

/// The first bytes of a file.
struct FileStart {
    std::string bytes;
    std::uint64_t file_bytes = 0;  // of the whole file
};
/// Returns the first bytes of a regular file, at most `most`. Throws IoError like `read_file`.
FileStart read_start(const std::string& path, std::size_t most);

/// Returns what unexpected content looks like: "is empty", "is a Git LFS pointer; fetch the file itself", "is an HTML
/// page", "is gzip-compressed", "is a zip archive", "is a Python pickle" …; empty if it is not recognised.
std::string impostor(std::string_view bytes);

/// Replaces the file at `path` by `bytes`, completely or not at all: a file without a name in the same folder, checked
/// writes, fsync, rename, fsync of the folder. Follows symbolic links and keeps an existing file's owner and
/// permissions; does not replace a file without write permission, or another user's. Throws IoError with the path and
/// the reason, or Cancelled. The old file is then unchanged, except if only the sync of the folder failed, and no other
/// file remains, even if the program is killed. Removes what earlier programs have left, where files need a name.
void atomic_write(const std::string& path, std::string_view bytes, const Cancel& cancel = {});

/// A file's path and content; the bytes must outlive the call.
struct FileContent {
    std::string path;
    std::string_view bytes;
};
/// Writes files that belong together, each as `atomic_write` does. All are complete on disk under temporary names
/// before the first is renamed; if anything fails before that, every old file is unchanged. Programs that write several
/// files in the same folder at once take turns, but wait for each other at most a second. Throws IoError if two are the
/// same file.
void write_together(const std::vector<FileContent>& files, const Cancel& cancel = {});

/// Throws the IoError with which `atomic_write` would fail, as far as this is known in advance.
void require_writable(const std::string& path);

/// Returns the names of what is in a folder, in no order; as many as could be read if there is an error. The standard
/// library's iterator ends the program where memory is short.
std::vector<std::string> names_in(const std::filesystem::path& folder, std::error_code& error);
std::vector<std::string> names_in(const std::filesystem::path& folder);

/// Modification time and size of a file, to detect that it was saved.
struct FileStamp {
    std::filesystem::file_time_type written{};
    std::uintmax_t bytes = 0;

    bool operator==(const FileStamp&) const = default;
};
/// Returns the stamp of a file; nothing if there is no such file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);
/// Returns the stamps of a folder's files whose names end in `ending`, by name; empty if there is no such folder. Skips
/// files that are deleted meanwhile.
std::map<std::string, FileStamp> stamps_in(const std::filesystem::path& folder, std::string_view ending = {});

/// Returns the program's folder below the one named by an XDG environment variable ("XDG_STATE_HOME"), or below its
/// default in the home folder (".local/state"); empty if neither is known.
std::filesystem::path own_folder(const char* variable, const char* usual_place);

/// Returns the extension in lower case, such as "npy" for "out.NPY"; empty if there is none.
std::string extension_of(const std::string& path);

}  // namespace ropewalk
