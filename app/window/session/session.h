// All mutable state of the window and the operations on it, independent of widgets.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/page/page.h"
#include "app/figures/page/sweep.h"
#include "app/figures/page/view_io.h"
#include "app/window/session/history.h"
#include "app/window/session/preferences.h"
#include "app/window/session/recent_scenes.h"
#include "app/window/session/saved_layouts.h"
#include "app/window/session/shader_watch.h"
#include "core/evaluation/open_backend.h"
#include "core/evaluation/worker.h"

namespace ropewalk {

struct RecoveredSession;

/// One sentence for the status line.
struct Notice {
    enum class Kind { note, error };

    std::string sentence{};
    Kind kind = Kind::note;
    int number = 0;  // increases with every notice, so that a repeated sentence is a new notice
};

/// A bundled scene.
struct SceneEntry {
    std::string name, title, about;
};

struct SessionOptions {
    std::filesystem::path recent{};   // folder of the list of recent scenes; empty: not saved
    std::filesystem::path layouts{};  // folder of the saved layouts; empty: they last as long as the program
    std::string backend;
    int threads = 0;
    std::string shaders;         // folder whose files replace the embedded ones; empty: none
    std::function<void()> wake;  // called from other threads when there is something new to show

    std::unique_ptr<Backend> open() const { return open_backend(backend, threads, shaders); }
};

/// The head that scenes are compared with.
struct SavedReference {
    Experiment experiment;
    std::filesystem::path folder;  // base of its relative file names
    enum class From { this_scene, its_file, another_scene } from = From::this_scene;

    bool operator==(const SavedReference&) const = default;
};

/// The parts of a scene that are lost unless it is saved.
struct SceneContent {
    Experiment experiment;
    std::optional<Experiment> reference;
    std::vector<Figure> figures;

    bool operator==(const SceneContent&) const = default;
};

/// A scene that is or was open: everything except the experiment, which belongs to the history. Undoing "open" returns
/// to it.
struct OpenScene {
    Scene scene;                                // its path, title and the other contents of its file
    View view;                                  // when the scene was last left; out of date while it is open
    std::optional<SavedReference> reference{};  // likewise
    std::optional<SceneContent> saved{};  // content when it was last opened or saved; empty if it is not in a file
};

/// Returns the title of the scene of a session saved as text, and its caption; empty if the text cannot be read.
std::pair<std::string, std::string> title_and_caption_of_session(const std::string& text);

/// Returns the folder of a scene's files: its own folder, or the working directory if it was not read from a file.
std::filesystem::path folder_of(const Scene& scene);

/// Returns whether saving writes the scene to the file it was read from.
bool has_own_file(const Scene& scene);

/// A change of a figure's options by drawing on it, before and after.
struct Drawing {
    int panel = 0;
    Figure before, after;
    std::string what{};  // name of the step; empty: derived from the options
};

/// What a step of the history restores.
struct Step {
    Experiment experiment;
    std::shared_ptr<OpenScene> open;
    std::shared_ptr<const Drawing> drawing{};  // that led to it; null if none
    /// If a change of the arrangement led to this step: the new arrangement while the step is undone, else the previous
    /// one.
    std::shared_ptr<Arrangement> other_arrangement{};
    /// If a change of the reference led to this step: likewise.
    std::shared_ptr<std::optional<SavedReference>> other_reference{};
};
inline bool is_no_step(const Step& before, const Step& after) {
    const bool draws_nothing = !after.drawing || after.drawing == before.drawing ||
                               (after.drawing->before == after.drawing->after && after.drawing->what.empty());
    return before.experiment == after.experiment && before.open == after.open && draws_nothing;
}

class Session {
  public:
    Session(Scene first, const SessionOptions& options);
    /// Cancels the running export, which leaves no file.
    ~Session() { ++generation_; }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // ---- what is edited
    const Experiment& experiment() const { return history_.current().experiment; }
    /// Changes the experiment: one step of undo, or part of one while a widget is held. Refuses, with a notice, what
    /// could no longer be computed, unless another encoding or construction was chosen whose fields still have to be
    /// set.
    void edit(const Experiment& experiment, Gesture gesture);
    void end_gesture() {
        history_.end_gesture();
        before_gesture_ = nullptr;
        drawing_ = nullptr;
    }
    /// Changes a figure of the view, by drawing on it or by its options, and the experiment that follows from it. Undo
    /// reverts both.
    void draw(Drawing drawing, Experiment experiment, Gesture gesture);
    /// Records a change of options: the figure of the panel was `before` until they were set. Call once per frame while
    /// they may be set, changed or not.
    void set_options(int panel, const Figure& before, Gesture gesture);
    /// Returns the results shown before the current drag, without matrices; null if there is no drag.
    std::shared_ptr<const Results> before_gesture() const { return before_gesture_; }
    void undo();
    void redo();
    /// Makes the current state the beginning of the history.
    void forget_steps() { history_.forget_steps(); }
    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    /// Returns the names of all steps, undone ones included. `step` is the index of the current one.
    std::vector<std::string> steps() const { return history_.names(); }
    std::size_t count_of_steps() const { return history_.steps().size(); }
    std::size_t step() const { return history_.at(); }
    /// Returns how often the current step has changed.
    std::size_t moves() const { return history_.moves(); }
    void go_to_step(std::size_t step);
    View view;
    /// Returns the view's cursor, clamped to the current head.
    Cursor cursor() const { return view.cursor.clamped(experiment()); }
    Preferences preferences;

    // ---- what is computed
    /// Returns whether the experiment can be computed. If not, `complaint` says why and `ask` must not be called.
    bool check();
    /// Requests what the figures need from the worker. Requires an experiment that passed `check`.
    void ask(const Needs& needs);
    /// Adds needs to those of the figures in this frame, such as those of a lesson's numbers.
    void also_ask(const Needs& needs) { add_needs(further_, needs); }
    /// Fetches what the worker has published. Call once per frame.
    void refresh();
    const WorkerState& state() const { return state_; }
    /// Returns the newest results with these needs, even if they are coarse or belong to an older experiment; null
    /// before the first.
    std::shared_ptr<const Results> results_for(const Needs& needs) const;
    /// Returns whether these results have belonged to another experiment for noticeably long.
    bool is_stale(const Results& results) const;
    /// Waits until the worker has answered.
    void wait();
    /// Takes over shaders that were saved since the last call, if the gl backend is used. If they have errors, shows a
    /// notice and continues with the previous ones. Call once per frame. Returns the seconds until the next call is
    /// needed.
    double follow_shaders();
    std::string backend_description() const { return backend_description_; }
    const SessionOptions& options() const { return options_; }

    // ---- comparison with a reference, which has its own worker; that worker rests while the experiment is changed
    void set_reference();
    void clear_reference();
    /// Returns the reference; null if there is none.
    const Experiment* reference() const { return reference_ ? &reference_->experiment : nullptr; }
    void ask_reference(const Needs& needs);
    /// Like `also_ask`, for the reference.
    void also_ask_reference(const Needs& needs) { add_needs(further_of_reference_, needs); }
    /// Like `results_for`, for the reference.
    std::shared_ptr<const Results> reference_for(const Needs& needs) const;

    // ---- layouts, named or not; failures become notices
    /// Changes which figures are shown and where. One step of undo.
    void rearrange(std::string step, const std::function<void(Arrangement&)>& change);
    /// Returns how often the arrangement was changed, undone or redone.
    int rearranged() const { return rearranged_; }
    const SavedLayouts& layouts() const { return layouts_; }
    /// Shows a layout. One step of undo.
    void choose_layout(const std::string& name);
    /// Saves the current layout. Returns false, with a notice, on failure, like the next functions.
    bool save_layout(const std::string& name);
    bool rename_layout(const std::string& from, const std::string& to);
    void remove_layout(const std::string& name);
    /// Returns the name of the layout deleted last, until it is restored; empty if there is none.
    std::string deleted_layout() const { return deleted_layout_ ? deleted_layout_->first : ""; }
    bool restore_layout();

    // ---- scenes and files; failures become notices, and nothing is lost
    RecentScenes& recent() { return recent_; }
    const Scene& scene() const { return history_.current().open->scene; }
    bool has_unsaved_changes() const;
    /// Returns the titles of scenes with their own file that were left with unsaved changes. Undo leads back to them.
    std::vector<std::string> left_unsaved() const;
    /// Opens a scene, a figure that carries one, or one or two .npy files. One step of undo. Returns false on failure.
    bool open(const std::vector<std::string>& paths);
    bool open_bundled(const std::string& name);
    /// Opens a scene as text, for example from the clipboard. Files that it names must be below the working directory.
    bool open_text(const std::string& text);
    /// Opens a scene made elsewhere, for example by a lesson. One step of undo, with this name.
    void stage(Scene scene, std::string name);
    /// Restores a session of an earlier run (`session_as_text`) with its steps; if these cannot be read, as one step of
    /// undo.
    bool recover(const std::string& text, std::string_view message = crash_notice);
    static constexpr std::string_view crash_notice =
        "Ropewalk was not closed properly. Your last session was recovered";
    /// Restores a session from its file, which is then deleted. If it cannot be opened, the file stays and the notice
    /// names it. The notice also says how to recover further sessions.
    bool recover(const RecoveredSession& left);
    /// Returns the current scene and the last steps of the history, with absolute file names.
    std::string session_as_text() const;
    /// Returns the current scene as text.
    std::string scene_as_text() const { return scene_text(current_scene()); }
    /// Returns the command line that draws a figure of the current experiment; empty, with a notice, if there is none.
    std::string call_of(const Figure& figure);
    /// Returns the current head as a NumPy script; empty, with a notice, if it cannot be computed.
    std::string as_numpy();
    /// Returns the bundled scenes, which are read once.
    const std::vector<SceneEntry>& bundled();
    /// Saves the scene. Returns false, with a notice, on failure.
    bool save(const std::string& path);
    /// Returns a page of this style with these figures of the current experiment.
    Page page_of(std::vector<PlacedFigure> figures, const PageStyle& style) const;
    /// Returns a page with all figures of the view, arranged as in it.
    Page page_of_all(const PageStyle& style) const;
    /// Writes a page in the background, in the format given by the file's name. Returns false if the export could not
    /// start.
    bool export_page(const Page& page, const std::string& path);
    /// Writes a page for every step of a sweep in the background. Returns false if the export could not start.
    bool export_video(const Page& page, const Sweep& sweep, const std::string& path);
    /// Encodes and writes an image in the background, under a free name: "name.png", "name-2.png" …
    void write_picture(Image image, const std::filesystem::path& folder, const std::string& name);
    bool is_writing() const { return writing_.valid(); }
    /// Returns the completed fraction of the export, from 0 to 1, where it is known.
    double written() const { return *written_; }
    /// Cancels the running export, which leaves no file.
    void stop_writing() { ++generation_; }

    const Notice& notice() const { return notice_; }
    void notify(std::string sentence, Notice::Kind kind = Notice::Kind::note);
    void dismiss_notice() { notice_.sentence.clear(); }
    /// Returns why the current experiment cannot be computed; empty if it can.
    std::string complaint() const;

  private:
    /// Like `edit`, with this name for the step.
    void change(const Experiment& experiment, std::string name, Gesture gesture);

    struct Reference : SavedReference {
        std::unique_ptr<Worker> worker;
        WorkerState state;
    };

    std::unique_ptr<Worker> make_worker(std::unique_ptr<Backend> backend) const;
    void set_to_work(std::unique_ptr<Backend> backend);
    std::unique_ptr<Reference> make_reference(SavedReference reference) const;
    /// Returns the reference that a scene's file contains; null if it contains none.
    std::unique_ptr<Reference> reference_of(const Scene& scene) const;
    std::optional<SavedReference> saved_reference() const;
    /// Changes the reference. One step of undo.
    void change_reference(const std::optional<SavedReference>& reference, std::string step);
    /// Restores a scene's reference as it was when the scene was left.
    void restore_reference(const std::optional<SavedReference>& reference);
    /// Runs `action`. Returns false, with a notice, if it throws.
    bool attempt(const std::function<void()>& action);
    void show(Scene next, std::string name = {});
    /// Runs an undo or redo.
    void travel(std::string (History<Step>::*way)(), const char* what);
    void open_arrays(const std::vector<std::string>& paths);
    Scene current_scene() const;
    SceneContent content() const;
    /// Returns the last steps of the history, with the scenes that they belong to.
    nlohmann::json saved_steps(std::size_t most) const;
    /// Restores such steps. Throws InputError if they are invalid or do not lead to the current scene.
    void restore_steps(const JsonValue& saved);
    /// Throws IoError while the previous export is running.
    void write_in_background(std::function<std::string(const Cancel&)> work);

    History<Step> history_;
    Notice notice_;
    WorkerState state_;
    Needs further_, further_of_reference_;
    std::vector<SceneEntry> bundled_;
    RecentScenes recent_;
    SavedLayouts layouts_;
    std::optional<std::pair<std::string, Arrangement>> deleted_layout_;
    std::optional<Experiment> checked_;
    std::string invalid_;                        // why that one cannot be computed; empty if it can
    std::atomic<std::uint64_t> generation_ = 0;  // of exports: one stops when this has changed
    std::chrono::steady_clock::time_point edited_ = std::chrono::steady_clock::now();
    SessionOptions options_;
    std::string backend_description_, backend_notice_;  // backend_notice_: as last shown
    std::future<std::string> writing_;                  // its notice; failures are thrown
    std::shared_ptr<std::atomic<double>> written_ = std::make_shared<std::atomic<double>>(0);
    std::unique_ptr<Worker> worker_;
    std::unique_ptr<Reference> reference_;
    int rearranged_ = 0;
    ShaderWatch shaders_;
    std::shared_ptr<const Results> before_gesture_;
    std::shared_ptr<const Drawing> drawing_;  // the ongoing one
    std::optional<int> held_options_;         // the panel one of whose options is dragged
};

}  // namespace ropewalk
