// How far rows of attention are from those of another head.
#pragma once

#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// The Kullback–Leibler divergence D(p ‖ p_ref) = Σ p ln(p/p_ref) of a row's weights from those of another head, in
/// nats, from the logits of both, [keys] each and at least one: 0 for equal weights, ∞ where a key that has weight has
/// none there, NaN where a logit is.
double row_divergence(std::span<const double> logits, std::span<const double> of_reference);

struct RowDivergence {
    int row = 0;
    double nats = 0;
};

/// Of at most `rows` rows, evenly spread over all, from those of the reference; none where that has another length or
/// cannot be made.
struct RowDivergencesQuestion {
    using Answer = std::vector<RowDivergence>;
    static constexpr auto stage = "divergence of rows";
    static constexpr auto dependence = Dependence::experiment;
    Experiment reference;
    int rows = 0;

    bool operator==(const RowDivergencesQuestion&) const = default;

    /// Of all rows of a head that is no longer than is quick to go through, and of as many as that of a longer one.
    static RowDivergencesQuestion affordable(const Experiment& experiment, const Experiment& reference);
    bool is_job(const Problem& problem) const;
    double cost(const Problem& problem, const Backend& backend) const;
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
