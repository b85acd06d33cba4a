// How strongly queries and keys use each frequency: the norms of their pairs (Barbero et al. 2024, section 4).
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// ‖q^(t)‖ and ‖k^(t)‖: mean norm of each pair over the tokens of a cell, [head_dim / 2, cells] each.
struct FrequencyUsage {
    int cells = 0, pairs = 0;
    int tokens_per_cell = 0;  // tokens read per cell: all, or evenly spread ones
    std::vector<double> query, key;
};

/// Asks for the usage of some tokens, or of all if `tokens` is empty, pooled to `cells` cells (1 … their number).
struct UsageQuestion : QuestionDefaults {
    using Answer = FrequencyUsage;
    static constexpr auto stage = "usage";
    int cells = 0;
    Interval tokens{};

    bool operator==(const UsageQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
