// What is edited: the open scene, its head, reference and view, with the history of all of them.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/page/view_io.h"
#include "app/window/session/history.h"
#include "app/window/session/notices.h"

namespace ropewalk {

/// The head that scenes are compared with.
struct SavedReference {
    Experiment experiment;
    std::filesystem::path folder;  // base of its relative file names
    enum class From { this_scene, its_file, another_scene } from = From::this_scene;

    bool operator==(const SavedReference&) const = default;
};

/// The parts of a scene that are lost unless it is saved. Equality ignores what figures are zoomed to.
struct SceneContent {
    Experiment experiment;
    std::optional<Experiment> reference;
    std::vector<Figure> figures;
    std::vector<std::string> presenter;

    bool operator==(const SceneContent& other) const;
};

/// A scene that is or was open: everything except the experiment, which belongs to the history. Undoing "open" returns
/// to it.
struct OpenScene {
    Scene scene;                          // its path, title and the other contents of its file
    View view;                            // when the scene was last left; out of date while it is open
    std::optional<SceneContent> saved{};  // content when last opened or saved; empty if it is not in a file
    bool is_staged = false;               // by a lesson, which asks for changes
};

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
    std::shared_ptr<const SavedReference> reference{};  // null if there is none
    std::shared_ptr<const Drawing> drawing{};           // that led to it; null if none
    /// If a change of the arrangement led to this step: the new arrangement while the step is undone, else the previous
    /// one.
    std::shared_ptr<Arrangement> other_arrangement{};
};
inline bool is_no_step(const Step& before, const Step& after) {
    const bool draws_nothing = !after.drawing || after.drawing == before.drawing ||
                               (after.drawing->before == after.drawing->after && after.drawing->what.empty());
    return before.experiment == after.experiment && before.open == after.open && draws_nothing;
}

/// The edited scene. Failures become notices, and nothing is lost by them.
class Document {
  public:
    Document(Scene first, Notices& notices);
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    const Experiment& experiment() const { return history_.current().experiment; }
    /// Returns the title, path and other contents of the scene's file, as they were when it was opened or saved.
    const Scene& scene() const { return history_.current().open->scene; }
    /// Returns how often the open scene has changed, by opening, undo or redo.
    int scenes_opened() const { return scenes_opened_; }
    /// Returns the scene with the current experiment, reference and view.
    Scene current_scene() const;
    View view;
    /// Returns the view's cursor, clamped to the current head.
    Cursor cursor() const { return view.cursor.clamped(experiment()); }
    /// Returns why the experiment cannot be computed; empty if it can.
    const std::string& fault() const;
    std::chrono::steady_clock::time_point edited_at() const { return edited_; }

    /// Changes the experiment: one step of undo, or part of one while a widget is held. Refuses, with a notice, what
    /// could no longer be computed, unless another encoding or construction was chosen whose fields still have to be
    /// set.
    void edit(const Experiment& experiment, Gesture gesture);
    void end_gesture();
    /// Returns whether the ongoing gesture has changed the experiment.
    bool is_dragging() const { return !(history_.before_change().experiment == experiment()); }
    /// Returns the experiment before the last change, during a drag and after it, until the next change,
    /// `forget_before`, undo, redo or another scene; null if there is none or if it equals the current one.
    const Experiment* before() const { return before_ && !(*before_ == experiment()) ? &*before_ : nullptr; }
    void forget_before() { before_.reset(); }
    /// Returns how many changes were begun; all of a drag count as one.
    int changes() const { return changes_; }
    /// Changes a figure of the view, by drawing on it or by its options, and the experiment that follows from it. Undo
    /// reverts both.
    void draw(Drawing drawing, Experiment experiment, Gesture gesture);
    /// Records a change of options: the figure of the panel was `before` until they were set. Call once per frame while
    /// they may be set, changed or not.
    void set_options(int panel, const Figure& before, Gesture gesture);
    /// Changes which figures are shown and where. One step of undo.
    void rearrange(std::string step, const std::function<void(Arrangement&)>& change);
    /// Changes how the window is divided. All changes until `end_gesture` are one step of undo.
    void resize(const std::function<void(Layout&)>& change);
    /// Returns how often the arrangement was changed, undone or redone.
    int rearranged() const { return rearranged_; }

    /// Makes the current head the reference, or removes the reference. One step of undo.
    void set_reference();
    void clear_reference();
    /// Returns the reference; null if there is none.
    const Experiment* reference() const { return saved_reference() ? &saved_reference()->experiment : nullptr; }
    /// Returns whether the reference was set in another scene.
    bool has_foreign_reference() const {
        return saved_reference() && saved_reference()->from == SavedReference::From::another_scene;
    }
    std::optional<Experiment> copied_reference() const {
        return reference() ? std::optional(*reference()) : std::nullopt;
    }
    const SavedReference* saved_reference() const { return history_.current().reference.get(); }

    void undo();
    void redo();
    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    void go_to_step(std::size_t step);
    /// Makes the current state the beginning of the history.
    void forget_steps() { history_.forget_steps(); }
    /// Returns the names of all steps, undone ones included. `step` is the index of the current one.
    std::vector<std::string> steps() const { return history_.names(); }
    std::size_t count_of_steps() const { return history_.steps().size(); }
    std::size_t step() const { return history_.at(); }
    /// Returns how often the current step has changed.
    std::size_t moves() const { return history_.moves(); }
    const History<Step>& history() const { return history_; }
    /// Replaces the history by these steps, of which `at` is the current one and shows what is shown now.
    void restore_history(std::vector<History<Step>::Step> steps, std::size_t at) {
        history_.restore(std::move(steps), at);
    }

    /// Opens a scene in place of the current one. One step of undo, with this name.
    void open(Scene next, std::string name = {});
    /// Opens a scene made elsewhere, for example by a lesson, without a reference and with nothing unsaved.
    void stage(Scene scene, std::string name);
    /// Records what the scene's file contains; nothing if it is not in a file.
    void set_saved(std::optional<SceneContent> saved) { history_.current().open->saved = std::move(saved); }
    /// Records that the current scene was written to its file.
    void set_saved_as(Scene scene);
    /// Records that the reference was set by hand and did not come with the scene's file.
    void own_reference();
    bool has_unsaved_changes() const { return history_.current().open->saved != content(); }
    /// Returns the titles of scenes that were left with unsaved changes, except those of lessons. Undo leads back to
    /// them.
    std::vector<std::string> left_unsaved() const;

  private:
    SceneContent content() const;
    /// Like `edit`, with this name for the step.
    void change(const Experiment& experiment, std::string name, Gesture gesture);
    /// Moves the cursor to where it belongs in the changed head. During a gesture it starts from where it was at first,
    /// because a head in between may have been too small for it.
    void move_cursor(const Experiment& changed);
    /// Changes the reference. One step of undo.
    void change_reference(std::shared_ptr<const SavedReference> reference, std::string name);
    /// Returns a copy of the current step without the change that led to it.
    Step next_step() const;
    void travel(std::string (History<Step>::*way)(), const char* what);
    /// Makes the ongoing change of the layout a step.
    void finish_resizing();

    Notices& notices_;
    History<Step> history_;
    std::optional<Experiment> before_;
    struct CursorMove {
        Experiment first;  // the head when the cursor was last moved by hand, or when the gesture began
        Cursor from, to;
    };
    std::optional<CursorMove> moved_;  // by the last change
    int scenes_opened_ = 0, rearranged_ = 0, changes_ = 0;
    std::shared_ptr<const Drawing> drawing_;        // the ongoing one
    std::optional<int> held_options_;               // the panel one of whose options is dragged
    std::shared_ptr<Arrangement> before_resizing_;  // at the beginning of the ongoing change of the layout
    std::chrono::steady_clock::time_point edited_ = std::chrono::steady_clock::now();
    mutable std::optional<Experiment> checked_;
    mutable std::string fault_;  // of `checked_`
};

}  // namespace ropewalk
