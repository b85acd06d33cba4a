// A lesson gone through without a person: what every step says, and whether what it asks for can be done.
#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace ropewalk {

/// Everything that a step may show or wait for.
Needs needs_of(const LessonStep& step, const Experiment& experiment, const Cursor& cursor);

/// A step as it is entered and as its solution leaves it.
struct LessonCheck {
    std::vector<std::string> before, after;  // paragraphs as they read then
    std::vector<std::string> faults;         // numbers that there are not, a task that is done at once or never
};

/// Throws InputError, "file:line: sentence", for what cannot be set.
LessonCheck check_step(const Lesson& lesson, int step, Evaluator& evaluator);

}  // namespace ropewalk
