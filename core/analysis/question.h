// core/analysis: everything that can be asked about a head, one file each: heads/ its attention, encodings/ its
// encoding, fit/ the head that fits a curve. Here: the list of questions. A new one needs a struct next to its analysis
// and an entry here; nothing else changes.
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

/// A question that a figure asks. Every alternative is a plain value with
///     Answer                      the type of its answer
///     stage                       its name among the times in the status bar
///     dependence                  the part of the context that the answer depends on
///     answer(context) → Answer    throws Cancelled if the context's `cancel` requests it
/// Optional members: `coarsened(problem)` returns the question to ask for a preview, if it is quick enough;
/// `cost(problem, backend)` estimates the work in multiply-adds, if it takes long; `is_job(problem)` returns whether it
/// runs as a separate job, which reports its progress and does not delay the worker; `widened(question)` returns a
/// question whose answer serves both, if there is one.
using Question =
    std::variant<ViewQuestion, RotationQuestion, ContributionsQuestion, UsageQuestion, DecayQuestion,
                 PinnedDecayQuestion, RowQuestion, PhasorsQuestion, PartialSumsQuestion, AbelQuestion, MarginsQuestion,
                 MinBaseQuestion, PublishedBasesQuestion, RobustnessQuestion, AlignmentQuestion, DominanceQuestion,
                 TopPairsQuestion, RowStatisticsQuestion, RandomPositionsQuestion, PropertiesQuestion,
                 EffectiveDistanceQuestion, ExtensionMethodsQuestion, NumberFormatQuestion, BandsQuestion,
                 BandFitQuestion, EntryQuestion, OneRowStatisticsQuestion, MinWeightQuestion, ShiftQuestion,
                 ShiftsQuestion, RowDivergencesQuestion>;

}  // namespace ropewalk
