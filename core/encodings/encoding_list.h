// The list of encodings. A new one needs a file in encodings/ and an entry here; nothing else changes.
#pragma once

#include <variant>

#include "core/encodings/alibi.h"
#include "core/encodings/clex.h"
#include "core/encodings/clipped.h"
#include "core/encodings/dynamic_ntk.h"
#include "core/encodings/encoding.h"
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
/// - `formula` of its frequencies, with the paths of fields in braces, or `formula()` if it depends on the fields;
/// - what it redefines of EncodingDefaults.
struct EncodingVariant : std::variant<Rope, NoPE, PRope, Clipped, Partial, Linear, Ntk, DynamicNtk, Yarn, Llama3,
                                      LongRope, Clex, SelfExtend, XPos, RandomRope, Alibi, Sinusoidal> {
    using variant::variant;
};

}  // namespace ropewalk
