#include "core/experiment/files_along.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "core/error.h"
#include "core/fields/fields_io.h"
#include "core/io/files.h"
#include "core/io/mapped_file.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

bool have_same_bytes(const std::filesystem::path& one, const std::filesystem::path& other) {
    const MappedFile first(one.string()), second(other.string());
    return first.size() == second.size() && std::equal(first.data(), first.data() + first.size(), second.data());
}

/// Returns what the file at `path` contains now; empty if it cannot be read as such a file.
template <FileLeaf T>
T read_again(const std::filesystem::path& path) {
    T file{.path = path.string()};
    try {
        load(file, {.folder = "", .reach = FileAccess::Reach::anywhere});
    } catch (const Error&) {
        file.content = nullptr;
    }
    return file;
}

/// Returns whether `source`, from which `file` was read, is as it was then.
template <FileLeaf T>
bool is_unchanged(const std::filesystem::path& source, const T& file) {
    const auto now = read_again<T>(source).content;
    return now && hash_of(*now) == hash_of(*file.content) && version_of(*now) == version_of(*file.content);
}

/// Returns whether the file at `path` has the content of `file`, which was read from `source`.
template <FileLeaf T>
bool holds(const std::filesystem::path& path, const T& file, const std::filesystem::path& source) {
    const auto there = read_again<T>(path).content;
    if (!there || !file.content || hash_of(*there) != hash_of(*file.content)) return false;
    const bool is_whole_hash = version_of(*file.content) == 0;
    return is_whole_hash || (is_unchanged(source, file) && have_same_bytes(path, source));
}

/// Returns the first of "q.npy", "q-2.npy", "q-3.npy" … in the folder that does not exist or has the content of `file`,
/// which was read from `source`.
template <FileLeaf T>
std::filesystem::path name_for(const std::filesystem::path& source, const std::filesystem::path& folder,
                               const T& file) {
    for (int number = 1;; ++number) {
        const std::string stem =
            number == 1 ? source.stem().string() : fmt::format("{}-{}", source.stem().string(), number);
        const auto path = folder / (stem + source.extension().string());
        std::error_code error;
        if (!std::filesystem::exists(path, error) || holds(path, file, source)) return path;
    }
}

/// Copies the content of `file`, which was read from `source`. Throws IoError, and leaves no copy, if the source has
/// changed since.
template <FileLeaf T>
void copy_content(const T& file, const std::filesystem::path& source, const std::filesystem::path& copy) {
    const MappedFile bytes(source.string());
    if (file.content && !is_unchanged(source, file))
        throw IoError(fmt::format("{} has changed since it was opened. Open it again, then save.", source.string()));
    atomic_write(copy.string(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    try {
        bytes.require_intact();
    } catch (const IoError&) {
        std::error_code error;
        std::filesystem::remove(copy, error);
        throw;
    }
}

bool is_missing(const std::filesystem::path& file) {
    std::error_code error;
    return !std::filesystem::exists(file, error) && !error;
}

/// Throws MissingFile if a file does not exist that a scene names and could not be opened without.
void require_present(const std::filesystem::path& file) {
    if (is_missing(file))
        throw MissingFile(fmt::format("{} no longer exists. Put it back, then save again.", file.string()));
}

/// Throws IoError if a scene, which is UTF-8, cannot name the file.
void require_nameable(const std::string& path) {
    if (!is_utf8(path))
        throw IoError(fmt::format(
            "{} cannot be named in a scene: this path is not UTF-8. Rename the file or its folder, then save "
            "again.",
            path));
}

}  // namespace

void bring_files_along(Experiment& copied, const std::filesystem::path& old_folder,
                       const std::filesystem::path& folder) {
    walk_fields(copied, [&](const std::string&, const Field& field, auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, ModelFile>) {  // stays where it is
            if (value.path.empty()) return;
            value.path = whole_path(value.path, old_folder);
            if (value.path.starts_with(bundled_prefix)) return;
            // A trained head may still name the folder of the model before it.
            if (!field.in_controls && is_missing(value.path)) return void(value = {});
            require_present(value.path);
            require_nameable(value.path);
        } else if constexpr (FileLeaf<T>) {
            if (value.path.empty()) return;
            const std::filesystem::path source = old_folder / value.path;  // value.path alone, if it is absolute
            require_present(source);
            const std::string inside = std::filesystem::proximate(source, folder).string();
            if (!inside.starts_with("..")) {
                require_nameable(value.path = inside);
                return;
            }
            const std::filesystem::path copy = name_for(source, folder, value);
            std::error_code error;
            if (!std::filesystem::exists(copy, error)) copy_content(value, source, copy);
            value.path = copy.filename().string();
        }
    });
}

}  // namespace ropewalk
