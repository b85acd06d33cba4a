// A file as part of a plain value: its path and its content, compared by path and content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/text/pieces.h"

namespace ropewalk {

class HeadArrays;
struct Model;
struct NpyArray;

/// A text cut into words and into characters.
struct TextContent {
    TextPieces words, characters;
    std::uint64_t hash = 0;  // of the file's bytes
};

/// Return a hash of the content, the same on every machine. Those of head arrays and models are defined in core/models,
/// and cover only samples of the numbers in a checkpoint or .safetensors file.
std::uint64_t hash_of(const NpyArray& array);
std::uint64_t hash_of(const TextContent& text);
std::uint64_t hash_of(const HeadArrays& arrays);
std::uint64_t hash_of(const Model& model);
/// Return a number that differs after a file was written or replaced of which `hash_of` covers only samples, even if
/// only its time changed; 0 if `hash_of` covers all. For comparisons within one run.
std::uint64_t version_of(const HeadArrays& arrays);
std::uint64_t version_of(const Model& model);
inline std::uint64_t version_of(const NpyArray&) {
    return 0;
}
inline std::uint64_t version_of(const TextContent&) {
    return 0;
}

template <class Content>
struct InputFile {
    std::string path;                        // as in the scene, relative to its folder; absolute if from elsewhere
    std::shared_ptr<const Content> content;  // null until read

    bool operator==(const InputFile& other) const {
        if (path != other.path) return false;
        if (!content || !other.content) return content == other.content;
        return hash_of(*content) == hash_of(*other.content) && version_of(*content) == version_of(*other.content);
    }
};

using ArrayFile = InputFile<NpyArray>;    // a .npy file
using HeadFile = InputFile<HeadArrays>;   // a .npy, .npz or .safetensors file of queries and keys
using ModelFile = InputFile<Model>;       // a folder with a checkpoint
using TextFile = InputFile<TextContent>;  // UTF-8, at most `most_text_bytes`

inline constexpr std::uint64_t most_text_bytes = 4 << 20;

/// A field's value that names a file.
template <class T>
concept FileLeaf = std::is_same_v<T, ArrayFile> || std::is_same_v<T, HeadFile> || std::is_same_v<T, ModelFile> ||
    std::is_same_v<T, TextFile>;

/// How a scene names a file in the bundled assets, wherever they are: "bundled:NAME".
inline constexpr std::string_view bundled_prefix = "bundled:";
/// Returns the path as it reads from any folder, of a file named in a scene in `folder`.
inline std::string whole_path(const std::string& path, const std::filesystem::path& folder) {
    return path.starts_with(bundled_prefix) ? path : (folder / path).lexically_normal().string();
}

/// The folder in which files named by fields are looked up. `confined` forbids leaving it by "..", an absolute path or
/// a link. Without a folder nothing may be read then, but for models with a whole path.
struct FileAccess {
    enum class Reach { confined, anywhere };

    std::optional<std::filesystem::path> folder;
    Reach reach = Reach::confined;
    bool keeps_faults = false;  // numbers out of range, and the names of unreadable files, are kept for `validate`
    bool skips_files = false;   // files named in JSON are not opened

    bool reads_nothing() const { return !folder && reach == Reach::confined; }
    /// Returns the path of a file that a field names.
    std::filesystem::path path_of(const std::string& name) const {
        return folder.value_or(std::filesystem::path()) / name;
    }
};

/// Throws InputError if the file cannot be read because a setting alone names it.
void require_folder(const std::string& name, const FileAccess& access);
/// Returns the path at which a file that a field names is read. Throws InputError if it is outside the folder, or its
/// name is not UTF-8.
std::filesystem::path checked_path(const std::string& name, const FileAccess& access);
/// Returns the name by which a field keeps a file: as given, or absolute if it may be anywhere.
std::string kept_name(const std::string& name, const std::filesystem::path& path, const FileAccess& access);

/// Returns why an entry cannot be used, because it is not finite or a product of two may overflow; empty if all can.
/// The first one is number `first` of the array.
std::string unusable_sentence(std::span<const double> values, const std::string& name, std::size_t first);
/// Throws InputError with that sentence unless all can.
void require_usable(std::span<const double> values, const std::string& name, std::size_t first = 0);

/// Read the file at `file.path`. Throw InputError if it is outside the folder or has another format, IoError if it
/// cannot be read, LimitError if it is too large. A model may be anywhere, because it is only read and too large to be
/// copied; it is opened once.
void load(ArrayFile& file, const FileAccess& access);
void load(TextFile& file, const FileAccess& access);
void load(HeadFile& file, const FileAccess& access);
void load(ModelFile& file, const FileAccess& access);

}  // namespace ropewalk
