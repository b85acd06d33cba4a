// What would take too long is refused before it is computed, with an estimate of the time.
#pragma once

#include <string>

#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// Returns the work of the answers in multiply-adds: training that a model still needs, and what the questions say. Of
/// a model that would be trained for too long, only the training counts.
double work_of(const Experiment& experiment, const Needs& needs, const Backend& backend, const Cancel& cancel);

/// Throws LimitError with an estimate of the time if this many multiply-adds take more than a few minutes. The sentence
/// begins with `what` and ends with `remedy`.
void require_affordable(double work, const std::string& what, const std::string& remedy);

}  // namespace ropewalk
