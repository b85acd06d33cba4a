// Checks a lesson automatically: the text of every step, and whether its task can be done.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace ropewalk {

/// Returns the questions of everything that a step can show or wait for.
Needs needs_of(const LessonStep& step, const Experiment& experiment, const Cursor& cursor);

/// The text of a step at its start and after its solution, and its faults.
struct LessonCheck {
    std::vector<std::string> before, after;  // the paragraphs with their numbers
    std::vector<std::string> faults;         // missing numbers, a task that is done at the start or never
};

/// Throws LimitError with an estimate if checking the lesson would take more than a few minutes.
void require_affordable(const Lesson& lesson, const Backend& backend, const Cancel& cancel);

/// Checks a step. Throws InputError, "file:line: sentence", for invalid settings, and Cancelled.
LessonCheck check_step(const Lesson& lesson, int step, Evaluator& evaluator, const Cancel& cancel = {});

}  // namespace ropewalk
