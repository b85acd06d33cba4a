// The divergence of attention rows from those of another head.
#pragma once

#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Returns the Kullback–Leibler divergence D(p ‖ p_ref) = Σ p ln(p/p_ref) of a row's weights from those of the
/// reference, in nats. Takes the logits of both, [keys] each, at least one. 0 for equal weights; ∞ if a key with weight
/// has none in the reference; NaN if a logit is NaN.
double row_divergence(std::span<const double> logits, std::span<const double> of_reference);

struct RowDivergence {
    int row = 0;
    double nats = 0;
};

/// Asks for the divergence from `reference` of at most `rows` evenly spread rows. The answer is empty if the reference
/// has another length or is invalid.
struct RowDivergencesQuestion : QuestionDefaults {
    using Answer = std::vector<RowDivergence>;
    static constexpr auto stage = "divergence of rows";
    Experiment reference;
    int rows = 0;

    bool operator==(const RowDivergencesQuestion&) const = default;

    /// Returns the question for all rows of a short head, and for a limited number of rows of a longer one.
    static RowDivergencesQuestion affordable(const Experiment& experiment, const Experiment& reference);
    bool is_job(const Problem& problem) const;
    double cost(const Problem& problem, const Backend& backend) const;
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
