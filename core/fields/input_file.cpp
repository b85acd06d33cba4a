#include "core/fields/input_file.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/fields/fields.h"
#include "core/io/npy.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr double max_entry = 1e100;  // so that a product of two does not overflow

}  // namespace

std::uint64_t hash_of(const NpyArray& array) {
    return array.hash;
}

void load(ArrayFile& file, const FileAccess& access) {
    if (!is_utf8(file.path))
        throw InputError(
            fmt::format("'{}' is not UTF-8, as names in a scene must be; rename the file", as_utf8(file.path)));
    const std::filesystem::path folder = access.folder.empty() ? "." : access.folder, path = folder / file.path;
    if (access.reach == FileAccess::Reach::confined) {
        std::error_code error;
        const auto inside = std::filesystem::relative(std::filesystem::weakly_canonical(path, error),
                                                      std::filesystem::weakly_canonical(folder, error), error);
        if (std::filesystem::path(file.path).is_absolute() || inside.empty() || *inside.begin() == "..")
            throw InputError(
                fmt::format("'{}' is outside the scene's folder; move the file next to the scene, or name it on the "
                            "command line with --set",
                            file.path));
    }
    NpyArray array = read_npy(path.string());
    for (std::size_t i = 0; i < array.values.size(); ++i)
        if (!(std::abs(array.values[i]) <= max_entry))
            throw InputError(
                fmt::format("{}: entry {} is {}; queries and keys must be finite, with a magnitude of at most {}",
                            path.string(), i, text_of(array.values[i]), max_entry));
    file.content = std::make_shared<const NpyArray>(std::move(array));
    if (access.reach == FileAccess::Reach::anywhere)
        file.path = std::filesystem::absolute(path).lexically_normal().string();
}

}  // namespace ropewalk
