// The list of encodings. A new one is a file in encodings/ and an entry here; nothing else changes.
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

/// How positions enter the scores. An alternative has `id`, `title`, `summary`, `source`, `formula` (of its
/// frequencies, with fields in braces; or formula(), if its fields decide), `fields`, `lower(Shape)`, and where it
/// needs them `check(Shape)` → a sentence or nothing, `note(Shape)` → one line to show beside its controls, which
/// captions have up to its first colon, and, if it is a way to extend a trained context, `extend(s, trained)`, with
/// `extended_title()` where it may be more or less than its title says (empty: nothing that could be told apart from
/// another), if one to keep a fraction of rotating pairs, `truncate_to(fraction, Shape)`.
using Encoding = std::variant<Rope, NoPE, PRope, Clipped, Partial, Linear, Ntk, DynamicNtk, Yarn, Llama3, LongRope,
                              Clex, SelfExtend, XPos, RandomRope, Alibi, Sinusoidal>;

extern template const ChoiceType& choice_type<Encoding>();

/// The encoding made concrete for a shape that it accepts.
LoweredEncoding lower(const Encoding& encoding, const Shape& shape);

/// What it says against a shape, as one sentence; nothing if it accepts it.
std::optional<std::string> check(const Encoding& encoding, const Shape& shape);

/// Its line beside the controls; empty if it has none.
std::string note_of(const Encoding& encoding, const Shape& shape);

}  // namespace ropewalk
