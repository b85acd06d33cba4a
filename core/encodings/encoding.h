// core/encodings: one file per position encoding, their list (encoding_list.h), and the LoweredEncoding that each
// becomes. Here: what can be asked of an encoding without knowing which it is.
#pragma once

#include <optional>
#include <string>

#include "core/encodings/lowered_encoding.h"
#include "core/fields/fields.h"
#include "core/fields/shape.h"

namespace ropewalk {

/// How positions enter the scores: one of the encodings in encoding_list.h, RoPE by default.
struct EncodingVariant;
using Encoding = Indirect<EncodingVariant>;
extern template class Indirect<EncodingVariant>;
extern template const ChoiceType& choice_type<Encoding>();

/// Returns the encoding lowered for `shape`, which it must accept (see `check`).
LoweredEncoding lower(const Encoding& encoding, const Shape& shape);

/// Returns why the encoding does not accept `shape`, as one sentence, or nothing if it does.
std::optional<std::string> check(const Encoding& encoding, const Shape& shape);

/// Returns the line shown beside the encoding's controls; empty if it has none.
std::string note_of(const Encoding& encoding, const Shape& shape);

/// Returns whether the positions are drawn with the experiment's seed.
bool depends_on_seed(const Encoding& encoding);

/// Returns how it makes its frequencies, with the paths of its fields in braces.
std::string formula_of(const Encoding& encoding);

/// Returns NumPy code that computes its frequencies `w` [pairs] by a formula; empty if there is none.
std::string numpy_of(const Encoding& encoding, const Shape& shape);

/// Sets it to extend a context of `trained` tokens `factor` times. Returns false if it is no extension method.
bool extend(Encoding& encoding, double factor, int trained);
/// Returns its title among the extension methods; empty where it would equal another method.
std::string extended_title(const Encoding& encoding);

/// Sets it to rotate `fraction` of the pairs. Returns false if it has no such field.
bool truncate_to(Encoding& encoding, double fraction, const Shape& shape);

}  // namespace ropewalk
