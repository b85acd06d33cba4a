// Weights that are NaN or infinite. They are looked for where numbers that follow from them turn out so, because
// reading all weights of a large model would take too long.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.h"
#include "core/models/model.h"

namespace ropewalk {

/// The numbers of one tensor that are NaN or infinite.
struct NotFinite {
    std::string tensor;  // "FILE: tensor 'NAME'"
    std::int64_t count = 0;
    std::string first;  // "[0, 5]"

    /// Returns "FILE: tensor 'NAME' holds 3 values that are NaN or infinite, the first at [0, 5]".
    std::string sentence() const;
};

/// Stages of a forward pass, in order; each needs what the stages before it need.
inline constexpr int embedding_stage = 0;
inline constexpr int inputs_stage_of(int layer) {  // its queries and keys
    return 1 + 2 * layer;
}
inline constexpr int stream_stage_after(int layer) {
    return 2 + 2 * layer;
}
inline constexpr int output_stage = 1 << 30;

bool all_finite(std::span<const float> numbers);

/// Returns the first tensor with such numbers among those that a run over the tokens needs up to a stage, in the order
/// of their use; empty if there is none. Throws Cancelled and IoError.
std::optional<NotFinite> first_not_finite(const Model& model, std::span<const int> tokens, int last_stage,
                                          const Cancel& cancel = {});
/// Returns every tensor with such numbers. Throws like `first_not_finite`.
std::vector<NotFinite> all_not_finite(const Model& model, const Cancel& cancel = {});

/// Throws InputError, which says why numbers of a stage are not finite, and what to do.
[[noreturn]] void reject_not_finite(const Model& model, std::span<const int> tokens, int last_stage,
                                    const Cancel& cancel);

}  // namespace ropewalk
