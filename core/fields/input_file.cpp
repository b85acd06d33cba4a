#include "core/fields/input_file.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/fields/fields.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/numbers/hash.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace ropewalk {
namespace {

constexpr double max_entry = 1e100;                   // so that a product of two does not overflow
constexpr std::uint64_t most_array_values = 1 << 22;  // of an array that is converted as a whole

}  // namespace

std::uint64_t hash_of(const NpyArray& array) {
    return array.hash;
}

std::uint64_t hash_of(const TextContent& text) {
    return text.hash;
}

void require_folder(const std::string& name, const FileAccess& access) {
    if (access.reads_nothing())
        throw InputError(fmt::format(
            "'{}' cannot be opened by a setting alone; open it in the window, or name it in a scene or with --set",
            name));
}

std::filesystem::path checked_path(const std::string& name, const FileAccess& access) {
    if (!is_utf8(name))
        throw InputError(fmt::format("'{}' is not UTF-8, as names in a scene must be; rename the file", as_utf8(name)));
    require_folder(name, access);
    const std::filesystem::path path = access.path_of(name);
    if (access.reach == FileAccess::Reach::anywhere) return path;
    const std::filesystem::path folder = access.path_of(".");
    std::error_code error;
    const auto inside = std::filesystem::relative(std::filesystem::weakly_canonical(path, error),
                                                  std::filesystem::weakly_canonical(folder, error), error);
    if (std::filesystem::path(name).is_absolute() || inside.empty() || *inside.begin() == "..")
        throw InputError(fmt::format(
            "'{}' is outside the scene's folder; move the file next to the scene, or name it on the command line with "
            "--set",
            name));
    return path;
}

std::string kept_name(const std::string& name, const std::filesystem::path& path, const FileAccess& access) {
    if (access.reach == FileAccess::Reach::confined) return name;
    return std::filesystem::absolute(path).lexically_normal().string();
}

std::string unusable_sentence(std::span<const double> values, const std::string& name, std::size_t first) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!(std::abs(values[i]) <= max_entry))
            return fmt::format("{}: entry {} is {}; queries and keys must be finite, with a magnitude of at most {}",
                               name, first + i, text_of(values[i]), max_entry);
    return {};
}

void require_usable(std::span<const double> values, const std::string& name, std::size_t first) {
    if (const std::string sentence = unusable_sentence(values, name, first); !sentence.empty())
        throw InputError(sentence);
}

void load(ArrayFile& file, const FileAccess& access) {
    const std::filesystem::path path = checked_path(file.path, access);
    NpyArray array = read_npy(path.string(), most_array_values);
    require_usable(array.values, path.string());
    file.content = std::make_shared<const NpyArray>(std::move(array));
    file.path = kept_name(file.path, path, access);
}

void load(TextFile& file, const FileAccess& access) {
    const std::filesystem::path path = checked_path(file.path, access);
    const std::string text = read_file(path.string(), most_text_bytes);
    if (const std::string found = impostor(text); !found.empty())
        throw InputError(fmt::format("{}: {}", path.string(), found));
    if (!is_utf8(text)) throw InputError(path.string() + ": is not UTF-8; save it as UTF-8 text");
    file.content = std::make_shared<const TextContent>(
        TextContent{ranked(split_words(text)), ranked(characters_of(text)), hash_text(text)});
    file.path = kept_name(file.path, path, access);
}

}  // namespace ropewalk
