// The list of questions. A new one is a struct beside its analysis and an entry here; nothing else changes.
#pragma once

#include <variant>

#include "core/analysis/encodings/base_bound.h"
#include "core/analysis/encodings/extension_methods.h"
#include "core/analysis/encodings/number_formats.h"
#include "core/analysis/encodings/phasor_bound.h"
#include "core/analysis/encodings/phasors.h"
#include "core/analysis/encodings/position_map.h"
#include "core/analysis/encodings/properties.h"
#include "core/analysis/encodings/random_positions.h"
#include "core/analysis/encodings/robustness.h"
#include "core/analysis/encodings/rotation.h"
#include "core/analysis/fit/band_fit.h"
#include "core/analysis/fit/bands.h"
#include "core/analysis/heads/alignment.h"
#include "core/analysis/heads/attention_row.h"
#include "core/analysis/heads/attention_view.h"
#include "core/analysis/heads/contributions.h"
#include "core/analysis/heads/decay.h"
#include "core/analysis/heads/dominance.h"
#include "core/analysis/heads/entries.h"
#include "core/analysis/heads/frequency_usage.h"
#include "core/analysis/heads/row_divergence.h"
#include "core/analysis/heads/row_statistics.h"
#include "core/analysis/heads/shift.h"
#include "core/analysis/heads/top_pairs.h"

namespace ropewalk {

/// What a figure wants to know. An alternative is a plain value with
///     Answer                      the type of its answer
///     stage                       its name among the times in the status bar
///     dependence                  what of the subject the answer follows from
///     answer(subject) → Answer    throws Cancelled where the subject's `cancel` asks for it
/// and, where it is quick enough to be part of the first look, `coarsened(problem)` → what is asked there. If it takes
/// long, `cost(problem, backend)` says how long, in multiply-adds; where `is_job(problem)` holds it runs beside the
/// worker, tells its progress and comes when it comes. Where one answer can serve two questions,
/// `widened(question)` is the question that it answers.
using Question =
    std::variant<ViewQuestion, RotationQuestion, ContributionsQuestion, UsageQuestion, DecayQuestion,
                 PinnedDecayQuestion, RowQuestion, PhasorsQuestion, PartialSumsQuestion, AbelQuestion, MarginsQuestion,
                 MinBaseQuestion, PublishedBasesQuestion, RobustnessQuestion, AlignmentQuestion, DominanceQuestion,
                 TopPairsQuestion, RowStatisticsQuestion, RandomPositionsQuestion, PropertiesQuestion,
                 EffectiveDistanceQuestion, ExtensionMethodsQuestion, NumberFormatQuestion, BandsQuestion,
                 BandFitQuestion, EntryQuestion, OneRowStatisticsQuestion, MinWeightQuestion, ShiftQuestion,
                 ShiftsQuestion, RowDivergencesQuestion>;

}  // namespace ropewalk
