#include "core/analysis/entries.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/contributions.h"

namespace ropewalk {

MatrixEntry entry_of_parts(const Problem& problem, int query, int key, std::span<const double> parts,
                           double row_log_sum) {
    const double score = std::accumulate(parts.begin(), parts.end(), 0.0);
    const double logit = problem.logit(score, query, key);
    return {.score = score, .logit = logit, .weight = std::exp(logit - row_log_sum)};
}

MatrixEntry EntryQuestion::answer(const Subject& subject) const {
    const auto parts = contributions(subject.problem, query, key);
    const AttentionView view = subject.backend.attend(
        subject.problem, Viewport::one_to_one({query, query + 1}, {key, key + 1}), subject.cancel);
    return {.score = std::accumulate(parts.begin(), parts.end(), 0.0),
            .logit = view.logits.mean.front(),
            .weight = view.weights.mean.front()};
}

double LeastWeightQuestion::answer(const Subject& subject) const {
    double least = 1;
    const int rows = subject.problem.seq_len;
    for (int row = is_last_row(subject.problem) ? std::max(distance, rows - 1) : distance; row < rows; ++row) {
        const Interval key{row - distance, row - distance + 1};
        least = std::min(
            least, subject.backend.attend(subject.problem, Viewport::one_to_one({row, row + 1}, key), subject.cancel)
                       .weights.mean.front());
    }
    return least;
}

}  // namespace ropewalk
