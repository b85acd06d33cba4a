#include "core/analysis/heads/top_pairs.h"

#include <algorithm>
#include <numeric>

#include "core/analysis/heads/contributions.h"

namespace ropewalk {
namespace {

/// Returns point n of the sequence with steps 1/g and 1/g², g³ = g + 1 (Roberts' R2), as tokens; exact in 32-bit
/// fractions.
std::pair<int, int> spread_cell(std::uint32_t n, int seq_len) {
    const auto token = [&](std::uint32_t step) {
        return static_cast<int>(std::uint64_t{n * step} * static_cast<std::uint64_t>(seq_len) >> 32);
    };
    return {token(3242174889u), token(2447445414u)};
}

/// Returns query and key of at most `most` unmasked entries: all of them, if there are no more.
std::vector<std::pair<int, int>> sampled_entries(const Problem& problem, int most) {
    std::vector<std::pair<int, int>> cells;
    if (unmasked_cells(problem) <= most) {
        for (int query = 0; query < problem.seq_len; ++query)
            for (int key = 0; key < problem.visible_keys(query); ++key) cells.emplace_back(query, key);
        return cells;
    }
    for (int cell = 0; cell < most; ++cell) {
        auto [query, key] = spread_cell(static_cast<std::uint32_t>(cell) + 1, problem.seq_len);
        if (key >= problem.visible_keys(query)) std::swap(query, key);  // folds the square onto the triangle
        cells.emplace_back(query, key);
    }
    return cells;
}

}  // namespace

std::int64_t unmasked_cells(const Problem& problem) {
    const std::int64_t rows = problem.seq_len;
    return problem.mask == Mask::causal ? rows * (rows + 1) / 2 : rows * rows;
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
