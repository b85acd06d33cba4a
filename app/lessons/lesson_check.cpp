#include "app/lessons/lesson_check.h"

#include <fmt/format.h>

#include <utility>

#include "core/evaluation/affordable.h"

namespace ropewalk {
namespace {

/// Returns the request for what a step shows and checks in a scene.
Request request_of(const LessonStep& step, Scene scene) {
    const Cursor cursor = read_view(scene).cursor;
    return {scene.experiment, cursor, needs_of(step, scene.experiment, cursor)};
}

/// Returns the requests of a step at its start and after its solution.
std::pair<Request, Request> requests_of(const Lesson& lesson, int step) {
    const LessonStep& checked = lesson.steps[static_cast<std::size_t>(step)];
    const Scene start = start_of(lesson, step);
    return {request_of(checked, start), request_of(checked, solved(lesson, step, start))};
}

/// Adds the paragraphs of a text, and a fault for every number in it that does not exist.
void read_out(const LessonText& text, const Results& results, std::vector<std::string>& paragraphs,
              std::vector<std::string>& faults) {
    for (const Paragraph& paragraph : text) {
        paragraphs.push_back(shown(paragraph, results));
        for (const Span& span : paragraph)
            if (span.number && (span.number->shown(results) == "–" || span.number->variable.is_awaited(results)))
                faults.push_back(fmt::format("{} has no value here", span.number->variable.text()));
    }
}

}  // namespace

Needs needs_of(const LessonStep& step, const Experiment& experiment, const Cursor& cursor) {
    Needs needs = step.done.needs(experiment, cursor);
    LessonText all{step.question, step.task};
    const auto add = [&](const LessonText& more) { all.insert(all.end(), more.begin(), more.end()); };
    add(step.prose);
    add(step.after);
    for (const Expectation& expectation : step.expectations) {
        add({expectation.text});
        add(expectation.explanation);
    }
    add_needs(needs, needs_of(all, experiment, cursor));
    return needs;
}

void require_affordable(const Lesson& lesson, const Backend& backend, const Cancel& cancel) {
    double work = 0;
    for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step) {
        const auto [start, end] = requests_of(lesson, step);
        double own = work_of(start.experiment, start.needs, backend, cancel);
        if (!(end == start)) own += work_of(end.experiment, end.needs, backend, cancel);
        work += own;
        require_affordable(work,
                           fmt::format("{}:{}: {}", lesson.file, lesson.steps[static_cast<std::size_t>(step)].line,
                                       long_time_of(own) ? "this step" : "the steps up to this one"),
                           "use a shorter seq_len, fewer training steps, or fewer numbers in its text");
    }
}

LessonCheck check_step(const Lesson& lesson, int step, Evaluator& evaluator, const Cancel& cancel) {
    const LessonStep& checked = lesson.steps[static_cast<std::size_t>(step)];
    LessonCheck found;
    const auto [start, end] = requests_of(lesson, step);
    const auto before = evaluator.evaluate(start, Detail::complete, cancel);
    read_out(checked.prose, *before, found.before, found.faults);
    if (checked.has_question()) read_out({checked.question}, *before, found.before, found.faults);
    for (const Expectation& expectation : checked.expectations) {
        read_out({expectation.text}, *before, found.before, found.faults);
        found.before.back() = (expectation.is_right ? "✓ " : "– ") + found.before.back();
        read_out(expectation.explanation, *before, found.before, found.faults);
    }
    if (checked.has_task()) read_out({checked.task}, *before, found.before, found.faults);
    const auto after = end == start ? before : evaluator.evaluate(end, Detail::complete, cancel);
    read_out(checked.after, *after, found.after, found.faults);
    if (checked.has_task() && checked.done.holds(*before))
        found.faults.emplace_back("the task is already done when the step begins");
    if (checked.has_task() && !checked.done.holds(*after))
        found.faults.emplace_back("the solution does not complete the task");
    return found;
}

}  // namespace ropewalk
