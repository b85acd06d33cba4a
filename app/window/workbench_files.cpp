// How a scene is kept: saved beside its arrays, and put aside for a run that does not end as it should.
#include <fmt/format.h>

#include "app/plot/embedded_scene.h"
#include "app/window/workbench.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr const char *source_member = "opened_from", *reference_member = "compared_with";  // of a desk that is kept

/// Files named so that they are found from anywhere.
Experiment with_whole_paths(Experiment experiment, const std::filesystem::path& folder) {
    walk_fields(experiment, [&](const std::string&, const Field&, auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ArrayFile>)
            if (!value.path.empty()) value.path = (folder / value.path).lexically_normal().string();
    });
    return experiment;
}

Scene left_behind(const std::string& text) {
    return parse_scene(text, "what was left behind", {.folder = "", .reach = FileAccess::Reach::anywhere});
}

/// The file of a desk that was kept, as it is now; nothing if it is gone or cannot be read any more.
std::optional<Scene> source_of(const Scene& desk) {
    const auto member = desk.document.find(source_member);
    if (member == desk.document.end() || !member->is_object()) return std::nullopt;
    try {
        Scene source = open_scene_or_figure(member->value("path", ""));
        source.bundled = member->value("bundled", false);
        return source;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

std::filesystem::path folder_of(const Scene& scene) {
    std::error_code gone;  // the working directory may be
    const auto file = std::filesystem::absolute(scene.path.empty() ? "scene.json" : scene.path, gone);
    return file.parent_path();
}

void Workbench::bring_arrays_along(Scene& copied, const std::filesystem::path& folder) const {
    const auto old_folder = folder_of(scene());
    walk_fields(copied.experiment, [&](const std::string&, const Field&, auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ArrayFile>) {
            if (value.path.empty()) return;
            const std::filesystem::path source = old_folder / value.path;  // the path itself, if it is absolute
            const std::string inside = std::filesystem::proximate(source, folder).string();
            if (!inside.starts_with("..")) {
                value.path = inside;
                return;
            }
            const std::filesystem::path copy = folder / source.filename();
            std::error_code error;
            if (std::filesystem::exists(copy, error)) {
                if (!value.content || read_npy(copy.string()).hash != value.content->hash)
                    throw IoError(fmt::format(
                        "{}: is there already with another content; save the scene in another folder", copy.string()));
            } else {
                atomic_write(copy.string(), read_file(source.string(), most_npy_bytes));
            }
            value.path = source.filename().string();
        }
    });
}

bool Workbench::save(const std::string& path) {
    return attempt([&] {
        std::error_code error;
        for (const auto& name : bundled_scenes())
            if (std::filesystem::equivalent(path, bundled_scene_path(name), error))
                throw IoError(
                    fmt::format("'{}' is a bundled scene, which is never overwritten; save under another name", name));
        OpenScene& open = *history_.present().open;
        Scene scene = present_scene();
        bring_arrays_along(scene, std::filesystem::absolute(path).parent_path());
        if (path != open.scene.path) scene.title = title_of_file(path);
        atomic_write(path, scene_text(scene));
        scene.path = path;
        scene.bundled = false;
        open.scene = std::move(scene);
        open.saved_experiment = experiment();
        open.saved_figures = view.figures;
        recent_.add(path);
        tell("Saved " + path);
    });
}

void Workbench::recover(const std::string& text) {
    attempt([&] {
        Scene left = left_behind(text);
        std::optional<Scene> source = source_of(left);
        const nlohmann::json reference = left.document.value(reference_member, nlohmann::json());
        left.document.erase(source_member);
        left.document.erase(reference_member);
        if (source) left.path = source->path, left.bundled = source->bundled;
        show(std::move(left));
        OpenScene& open = *history_.present().open;
        open.saved_experiment.reset();
        if (source) open.saved_experiment = source->experiment, open.saved_figures = read_view(*source).figures;
        const bool has_all =
            reference.is_null() || attempt([&] { refer_to(left_behind(reference.dump()).experiment, {}); });
        tell(fmt::format("The program did not end as it should: this is what was on the desk{}. Undo goes back.",
                         has_all ? "" : ", without its reference, which cannot be opened any more"));
    });
}

std::string Workbench::desk_as_text() const {
    Scene desk = present_scene();
    const auto folder = folder_of(scene());
    desk.experiment = with_whole_paths(std::move(desk.experiment), folder);
    if (reference_)
        desk.document[reference_member] = nlohmann::json::parse(
            scene_text({.experiment = with_whole_paths(reference_->experiment, reference_->folder)}));
    if (!scene().path.empty()) {
        std::error_code gone;  // the working directory may be
        desk.document[source_member] = {{"path", std::filesystem::absolute(scene().path, gone).string()},
                                        {"bundled", scene().bundled}};
    }
    return scene_text(desk);
}

}  // namespace ropewalk
