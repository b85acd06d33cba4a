#include "app/window/session/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/plot/open_figure.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr auto patience = std::chrono::milliseconds(200);

std::shared_ptr<OpenScene> opened(Scene scene) {
    auto open = std::make_shared<OpenScene>();
    open->view = read_view(scene);
    open->scene = std::move(scene);
    return open;
}

/// Returns "a.json" for "folder/a.json".
std::string name_in_folder(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

/// Returns the newest results with these needs, even if they are coarse.
std::shared_ptr<const Results> newest(const WorkerState& state, const Needs& needs) {
    for (const auto& results : {state.coarse, state.results, state.complete})
        if (results && answers(*results, needs)) return results;
    return state.results;
}

/// Updates the state. Until a new worker has results, the previous worker's results are shown.
void update(WorkerState& state, WorkerState next) {
    if (!next.results) next.results = std::move(state.results), next.complete = std::move(state.complete);
    state = std::move(next);
}

}  // namespace

Session::Session(Scene first, const SessionOptions& options)
    : history_({first.experiment, opened(first)}),
      recent_(options.recent),
      layouts_(options.layouts),
      options_(options) {
    auto backend = options.open();
    // Only the gl backend has shaders. A backend that replaces it waits until their errors are corrected.
    if (!options.shaders.empty() && (backend->id() == "gl" || !backend->notice().empty()))
        shaders_ = ShaderWatch(options.shaders, [options] {
            Backends both;  // for the current head and the reference
            for (int i = 0; i < 2; ++i) both.push_back(open_shaders(options.shaders, options.threads));
            return both;
        });
    set_to_work(std::move(backend));
    view = history_.current().open->view;
    reference_ = reference_of(scene());
    history_.current().open->saved = content();
    if (!scene().path.empty() && !scene().bundled) recent_.add(scene().path);
    if (!layouts_.complaint().empty()) notify(layouts_.complaint(), Notice::Kind::error);
    if (!scene().warnings.empty()) notify(scene().warnings.front());
}

std::unique_ptr<Worker> Session::make_worker(std::unique_ptr<Backend> backend) const {
    return std::make_unique<Worker>(
        std::move(backend), options_.wake ? options_.wake : [] {},
        [id = options_.backend == "reference" ? "reference" : "cpu", threads = options_.threads] {
            return open_backend(id, threads);
        });
}

void Session::set_to_work(std::unique_ptr<Backend> backend) {
    backend_description_ = fmt::format("{} ({})", backend->id(), backend->description());
    worker_ = make_worker(std::move(backend));
}

void Session::notify(std::string sentence, Notice::Kind kind) {
    notice_ = {std::move(sentence), kind, notice_.number + 1};
}

void Session::show(Scene next, std::string name) {
    const auto open = opened(std::move(next));
    if (name.empty()) name = "Open " + open->scene.title;
    auto brought = reference_of(open->scene);  // may throw, so before any change
    history_.current().open->reference = saved_reference();
    if (brought || (reference_ && reference_->from == SavedReference::From::its_file))  // with which it was opened
        reference_ = std::move(brought);
    else if (reference_)
        reference_->from = SavedReference::From::another_scene;
    history_.current().open->view = std::exchange(view, open->view);
    history_.change({open->scene.experiment, open}, std::move(name), Gesture::complete);
    open->saved = content();
    edited_ = std::chrono::steady_clock::now();
    dismiss_notice();
    if (!open->scene.warnings.empty()) notify(open->scene.warnings.front());
}

bool Session::check() {
    if (checked_ != experiment()) {  // may be slow: an encoding may first solve an equation
        invalid_ = validate(experiment()).value_or("");
        checked_ = experiment();
    }
    return invalid_.empty();
}

void Session::ask(const Needs& needs) {
    Needs all = needs;
    add_needs(all, further_);
    worker_->request({experiment(), cursor(), std::move(all)});
}

double Session::follow_shaders() {
    attempt([&] {
        Backends opened;
        try {
            opened = shaders_.take();
        } catch (const std::exception& wrong) {
            const bool has_gl = state_.results && state_.results->backend == "gl";
            notify(fmt::format("{}. {}.", wrong.what(),
                               has_gl ? "Still using the previous shaders" : "Continuing on the cpu backend"),
                   Notice::Kind::error);
        }
        if (opened.empty()) return;
        set_to_work(std::move(opened.front()));
        if (reference_) reference_->worker = make_worker(std::move(opened.back()));
        notify("Shaders reloaded");
    });
    return shaders_.update();
}

void Session::refresh() {
    further_.clear();
    further_of_reference_.clear();
    update(state_, worker_->state());
    if (reference_) update(reference_->state, reference_->worker->state());
    if (state_.results && state_.results->notice != backend_notice_) {
        backend_notice_ = state_.results->notice;
        backend_description_ = state_.results->backend;
        notify(backend_notice_, Notice::Kind::error);
    }
    if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    attempt([&] {
        try {
            notify(writing_.get());
        } catch (const Cancelled&) {
            notify("Export cancelled. No file was written.");
        }
    });
}

std::shared_ptr<const Results> Session::results_for(const Needs& needs) const {
    return newest(state_, needs);
}

std::shared_ptr<const Results> Session::reference_for(const Needs& needs) const {
    return reference_ ? newest(reference_->state, needs) : nullptr;
}

bool Session::is_stale(const Results& results) const {
    return !(results.request.experiment == experiment()) && std::chrono::steady_clock::now() - edited_ > patience;
}

void Session::wait() {
    state_ = worker_->wait();
    if (reference_) reference_->state = reference_->worker->wait();
}

std::string Session::complaint() const {
    return invalid_.empty() ? state_.error : invalid_;
}

bool Session::attempt(const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const std::bad_alloc&) {
        notify("Not enough memory", Notice::Kind::error);
    } catch (const std::exception& error) {  // including those of the file system
        notify(error.what(), Notice::Kind::error);
    }
    return false;
}

bool Session::open(const std::vector<std::string>& paths) {
    if (paths.empty()) return true;
    return attempt([&] {
        const auto is_array = [](const std::string& path) { return extension_of(path) == "npy"; };
        std::size_t used = 1;
        if (is_array(paths.front())) {
            const auto last = std::find_if_not(paths.begin(), paths.end(), is_array);
            used = std::min<std::size_t>(2, static_cast<std::size_t>(last - paths.begin()));
            open_arrays({paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(used)});
        } else {
            show(open_scene_or_figure(paths.front()));
            recent_.add(paths.front());
        }
        if (used < paths.size())
            notify(fmt::format(
                "{} files were dropped; only {} was opened", paths.size(),
                used == 1 ? name_in_folder(paths[0]) : name_in_folder(paths[0]) + " with " + name_in_folder(paths[1])));
    });
}

bool Session::open_bundled(const std::string& name) {
    return attempt([&] {
        Scene scene = open_scene(bundled_scene_path(name));
        scene.bundled = true;
        show(std::move(scene));
    });
}

const std::vector<SceneEntry>& Session::bundled() {
    if (bundled_.empty())
        for (const auto& name : bundled_scenes()) {
            const Scene scene = open_scene(bundled_scene_path(name));
            bundled_.push_back({name, scene.title, scene.about});
        }
    return bundled_;
}

void Session::open_arrays(const std::vector<std::string>& paths) {
    const auto load_array = [](const std::string& path) {
        ArrayFile file{.path = path};
        load(file, {.reach = FileAccess::Reach::anywhere});
        if (file.content->shape.size() != 2)
            throw InputError(fmt::format("{} has {} axes; queries and keys need two, [tokens, channels]", path,
                                         file.content->shape.size()));
        return file;
    };
    Experiment changed = experiment();
    ArrayPair arrays = arrays_of(changed.construction).value_or(ArrayPair{});
    auto& [q, k] = arrays;
    const ArrayFile first = load_array(paths.front());
    const std::string stem = std::filesystem::path(paths.front()).stem().string();
    if (paths.size() > 1)
        q = first, k = load_array(paths[1]);
    else if (stem.starts_with('k') && q.content)
        k = first;
    else if (stem.starts_with('q') && k.content)
        q = first;
    else
        q = k = first;
    const auto &queries = q.content->shape, &keys = k.content->shape;
    const bool is_both = q == k;
    changed.head_dim = static_cast<int>(std::min<std::int64_t>(queries[1], 1 << 20));
    changed.seq_len = static_cast<int>(std::min<std::int64_t>({queries[0], keys[0], longest_sequence}));
    changed.construction = construction_of(std::move(arrays));
    if (auto sentence = validate(changed)) throw InputError(paths.front() + ": " + *sentence);
    std::string names, sides = paths.size() > 1 ? "queries and keys" : is_both ? "both queries and keys" : "queries";
    if (paths.size() == 1 && !is_both && stem.starts_with('k')) sides = "keys";
    for (const std::string& path : paths) names += (names.empty() ? "" : " and ") + as_utf8(name_in_folder(path));
    // The arrays become a new scene: the open scene has another head, and its file must not be overwritten.
    Scene scene{.title = names, .experiment = std::move(changed)};
    write_view(view, scene);
    show(std::move(scene));
    history_.current().open->saved.reset();
    notify(fmt::format("Opened {} as {}, with {} pairing", names, sides, name_of(experiment().pairing).id));
}

Scene Session::current_scene() const {
    Scene current = scene();
    current.experiment = experiment();
    current.reference = reference() ? std::optional(*reference()) : std::nullopt;
    leave_out_files_of_reference(current);
    write_view(view, current);
    return current;
}

bool Session::open_text(const std::string& text) {
    return attempt([&] {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string::npos || text[first] != '{')
            throw InputError(
                "The clipboard does not contain a scene. Copy one with Ctrl+C, or copy the text of a scene file.");
        Scene pasted = parse_scene(text, "the clipboard", {});
        if (pasted.title.empty()) pasted.title = "Pasted scene";
        show(std::move(pasted));
        history_.current().open->saved.reset();
        notify(fmt::format("Pasted '{}'. You can undo this.", scene().title));
    });
}

void Session::stage(Scene scene, std::string name) {
    attempt([&] {
        show(std::move(scene), std::move(name));
        reference_ = nullptr;  // it belongs to another topic
        history_.current().open->saved = content();
    });
}

}  // namespace ropewalk
