// Constructions as values: what can be asked of one without knowing which it is.
#pragma once

#include <optional>
#include <string>

#include "core/constructions/common.h"
#include "core/fields/array_file.h"

namespace ropewalk {

/// Where queries and keys come from: one of the constructions in construction_list.h, all ones by default.
struct ConstructionVariant;
using Construction = Indirect<ConstructionVariant>;
extern template class Indirect<ConstructionVariant>;
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
