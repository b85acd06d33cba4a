// How a scene is kept: saved beside its arrays, and put aside for a run that does not end as it should.
#include <fmt/format.h>

#include "app/plot/open_figure.h"
#include "app/window/workbench.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr const char* source_member = "opened_from";  // of a desk that is kept

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

/// The same where what it was compared with cannot be opened any more.
Scene left_behind_alone(const std::string& text) {
    auto document = nlohmann::json::parse(text, nullptr, false);
    if (document.is_object()) document.erase(reference_member);
    return left_behind(json_text(document));
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

bool holds(const std::filesystem::path& array, std::uint64_t hash) {
    try {
        return read_npy(array.string()).hash == hash;
    } catch (const Error&) {
        return false;
    }
}

/// The first of "q.npy", "q-2.npy", "q-3.npy" … that there is not, or that has this content.
std::filesystem::path name_for(const std::filesystem::path& wanted, std::uint64_t hash) {
    for (int number = 1;; ++number) {
        const std::string stem =
            number == 1 ? wanted.stem().string() : fmt::format("{}-{}", wanted.stem().string(), number);
        const auto path = wanted.parent_path() / (stem + wanted.extension().string());
        std::error_code error;
        if (!std::filesystem::exists(path, error) || holds(path, hash)) return path;
    }
}

/// A scene finds its arrays in its own folder: those from elsewhere are copied there, the paths made relative.
void bring_arrays_along(Experiment& copied, const std::filesystem::path& old_folder,
                        const std::filesystem::path& folder) {
    walk_fields(copied, [&](const std::string&, const Field&, auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ArrayFile>) {
            if (value.path.empty()) return;
            const std::filesystem::path source = old_folder / value.path;  // the path itself, if it is absolute
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

}  // namespace

std::filesystem::path folder_of(const Scene& scene) {
    std::error_code gone;  // the working directory may be
    const auto file = std::filesystem::absolute(scene.path.empty() ? "scene.json" : scene.path, gone);
    return file.parent_path();
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
        const auto folder = std::filesystem::absolute(path).parent_path();
        bring_arrays_along(scene.experiment, folder_of(open.scene), folder);
        if (reference_) bring_arrays_along(scene.reference.emplace(reference_->experiment), reference_->folder, folder);
        if (path != open.scene.path) scene.title = title_of_file(path);
        atomic_write(path, scene_text(scene));
        scene.path = path;
        scene.bundled = false;
        open.scene = std::move(scene);
        if (reference_ && reference_->from == KeptReference::From::another_scene)
            reference_->from = KeptReference::From::this_scene;
        open.saved = content();
        recent_.add(path);
        tell("Saved " + path);
    });
}

void Workbench::recover(const std::string& text) {
    attempt([&] {
        Scene left;
        const bool has_all = attempt([&] { left = left_behind(text); });
        if (!has_all) left = left_behind_alone(text);
        std::optional<Scene> source = source_of(left);
        left.document.erase(source_member);
        if (source) left.path = source->path, left.bundled = source->bundled;
        show(std::move(left));
        OpenScene& open = *history_.present().open;
        open.saved.reset();
        if (source) open.saved = {source->experiment, source->reference, read_view(*source).figures};
        tell(fmt::format("The program did not end as it should: this is what was on the desk{}. Undo goes back.",
                         has_all ? "" : ", without its reference, which cannot be opened any more"));
    });
}

std::string Workbench::desk_as_text() const {
    Scene desk = present_scene();
    const auto folder = folder_of(scene());
    desk.experiment = with_whole_paths(std::move(desk.experiment), folder);
    if (reference_) desk.reference = with_whole_paths(reference_->experiment, reference_->folder);
    if (!scene().path.empty()) {
        std::error_code gone;  // the working directory may be
        desk.document[source_member] = {{"path", std::filesystem::absolute(scene().path, gone).string()},
                                        {"bundled", scene().bundled}};
    }
    return scene_text(desk);
}

}  // namespace ropewalk
