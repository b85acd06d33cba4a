// The list of questions. A new one is a struct beside its analysis and an entry here; nothing else changes.
#pragma once

#include <variant>

#include "core/analysis/attention_row.h"
#include "core/analysis/attention_view.h"
#include "core/analysis/contributions.h"
#include "core/analysis/decay.h"
#include "core/analysis/frequency_usage.h"
#include "core/analysis/rotation.h"

namespace ropewalk {

/// What a figure wants to know. An alternative is a plain value with
///     Answer                      the type of its answer
///     stage                       its name among the times in the status bar
///     dependence                  what of the subject the answer follows from
///     answer(subject) → Answer    throws Cancelled where the subject's `cancel` asks for it
/// and, where it is quick enough to be part of the first look, `coarsened()` → what is asked there. If it takes long,
/// `cost(problem, backend)` says how long, in multiply-adds; with `is_job` it runs beside the worker, tells its
/// progress and comes when it comes.
using Question =
    std::variant<ViewQuestion, RotationQuestion, ContributionsQuestion, UsageQuestion, DecayQuestion, RowQuestion>;

}  // namespace ropewalk
