#include "core/attention/backend.h"

#include <algorithm>

namespace ropewalk {

void Backend::fill(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, const Cancel& cancel) {
    constexpr int band_entries = 1 << 20;  // in memory in double
    const bool of_weights = entries == MatrixEntries::weights;
    matrix.resize(problem.seq_len);
    matrix.above_diagonal.reset();
    const int band = std::max(1, band_entries / problem.seq_len);
    for (int begin = 0; begin < problem.seq_len; begin += band) {
        const Interval rows{begin, std::min(begin + band, problem.seq_len)};
        Viewport viewport = Viewport::one_to_one(rows, {0, problem.seq_len});
        viewport.content = {.logits = !of_weights, .weights = of_weights, .mean = true, .min = false, .max = false};
        const AttentionView view = attend(problem, viewport, cancel);
        const Numbers& seen = of_weights ? view.weights.mean : view.logits.mean;
        std::transform(seen.begin(), seen.end(), matrix.row(begin).data(),
                       [](double entry) { return static_cast<float>(entry); });
    }
}

}  // namespace ropewalk
