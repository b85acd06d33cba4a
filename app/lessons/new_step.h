// The text of a new step of a lesson, from what is shown.
#pragma once

#include <optional>
#include <string>

#include "app/lessons/lesson.h"

namespace ropewalk {

/// What a step is made of.
struct StepContent {
    std::string title;
    Scene start;                        // a bundled scene, or one that differs from it
    std::optional<Experiment> changed;  // what the step's task leads to; empty: it has none
};

/// Returns the step in the form of a lesson file. Its task, if it has one, is to make the change.
std::string text_of_step(const StepContent& content);

/// Returns the lesson file with the step added, or a new one that consists of it if `file` is empty. Throws InputError
/// if a lesson cannot say what the step begins with, such as arrays.
std::string with_step(const std::string& file, const StepContent& content);

}  // namespace ropewalk
