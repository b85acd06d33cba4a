#include "core/analysis/heads/top_pairs.h"

#include <algorithm>
#include <numeric>

#include "core/analysis/heads/contributions.h"

namespace ropewalk {
namespace {

/// Returns point n of the sequence with steps 1/g and 1/g², g³ = g + 1 (Roberts' R2), in down × across entries; exact
/// in 32-bit fractions.
std::pair<int, int> spread_cell(std::uint32_t n, int down, int across) {
    const auto place = [&](std::uint32_t step, int count) {
        return static_cast<int>(std::uint64_t{n * step} * static_cast<std::uint64_t>(count) >> 32);
    };
    return {place(3242174889u, down), place(2447445414u, across)};
}

/// Returns query and key of at most `most` unmasked entries: all of them, if there are no more.
std::vector<std::pair<int, int>> sampled_entries(const Problem& problem, int most) {
    std::vector<std::pair<int, int>> cells;
    if (unmasked_cells(problem) <= most) {
        for (int query = 0; query < problem.seq_len; ++query)
            for (int key = problem.seen_keys(query).begin; key < problem.seen_keys(query).end; ++key)
                cells.emplace_back(query, key);
        return cells;
    }
    const bool is_band = problem.mask == Mask::window;
    const int across = problem.most_seen_keys();
    for (std::uint32_t point = 1; std::ssize(cells) < most; ++point) {
        auto [query, key] = spread_cell(point, problem.seq_len, across);
        if (is_band) key = query - key;  // shears the rectangle onto the band, of which the first rows lack a part
        if (key < 0) continue;
        if (key >= problem.seen_keys(query).end) std::swap(query, key);  // folds the square onto the triangle
        cells.emplace_back(query, key);
    }
    return cells;
}

}  // namespace

std::int64_t unmasked_cells(const Problem& problem) {
    const std::int64_t rows = problem.seq_len, most = problem.most_seen_keys();
    return problem.mask == Mask::none ? rows * rows : most * (most + 1) / 2 + (rows - most) * most;
}

std::vector<double> TopPairsQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    const int pairs = problem.lowered.pairs(), kept = std::min(top, pairs);
    std::vector<int> counts(static_cast<std::size_t>(pairs)), order(counts.size());
    const std::vector<std::pair<int, int>> looked_at = sampled_entries(problem, cells);
    for (std::size_t cell = 0; cell < looked_at.size(); ++cell) {
        if (cell % 64 == 0) context.cancel.check();
        const auto [query, key] = looked_at[cell];
        const auto parts = contributions(problem, query, key);
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + kept, order.end(),
                          [&](int a, int b) { return parts[a] != parts[b] ? parts[a] > parts[b] : a < b; });
        for (int i = 0; i < kept; ++i) ++counts[order[i]];
    }
    std::vector<double> shares;
    for (const int count : counts)
        shares.push_back(static_cast<double>(count) / (static_cast<double>(looked_at.size()) * kept));
    return shares;
}

}  // namespace ropewalk
