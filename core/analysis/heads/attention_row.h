// One row of the attention matrix.
#pragma once

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// One row of attention over all keys; masked logits are −∞.
struct AttentionRow {
    int query = 0;
    Numbers logits, weights;
};

inline AttentionRow attention_row(const Problem& problem, int query, Backend& backend, const Cancel& cancel) {
    AttentionView view =
        backend.attend(problem, Viewport::one_to_one({query, query + 1}, {0, problem.seq_len}), cancel);
    return {query, std::move(view.logits.mean), std::move(view.weights.mean)};
}

/// Asks for the row of the cursor's query.
struct RowQuestion : QuestionDefaults {
    using Answer = AttentionRow;
    static constexpr auto stage = "row";

    bool operator==(const RowQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_query(head); }
    Answer answer(const AnalysisContext& context) const {
        return attention_row(context.problem, context.cursor.query, context.backend, context.cancel);
    }
};

}  // namespace ropewalk
