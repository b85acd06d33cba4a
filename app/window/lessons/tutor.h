// app/window/lessons: lessons in the window: their panel, marks and saved progress. Here: the Tutor, with the current
// step and the predictions. It is independent of widgets and locks nothing: the user may change everything at any time.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/lessons/library.h"
#include "app/window/lessons/demonstration.h"
#include "app/window/lessons/lesson_progress.h"
#include "app/window/session/session.h"

namespace ropewalk {

struct TutorOptions {
    std::string folder{};                     // its files replace the embedded lessons; empty: none
    std::filesystem::path progress_folder{};  // folder for the progress; empty: not saved
    std::filesystem::path own_folder{};       // for new lessons of the user; empty: none
};

class Tutor {
  public:
    Tutor(Session& session, const TutorOptions& options);

    bool is_open() const { return progress_.is_open; }
    /// Returns to the lessons where they were left: at a step or the list. The scene stays.
    void open();
    void close() { progress_.is_open = false; }
    /// Returns the last reported error of a lesson file that is not yet corrected; empty if there is none.
    const std::string& complaint() const { return complaint_; }
    /// Restores the lesson, step and scene of the last run.
    void restore();
    bool was_open() const { return progress_file_.saved().is_open; }
    /// Returns whether there is no saved progress: this is the first start.
    bool is_new() const { return !progress_file_.was_there(); }

    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return library_.lessons(); }
    /// Returns the current lesson; null while the list is shown.
    const Lesson* lesson() const { return lesson_.get(); }
    int step_index() const { return step_; }
    const LessonStep& step() const { return lesson_->steps[static_cast<std::size_t>(step_)]; }

    void show_list();
    /// Starts a lesson at its first step that is not done, or at this step (from 0). Returns false if there is no such
    /// lesson.
    bool start(std::string_view id, std::optional<int> step = std::nullopt);
    /// Starts the lesson of a file at a step (from 0), and adds the other lessons of its folder. Returns false, with a
    /// notice, on failure.
    bool open_file(const std::string& path, int step = 0);
    /// Adds a step that begins with what is shown to the open lesson if it is the user's own, else to a new one, and
    /// opens it. While a change is compared with the head before it, making that change is the step's task. Failures
    /// become notices.
    void add_step();
    /// Returns whether `add_step` has a folder for new lessons.
    bool can_add_step() const { return !own_folder_.empty(); }
    /// Goes to a step and opens its scene: one step of undo. A step that continues with the previous step's scene
    /// leaves the current scene unchanged.
    void enter(int step);
    /// Goes to the next step or lesson. If the current step asks for nothing, it counts as done.
    void next();

    /// Records the user's answer to the step's question, by index.
    void predict(int expectation);
    std::optional<int> predicted() const;
    /// Returns whether the step's task can be shown: its question, if it has one, was answered.
    bool is_ready() const;
    /// Returns whether to highlight what the step points at.
    bool is_pointing() const { return is_ready() && !has_other_scene(); }
    /// Returns whether the task was completed since the step was entered.
    bool has_reached() const { return reached_; }
    bool is_done(const Lesson& lesson, int step) const;
    int steps_done(const Lesson& lesson) const;

    /// Returns whether something was changed that the step does not ask for, or another scene was opened.
    bool has_left() const { return has_other_scene() || has_other_experiment(); }
    bool has_other_scene() const;
    bool has_other_experiment() const;
    /// Reloads the step's scene. One step of undo.
    void reload_step();
    /// Makes the change that the step asks for, visibly: its numbers and the cursor glide. One step of undo.
    void show_solution();

    /// Advances the change that is shown, if there is one, by the time since the last frame. Reads changed files
    /// again, checks whether the task is done, and requests the results of the step's numbers. Call once per frame,
    /// before drawing. Returns for how many seconds the next call may wait.
    double update(double elapsed);
    /// Returns the results for the step's numbers; null before there are any.
    std::shared_ptr<const Results> results() const;
    /// Returns the results when the step was entered, which its question is about; null until they are known.
    std::shared_ptr<const Results> results_at_start() const { return begin_; }
    /// Returns the last results that complete the task, which the text after it is about; null before.
    std::shared_ptr<const Results> results_when_reached() const { return end_; }
    /// Returns the results before another scene was opened; null if none was known.
    std::shared_ptr<const Results> results_when_left() const { return last_; }
    /// Saves the progress, like `ProgressFile::save`.
    double save() { return progress_file_.save(progress_); }

  private:
    /// Shows the lesson and step that `progress_` names, or the list.
    void show_last_step();
    /// Returns the scene of the current step.
    Scene step_scene() const;
    /// Returns the name of the current step in the history.
    std::string step_name() const { return fmt::format("{}, step {}", lesson_->title, step_ + 1); }
    void read_changed_files();
    /// Returns for how many seconds the next call may wait.
    double advance_demonstration(double elapsed);
    /// Shows a state of the change. If the user has moved the cursor meanwhile, it stays there.
    void show(const PointedHead& state);
    /// Makes the rest of the change at once, unless the user has changed something else meanwhile.
    void end_demonstration();
    Needs needs() const;
    void mark_done();
    void forget_results();
    /// Takes note that the task is completed, if these current results say so.
    void check_task(const std::shared_ptr<const Results>& found);

    Session& session_;
    LessonLibrary library_;
    std::filesystem::path own_folder_;
    ProgressFile progress_file_;
    LessonProgress progress_;
    std::string complaint_;  // last reported error of a lesson file
    std::shared_ptr<const Lesson> lesson_;
    int step_ = 0;
    std::optional<Scene> start_;            // of the step, as it was or would have been opened
    std::shared_ptr<const Results> begin_;  // of that scene, once known
    std::shared_ptr<const Results> end_;    // the last that completed its task
    std::shared_ptr<const Results> last_;   // before another scene was opened
    std::shared_ptr<const Results> stale_;  // from before the step was reloaded; null once there are newer ones
    std::optional<Demonstration> demonstration_;
    PointedHead demonstrated_;  // what it showed last
    bool is_solving_ = false;   // shows the solution as soon as `begin_` is known
    bool reached_ = false;
    std::chrono::steady_clock::time_point looked_{};  // at the files
};

}  // namespace ropewalk
