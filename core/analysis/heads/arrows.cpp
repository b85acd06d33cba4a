#include "core/analysis/heads/arrows.h"

#include "core/analysis/heads/contributions.h"

namespace ropewalk {

std::vector<TurningArrows> turning_arrows(const Problem& problem, int query, int key) {
    const LoweredEncoding& lowered = problem.lowered;
    const std::int64_t distance = problem.position(query) - problem.position(key);
    const std::vector<double> q = problem.query(query), k = problem.key(key);
    const EncodedRows encoded = encoded_rows(problem, query, key);
    const auto arrow = [](const std::vector<double>& row, int pair) {
        return std::complex<double>{row[static_cast<std::size_t>(2 * pair)],
                                    row[static_cast<std::size_t>(2 * pair) + 1]};
    };
    std::vector<TurningArrows> arrows;
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double factor = std::sqrt(lowered.score_scaling() * lowered.left_over(pair, distance));
        arrows.push_back({.before = {arrow(q, pair), arrow(k, pair)},
                          .after = {factor * arrow(encoded.q, pair), factor * arrow(encoded.k, pair)}});
    }
    return arrows;
}

}  // namespace ropewalk
