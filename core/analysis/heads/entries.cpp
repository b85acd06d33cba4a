#include "core/analysis/heads/entries.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/heads/contributions.h"

namespace ropewalk {

MatrixEntry entry_of_parts(const Problem& problem, int query, int key, std::span<const double> parts,
                           double row_log_sum) {
    const double score = std::accumulate(parts.begin(), parts.end(), 0.0);
    const double logit = problem.logit(score, query, key);
    return {.score = score, .logit = logit, .weight = std::exp(logit - row_log_sum)};
}

MatrixEntry EntryQuestion::answer(const AnalysisContext& context) const {
    const auto parts = contributions(context.problem, query, key);
    const AttentionView view = context.backend.attend(
        context.problem, Viewport::one_to_one({query, query + 1}, {key, key + 1}), context.cancel);
    return {.score = std::accumulate(parts.begin(), parts.end(), 0.0),
            .logit = view.logits.mean.front(),
            .weight = view.weights.mean.front()};
}

double MinWeightQuestion::answer(const AnalysisContext& context) const {
    double min = 1;
    const int rows = context.problem.seq_len;
    for (int row = is_last_row(context.problem) ? std::max(distance, rows - 1) : distance; row < rows; ++row) {
        const Interval key{row - distance, row - distance + 1};
        min = std::min(
            min, context.backend.attend(context.problem, Viewport::one_to_one({row, row + 1}, key), context.cancel)
                     .weights.mean.front());
    }
    return min;
}

}  // namespace ropewalk
