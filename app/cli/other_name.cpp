#include "app/cli/other_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include "core/error.h"
#include "core/fields/fields.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/models/files/model_folder.h"
#include "core/models/open_model.h"

namespace ropewalk {
namespace {

/// Returns whether a model is read from the file.
bool is_part_of_model(const FileIdentity& file, const std::string& model) {
    const auto files = files_of(find_model_folder(path_of_model(model)));
    return std::any_of(files.begin(), files.end(),
                       [&](const std::string& path) { return file == FileIdentity::of(path); });
}

/// Throws UsageError if an experiment, `whose` in a sentence, reads the file from a scene in `folder`. `names` begins
/// the sentence.
void require_not_read(const FileIdentity& file, const Experiment& experiment, const std::filesystem::path& folder,
                      const char* names, const char* whose) {
    walk_fields(experiment, [&](const std::string& field, const Field&, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (FileLeaf<T>) {
            if (value.path.empty()) return;
            const std::string path = whole_path(value.path, folder);
            const bool is_read =
                std::is_same_v<T, ModelFile> ? is_part_of_model(file, path) : file == FileIdentity::of(path);
            if (is_read)
                throw UsageError(
                    fmt::format("{} {}{}, which the scene reads; choose another name", names, field, whose));
        }
    });
}

}  // namespace

void require_other_name(const std::string& output, const Scene& scene, bool contains_scene, const char* names) {
    const FileIdentity replaced = output == "-" ? FileIdentity{} : FileIdentity::of(output);
    if (replaced == FileIdentity{}) return;  // there is no such file
    if (!contains_scene && replaced == FileIdentity::of(scene.path))
        throw UsageError(fmt::format("{} the scene itself; choose another name", names));
    const auto folder = std::filesystem::path(scene.path).parent_path();
    require_not_read(replaced, scene.experiment, folder, names, "");
    if (scene.reference) require_not_read(replaced, *scene.reference, folder, names, " of the reference");
}

}  // namespace ropewalk
