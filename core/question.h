// The list of questions. A new one is a struct beside its analysis and an entry here; nothing else changes.
#pragma once

#include <variant>

#include "core/analysis/alignment.h"
#include "core/analysis/attention_row.h"
#include "core/analysis/attention_view.h"
#include "core/analysis/band_fit.h"
#include "core/analysis/bands.h"
#include "core/analysis/base_bound.h"
#include "core/analysis/contributions.h"
#include "core/analysis/decay.h"
#include "core/analysis/dominance.h"
#include "core/analysis/entries.h"
#include "core/analysis/extension_methods.h"
#include "core/analysis/frequency_usage.h"
#include "core/analysis/number_formats.h"
#include "core/analysis/phasor_bound.h"
#include "core/analysis/phasors.h"
#include "core/analysis/position_map.h"
#include "core/analysis/properties.h"
#include "core/analysis/random_positions.h"
#include "core/analysis/robustness.h"
#include "core/analysis/rotation.h"
#include "core/analysis/row_divergence.h"
#include "core/analysis/row_statistics.h"
#include "core/analysis/shift.h"
#include "core/analysis/top_pairs.h"

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
                 LeastBaseQuestion, PublishedBasesQuestion, RobustnessQuestion, AlignmentQuestion, DominanceQuestion,
                 TopPairsQuestion, RowStatisticsQuestion, RandomPositionsQuestion, PropertiesQuestion,
                 EffectiveDistanceQuestion, ExtensionMethodsQuestion, NumberFormatQuestion, BandsQuestion,
                 BandFitQuestion, EntryQuestion, OneRowStatisticsQuestion, LeastWeightQuestion, ShiftQuestion,
                 ShiftsQuestion, RowDivergencesQuestion>;

}  // namespace ropewalk
