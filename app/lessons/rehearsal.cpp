#include "app/lessons/rehearsal.h"

#include <fmt/format.h>

namespace ropewalk {
namespace {

std::shared_ptr<const Results> evaluated(const LessonStep& step, Scene scene, Evaluator& evaluator) {
    const Cursor cursor = read_view(scene).cursor;
    return evaluator.evaluate({scene.experiment, cursor, needs_of(step, scene.experiment, cursor)}, Detail::complete,
                              {});
}

/// Adds how the passage reads, and a fault for every number in it that there is not.
void read_out(const Passage& passage, const Results& results, std::vector<std::string>& paragraphs,
              std::vector<std::string>& faults) {
    for (const Paragraph& paragraph : passage) {
        paragraphs.push_back(shown(paragraph, results));
        for (const Span& span : paragraph)
            if (span.number && span.number->shown(results) == "–")
                faults.push_back(fmt::format("there is no {} there", span.number->mention.text()));
    }
}

}  // namespace

Needs needs_of(const LessonStep& step, const Experiment& experiment, const Cursor& cursor) {
    Needs needs = step.done.needs(experiment, cursor);
    Passage all{step.question, step.task};
    const auto add = [&](const Passage& more) { all.insert(all.end(), more.begin(), more.end()); };
    add(step.prose);
    add(step.after);
    for (const Expectation& expectation : step.expectations) {
        add({expectation.text});
        add(expectation.explanation);
    }
    add_needs(needs, needs_of(all, experiment, cursor));
    return needs;
}

RehearsedStep rehearse(const Lesson& lesson, int step, Evaluator& evaluator) {
    const LessonStep& rehearsed = lesson.steps[static_cast<std::size_t>(step)];
    RehearsedStep found;
    const Scene start = start_of(lesson, step);
    const auto before = evaluated(rehearsed, start, evaluator);
    read_out(rehearsed.prose, *before, found.before, found.faults);
    if (rehearsed.has_question()) read_out({rehearsed.question}, *before, found.before, found.faults);
    for (const Expectation& expectation : rehearsed.expectations) {
        read_out({expectation.text}, *before, found.before, found.faults);
        found.before.back() = (expectation.is_right ? "✓ " : "– ") + found.before.back();
        read_out(expectation.explanation, *before, found.before, found.faults);
    }
    if (rehearsed.has_task()) read_out({rehearsed.task}, *before, found.before, found.faults);
    const auto after = evaluated(rehearsed, solved(lesson, step, start), evaluator);
    read_out(rehearsed.after, *after, found.after, found.faults);
    if (rehearsed.has_task() && rehearsed.done.holds(*before))
        found.faults.emplace_back("what it asks for is done when it begins");
    if (rehearsed.has_task() && !rehearsed.done.holds(*after))
        found.faults.emplace_back("its solution does not do what it asks for");
    return found;
}

}  // namespace ropewalk
