// What would take too long is refused before it is computed, with an estimate of the time.
#pragma once

#include <optional>
#include <string>

#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// Returns the work of the answers in multiply-adds: training that a model still needs, its run, and what the questions
/// say. Of a model that would be trained or run for too long, only that counts.
double work_of(const Experiment& experiment, const Needs& needs, const Backend& backend, const Cancel& cancel);

/// Returns the part of that work which is known before there are queries and keys: training and running models.
double model_work_of(const Experiment& experiment, const Needs& needs);

/// Returns roughly how long this many multiply-adds take on two cores, as "3 hours"; nullopt up to a few minutes.
std::optional<std::string> long_time_of(double work);

/// Throws LimitError with an estimate of the time if this many multiply-adds take more than a few minutes. The sentence
/// begins with `what` and ends with `remedy`.
void require_affordable(double work, const std::string& what, const std::string& remedy);

}  // namespace ropewalk
