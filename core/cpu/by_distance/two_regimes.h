// Constant queries and keys under an encoding with two regimes (Self-Extend): near logits depend on the distance, far
// ones on the difference of groups, so rows are sums over windows of two series.
#pragma once

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/machine/workspace.h"

namespace ropewalk::cpu {

/// Returns whether a problem has such logits, close enough to each other for one reference of all exponentials: tokens
/// one position apart, near tokens not grouped and far ones in groups of one size, a causal mask, no damping and no
/// bias.
bool has_grouped_far_keys(const Problem& problem);

/// The work of one cell of such a view, in multiply-adds of products.
constexpr double cost_of_regime_cell = 1000;
/// Returns whether a problem has such logits and its cells are computed faster from windows than from products.
bool is_by_group(const Problem& problem, const Viewport& viewport);

/// Returns the view of such a problem in double, every cell pooled exactly over the entries of its computed rows. Uses
/// the calling thread's TBB arena.
AttentionView attend_by_group(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                              const Cancel& cancel);

}  // namespace ropewalk::cpu
