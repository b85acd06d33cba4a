// What the proofs of the bundled scenes share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "core/analysis/encodings/base_bound.h"
#include "core/analysis/encodings/number_formats.h"
#include "core/analysis/encodings/phasor_bound.h"
#include "core/analysis/encodings/phasors.h"
#include "core/analysis/encodings/position_map.h"
#include "core/analysis/encodings/properties.h"
#include "core/analysis/encodings/random_positions.h"
#include "core/analysis/encodings/robustness.h"
#include "core/analysis/encodings/rotation.h"
#include "core/analysis/fit/bands.h"
#include "core/analysis/heads/alignment.h"
#include "core/analysis/heads/attention_row.h"
#include "core/analysis/heads/contributions.h"
#include "core/analysis/heads/decay.h"
#include "core/analysis/heads/dominance.h"
#include "core/analysis/heads/frequency_usage.h"
#include "core/analysis/heads/row_statistics.h"
#include "core/analysis/heads/top_pairs.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "core/io/files.h"
#include "tests/core/analysis/ask.h"

namespace ropewalk {

inline constexpr double pi = std::numbers::pi;

/// Visits the entries of a part of the matrix as each backend computes them.
template <class F>
inline void on_both_backends(const Experiment& experiment, Interval queries, Interval keys, F&& visit) {
    const Problem problem = make_problem(experiment);
    for (const char* id : {"reference", "cpu"}) {
        SCOPED_TRACE(id);
        visit(open_backend(id, 2)->attend(problem, Viewport::one_to_one(queries, keys), {}));
    }
}

inline void expect_weight(const Experiment& experiment, int query, int key, double weight, double within) {
    on_both_backends(experiment, {query, query + 1}, {key, key + 1},
                     [&](const AttentionView& view) { EXPECT_NEAR(view.weights.mean[0], weight, within); });
}

/// In every row from `first` on the key `distance` tokens back gets more than `least`: all rows as cpu computes them,
/// and the last, which sees most keys, as reference does.
inline void expect_every_row_attends(const Experiment& experiment, int first, int distance, double min) {
    const int n = experiment.seq_len;
    const Problem problem = make_problem(experiment);
    const AttentionView view = open_backend("cpu", 2)->attend(problem, Viewport::one_to_one({0, n}, {0, n}), {});
    for (int i = first; i < n; ++i) EXPECT_GT(view.weights.mean[i * n + i - distance], min) << "row " << i;
    expect_weight(experiment, n - 1, n - 1 - distance, (1 + min) / 2, (1 - min) / 2);
}

inline double logit(const Experiment& experiment, int query, int key) {
    return make_reference_backend()
        ->attend(make_problem(experiment), Viewport::one_to_one({query, query + 1}, {key, key + 1}), {})
        .logits.mean[0];
}

inline Decay decay_of(const Experiment& experiment) {
    return decay(make_problem(experiment), *make_reference_backend(), {});
}

/// The first distance of a negative mean, or −1.
inline int first_negative(const Decay& decay) {
    const auto found = std::find_if(decay.mean.begin(), decay.mean.end(), [](double mean) { return mean < 0; });
    return found == decay.mean.end() ? -1 : decay.first_distance + static_cast<int>(found - decay.mean.begin());
}

inline int max_at(const Decay& decay) {
    return decay.first_distance +
           static_cast<int>(std::max_element(decay.mean.begin(), decay.mean.end()) - decay.mean.begin());
}

/// w = base^(−2t/d) of every pair, in double.
inline std::vector<double> ladder(double base, int head_dim) {
    std::vector<double> w;
    for (int t = 0; t < head_dim / 2; ++t) w.push_back(std::pow(base, -2.0 * t / head_dim));
    return w;
}

/// Σ cos(r·w).
inline double sum_of_cosines(const std::vector<double>& w, double r) {
    double sum = 0;
    for (const double frequency : w) sum += std::cos(r * frequency);
    return sum;
}

inline std::vector<double> read_row(const RowSource& rows, int token, int head_dim) {
    std::vector<double> row(static_cast<std::size_t>(head_dim));
    rows.read(token, row);
    return row;
}

/// Squared norm of every pair of a row in pair order.
inline std::vector<double> pair_norms(const std::vector<double>& row) {
    std::vector<double> norms;
    for (std::size_t t = 0; t < row.size() / 2; ++t)
        norms.push_back(row[2 * t] * row[2 * t] + row[2 * t + 1] * row[2 * t + 1]);
    return norms;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline double norm_for(const Experiment& experiment, int target) {
    return norm_needed(target_gaps(make_problem(experiment), target, experiment.seq_len, {}), 0.01).value_or(0);
}

inline EncodingProperties properties_of(const Experiment& experiment) {
    return ask(PropertiesQuestion{}, make_problem(experiment)).value();
}

/// 1 for a pair that an encoding leaves alone, s for one that it slows s times.
inline std::vector<double> divisors(const Experiment& experiment, double base) {
    const auto slowed = make_problem(experiment).lowered.inv_freq;
    auto w = ladder(base, experiment.head_dim);
    for (std::size_t t = 0; t < w.size(); ++t) w[t] /= static_cast<double>(slowed[t]);
    return w;
}

/// How many are a value, to rounding.
inline int count_of(const std::vector<double>& values, double value) {
    return static_cast<int>(std::count_if(values.begin(), values.end(),
                                          [=](double each) { return std::abs(each - value) < 1e-9 * value; }));
}

/// Mean 0 and variance 1 at every distance, within five standard errors of the scene's samples (B, Prop. 3.2).
inline void expect_gaussian(const Experiment& experiment) {
    const Decay found = decay_of(experiment);
    for (std::size_t r = 0; r < found.mean.size(); ++r) {
        EXPECT_LT(std::abs(found.mean[r]), 5 / std::sqrt(found.samples)) << r;
        EXPECT_LT(std::abs(found.sigma[r] * found.sigma[r] - 1), 5 * std::sqrt(2.0 / found.samples)) << r;
    }
}

/// The last query scores Σ_{t ≥ d₀/2} ‖s_t‖² cos(r·w_t) with w_t = base^(−2t/(d−2)), r tokens back (W, experiment 3);
/// `left` is the part of the nearest key's score that the farthest has.
inline void expect_semantic(const Experiment& experiment, int d0, double left) {
    const auto s = pair_norms(read_row(make_problem(experiment).inputs.q, experiment.seq_len - 1, 64));
    EXPECT_NEAR(std::accumulate(s.begin(), s.end(), 0.0), 16, 1e-12);
    const Decay found = decay_of(experiment);
    ASSERT_EQ(found.first_distance, 1);
    for (const int r : {1, 2, 10, 100, 500, 999}) {
        double score = 0;
        for (int t = d0 / 2; t < 32; ++t) score += s[t] * std::cos(r * std::pow(10'000.0, -2.0 * t / 62));
        EXPECT_NEAR(found.mean[r - 1], score, 1e-9) << r;
    }
    EXPECT_NEAR(found.mean.back() / found.mean.front(), left, 0.0005);
}

/// Norms of queries along the pairs of a head, ‖q_t‖².
inline std::vector<double> query_usage(const Experiment& experiment) {
    const FrequencyUsage usage = ask(UsageQuestion{.cells = 1}, make_problem(experiment));
    std::vector<double> squares;
    for (const double norm : usage.query) squares.push_back(norm * norm);
    return squares;
}

inline double share(const std::vector<double>& values, std::size_t first, std::size_t end) {
    return std::accumulate(values.begin() + first, values.begin() + end, 0.0) /
           std::accumulate(values.begin(), values.end(), 0.0);
}

using Proofs = std::map<std::string, void (*)(const Experiment&)>;

// Each adds the proofs of some scenes.
void add_barbero(Proofs& proofs);
void add_wendler(Proofs& proofs);
void add_hong(Proofs& proofs);
void add_decay_and_bases(Proofs& proofs);
void add_encodings(Proofs& proofs);
void add_models(Proofs& proofs);
void add_training(Proofs& proofs);

}  // namespace ropewalk
