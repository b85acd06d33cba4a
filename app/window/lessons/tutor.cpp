#include "app/window/lessons/tutor.h"

#include <algorithm>
#include <utility>

#include "app/lessons/lesson_check.h"
#include "app/lessons/new_step.h"
#include "core/error.h"
#include "core/io/files.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr std::chrono::milliseconds looking_interval{400};

std::optional<int> step_titled(const Lesson& lesson, const std::string& title) {
    for (std::size_t step = 0; step < lesson.steps.size(); ++step)
        if (lesson.steps[step].title == title) return static_cast<int>(step);
    return std::nullopt;
}

/// Returns a new lesson's file: "my-lesson.lesson", "my-lesson-2.lesson" …
std::filesystem::path free_path(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::path path = folder / "my-lesson.lesson";
    for (int number = 2; std::filesystem::exists(path, error); ++number)
        path = folder / fmt::format("my-lesson-{}.lesson", number);
    return path;
}

}  // namespace

Tutor::Tutor(Session& session, const TutorOptions& options)
    : session_(session),
      library_(options.folder),
      own_folder_(options.own_folder),
      progress_file_(options.progress_folder),
      progress_(progress_file_.saved()) {
    progress_.is_open = false;
    session_.notices.complain(progress_file_.complaint());
    read_changed_files();
}

void Tutor::open() {
    if (is_open()) return;
    progress_.is_open = true;
    if (!lesson_) show_last_step();
}

void Tutor::restore() {
    if (!was_open()) return;
    open();
    reload_step();
}

void Tutor::show_last_step() {
    lesson_ = library_.find(progress_.lesson);
    if (!lesson_) return show_list();
    step_ = step_titled(*lesson_, progress_.step).value_or(0);
    session_.notices.attempt([&] { start_ = step_scene(); });
}

Scene Tutor::step_scene() const {
    Scene start = start_of(*lesson_, step_);
    start.title = lesson_->title;
    return start;
}

void Tutor::show_list() {
    lesson_ = nullptr;
    progress_.lesson.clear();
    progress_.step.clear();
}

bool Tutor::start(std::string_view id, std::optional<int> step) {
    auto lesson = library_.find(id);
    if (!lesson || (step && (*step < 0 || *step >= static_cast<int>(lesson->steps.size())))) return false;
    session_.files.stop_opening();
    lesson_ = std::move(lesson);
    step_ = -1;
    progress_.is_open = true;
    progress_.lesson = lesson_->id;
    int first = step.value_or(0);
    const int count = static_cast<int>(lesson_->steps.size());
    while (!step && first < count && is_done(*lesson_, first)) ++first;
    enter(first < count ? first : 0);
    return true;
}

bool Tutor::open_file(const std::string& path, int step) {
    bool is_open = false;
    session_.notices.attempt([&] {
        const std::string id = read_lesson(path)->id;
        library_ = LessonLibrary(std::filesystem::absolute(path).parent_path());
        read_changed_files();
        is_open = start(id, step);
    });
    return is_open;
}

void Tutor::add_step() {
    const Document& document = session_.document;
    session_.notices.attempt([&] {
        const bool is_own = lesson_ && std::filesystem::path(lesson_->file).has_parent_path();
        const int steps = is_own ? static_cast<int>(lesson_->steps.size()) : 0;
        StepContent content{
            .title = fmt::format("Step {}", steps + 1), .start = document.current_scene(), .changed = {}};
        if (document.before()) content.changed = document.experiment(), content.start.experiment = *document.before();
        const std::string path = is_own ? lesson_->file : free_path(own_folder_).string();
        const std::string text = with_step(is_own ? read_file(path, max_lesson_bytes) : "", content);
        std::error_code error;  // writing the file reports what is wrong
        std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
        atomic_write(path, text);
        if (open_file(path, steps)) session_.notices.notify("Step added. Edit its text in " + path);
    });
}

void Tutor::enter(int step) {
    const int before = std::exchange(step_, std::clamp(step, 0, static_cast<int>(lesson_->steps.size()) - 1));
    progress_.step = this->step().title;
    const bool continues = before >= 0 && step_ == before + 1 && reached_ && !this->step().changes_scene();
    reached_ = false;
    forget_results();
    session_.document.view.cursor_locked = false;  // steps ask for cells to be pointed at
    session_.notices.attempt([&] {
        Scene start = step_scene();
        if (continues)
            start.experiment = session_.document.experiment();
        else
            session_.document.stage(start, step_name());
        start_ = std::move(start);
    });
}

void Tutor::next() {
    if (!step().has_task() && !step().has_question()) mark_done();
    const int count = static_cast<int>(lesson_->steps.size());
    if (step_ + 1 < count) return enter(step_ + 1);
    const auto at = std::find(lessons().begin(), lessons().end(), lesson_);
    if (at == lessons().end() || at + 1 == lessons().end()) return show_list();
    start((*(at + 1))->id);
}

void Tutor::predict(int expectation) {
    progress_.predicted[lesson_->id][step().title] = expectation;
    if (!step().has_task()) mark_done();
}

std::optional<int> Tutor::predicted() const {
    const auto of_lesson = progress_.predicted.find(lesson_->id);
    if (of_lesson == progress_.predicted.end()) return std::nullopt;
    const auto found = of_lesson->second.find(step().title);
    const bool is_valid = found != of_lesson->second.end() && found->second >= 0 &&
                          found->second < static_cast<int>(step().expectations.size());  // the lesson may have changed
    return is_valid ? std::optional(found->second) : std::nullopt;
}

bool Tutor::is_ready() const {
    return is_open() && lesson_ && (!step().has_question() || predicted());
}

void Tutor::mark_done() {
    progress_.done[lesson_->id].insert(step().title);
}

bool Tutor::is_done(const Lesson& lesson, int step) const {
    const auto done = progress_.done.find(lesson.id);
    return done != progress_.done.end() && done->second.contains(lesson.steps[static_cast<std::size_t>(step)].title);
}

int Tutor::steps_done(const Lesson& lesson) const {
    int count = 0;
    for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step) count += is_done(lesson, step);
    return count;
}

bool Tutor::has_other_scene() const {
    const Scene& current = session_.document.scene();
    return lesson_ && start_ && (current.path != start_->path || current.title != start_->title);
}

bool Tutor::has_other_experiment() const {
    return lesson_ && start_ && ropewalk::has_left(step(), start_->experiment, session_.document.experiment());
}

void Tutor::reload_step() {
    if (!start_) return;
    stale_ = results();
    session_.document.stage(*start_, step_name());
    reached_ = is_solving_ = false;
    end_ = nullptr;
}

void Tutor::forget_results() {
    begin_ = end_ = last_ = nullptr;
    is_solving_ = false;
    end_demonstration();
}

void Tutor::show_solution() {
    if (!start_ || step().solution.empty()) return;
    if (has_left() && !begin_) {  // the results at the start must be known first, as the text compares with them
        is_solving_ = true;
        return session_.document.stage(*start_, step_name());
    }
    session_.notices.attempt([&] {
        Document& document = session_.document;
        Scene current = *start_;
        if (!has_left()) {
            current.experiment = document.experiment();
            write_view(document.view, current);
        }
        Scene done = solved(*lesson_, step_, current);
        const Cursor cursor = read_view(done).cursor;
        if (has_left()) document.stage(*start_, step_name());
        demonstrated_ = {document.experiment(), document.cursor()};
        Demonstration shown(demonstrated_, {done.experiment, cursor});
        if (shown.moves() && !session_.preferences.reduced_motion) {
            demonstration_ = std::move(shown);
            return;
        }
        document.edit(done.experiment, Gesture::complete);
        if (cursor != document.cursor()) document.view.cursor = cursor, document.view.cursor_locked = true;
    });
}

Needs Tutor::needs() const {
    if (!is_open() || !lesson_) return {};
    return needs_of(step(), session_.document.experiment(), session_.document.cursor());
}

std::shared_ptr<const Results> Tutor::results() const {
    return session_.computation.results_for(needs());
}

void Tutor::read_changed_files() {
    const auto before = library_.lessons();
    const std::string complaint = library_.refresh();
    if (!complaint.empty())
        session_.notices.complain(complaint_ = complaint);
    else if (library_.lessons() != before && !std::exchange(complaint_, {}).empty())
        session_.notices.notify("Lesson reloaded");
    if (!lesson_) return;
    const auto now = library_.find(lesson_->id);
    if (now == lesson_) return;
    if (!now) return show_list();
    const std::string title = step().title;
    lesson_ = now;
    const int last = static_cast<int>(lesson_->steps.size()) - 1;
    step_ = step_titled(*lesson_, title).value_or(std::min(step_, last));
    progress_.step = step().title;
    forget_results();
    session_.notices.attempt([&] { start_ = step_scene(); });
}

void Tutor::show(const PointedHead& state) {
    Document& document = session_.document;
    const bool is_taken_over = document.cursor() != demonstrated_.cursor;
    document.edit(state.experiment, Gesture::ongoing);
    demonstrated_.experiment = document.experiment();
    if (!demonstration_->moves_cursor() || is_taken_over) return;
    document.view.cursor = state.cursor, document.view.cursor_locked = true;
    demonstrated_.cursor = document.cursor();
}

void Tutor::end_demonstration() {
    if (!demonstration_) return;
    if (session_.document.experiment() == demonstrated_.experiment) show(demonstration_->end());
    demonstration_.reset();
    session_.document.end_gesture();
}

double Tutor::advance_demonstration(double elapsed) {
    constexpr double frame = 1.0 / 60;
    if (!demonstration_) return infinity;
    if (!(session_.document.experiment() == demonstrated_.experiment)) {  // the user has taken over
        end_demonstration();
        return infinity;
    }
    demonstration_->advance(elapsed);
    if (demonstration_->is_over()) {
        end_demonstration();
        return infinity;
    }
    show(demonstration_->now());
    return frame;
}

double Tutor::update(double elapsed) {
    double patience = advance_demonstration(elapsed);
    if (library_.is_watching() && is_open()) {
        const auto now = std::chrono::steady_clock::now();
        if (now - looked_ >= looking_interval) {
            looked_ = now;
            read_changed_files();
        }
        patience = std::min(patience, std::chrono::duration<double>(looking_interval).count());
    }
    const bool can_ask = is_open() && lesson_ && session_.document.fault().empty();
    if (can_ask) session_.computation.also_ask([this](const Experiment&) { return needs(); });
    const auto found = can_ask ? results() : nullptr;
    if (!found || found->coarse || !(found->request.experiment == session_.document.experiment()) ||
        !answers(*found, needs()))
        return patience;
    if (!begin_ && start_ && found->request.experiment == start_->experiment) begin_ = found;
    if (has_other_scene())
        is_solving_ = false;
    else
        last_ = found;
    if (begin_ && std::exchange(is_solving_, false)) show_solution(), patience = 0;
    // A task that another scene happens to fulfil does not count as done.
    if (found != stale_) stale_ = nullptr;
    check_task(found);
    return patience;
}

void Tutor::check_task(const std::shared_ptr<const Results>& found) {
    const bool must_predict_first = step().has_question() && !predicted();
    // On return to a step, the last results may be of the same head with the next step's cursor.
    const Cursor cursor = session_.document.view.cursor.clamped(session_.document.experiment());
    if (!(found->request.cursor == cursor)) return;
    if (stale_ || !step().has_task() || must_predict_first || has_other_scene()) return;
    if (!step().done.holds(*found)) return;
    end_ = found;
    if (!std::exchange(reached_, true)) mark_done();
}

}  // namespace ropewalk
