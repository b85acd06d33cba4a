// All mutable state of the window, and what can be done to it; it knows nothing of widgets.
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

/// One sentence for the status bar.
struct Notice {
    enum class Kind { note, error };

    std::string sentence{};
    Kind kind = Kind::note;
    int number = 0;  // of those told so far, so that the same sentence twice is two notices
};

/// A bundled scene.
struct SceneEntry {
    std::string name, title, about;
};

struct SessionOptions {
    std::filesystem::path recent{};   // folder of the list of recent scenes; empty: none is kept
    std::filesystem::path layouts{};  // folder of the kept layouts; empty: they are gone with the program
    std::string backend;
    int threads = 0;
    std::string shaders;         // folder whose files replace the embedded ones; empty: none do
    std::function<void()> wake;  // called from other threads when there is something new to show

    std::unique_ptr<Backend> open() const { return open_backend(backend, threads, shaders); }
};

/// What scenes are compared with.
struct SavedReference {
    Experiment experiment;
    std::filesystem::path folder;  // that its files are named from
    enum class From { this_scene, its_file, another_scene } from = From::this_scene;

    bool operator==(const SavedReference&) const = default;
};

/// What is lost of a scene unless it is saved.
struct SceneContent {
    Experiment experiment;
    std::optional<Experiment> reference;
    std::vector<Figure> figures;

    bool operator==(const SceneContent&) const = default;
};

/// A scene that is or was open: what belongs to it besides the experiment, which is the history's. Undoing "open" comes
/// back to it.
struct OpenScene {
    Scene scene;                                // its path, title and what else its file says
    View view;                                  // as it was left; out of date while the scene is in front
    std::optional<SavedReference> reference{};  // likewise
    std::optional<SceneContent> saved{};        // as it was opened or saved last; nothing if it is in no file
};

/// The title of the scene that a desk which is kept as text shows, and what it is of; empty if it cannot be read.
std::pair<std::string, std::string> title_and_caption_of_session(const std::string& text);

/// Where a scene finds its files: beside it, or in the working directory if it came from no file.
std::filesystem::path folder_of(const Scene& scene);

/// Whether saving writes the scene where it came from.
bool has_own_file(const Scene& scene);

/// What was drawn on a figure: its options before and after.
struct Drawing {
    int panel = 0;
    Figure before, after;
    std::string what{};  // was done; empty: what the options say
};

/// What a step of the history restores.
struct Step {
    Experiment experiment;
    std::shared_ptr<OpenScene> open;
    std::shared_ptr<const Drawing> drawing{};  // that led to it; null if none did
    /// If another arrangement led to it: that one while the step is undone, else what it took the place of.
    std::shared_ptr<Arrangement> other_arrangement{};
    /// Likewise if another reference was kept, or none any more.
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
    /// Gives up what is being written: nothing of it is left behind.
    ~Session() { ++generation_; }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // ---- what is edited
    const Experiment& experiment() const { return history_.present().experiment; }
    /// Changes the experiment: one step of undo, or part of one while a widget is held. What could no longer be
    /// computed is refused with a sentence, unless another encoding or construction was chosen, whose fields are to be
    /// filled in yet.
    void edit(const Experiment& experiment, Gesture gesture);
    void end_gesture() {
        history_.end_gesture();
        before_gesture_ = nullptr;
        drawing_ = nullptr;
    }
    /// The same of what was drawn on a figure of the view, or set of its options, and what that makes of the
    /// experiment: undo takes both back.
    void draw(Drawing drawing, Experiment experiment, Gesture gesture);
    /// A figure of the view was `before`, until its options were set. Call once a frame while they may be, changed or
    /// not.
    void set_options(int panel, const Figure& before, Gesture gesture);
    /// What was shown before the drag that is going on, but for matrices; null if none is.
    std::shared_ptr<const Results> before_gesture() const { return before_gesture_; }
    void undo();
    void redo();
    /// What is on the desk is where the history begins.
    void forget_steps() { history_.forget_steps(); }
    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    /// The steps that can be undone and redone, by what led to them; and the present one.
    std::vector<std::string> steps() const { return history_.names(); }
    std::size_t count_of_steps() const { return history_.steps().size(); }
    std::size_t step() const { return history_.at(); }
    /// How often another step became the present one.
    std::size_t moves() const { return history_.moves(); }
    void go_to_step(std::size_t step);
    View view;
    /// The view's, in the present head.
    Cursor cursor() const { return view.cursor.clamped(experiment()); }
    Preferences preferences;

    // ---- what is computed
    /// Whether the experiment can be computed; if not, `complaint` says why, and nothing may be asked of it.
    bool check();
    /// Asks the worker for what the figures need. Only of an experiment that passed `check`.
    void ask(const Needs& needs);
    /// What is asked for besides the figures' needs in this frame, as by a lesson's numbers.
    void also_ask(const Needs& needs) { add_needs(further_, needs); }
    /// Fetches what the worker has published. Call once a frame.
    void refresh();
    const WorkerState& state() const { return state_; }
    /// Results for a figure with these needs: the newest that hold what it needs, if only coarsely, be they of an older
    /// experiment. Null before the first.
    std::shared_ptr<const Results> results_for(const Needs& needs) const;
    /// Whether results have been of another experiment for longer than an eye would forgive.
    bool is_stale(const Results& results) const;
    /// Until the worker has answered.
    void wait();
    /// Takes over shaders that have been saved since, if the gl backend is in use; what is wrong with them becomes a
    /// notice, and those before go on. Call once a frame. Seconds until it wants to be called again.
    double follow_shaders();
    std::string backend_description() const { return backend_description_; }
    const SessionOptions& options() const { return options_; }

    // ---- what the present is compared with: it has a worker of its own, which rests while the present is changed
    void keep_reference();
    void drop_reference();
    /// Null if there is none.
    const Experiment* reference() const { return reference_ ? &reference_->experiment : nullptr; }
    void ask_reference(const Needs& needs);
    /// As `also_ask`.
    void also_ask_reference(const Needs& needs) { add_needs(further_of_reference_, needs); }
    /// As `results_for`.
    std::shared_ptr<const Results> reference_for(const Needs& needs) const;

    // ---- layouts, some of which have names; failures become notices
    /// Changes which figures stand where. One step of undo.
    void rearrange(std::string step, const std::function<void(Arrangement&)>& change);
    /// How often that has happened, or was undone or redone: panels show other figures since.
    int rearranged() const { return rearranged_; }
    const SavedLayouts& layouts() const { return layouts_; }
    /// One step of undo.
    void choose_layout(const std::string& name);
    /// Keeps the present one. False if it could not be, as the next.
    bool keep_layout(const std::string& name);
    bool rename_layout(const std::string& from, const std::string& to);
    void remove_layout(const std::string& name);
    /// The name of the layout that was deleted last, until it is brought back; empty if there is none.
    std::string deleted_layout() const { return deleted_layout_ ? deleted_layout_->first : ""; }
    bool restore_layout();

    // ---- scenes and files; failures become notices, and nothing is lost
    RecentScenes& recent() { return recent_; }
    const Scene& scene() const { return history_.present().open->scene; }
    bool has_unsaved_changes() const;
    /// The titles of scenes in files of one's own that were left for another with such changes; undo leads back.
    std::vector<std::string> left_unsaved() const;
    /// A scene, a figure that carries one, or one or two .npy files. One step of undo. False if it could not be opened.
    bool open(const std::vector<std::string>& paths);
    bool open_bundled(const std::string& name);
    /// A scene as text, from the clipboard, say; files that it names must lie below the working directory.
    bool open_text(const std::string& text);
    /// A scene made elsewhere, as by a lesson. One step of undo, of this name.
    void stage(Scene scene, std::string name);
    /// What an earlier run left behind (`desk_as_text`), with its steps; one step of undo if these cannot be read.
    bool recover(const std::string& text, std::string_view what_it_is = crash_notice);
    static constexpr std::string_view crash_notice =
        "The program did not end as it should: this is what was on the desk";
    /// The same from its file, which is then deleted; it stays if it cannot be opened, and the notice says where. Of
    /// others that were left behind the notice says how they are come by.
    bool recover(const RecoveredSession& left);
    /// The scene as it is now and the last steps of the history, with files named so that they are found from anywhere.
    std::string session_as_text() const;
    /// The scene as it is now, as text.
    std::string scene_as_text() const { return scene_text(present_scene()); }
    /// The command line that draws a figure of the present experiment; empty, with a notice, if there is none.
    std::string call_of(const Figure& figure);
    /// The present head as a NumPy script; empty, with a notice, if it cannot be computed.
    std::string as_numpy();
    /// Read once.
    const std::vector<SceneEntry>& bundled();
    /// False if it could not be saved.
    bool save(const std::string& path);
    /// These figures of the present experiment on one page of this style.
    Page page_of(std::vector<PlacedFigure> figures, const PageStyle& style) const;
    /// All of the view, as they stand in it.
    Page page_of_all(const PageStyle& style) const;
    /// Writes a page in the background; the file's name says the format. False if it could not be begun.
    bool export_page(const Page& page, const std::string& path);
    /// Writes a page at every step of a sweep in the background. False if it could not be begun.
    bool export_film(const Page& page, const Sweep& sweep, const std::string& path);
    /// Encodes and writes in the background, to a name that is not taken: "name.png", "name-2.png" …
    void write_picture(Image image, const std::filesystem::path& folder, const std::string& name);
    bool is_writing() const { return writing_.valid(); }
    /// How much of what is being written is done, from 0 to 1, where that is known.
    double written() const { return *written_; }
    /// Gives up what is being written: nothing of it is left behind.
    void stop_writing() { ++generation_; }

    const Notice& notice() const { return notice_; }
    void notify(std::string sentence, Notice::Kind kind = Notice::Kind::note);
    void dismiss_notice() { notice_.sentence.clear(); }
    /// Why the present experiment cannot be computed; empty if it can.
    std::string complaint() const;

  private:
    /// As `edit`; the step bears this name.
    void change(const Experiment& experiment, std::string name, Gesture gesture);

    struct Reference : SavedReference {
        std::unique_ptr<Worker> worker;
        WorkerState state;
    };

    std::unique_ptr<Worker> make_worker(std::unique_ptr<Backend> backend) const;
    void set_to_work(std::unique_ptr<Backend> backend);
    std::unique_ptr<Reference> make_reference(SavedReference kept) const;
    /// What a scene brings along to be compared with; null if it brings none.
    std::unique_ptr<Reference> reference_of(const Scene& scene) const;
    std::optional<SavedReference> saved_reference() const;
    /// One step of undo.
    void change_reference(const std::optional<SavedReference>& kept, std::string step);
    /// As it was left with a scene.
    void put_back(const std::optional<SavedReference>& kept);
    /// False, with a notice, if it failed.
    bool attempt(const std::function<void()>& action);
    void show(Scene next, std::string name = {});
    /// Undo or redo.
    void travel(std::string (History<Step>::*way)(), const char* what);
    void open_arrays(const std::vector<std::string>& paths);
    Scene present_scene() const;
    SceneContent content() const;
    /// The last steps of the history, with the scenes that they belong to.
    nlohmann::json saved_steps(std::size_t most) const;
    /// Takes over such steps. InputError if they are none, or do not lead to what is on the desk.
    void restore_steps(const JsonValue& kept);
    /// Throws IoError while the last file is still being written.
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
    std::atomic<std::uint64_t> generation_ = 0;  // of what is written: it stops when this has moved on
    std::chrono::steady_clock::time_point edited_ = std::chrono::steady_clock::now();
    SessionOptions options_;
    std::string backend_description_, backend_notice_;  // the latter as it was told last
    std::future<std::string> writing_;                  // its sentence; failures are thrown
    std::shared_ptr<std::atomic<double>> written_ = std::make_shared<std::atomic<double>>(0);
    std::unique_ptr<Worker> worker_;
    std::unique_ptr<Reference> reference_;
    int rearranged_ = 0;
    ShaderWatch shaders_;
    std::shared_ptr<const Results> before_gesture_;
    std::shared_ptr<const Drawing> drawing_;  // that goes on
    std::optional<int> held_options_;         // of this panel's figure, one is dragged
};

}  // namespace ropewalk
