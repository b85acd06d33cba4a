// Saving a scene with its arrays, and finding unsaved changes.
#include <fmt/format.h>

#include <algorithm>

#include "app/plot/export.h"
#include "app/plot/open_figure.h"
#include "app/window/session/session.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

bool holds(const std::filesystem::path& array, std::uint64_t hash) {
    try {
        return read_npy(array.string()).hash == hash;
    } catch (const std::exception&) {
        return false;
    }
}

/// Returns the first of "q.npy", "q-2.npy", "q-3.npy" … that does not exist or has this content.
std::filesystem::path name_for(const std::filesystem::path& wanted, std::uint64_t hash) {
    for (int number = 1;; ++number) {
        const std::string stem =
            number == 1 ? wanted.stem().string() : fmt::format("{}-{}", wanted.stem().string(), number);
        const auto path = wanted.parent_path() / (stem + wanted.extension().string());
        std::error_code error;
        if (!std::filesystem::exists(path, error) || holds(path, hash)) return path;
    }
}

/// Copies arrays from other folders next to the scene, and makes all paths relative to its folder.
void bring_arrays_along(Experiment& copied, const std::filesystem::path& old_folder,
                        const std::filesystem::path& folder) {
    walk_fields(copied, [&](const std::string&, const Field&, auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ArrayFile>) {
            if (value.path.empty()) return;
            const std::filesystem::path source = old_folder / value.path;  // value.path alone, if it is absolute
            const std::string inside = std::filesystem::proximate(source, folder).string();
            if (!inside.starts_with("..")) {
                value.path = inside;
                return;
            }
            const std::filesystem::path copy =
                name_for(folder / source.filename(), value.content ? value.content->hash : 0);
            std::error_code error;
            if (!std::filesystem::exists(copy, error))
                atomic_write(copy.string(), read_file(source.string(), most_npy_bytes));
            value.path = copy.filename().string();
        }
    });
}

SceneContent content_of(const Experiment& experiment, const std::optional<SavedReference>& reference,
                        const View& view) {
    const bool is_its_own = reference && reference->from != SavedReference::From::another_scene;
    return {experiment, is_its_own ? std::optional(reference->experiment) : std::nullopt, view.figures};
}

}  // namespace

bool has_own_file(const Scene& scene) {
    return !scene.path.empty() && !scene.bundled && !is_figure_file(scene.path);
}

std::filesystem::path folder_of(const Scene& scene) {
    std::error_code gone;  // the working directory may no longer exist
    const auto file = std::filesystem::absolute(scene.path.empty() ? "scene.json" : scene.path, gone);
    return file.parent_path();
}

SceneContent Session::content() const {
    return content_of(experiment(), saved_reference(), view);
}

bool Session::has_unsaved_changes() const {
    return history_.current().open->saved != content();
}

std::vector<std::string> Session::left_unsaved() const {
    std::vector<std::string> titles;
    std::vector<const OpenScene*> seen{history_.current().open.get()};
    for (std::size_t at = step(); at-- > 0;) {
        const Step& last = history_.steps()[at].value;
        const OpenScene& open = *last.open;
        if (std::find(seen.begin(), seen.end(), &open) != seen.end()) continue;
        seen.push_back(&open);
        const bool is_named = std::find(titles.begin(), titles.end(), open.scene.title) != titles.end();
        if (!is_named && has_own_file(open.scene) &&
            open.saved != content_of(last.experiment, open.reference, open.view))
            titles.push_back(open.scene.title);
    }
    return titles;
}

bool Session::save(const std::string& path) {
    return attempt([&] {
        std::error_code error;
        for (const auto& name : bundled_scenes())
            if (std::filesystem::equivalent(path, bundled_scene_path(name), error))
                throw IoError(fmt::format(
                    "'{}' is a bundled scene and cannot be overwritten. Save it under another name.", name));
        OpenScene& open = *history_.current().open;
        Scene scene = current_scene();
        const auto folder = std::filesystem::absolute(path).parent_path();
        bring_arrays_along(scene.experiment, folder_of(open.scene), folder);
        if (reference_) bring_arrays_along(scene.reference.emplace(reference_->experiment), reference_->folder, folder);
        if (path != open.scene.path) scene.title = title_of_file(path);
        atomic_write(path, scene_text(scene));
        scene.path = path;
        scene.bundled = false;
        open.scene = std::move(scene);
        if (reference_ && reference_->from == SavedReference::From::another_scene)
            reference_->from = SavedReference::From::this_scene;
        open.saved = content();
        recent_.add(path);
        notify("Saved " + path);
    });
}

}  // namespace ropewalk
