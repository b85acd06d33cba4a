#include "core/analysis/heads/contributions.h"

namespace ropewalk {

std::vector<double> contributions(const Problem& problem, int query, int key) {
    const LoweredEncoding& lowered = problem.lowered;
    const std::int64_t distance = problem.position(query) - problem.position(key);
    const Regime& maps = lowered.maps_at(distance);
    std::vector<double> q(static_cast<std::size_t>(problem.head_dim())), k(q.size()), parts(q.size() / 2);
    problem.inputs.q.read(query, q);
    problem.inputs.k.read(key, k);
    encode(q, lowered, maps.query, problem.position(query));
    encode(k, lowered, maps.key, problem.position(key));
    const double scaling = lowered.score_scaling();
    for (std::size_t pair = 0; pair < parts.size(); ++pair)
        parts[pair] = scaling * lowered.left_over(static_cast<int>(pair), distance) *
                      (q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1]);
    return parts;
}

}  // namespace ropewalk
