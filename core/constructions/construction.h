// The list of query/key constructions. A new one is a file in constructions/ and an entry here; nothing else changes.
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

/// Where queries and keys come from. An alternative has `id`, `title`, `summary`, `source`, `fields`,
/// `build(BuildContext)`, and where it needs them `check(Shape)` and `note(Shape)` as encodings do, and
/// `ignores_encoding` if its rows are the same under any encoding, so that they need not be made again, and
/// `needs_stated_pairing`.
using Construction = std::variant<Ones, Gaussian, SameVector, SimilarVsRandom, PreviousToken, AtDistance, RepeatedToken,
                                  Semantic, SingleFrequency, Apostrophe, Text, Bands, Arrays>;

extern template const ChoiceType& choice_type<Construction>();

/// Whether a construction says that its queries and keys stay the same under any encoding (`ignores_encoding`).
bool ignores_encoding(const Construction& construction);

/// Whether its files leave open how channels pair up, so that the scene must say it (`needs_stated_pairing`).
bool needs_stated_pairing(const Construction& construction);

/// One amplitude and phase a pair, or one for all.
struct BandLists {
    std::vector<double> amplitudes, phases;
};
/// The construction that is made of them; it has fields of these names.
Construction construction_of(BandLists bands);
/// What that one is made of; nothing of any other.
std::optional<BandLists> bands_of(const Construction& construction);

/// Rows of queries and keys, [tokens, channels], as files have them.
struct ArrayPair {
    ArrayFile q, k;
};
/// The construction that is made of them; it has fields of these names.
Construction construction_of(ArrayPair arrays);
/// What that one is made of; nothing of any other.
std::optional<ArrayPair> arrays_of(const Construction& construction);

/// The queries and keys of a construction that accepts the context's shape.
HeadInputs build(const Construction& construction, const BuildContext& context);

/// What it says against a shape, as one sentence; nothing if it accepts it.
std::optional<std::string> check(const Construction& construction, const Shape& shape);

/// Its line beside the controls; empty if it has none.
std::string note_of(const Construction& construction, const Shape& shape);

}  // namespace ropewalk
