#include "app/cli/other_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include "core/error.h"
#include "core/fields/fields.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

/// Returns whether a file is a model at this path, or one of the files in its folder that describe it.
bool is_part_of_model(const FileIdentity& file, const std::filesystem::path& model) {
    if (file == FileIdentity::of(model)) return true;
    const auto names = names_in(model);  // none if it is a file
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        const bool is_read = name == "config.json" || name == "tokenizer.json" || name.ends_with(".safetensors") ||
                             name.ends_with(".safetensors.index.json");
        return is_read && file == FileIdentity::of(model / name);
    });
}

/// Throws UsageError if an experiment, `whose` in a sentence, reads the file from a scene in `folder`.
void require_not_read(const FileIdentity& file, const Experiment& experiment, const std::filesystem::path& folder,
                      const char* whose) {
    walk_fields(experiment, [&](const std::string& field, const Field&, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (FileLeaf<T>) {
            if (value.path.empty()) return;
            const std::string path = whole_path(value.path, folder);
            const bool is_read =
                std::is_same_v<T, ModelFile> ? is_part_of_model(file, path) : file == FileIdentity::of(path);
            if (is_read)
                throw UsageError(
                    fmt::format("-o names {}{}, which the scene reads; choose another name", field, whose));
        }
    });
}

}  // namespace

void require_other_name(const std::string& output, const Scene& scene, bool contains_scene) {
    const FileIdentity replaced = output == "-" ? FileIdentity{} : FileIdentity::of(output);
    if (replaced == FileIdentity{}) return;  // there is no such file
    if (!contains_scene && replaced == FileIdentity::of(scene.path))
        throw UsageError("-o names the scene itself; choose another name");
    const auto folder = std::filesystem::path(scene.path).parent_path();
    require_not_read(replaced, scene.experiment, folder, "");
    if (scene.reference) require_not_read(replaced, *scene.reference, folder, " of the reference");
}

}  // namespace ropewalk
