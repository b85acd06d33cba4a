#include "core/analysis/heads/contributions.h"

namespace ropewalk {

std::vector<double> pair_products(std::span<const double> q, std::span<const double> k) {
    std::vector<double> products(q.size() / 2);
    for (std::size_t pair = 0; pair < products.size(); ++pair)
        products[pair] = q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1];
    return products;
}

std::vector<double> contributions(const Problem& problem, int query, int key) {
    const LoweredEncoding& lowered = problem.lowered;
    const std::int64_t distance = problem.position(query) - problem.position(key);
    const Regime& maps = lowered.maps_at(distance);
    std::vector<double> q = problem.query(query), k = problem.key(key);
    encode(q, lowered, maps.query, problem.position(query));
    encode(k, lowered, maps.key, problem.position(key));
    const double scaling = lowered.score_scaling();
    std::vector<double> parts = pair_products(q, k);
    for (std::size_t pair = 0; pair < parts.size(); ++pair)
        parts[pair] *= scaling * lowered.left_over(static_cast<int>(pair), distance);
    return parts;
}

}  // namespace ropewalk
