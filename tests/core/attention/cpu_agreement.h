// The cpu backend's views against brute force, within the promised error.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/cpu/cpu_backend.h"
#include "core/numbers/numbers.h"
#include "tests/core/attention/cpu_brute_force.h"

namespace ropewalk::cpu_test {

inline constexpr double promised = 2e-6;  // error of a logit, in units of 1 + A

inline Viewport whole(const Problem& problem) {
    return Viewport::one_to_one({0, problem.seq_len}, {0, problem.seq_len});
}

/// A weight's relative error is what the logit and the row's log-sum contribute; what underflows in float may be 0.
inline bool is_weight(double found, long double expected, double magnitude) {
    const double error = std::abs(found - static_cast<double>(expected));
    return found >= 0 && found <= 1 + 1e-6 &&
           error <= 2 * promised * (1 + magnitude) * static_cast<double>(expected) + 1e-37;
}

inline bool is_logit(double found, long double expected, double magnitude) {
    if (expected == -infinity) return found == -infinity;
    return std::abs(found - static_cast<double>(expected)) <= promised * (1 + magnitude);
}

/// Compares one cell of a view with its entries.
inline bool cell_agrees(const BruteForce& truth, const AttentionView& view, int down, int across) {
    const Interval rows = view.viewport.shown_rows(down), summed = view.viewport.computed_rows(down),
                   columns = view.viewport.cell_columns(across);
    const auto weight_of = [&](int i, int j) {
        if (view.viewport.row_sampling != RowSampling::one_sum_per_cell || truth.masked(i, j))
            return truth.weights[truth.at(i, j)];
        // Where that row has the same distance its weight is known, however large logits are.
        const int row = summed.begin, key = row - (i - j);
        if (key >= 0 && key < truth.seq_len) return truth.weights[truth.at(row, key)];
        return std::min(1.0L, std::exp(truth.logits[truth.at(i, j)] - truth.row_log_sum[row]));
    };
    long double logits = 0, weights = 0, min_logit = infinity, max_logit = -infinity, min_weight = infinity,
                max_weight = 0;
    double magnitude = 0;
    int unmasked = 0;
    for (int i = rows.begin; i < rows.end; ++i) {
        for (int j = columns.begin; j < columns.end; ++j) {
            const std::size_t at = truth.at(i, j);
            if (summed.contains(i)) weights += truth.weights[at];
            min_weight = std::min(min_weight, weight_of(i, j));
            max_weight = std::max(max_weight, weight_of(i, j));
            if (truth.masked(i, j)) continue;
            ++unmasked;
            logits += truth.logits[at];
            min_logit = std::min(min_logit, truth.logits[at]);
            max_logit = std::max(max_logit, truth.logits[at]);
            magnitude = std::max(magnitude, truth.row_magnitude[i]);
        }
    }
    const std::size_t at = static_cast<std::size_t>(down) * view.viewport.cells_across + across;
    const auto agrees = [&](const auto& found_logits, long double logit, const auto& found_weights,
                            long double weight) {
        return is_logit(found_logits[at], unmasked == 0 ? -infinity : logit, magnitude) &&
               is_weight(found_weights[at], weight, magnitude);
    };
    if (!agrees(view.logits.mean, logits / unmasked, view.weights.mean, weights / (summed.size() * columns.size())))
        return false;
    return view.viewport.is_one_to_one() || (agrees(view.logits.min, min_logit, view.weights.min, min_weight) &&
                                             agrees(view.logits.max, max_logit, view.weights.max, max_weight));
}

inline void expect_view(const BruteForce& truth, const AttentionView& view) {
    const std::size_t cells = static_cast<std::size_t>(view.viewport.cells_down) * view.viewport.cells_across;
    for (const PooledGrid* grid : {&view.logits, &view.weights}) {
        ASSERT_EQ(grid->rows, view.viewport.cells_down);
        ASSERT_EQ(grid->columns, view.viewport.cells_across);
        ASSERT_EQ(grid->mean.size(), cells);
        ASSERT_EQ(grid->min.size(), view.viewport.is_one_to_one() ? 0 : cells);
        ASSERT_EQ(grid->max.size(), grid->min.size());
    }
    std::size_t index = 0;
    for (int down = 0; down < view.viewport.cells_down; ++down) {
        for (int row = view.viewport.computed_rows(down).begin; row < view.viewport.computed_rows(down).end;
             ++row, ++index) {
            ASSERT_EQ(view.row_index.at(index), row);
            ASSERT_NEAR(view.row_max_logit.at(index), static_cast<double>(truth.row_max[row]),
                        promised * (1 + truth.row_magnitude[row]));
            ASSERT_NEAR(view.row_log_sum.at(index), static_cast<double>(truth.row_log_sum[row]),
                        promised * (1 + truth.row_magnitude[row]));
        }
        for (int across = 0; across < view.viewport.cells_across; ++across)
            ASSERT_TRUE(cell_agrees(truth, view, down, across)) << "cell " << down << ", " << across;
    }
    ASSERT_EQ(view.row_index.size(), index);
}

inline void expect_rows_sum_to_one(const AttentionView& view) {
    for (int row = 0; row < view.weights.rows; ++row) {
        double sum = 0;
        for (int column = 0; column < view.weights.columns; ++column)
            sum += view.weights.mean[static_cast<std::size_t>(row) * view.weights.columns + column];
        ASSERT_NEAR(sum, 1, 1e-6) << "row " << row;
    }
}

/// Pooled views of odd shapes, with all rows and with sampled ones.
inline std::vector<Viewport> odd_viewports(const Problem& problem) {
    const int seq_len = problem.seq_len;
    std::vector<RowSampling> samplings{RowSampling::all, RowSampling::one_per_cell};
    if (problem.depends_on_distance_only()) samplings.push_back(RowSampling::one_sum_per_cell);
    const Interval all{0, seq_len}, upper{seq_len / 3, seq_len},
        left{seq_len / 5, std::max(seq_len / 2, seq_len / 5 + 1)};
    std::vector<Viewport> viewports;
    for (const RowSampling sampling : samplings)
        for (const auto& [rows, columns] : {std::pair{all, all}, {upper, left}, {left, upper}})
            for (const int parts : {1, 2, 7, 41})
                viewports.push_back(
                    {rows, columns, std::min(rows.size(), parts), std::min(columns.size(), parts + 2), sampling});
    return viewports;
}

/// The whole matrix, and these views.
inline void expect_agreement(const Problem& problem, Backend& backend, std::span<const Viewport> viewports) {
    const BruteForce truth = brute_force(problem);
    const AttentionView entries = backend.attend(problem, whole(problem), {});
    ASSERT_NO_FATAL_FAILURE(expect_view(truth, entries));
    ASSERT_NO_FATAL_FAILURE(expect_rows_sum_to_one(entries));
    for (const Viewport& viewport : viewports) {
        SCOPED_TRACE(testing::Message() << viewport.cells_down << " × " << viewport.cells_across << " cells of rows "
                                        << viewport.rows.begin << "–" << viewport.rows.end << ", columns "
                                        << viewport.columns.begin << "–" << viewport.columns.end << ", sampling "
                                        << static_cast<int>(viewport.row_sampling));
        ASSERT_NO_FATAL_FAILURE(expect_view(truth, backend.attend(problem, viewport, {})));
    }
}
inline void expect_agreement(const Problem& problem) {
    expect_agreement(problem, *make_cpu_backend(2), odd_viewports(problem));
}

}  // namespace ropewalk::cpu_test
