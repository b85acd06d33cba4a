// Constant queries and keys under an encoding of two regimes (Self-Extend): near logits follow from the distance, far
// ones from the difference of groups, so that rows are sums over windows of two series.
#pragma once

#include <optional>

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/workspace.h"

namespace ropewalk::cpu {

/// Whether the problem's logits are such: tokens one position apart, near ones as they stand and far ones in groups of
/// one size, nothing but what was before masked, damped or biased.
bool has_grouped_far_keys(const Problem& problem);

/// The view of such a problem in double, every cell pooled exactly over the entries of its computed rows, in O(seq_len +
/// rows · cells); nothing where the logits spread so far that no one reference serves their exponentials. Uses the
/// calling thread's TBB arena.
std::optional<AttentionView> attend_by_group(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                                             const Cancel& cancel);

}  // namespace ropewalk::cpu
