// Constant queries and keys under an encoding of two regimes (Self-Extend): near logits follow from the distance, far
// ones from the difference of groups, so that rows are sums over windows of two series.
#pragma once

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/machine/workspace.h"

namespace ropewalk::cpu {

/// Whether the problem's logits are such, and near enough to each other for one reference of all exponentials: tokens
/// one position apart, near ones as they stand and far ones in groups of one size, nothing but what was before masked,
/// damped or biased.
bool has_grouped_far_keys(const Problem& problem);

/// Multiply-adds of products that take as long as one cell of such a view.
constexpr double cost_of_regime_cell = 1000;
/// Whether the problem is such and its cells are sooner looked up than products are made.
bool is_by_group(const Problem& problem, const Viewport& viewport);

/// The view of such a problem in double, every cell pooled exactly over the entries of its computed rows. Uses the
/// calling thread's TBB arena.
AttentionView attend_by_group(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                              const Cancel& cancel);

}  // namespace ropewalk::cpu
