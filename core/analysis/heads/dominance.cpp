#include "core/analysis/heads/dominance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>

#include "core/analysis/heads/contributions.h"
#include "core/analysis/heads/sampling.h"
#include "core/analysis/heads/spearman.h"

namespace ropewalk {
namespace {

/// Returns the `most` seen keys with the highest logits, nearest first among equals.
std::vector<int> top_keys(const RowView& row, Interval seen, int most) {
    std::vector<int> keys(static_cast<std::size_t>(seen.size()));
    std::iota(keys.begin(), keys.end(), seen.begin);
    const auto kept = keys.begin() + std::min(most, seen.size());
    std::partial_sort(keys.begin(), kept, keys.end(), [&](int a, int b) {
        const double x = row.logits[a], y = row.logits[b];
        return x != y ? x > y : std::abs(row.row - a) < std::abs(row.row - b);
    });
    keys.erase(kept, keys.end());
    return keys;
}

std::vector<double> unrotated_contributions(const Problem& problem, int query, int key) {
    std::vector<double> parts = pair_products(problem.query(query), problem.key(key));
    for (double& part : parts) part *= problem.lowered.score_scaling();
    return parts;
}

}  // namespace

double dominant_dimension(std::span<const double> contributions) {
    const double max = *std::max_element(contributions.begin(), contributions.end());
    double sum = 0, moment = 0;
    for (std::size_t t = 0; t < contributions.size(); ++t) {
        const double share = std::exp(contributions[t] - max);
        sum += share;
        moment += share * static_cast<double>(t);
    }
    return moment / sum;
}

Dominance DominanceQuestion::answer(const AnalysisContext& context) const {
    constexpr int most_queries = 512;  // evenly spread
    const Problem& problem = context.problem;
    std::map<int, Dominance::Point> means;
    Dominance result;
    for_each_row(problem, {0, problem.seq_len}, most_queries, context.backend, context.cancel, [&](const RowView& row) {
        context.cancel.check();
        ++result.queries;
        const int query = row.row;
        for (const int key : top_keys(row, problem.seen_keys(query), keys_per_query)) {
            Dominance::Point& mean = means[query - key];
            ++mean.count;  // a running mean, which equal values leave unchanged
            const auto add = [&](double& to, const std::vector<double>& parts) {
                to += (dominant_dimension(parts) - to) / mean.count;
            };
            add(mean.rotated, contributions(problem, query, key));
            add(mean.unrotated, unrotated_contributions(problem, query, key));
        }
    });
    std::vector<double> distances, rotated, unrotated;
    for (auto& [distance, mean] : means) {
        mean.distance = distance;
        result.by_distance.push_back(mean);
        distances.push_back(distance);
        rotated.push_back(mean.rotated);
        unrotated.push_back(mean.unrotated);
    }
    result.correlation = spearman(distances, rotated);
    result.unrotated_correlation = spearman(distances, unrotated);
    return result;
}

}  // namespace ropewalk
