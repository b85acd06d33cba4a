// What would take too long is refused before it is computed, with an estimate of the time.
#pragma once

#include <optional>
#include <string>

#include "core/evaluation/evaluate.h"

namespace ropewalk {

struct Recipe;

/// Returns the work of the answers in multiply-adds: training that a model still needs, and what the questions say. Of
/// a model that would be trained for too long, only the training counts.
double work_of(const Experiment& experiment, const Needs& needs, const Backend& backend, const Cancel& cancel);

/// Returns the work, in multiply-adds, of a recipe's first `steps` steps, without those that are done.
double training_work(const Recipe& recipe, int steps);

/// Returns roughly how long this many multiply-adds take on two cores, as "3 hours"; nullopt up to a few minutes.
std::optional<std::string> long_time_of(double work);

/// Throws LimitError with an estimate of the time if this many multiply-adds take more than a few minutes. The sentence
/// begins with `what` and ends with `remedy`.
void require_affordable(double work, const std::string& what, const std::string& remedy);

}  // namespace ropewalk
