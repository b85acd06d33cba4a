#include "core/analysis/heads/contributions.h"

namespace ropewalk {

std::vector<double> pair_products(std::span<const double> q, std::span<const double> k) {
    std::vector<double> products(q.size() / 2);
    for (std::size_t pair = 0; pair < products.size(); ++pair)
        products[pair] = q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1];
    return products;
}

EncodedRows encoded_rows(const Problem& problem, int query, int key) {
    const std::int64_t m = problem.position(query), n = problem.position(key);
    const Regime& maps = problem.lowered.maps_at(m - n);
    EncodedRows rows{problem.query(query), problem.key(key)};
    encode(rows.q, problem.lowered, maps.query, m);
    encode(rows.k, problem.lowered, maps.key, n);
    return rows;
}

std::vector<double> contributions(const Problem& problem, int query, int key) {
    const LoweredEncoding& lowered = problem.lowered;
    const std::int64_t distance = problem.position(query) - problem.position(key);
    const EncodedRows rows = encoded_rows(problem, query, key);
    const double scaling = lowered.score_scaling();
    std::vector<double> parts = pair_products(rows.q, rows.k);
    for (std::size_t pair = 0; pair < parts.size(); ++pair)
        parts[pair] *= scaling * lowered.left_over(static_cast<int>(pair), distance);
    return parts;
}

}  // namespace ropewalk
