// The question for a part of the attention matrix.
#pragma once

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Asks for one view of the matrix. `of_scores` asks for rotated q·k over the whole square instead of logits and
/// weights. Rows are sampled if pooling all of them would be too slow for interaction.
struct ViewQuestion : QuestionDefaults {
    using Answer = AttentionView;
    static constexpr auto stage = "attention";
    Viewport viewport;
    bool of_scores = false;

    bool operator==(const ViewQuestion&) const = default;

    /// Returns the view without `row_index` and `row_max_logit`: figures read only the rows' sums.
    Answer answer(const AnalysisContext& context) const;
    /// Returns a view of the same cells with what either question wants; nothing if the cells differ.
    std::optional<ViewQuestion> widened(const ViewQuestion& other) const;
    /// Returns the preview: one row of each cell. If logits depend on more than the distance, also fewer cells or, for
    /// very many keys, only some of the keys.
    ViewQuestion coarsened(const Problem& problem) const;
    double cost(const Problem& problem, const Backend& backend) const {
        return backend.cost(problem, affordable(problem));
    }

  private:
    Viewport affordable(const Problem& problem) const;
};

}  // namespace ropewalk
