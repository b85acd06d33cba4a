// The list of constructions. A new one needs a file in constructions/ and an entry here; nothing else changes.
#pragma once

#include <variant>

#include "core/constructions/apostrophe.h"
#include "core/constructions/arrays.h"
#include "core/constructions/at_distance.h"
#include "core/constructions/bands.h"
#include "core/constructions/construction.h"
#include "core/constructions/gaussian.h"
#include "core/constructions/model_head.h"
#include "core/constructions/ones.h"
#include "core/constructions/previous_token.h"
#include "core/constructions/repeated_token.h"
#include "core/constructions/same_vector.h"
#include "core/constructions/semantic.h"
#include "core/constructions/similar_vs_random.h"
#include "core/constructions/single_frequency.h"
#include "core/constructions/text.h"

namespace ropewalk {

/// Where queries and keys come from. Every alternative has `id`, `title`, `summary`, `source`, `fields`, and
/// `build(Shape)`, or `build(BuildContext)` if its rows depend on the encoding, and what it redefines of
/// ConstructionDefaults.
struct ConstructionVariant
    : std::variant<Ones, Gaussian, SameVector, SimilarVsRandom, PreviousToken, AtDistance, RepeatedToken, Semantic,
                   SingleFrequency, Apostrophe, Text, Bands, Arrays, ModelHead> {
    using variant::variant;
};

}  // namespace ropewalk
