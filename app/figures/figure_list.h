// The list of figures. A new one is a file in heads/, encodings/, models/ or training/ and an entry here: it is then a
// panel, a name for `ropewalk figure`, an export and a golden test.
#pragma once

#include <variant>

#include "app/figures/encodings/base_bound.h"
#include "app/figures/encodings/cosines.h"
#include "app/figures/encodings/methods.h"
#include "app/figures/encodings/number_formats.h"
#include "app/figures/encodings/phasor_bound.h"
#include "app/figures/encodings/phasors.h"
#include "app/figures/encodings/position_map.h"
#include "app/figures/encodings/properties.h"
#include "app/figures/encodings/random_rope_decay.h"
#include "app/figures/encodings/robustness.h"
#include "app/figures/encodings/rotation_heatmap.h"
#include "app/figures/encodings/rotations.h"
#include "app/figures/encodings/truncation.h"
#include "app/figures/encodings/wavelengths.h"
#include "app/figures/figures.h"
#include "app/figures/heads/alignment.h"
#include "app/figures/heads/arrows.h"
#include "app/figures/heads/attention.h"
#include "app/figures/heads/attention_row.h"
#include "app/figures/heads/bands.h"
#include "app/figures/heads/contributions.h"
#include "app/figures/heads/decay.h"
#include "app/figures/heads/dominance.h"
#include "app/figures/heads/entropy.h"
#include "app/figures/heads/frequency_usage.h"
#include "app/figures/heads/shift.h"
#include "app/figures/heads/target.h"
#include "app/figures/heads/top_pairs.h"
#include "app/figures/models/head_atlas.h"
#include "app/figures/models/head_matrices.h"
#include "app/figures/models/loss_by_position.h"
#include "app/figures/models/masked_heads.h"
#include "app/figures/models/next_token.h"
#include "app/figures/models/tokens.h"
#include "app/figures/models/usage_by_layer.h"
#include "app/figures/training/batch.h"
#include "app/figures/training/length_test.h"
#include "app/figures/training/training.h"
#include "app/figures/training/usage_over_training.h"

namespace ropewalk {

/// An alternative has `id`, `title`, `summary`, its options as fields, `needs`, `draw`, `readout`, and what it
/// redefines of FigureDefaults.
struct FigureVariant
    : std::variant<AttentionFigure, DecayFigure, RotationHeatmapFigure, FrequencyUsageFigure, ContributionsFigure,
                   AttentionRowFigure, WavelengthsFigure, PhasorsFigure, PhasorBoundFigure, BaseBoundFigure,
                   RobustnessFigure, PropertiesFigure, RotationsFigure, RandomRopeDecayFigure, DominanceFigure,
                   TopPairsFigure, AlignmentFigure, EntropyFigure, MethodsFigure, PositionMapFigure, TruncationFigure,
                   NumberFormatsFigure, BandsFigure, TargetFigure, ShiftFigure, ArrowsFigure, CosinesFigure,
                   HeadAtlasFigure, HeadMatricesFigure, UsageByLayerFigure, TokensFigure, NextTokenFigure,
                   LossByPositionFigure, MaskedHeadsFigure, TrainingFigure, UsageOverTrainingFigure, LengthTestFigure,
                   BatchFigure> {
    using variant::variant;
};

}  // namespace ropewalk
