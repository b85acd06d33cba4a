// A part of the attention matrix, as a question.
#pragma once

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// One view of the matrix. `of_scores` asks for rotated q·k over the whole square instead of logits and weights. Rows
/// are sampled where pooling all of them would cost too much to be live.
struct ViewQuestion {
    using Answer = AttentionView;
    static constexpr auto stage = "attention";
    static constexpr auto dependence = Dependence::experiment;
    Viewport viewport;
    bool of_scores = false;

    bool operator==(const ViewQuestion&) const = default;

    /// Without `row_index` and `row_greatest_logit`: figures read the rows' sums alone.
    Answer answer(const AnalysisContext& context) const;
    /// A view of the same cells that keeps of them what either wants.
    std::optional<ViewQuestion> widened(const ViewQuestion& other) const;
    /// One row of each cell; where the logits follow from more than the distance, of few cells or, where there are very
    /// many keys, of some of them.
    ViewQuestion coarsened(const Problem& problem) const;
    double cost(const Problem& problem, const Backend& backend) const {
        return backend.cost(problem, affordable(problem));
    }

  private:
    Viewport affordable(const Problem& problem) const;
};

}  // namespace ropewalk
