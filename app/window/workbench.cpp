#include "app/window/workbench.h"

#include <fmt/format.h>

#include "app/figures/page.h"
#include "app/plot/export.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr auto patience = std::chrono::milliseconds(200);

std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& name) {
    std::error_code error;
    std::filesystem::path path = folder / (name + ".png");
    for (int number = 2; std::filesystem::exists(path, error); ++number)
        path = folder / fmt::format("{}-{}.png", name, number);
    return path;
}

}  // namespace

Workbench::Workbench(Scene scene, const WorkbenchOptions& options) : history_(scene.experiment), options_(options) {
    auto backend = open_backend(options.backend, options.threads);
    backend_description_ = fmt::format("{} ({})", backend->id(), backend->description());
    worker_ = std::make_unique<Worker>(
        std::move(backend), options.wake ? options.wake : [] {});
    show(std::move(scene));
}

void Workbench::show(Scene scene) {
    view = read_view(scene);
    if (!scene.warnings.empty()) notice = {scene.warnings.front()};
    if (!(history_.present() == scene.experiment))
        history_.change(scene.experiment, "open " + scene.title, Gesture::complete);
    saved_experiment_ = scene.experiment;
    saved_figures_ = view.figures;
    scene_ = std::move(scene);
    edited_ = std::chrono::steady_clock::now();
}

void Workbench::edit(const Experiment& experiment, Gesture gesture) {
    if (experiment == history_.present()) return;
    history_.change(experiment, difference(history_.present(), experiment), gesture);
    view.cursor = view.cursor.clamped(experiment);
    edited_ = std::chrono::steady_clock::now();
}

void Workbench::undo() {
    if (const std::string name = history_.undo(); !name.empty()) notice = {"Undone: " + name};
    view.cursor = view.cursor.clamped(experiment());
}

void Workbench::redo() {
    if (const std::string name = history_.redo(); !name.empty()) notice = {"Done again: " + name};
    view.cursor = view.cursor.clamped(experiment());
}

bool Workbench::check() {
    invalid_ = validate(experiment()).value_or("");
    return invalid_.empty();
}

void Workbench::ask(const Needs& needs) {
    worker_->request({experiment(), view.cursor, needs});
}

void Workbench::refresh() {
    state_ = worker_->state();
    if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    try {
        notice = {writing_.get()};
    } catch (const std::exception& error) {
        notice = {error.what(), Notice::Kind::error};
    }
}

std::shared_ptr<const Results> Workbench::results_for(const Needs& needs) const {
    return state_.coarse && answers(*state_.coarse, needs) ? state_.coarse : state_.results;
}

bool Workbench::is_stale() const {
    const auto& newest = state_.coarse ? state_.coarse : state_.results;
    return newest && !(newest->request.experiment == experiment()) &&
           std::chrono::steady_clock::now() - edited_ > patience;
}

void Workbench::wait() {
    state_ = worker_->wait();
}

std::string Workbench::complaint() const {
    return invalid_.empty() ? state_.error : invalid_;
}

bool Workbench::has_unsaved_changes() const {
    return !(experiment() == saved_experiment_) || !(view.figures == saved_figures_);
}

void Workbench::open(const std::vector<std::string>& paths) {
    try {
        if (!paths.empty() && extension_of(paths.front()) == "npy")
            open_arrays(paths);
        else if (!paths.empty())
            show(open_scene(paths.front()));
    } catch (const Error& error) {
        notice = {error.what(), Notice::Kind::error};
    }
}

void Workbench::open_bundled(const std::string& name) {
    open({bundled_scene_path(name)});
    scene_.bundled = true;
}

const std::vector<SceneEntry>& Workbench::bundled() {
    if (bundled_.empty())
        for (const auto& name : bundled_scenes()) {
            Scene scene = open_scene(name);
            bundled_.push_back({name, scene.title, scene.about});
        }
    return bundled_;
}

void Workbench::open_arrays(const std::vector<std::string>& paths) {
    const auto load_array = [](const std::string& path) {
        ArrayFile file{.path = path};
        load(file, {.reach = FileAccess::Reach::anywhere});
        if (file.content->shape.size() != 2)
            throw InputError(fmt::format("{}: has {} axes; queries and keys have two, [tokens, channels]", path,
                                         file.content->shape.size()));
        return file;
    };
    Arrays arrays;
    if (const auto* present = std::get_if<Arrays>(&experiment().construction)) arrays = *present;
    const ArrayFile first = load_array(paths.front());
    const std::string stem = std::filesystem::path(paths.front()).stem().string();
    if (paths.size() > 1)
        arrays = {first, load_array(paths[1])};
    else if (stem.starts_with('k') && arrays.q.content)
        arrays.k = first;
    else if (stem.starts_with('q') && arrays.k.content)
        arrays.q = first;
    else
        arrays = {first, first};
    Experiment changed = experiment();
    changed.construction = arrays;
    const auto& q = arrays.q.content->shape;
    const auto& k = arrays.k.content->shape;
    changed.head_dim = static_cast<int>(std::min<std::int64_t>(q[1], 1 << 20));
    changed.seq_len = static_cast<int>(std::min<std::int64_t>({q[0], k[0], 1 << 20}));
    if (auto sentence = validate(changed)) throw InputError(paths.front() + ": " + *sentence);
    edit(changed, Gesture::complete);
    notice = {fmt::format("{} opened as {}, channels read as {}",
                          std::filesystem::path(paths.front()).filename().string(),
                          paths.size() > 1       ? "queries and keys"
                          : arrays.q == arrays.k ? "both queries and keys"
                                                 : "one of queries and keys",
                          name_of(changed.pairing).id)};
}

void Workbench::bring_arrays_along(Scene& scene, const std::filesystem::path& folder) const {
    const auto old_folder = std::filesystem::absolute(scene_.path).parent_path();
    walk_fields(scene.experiment, [&](const std::string&, const Field&, auto& value) {
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
                atomic_write(copy.string(), read_file(source.string(), std::uint64_t{4} << 30));
            }
            value.path = source.filename().string();
        }
    });
}

Scene Workbench::present_scene() const {
    Scene scene = scene_;
    scene.experiment = experiment();
    write_view(view, scene);
    return scene;
}

void Workbench::save(const std::string& path) {
    try {
        std::error_code error;
        for (const auto& name : bundled_scenes())
            if (std::filesystem::equivalent(path, bundled_scene_path(name), error))
                throw IoError(
                    fmt::format("'{}' is a bundled scene, which is never overwritten; save under another name", name));
        Scene scene = present_scene();
        const auto folder = std::filesystem::absolute(path).parent_path();
        bring_arrays_along(scene, std::filesystem::absolute(path).parent_path());
        if (path != scene_.path) scene.title = std::filesystem::path(path).stem().string();
        atomic_write(path, scene_text(scene));
        scene.path = path;
        scene.bundled = false;
        scene_ = std::move(scene);
        saved_experiment_ = experiment();
        saved_figures_ = view.figures;
        notice = {"Saved " + path};
    } catch (const Error& error) {
        notice = {error.what(), Notice::Kind::error};
    }
}

void Workbench::export_figure(const Figure& figure, const std::string& path) {
    if (auto sentence = validate(experiment())) {
        notice = {*sentence, Notice::Kind::error};
        return;
    }
    write_in_background(
        [figure, path, experiment = experiment(), options = options_,
         page = PageOptions{
             .cursor = view.cursor, .cursor_shown = view.cursor_locked, .scene = scene_text(present_scene())}] {
            Evaluator evaluator(open_backend(options.backend, options.threads));
            atomic_write(path, make_page(figure, experiment, evaluator, extension_of(path), page, {}));
            return "Exported " + path;
        });
}

void Workbench::write_picture(Image image, const std::filesystem::path& folder, const std::string& name) {
    write_in_background([image = std::move(image), folder, name, scene = scene_text(present_scene())] {
        const std::string path = free_name(folder, name).string();
        atomic_write(path, png_bytes(image, scene));
        return "Wrote " + path;
    });
}

void Workbench::write_in_background(std::function<std::string()> work) {
    if (writing_.valid()) {
        notice = {"The last file is still being written; try again in a moment", Notice::Kind::error};
        return;
    }
    writing_ = std::async(std::launch::async, [work = std::move(work), wake = options_.wake] {
        const auto then_wake = std::shared_ptr<void>(nullptr, [&](void*) {
            if (wake) wake();
        });
        return work();
    });
}

}  // namespace ropewalk
