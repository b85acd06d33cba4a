// core/analysis: everything that can be asked about a head, one file each: heads/ its attention, encodings/ its
// encoding, fit/ the head that fits a curve, models/ the model it belongs to, training/
// how that was trained. Here: the list of questions. A new one
// needs a struct next to its analysis and an entry here; nothing else changes.
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
#include "core/analysis/heads/arrows.h"
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
#include "core/analysis/models/head_atlas.h"
#include "core/analysis/models/loss_by_position.h"
#include "core/analysis/models/masked_heads.h"
#include "core/analysis/models/model_answers.h"
#include "core/analysis/training/training_answers.h"

namespace ropewalk {

/// A question that a figure asks: a plain value, as QuestionDefaults describes it.
using Question =
    std::variant<ViewQuestion, RotationQuestion, ContributionsQuestion, UsageQuestion, DecayQuestion,
                 PinnedDecayQuestion, RowQuestion, PhasorsQuestion, PartialSumsQuestion, AbelQuestion, MarginsQuestion,
                 MinBaseQuestion, PublishedBasesQuestion, RobustnessQuestion, AlignmentQuestion, DominanceQuestion,
                 TopPairsQuestion, RowStatisticsQuestion, RandomPositionsQuestion, PropertiesQuestion,
                 EffectiveDistanceQuestion, ExtensionMethodsQuestion, NumberFormatQuestion, BandsQuestion,
                 BandFitQuestion, EntryQuestion, OneRowStatisticsQuestion, MinWeightQuestion, ShiftQuestion,
                 ShiftsQuestion, RowDivergencesQuestion, ArrowsQuestion, AtlasQuestion, TokensQuestion,
                 NextTokenQuestion, LayerUsageQuestion, HeadPicturesQuestion, LossByPositionQuestion,
                 MaskedHeadsQuestion, TrainingQuestion, LengthTestQuestion, UsageOverTrainingQuestion>;

}  // namespace ropewalk
