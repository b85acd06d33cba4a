#include "core/analysis/heads/attention_row.h"

namespace ropewalk {

AttentionRow attention_row(const Problem& problem, int query, Backend& backend, const Cancel& cancel) {
    AttentionView view =
        backend.attend(problem, Viewport::one_to_one({query, query + 1}, {0, problem.seq_len}), cancel);
    return {query, std::move(view.logits.mean), std::move(view.weights.mean)};
}

}  // namespace ropewalk
