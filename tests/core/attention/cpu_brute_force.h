// Attention in long double as its definition reads, to compare backends with: no phases, no tricks, N² memory.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/attention/attention.h"

namespace ropewalk::cpu_test {

/// Every entry of a problem's matrix.
struct BruteForce {
    int seq_len = 0;
    Mask mask = Mask::causal;
    int window = 0;
    std::vector<long double> logits, weights;  // [seq_len, seq_len]; −∞ and 0 where masked
    std::vector<double> magnitude;  // [seq_len, seq_len], A = scale · Σ_t ‖q^(t)‖‖k^(t)‖ ÷ temperature
    std::vector<long double> row_max, row_log_sum;
    std::vector<double> row_magnitude;  // the greatest A of a row's unmasked entries

    bool masked(int row, int column) const {
        return (mask != Mask::none && column > row) || (mask == Mask::window && column <= row - window);
    }
    std::size_t at(int row, int column) const { return static_cast<std::size_t>(row) * seq_len + column; }
};

/// Rows at their positions: rotated, or with waves added.
inline std::vector<long double> rotated_rows(const Problem& problem, const RowSource& source, const PositionMap& map) {
    const int head_dim = problem.head_dim();
    std::vector<long double> rows;
    std::vector<double> row(static_cast<std::size_t>(head_dim));
    for (int token = 0; token < problem.seq_len; ++token) {
        source.read(token, row);
        const long double position =
            std::floor(static_cast<long double>(problem.position(token)) / map.group) + map.offset;
        for (int channel = 0; channel < static_cast<int>(problem.lowered.added_waves.size()); ++channel) {
            const int wave = problem.lowered.added_waves[channel];
            const long double angle = position * problem.lowered.inv_freq[wave / 2];
            rows.push_back(row[channel] + (wave % 2 == 0 ? std::sin(angle) : std::cos(angle)));
        }
        if (!problem.lowered.added_waves.empty()) continue;
        for (int pair = 0; pair < head_dim / 2; ++pair) {
            const long double angle = position * problem.lowered.inv_freq[pair], x = row[2 * pair],
                              y = row[2 * pair + 1];
            rows.push_back(x * std::cos(angle) - y * std::sin(angle));
            rows.push_back(x * std::sin(angle) + y * std::cos(angle));
        }
    }
    return rows;
}

/// ‖row^(t)‖ of every token and pair, [seq_len, head_dim / 2]; rotation does not change them.
inline std::vector<long double> pair_norms(const std::vector<long double>& rotated) {
    std::vector<long double> norms;
    for (std::size_t i = 0; i < rotated.size(); i += 2)
        norms.push_back(std::sqrt(rotated[i] * rotated[i] + rotated[i + 1] * rotated[i + 1]));
    return norms;
}

inline BruteForce brute_force(const Problem& problem) {
    const int n = problem.seq_len, head_dim = problem.head_dim();
    const LoweredEncoding& lowered = problem.lowered;
    const long double factor =
        static_cast<long double>(lowered.attention_scaling) * lowered.attention_scaling * problem.scale;
    BruteForce truth{.seq_len = n,
                     .mask = problem.mask,
                     .window = problem.window,
                     .logits = {},
                     .weights = {},
                     .magnitude = {},
                     .row_max = {},
                     .row_log_sum = {},
                     .row_magnitude = {}};
    truth.logits.resize(static_cast<std::size_t>(n) * n);
    truth.weights.resize(truth.logits.size());
    truth.magnitude.resize(truth.logits.size());
    const Regime far_maps = lowered.far ? lowered.far->maps : lowered.near;
    const auto near_q = rotated_rows(problem, problem.inputs.q, lowered.near.query),
               near_k = rotated_rows(problem, problem.inputs.k, lowered.near.key);
    const auto far_q = rotated_rows(problem, problem.inputs.q, far_maps.query),
               far_k = rotated_rows(problem, problem.inputs.k, far_maps.key);
    const auto q_norms = pair_norms(near_q), k_norms = pair_norms(near_k);
    for (int i = 0; i < n; ++i) {
        long double max = -std::numeric_limits<long double>::infinity();
        double row_magnitude = 0;
        for (int j = 0; j < n; ++j) {
            const std::int64_t distance = problem.position(i) - problem.position(j);
            const bool far = lowered.far && distance >= lowered.far->window;
            const long double* q = (far ? far_q : near_q).data() + static_cast<std::size_t>(i) * head_dim;
            const long double* k = (far ? far_k : near_k).data() + static_cast<std::size_t>(j) * head_dim;
            long double score = 0, magnitude = 0;
            for (int pair = 0; pair < head_dim / 2; ++pair) {
                const long double left =
                    lowered.damping.empty() ? 1 : std::exp(-lowered.damping[pair] * static_cast<long double>(distance));
                score += left * (q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1]);
                magnitude += left * q_norms[static_cast<std::size_t>(i) * (head_dim / 2) + pair] *
                             k_norms[static_cast<std::size_t>(j) * (head_dim / 2) + pair];
            }
            long double& logit = truth.logits[truth.at(i, j)];
            logit = factor * score - static_cast<long double>(lowered.bias_slope) * static_cast<long double>(distance);
            if (problem.softcap != 0) logit = problem.softcap * std::tanh(logit / problem.softcap);
            logit /= problem.temperature;
            truth.magnitude[truth.at(i, j)] = static_cast<double>(factor * magnitude / problem.temperature);
            if (truth.masked(i, j)) {
                logit = -std::numeric_limits<long double>::infinity();
            } else {
                max = std::max(max, logit);
                row_magnitude = std::max(row_magnitude, truth.magnitude[truth.at(i, j)]);
            }
        }
        long double sum = 0;
        for (int j = 0; j < n; ++j)
            sum += truth.weights[truth.at(i, j)] =
                truth.masked(i, j) ? 0 : std::exp(truth.logits[truth.at(i, j)] - max);
        for (int j = 0; j < n; ++j) truth.weights[truth.at(i, j)] /= sum;
        truth.row_max.push_back(max);
        truth.row_log_sum.push_back(max + std::log(sum));
        truth.row_magnitude.push_back(row_magnitude);
    }
    return truth;
}

/// Rotary frequencies base^(−2t/d) of a head.
inline std::vector<long double> rotary_frequencies(int head_dim, long double base = 10000) {
    std::vector<long double> inv_freq;
    for (int pair = 0; pair < head_dim / 2; ++pair) inv_freq.push_back(std::pow(base, -2.0L * pair / head_dim));
    return inv_freq;
}

/// Rows whose entries are independent normal numbers.
inline RowSource random_rows(int seq_len, int head_dim, double deviation, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, deviation);
    auto entries = std::make_shared<std::vector<double>>(static_cast<std::size_t>(seq_len) * head_dim);
    for (double& entry : *entries) entry = normal(random);
    return RowSource::of([=](int token, std::span<double> row) {
        std::copy_n(entries->begin() + static_cast<std::ptrdiff_t>(token) * head_dim, head_dim, row.begin());
    });
}

/// The same row, read as content: the problem does not depend on the distance only as far as a backend can see.
inline RowSource repeated_row(std::vector<double> values) {
    return RowSource::of([values = std::move(values)](int, std::span<double> row) {
        std::copy(values.begin(), values.end(), row.begin());
    });
}

inline std::vector<double> random_row(int head_dim, double deviation, unsigned seed) {
    std::vector<double> row(static_cast<std::size_t>(head_dim));
    random_rows(1, head_dim, deviation, seed).read(0, row);
    return row;
}

}  // namespace ropewalk::cpu_test
