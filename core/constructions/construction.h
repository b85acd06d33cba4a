// The list of query/key constructions. A new one needs a file in constructions/ and an entry here; nothing else
// changes.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/constructions/apostrophe.h"
#include "core/constructions/arrays.h"
#include "core/constructions/at_distance.h"
#include "core/constructions/bands.h"
#include "core/constructions/gaussian.h"
#include "core/constructions/ones.h"
#include "core/constructions/previous_token.h"
#include "core/constructions/repeated_token.h"
#include "core/constructions/same_vector.h"
#include "core/constructions/semantic.h"
#include "core/constructions/similar_vs_random.h"
#include "core/constructions/single_frequency.h"
#include "core/constructions/text.h"

namespace ropewalk {

/// Where queries and keys come from. Every alternative has `id`, `title`, `summary`, `source`, `fields` and
/// `build(BuildContext)`. Optional members: `check(Shape)` and `note(Shape)`, as for encodings; `ignores_encoding`, if
/// its rows are the same under any encoding and can be reused; `needs_stated_pairing`, if a scene has to state the
/// pairing.
using Construction = std::variant<Ones, Gaussian, SameVector, SimilarVsRandom, PreviousToken, AtDistance, RepeatedToken,
                                  Semantic, SingleFrequency, Apostrophe, Text, Bands, Arrays>;

extern template const ChoiceType& choice_type<Construction>();

/// Returns whether the queries and keys are the same under any encoding (`ignores_encoding`).
bool ignores_encoding(const Construction& construction);

/// Returns whether the scene must state how channels pair up, because the files do not (`needs_stated_pairing`).
bool needs_stated_pairing(const Construction& construction);

/// Amplitudes and phases [rad], one per pair or one for all pairs.
struct BandLists {
    std::vector<double> amplitudes, phases;
};
/// Returns the construction with these amplitudes and phases.
Construction construction_of(BandLists bands);
/// Returns the amplitudes and phases of the construction that has them; nothing for any other.
std::optional<BandLists> bands_of(const Construction& construction);

/// Queries and keys from files, [tokens, channels] each.
struct ArrayPair {
    ArrayFile q, k;
};
/// Returns the construction with these arrays.
Construction construction_of(ArrayPair arrays);
/// Returns the arrays of the construction that has them; nothing for any other.
std::optional<ArrayPair> arrays_of(const Construction& construction);

/// Returns the queries and keys of a construction that accepts the context's shape.
HeadInputs build(const Construction& construction, const BuildContext& context);

/// Returns why the construction does not accept `shape`, as one sentence, or nothing if it does.
std::optional<std::string> check(const Construction& construction, const Shape& shape);

/// Returns the line shown beside the construction's controls; empty if it has none.
std::string note_of(const Construction& construction, const Shape& shape);

}  // namespace ropewalk
