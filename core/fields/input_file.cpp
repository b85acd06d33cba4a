#include "core/fields/input_file.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/fields/fields.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/numbers/hash.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace ropewalk {
namespace {

constexpr double max_entry = 1e100;  // so that a product of two does not overflow

/// Returns where a scene's file is. Throws InputError if its name is not UTF-8, or if it is out of reach.
std::filesystem::path accessible(const std::string& name, const FileAccess& access) {
    if (!is_utf8(name))
        throw InputError(fmt::format("'{}' is not UTF-8, as names in a scene must be; rename the file", as_utf8(name)));
    const std::filesystem::path folder = access.folder.empty() ? "." : access.folder, path = folder / name;
    if (access.reach == FileAccess::Reach::confined) {
        std::error_code error;
        const auto inside = std::filesystem::relative(std::filesystem::weakly_canonical(path, error),
                                                      std::filesystem::weakly_canonical(folder, error), error);
        if (std::filesystem::path(name).is_absolute() || inside.empty() || *inside.begin() == "..")
            throw InputError(
                fmt::format("'{}' is outside the scene's folder; move the file next to the scene, or name it on the "
                            "command line with --set",
                            name));
    }
    return path;
}

std::string absolute_text(const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace

std::uint64_t hash_of(const NpyArray& array) {
    return array.hash;
}

std::uint64_t hash_of(const TextContent& text) {
    return text.hash;
}

void load(ArrayFile& file, const FileAccess& access) {
    const std::filesystem::path path = accessible(file.path, access);
    NpyArray array = read_npy(path.string());
    for (std::size_t i = 0; i < array.values.size(); ++i)
        if (!(std::abs(array.values[i]) <= max_entry))
            throw InputError(
                fmt::format("{}: entry {} is {}; queries and keys must be finite, with a magnitude of at most {}",
                            path.string(), i, text_of(array.values[i]), max_entry));
    file.content = std::make_shared<const NpyArray>(std::move(array));
    if (access.reach == FileAccess::Reach::anywhere) file.path = absolute_text(path);
}

void load(TextFile& file, const FileAccess& access) {
    const std::filesystem::path path = accessible(file.path, access);
    const std::string text = read_file(path.string(), most_text_bytes);
    if (const std::string found = impostor(text); !found.empty())
        throw InputError(fmt::format("{}: {}", path.string(), found));
    if (!is_utf8(text)) throw InputError(path.string() + ": is not UTF-8; save it as UTF-8 text");
    file.content = std::make_shared<const TextContent>(
        TextContent{ranked(words_of(text)), ranked(characters_of(text)), hash_text(text)});
    if (access.reach == FileAccess::Reach::anywhere) file.path = absolute_text(path);
}

}  // namespace ropewalk
