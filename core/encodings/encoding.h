// The list of encodings. A new one needs a file in encodings/ and an entry here; nothing else changes.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/encodings/alibi.h"
#include "core/encodings/clex.h"
#include "core/encodings/clipped.h"
#include "core/encodings/dynamic_ntk.h"
#include "core/encodings/linear.h"
#include "core/encodings/llama3.h"
#include "core/encodings/longrope.h"
#include "core/encodings/nope.h"
#include "core/encodings/ntk.h"
#include "core/encodings/p_rope.h"
#include "core/encodings/partial.h"
#include "core/encodings/random_rope.h"
#include "core/encodings/rope.h"
#include "core/encodings/self_extend.h"
#include "core/encodings/sinusoidal.h"
#include "core/encodings/xpos.h"
#include "core/encodings/yarn.h"

namespace ropewalk {

/// How positions enter the scores. Every alternative has
/// - `id`, `title`, `summary`, `source`, `fields` and `lower(Shape)`;
/// - `formula` of its frequencies, with fields in braces, or `formula()` if it depends on the fields.
/// Optional members:
/// - `check(Shape)` returns a sentence if it does not accept the shape;
/// - `note(Shape)` returns one line to show beside its controls; captions show it up to its first colon;
/// - `extend(s, training_length)` configures it to extend a training length s times, if it is an extension method;
/// - `extended_title()` replaces its title in a comparison of extension methods; empty if it equals another method;
/// - `truncate_to(fraction, Shape)` makes it rotate that fraction of the pairs, if it can rotate only some.
using Encoding = std::variant<Rope, NoPE, PRope, Clipped, Partial, Linear, Ntk, DynamicNtk, Yarn, Llama3, LongRope,
                              Clex, SelfExtend, XPos, RandomRope, Alibi, Sinusoidal>;

extern template const ChoiceType& choice_type<Encoding>();

/// Returns the encoding lowered for `shape`, which it must accept (see `check`).
LoweredEncoding lower(const Encoding& encoding, const Shape& shape);

/// Returns why the encoding does not accept `shape`, as one sentence, or nothing if it does.
std::optional<std::string> check(const Encoding& encoding, const Shape& shape);

/// Returns the line shown beside the encoding's controls; empty if it has none.
std::string note_of(const Encoding& encoding, const Shape& shape);

}  // namespace ropewalk
