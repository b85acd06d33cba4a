// The lessons beside the scene: which one is in front, what was predicted and done. It knows nothing of widgets and
// locks nothing: everything may be touched at any time.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/lessons/library.h"
#include "app/window/lessons/lesson_progress.h"
#include "app/window/session/session.h"

namespace ropewalk {

struct TutorOptions {
    std::string folder{};             // whose files replace the lessons in the program; empty: none do
    std::filesystem::path kept_in{};  // folder for what was done; empty: it is not kept
};

class Tutor {
  public:
    Tutor(Session& session, const TutorOptions& options);

    bool is_open() const { return progress_.is_open; }
    /// Where they were left: at a step, or with the list. What is on the bench stays.
    void open();
    void close() { progress_.is_open = false; }
    /// What is wrong with a file of lessons, as far as it was told and is not mended; empty if nothing is.
    const std::string& complaint() const { return complaint_; }
    /// As the last run left them, the step's scene on the bench.
    void restore();
    bool was_open() const { return keeper_.kept().is_open; }
    /// Whether nothing was ever kept: this is the first start.
    bool is_new() const { return !keeper_.was_there(); }

    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return library_.lessons(); }
    /// Null while the list is in front.
    const Lesson* lesson() const { return lesson_.get(); }
    int step_index() const { return step_; }
    const LessonStep& step() const { return lesson_->steps[static_cast<std::size_t>(step_)]; }

    void show_list();
    /// A lesson from its first step that is not done, or from the step of that number (from 0). False if there is none.
    bool start(std::string_view id, std::optional<int> step = std::nullopt);
    /// The lesson of a file, from its first step; the others of its folder are there as well. False, with a notice, if
    /// it is none.
    bool open_file(const std::string& path);
    /// Puts a step in front, and its scene on the bench: one step of undo. A step that goes on with the scene of the
    /// one before it leaves the bench as the person has it.
    void enter(int step);
    /// The step in front counts as done if it asks for nothing.
    void next();

    /// What the person expects, by number.
    void predict(int expectation);
    std::optional<int> predicted() const;
    /// Whether what the step points at is to be shown: its question, if it has one, was answered.
    bool is_pointing() const;
    /// Whether the task was done since the step was entered.
    bool has_reached() const { return reached_; }
    bool is_done(const Lesson& lesson, int step) const;
    int steps_done(const Lesson& lesson) const;

    /// Whether something was changed that the step does not ask for, or another scene was opened.
    bool has_left() const { return has_other_scene() || has_other_experiment(); }
    bool has_other_scene() const;
    bool has_other_experiment() const;
    /// Puts the step's scene on the bench again. One step of undo.
    void come_back();
    /// Does what the step asks for. One step of undo.
    void show_solution();

    /// Call once a frame, before it is drawn: reads files that have changed, sees whether the task is done, and asks
    /// for what the step's numbers need. For how many seconds the next call may wait.
    double update();
    /// What the step's numbers are read from; null before there is anything.
    std::shared_ptr<const Results> results() const;
    /// As it was when the step was entered, which its question is about; null until that is known.
    std::shared_ptr<const Results> results_at_start() const { return begin_; }
    /// As it was before another scene was opened; null where that was all the time.
    std::shared_ptr<const Results> results_when_left() const { return last_; }
    /// As `ProgressKeeper::keep`.
    double keep() { return keeper_.keep(progress_); }

  private:
    /// The lesson and step that `progress_` names, or the list.
    void put_left_in_front();
    /// The scene of the step in front, and what the history calls it.
    Scene staged() const;
    std::string step_name() const { return fmt::format("{}, step {}", lesson_->title, step_ + 1); }
    void follow_files();
    Needs needs() const;
    void mark_done();
    void forget_results();
    /// Does `action`; a notice says what went wrong.
    void attempt(const std::function<void()>& action);

    Session& session_;
    LessonLibrary library_;
    ProgressKeeper keeper_;
    LessonProgress progress_;
    std::string complaint_;  // about a lesson's file, as it was told last
    std::shared_ptr<const Lesson> lesson_;
    int step_ = 0;
    std::optional<Scene> start_;            // of the step, as it was or would have been put on the bench
    std::shared_ptr<const Results> begin_;  // of that scene, once they are there
    std::shared_ptr<const Results> last_;   // of what was made of it, before another scene was opened
    bool is_solving_ = false;               // once its beginning is known
    bool reached_ = false;
    std::chrono::steady_clock::time_point looked_{};  // at the files
};

}  // namespace ropewalk
