// Every bundled scene shows something that a source says in numbers: here is the number, computed from the scene's own
// experiment. A published value is met within its printed digits; where a source gives a formula, it is written out
// here. B: Barbero et al. 2024 (arXiv:2410.06205), W: Wendler's notes, H: Hong et al. 2024, M: Men et al. 2024
// (arXiv:2405.14591), L: the note on long-term decay, S: Su et al. 2021 (arXiv:2104.09864).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "core/analysis/alignment.h"
#include "core/analysis/attention_row.h"
#include "core/analysis/base_bound.h"
#include "core/analysis/contributions.h"
#include "core/analysis/decay.h"
#include "core/analysis/dominance.h"
#include "core/analysis/frequency_usage.h"
#include "core/analysis/phasor_bound.h"
#include "core/analysis/phasors.h"
#include "core/analysis/position_map.h"
#include "core/analysis/properties.h"
#include "core/analysis/random_positions.h"
#include "core/analysis/robustness.h"
#include "core/analysis/rotation.h"
#include "core/analysis/row_statistics.h"
#include "core/analysis/top_pairs.h"
#include "core/io/files.h"
#include "core/reference.h"
#include "core/scene_io.h"

namespace ropewalk {
namespace {

constexpr double pi = std::numbers::pi;

/// Visits the entries of a part of the matrix as each backend computes them.
template <class F>
void on_both_backends(const Experiment& experiment, Interval queries, Interval keys, F&& visit) {
    const Problem problem = make_problem(experiment);
    for (const char* id : {"reference", "cpu"}) {
        SCOPED_TRACE(id);
        visit(open_backend(id, 2)->attend(problem, Viewport::one_to_one(queries, keys), {}));
    }
}

void expect_weight(const Experiment& experiment, int query, int key, double weight, double within) {
    on_both_backends(experiment, {query, query + 1}, {key, key + 1},
                     [&](const AttentionView& view) { EXPECT_NEAR(view.weights.mean[0], weight, within); });
}

/// In every row from `first` on the key `distance` tokens back gets more than `least`: all rows as cpu computes them,
/// and the last, which sees most keys, as reference does.
void expect_every_row_attends(const Experiment& experiment, int first, int distance, double least) {
    const int n = experiment.seq_len;
    const Problem problem = make_problem(experiment);
    const AttentionView view = open_backend("cpu", 2)->attend(problem, Viewport::one_to_one({0, n}, {0, n}), {});
    for (int i = first; i < n; ++i) EXPECT_GT(view.weights.mean[i * n + i - distance], least) << "row " << i;
    expect_weight(experiment, n - 1, n - 1 - distance, (1 + least) / 2, (1 - least) / 2);
}

double logit(const Experiment& experiment, int query, int key) {
    return make_reference_backend()
        ->attend(make_problem(experiment), Viewport::one_to_one({query, query + 1}, {key, key + 1}), {})
        .logits.mean[0];
}

Decay decay_of(const Experiment& experiment) {
    return decay(make_problem(experiment), *make_reference_backend(), {});
}

/// The first distance of a negative mean, or −1.
int first_negative(const Decay& decay) {
    const auto found = std::find_if(decay.mean.begin(), decay.mean.end(), [](double mean) { return mean < 0; });
    return found == decay.mean.end() ? -1 : decay.first_distance + static_cast<int>(found - decay.mean.begin());
}

int greatest_at(const Decay& decay) {
    return decay.first_distance +
           static_cast<int>(std::max_element(decay.mean.begin(), decay.mean.end()) - decay.mean.begin());
}

/// w = base^(−2t/d) of every pair, in double.
std::vector<double> ladder(double base, int head_dim) {
    std::vector<double> w;
    for (int t = 0; t < head_dim / 2; ++t) w.push_back(std::pow(base, -2.0 * t / head_dim));
    return w;
}

/// Σ cos(r·w).
double sum_of_cosines(const std::vector<double>& w, double r) {
    double sum = 0;
    for (const double frequency : w) sum += std::cos(r * frequency);
    return sum;
}

std::vector<double> read_row(const RowSource& rows, int token, int head_dim) {
    std::vector<double> row(static_cast<std::size_t>(head_dim));
    rows.read(token, row);
    return row;
}

/// Squared norm of every pair of a row in pair order.
std::vector<double> pair_norms(const std::vector<double>& row) {
    std::vector<double> norms;
    for (std::size_t t = 0; t < row.size() / 2; ++t)
        norms.push_back(row[2 * t] * row[2 * t] + row[2 * t + 1] * row[2 * t + 1]);
    return norms;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double norm_for(const Experiment& experiment, int target) {
    return norm_needed(target_gaps(make_problem(experiment), target, experiment.seq_len, {}), 0.01).value_or(0);
}

EncodingProperties properties_of(const Experiment& experiment) {
    return encoding_properties(make_problem(experiment), 0.01, {});
}

/// 1 for a pair that an encoding leaves alone, s for one that it slows s times.
std::vector<double> divisors(const Experiment& experiment, double base) {
    const auto slowed = make_problem(experiment).lowered.inv_freq;
    auto w = ladder(base, experiment.head_dim);
    for (std::size_t t = 0; t < w.size(); ++t) w[t] /= static_cast<double>(slowed[t]);
    return w;
}

/// How many are a value, to rounding.
int count_of(const std::vector<double>& values, double value) {
    return static_cast<int>(std::count_if(values.begin(), values.end(),
                                          [=](double each) { return std::abs(each - value) < 1e-9 * value; }));
}

/// Mean 0 and variance 1 at every distance, within five standard errors of the scene's samples (B, Prop. 3.2).
void expect_gaussian(const Experiment& experiment) {
    const Decay found = decay_of(experiment);
    for (std::size_t r = 0; r < found.mean.size(); ++r) {
        EXPECT_LT(std::abs(found.mean[r]), 5 / std::sqrt(found.samples)) << r;
        EXPECT_LT(std::abs(found.sigma[r] * found.sigma[r] - 1), 5 * std::sqrt(2.0 / found.samples)) << r;
    }
}

/// The last query scores Σ_{t ≥ d₀/2} ‖s_t‖² cos(r·w_t) with w_t = base^(−2t/(d−2)), r tokens back (W, experiment 3);
/// `left` is the part of the nearest key's score that the farthest has.
void expect_semantic(const Experiment& experiment, int d0, double left) {
    const auto s = pair_norms(read_row(make_problem(experiment).inputs.q, experiment.seq_len - 1, 64));
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
std::vector<double> query_usage(const Experiment& experiment) {
    const FrequencyUsage usage = frequency_usage(make_problem(experiment), 1, 64, {});
    std::vector<double> squares;
    for (const double norm : usage.query) squares.push_back(norm * norm);
    return squares;
}

double share(const std::vector<double>& values, std::size_t first, std::size_t end) {
    return std::accumulate(values.begin() + first, values.begin() + end, 0.0) /
           std::accumulate(values.begin(), values.end(), 0.0);
}

using Proofs = std::map<std::string, void (*)(const Experiment&)>;

void add_barbero(Proofs& proofs) {
    // Fig. 1: α·cos(r − 1) on one pair of 1 rad a token.
    proofs["barbero-fig1"] = [](const Experiment& e) {
        for (int i = 1; i < 7; ++i) {
            double sum = 0;
            for (int r = 0; r <= i; ++r) sum += std::exp(20 * (std::cos(r - 1.0) - 1));
            expect_weight(e, i, i - 1, 1 / sum, 1e-6);
        }
        expect_weight(e, 6, 5, 0.9998, 5e-5);
    };
    proofs["barbero-fig2a"] = [](const Experiment& e) {
        const Decay found = decay_of(e);
        EXPECT_NEAR(found.mean[0], 1, 1e-12);
        EXPECT_EQ(first_negative(found), 2653);
        EXPECT_FALSE(std::is_sorted(found.mean.rbegin(), found.mean.rend()));  // it decays, but not steadily
    };
    proofs["barbero-fig2b"] = expect_gaussian;
    proofs["barbero-prop31"] = [](const Experiment& e) {
        for (const int r : {0, 16, 32, 64, 128}) {
            const Decay found = decay_of(changed(e, "construction.distance=" + std::to_string(r)));
            EXPECT_EQ(greatest_at(found), r);
            EXPECT_NEAR(found.mean[r], 40, 1e-12);
        }
    };
    proofs["barbero-prop52"] = [](const Experiment& e) {
        on_both_backends(e, {0, 8}, {0, 8}, [](const AttentionView& view) {
            for (int i = 2; i < 8; ++i) EXPECT_LT(view.weights.mean[i * 8 + i], 0.5);
            EXPECT_NEAR(view.weights.mean[2 * 8 + 2], 0.4984, 5e-5);
        });
        EXPECT_LE(logit(e, 2, 2), logit(e, 2, 1));  // hence at any norm
        expect_every_row_attends(changed(e, "encoding=rope construction.norm_squared=150"), 2, 0, 0.5);
    };
    proofs["barbero-thm53-diagonal"] = [](const Experiment& e) {
        EXPECT_NEAR(norm_for(e, 0), 135.75, 0.005);
        expect_every_row_attends(e, 0, 0, 0.99);
    };
    proofs["barbero-thm53-previous"] = [](const Experiment& e) {
        EXPECT_NEAR(norm_for(e, 1), 156.23, 0.005);
        expect_every_row_attends(e, 1, 1, 0.99);
    };
    proofs["barbero-thm53-robustness"] = [](const Experiment& e) {
        EXPECT_NEAR(norm_for(e, 1), 156.23, 0.005);
        EXPECT_NEAR(norm_for(changed(e, "construction.distance=0"), 0), 135.75, 0.005);
        expect_weight(e, 1023, 1022, 0.99, 5e-6);
    };
    proofs["barbero-thm53-single-frequency"] = [](const Experiment& e) {
        const TargetGaps gaps = target_gaps(make_problem(e), 0, 1024, {});
        std::vector<int> distances;
        for (const NearReturn& near : near_returns(gaps, 5)) distances.push_back(near.distance);
        for (const int r : {44, 333, 377, 710})
            EXPECT_NE(std::find(distances.begin(), distances.end(), r), distances.end()) << r;
        EXPECT_NEAR(norm_needed(gaps, 0.01).value_or(0), 2.5e9, 0.05e9);
    };
    proofs["barbero-thm61"] = [](const Experiment& e) {
        const double w = ladder(10'000, 64)[20];
        EXPECT_EQ(std::ceil(pi / (2 * w)), 497);
        EXPECT_EQ(first_failing_distance(make_problem(e).lowered.inv_freq[20]), 497);
        EXPECT_EQ(first_negative(decay_of(e)), 497);
        on_both_backends(e, {496, 498}, {0, 1}, [](const AttentionView& view) {
            EXPECT_GT(view.logits.mean[0], 0);
            EXPECT_LT(view.logits.mean[1], 0);  // below that of the other keys, which is 0
        });
    };
    proofs["barbero-apostrophe"] = [](const Experiment& e) {
        on_both_backends(e, {0, 18}, {0, 18}, [](const AttentionView& view) {
            for (int i = 0; i < 18; ++i) {
                const int key = i == 4 || i == 10 || i == 16 ? i - 1 : 0;
                EXPECT_GT(view.weights.mean[i * 18 + key], 0.99) << "row " << i;
            }
        });
    };
    proofs["barbero-bos-channel"] = [](const Experiment& e) {
        const HeadInputs inputs = make_problem(e).inputs;
        const auto q = read_row(inputs.q, 1, 256);
        EXPECT_NEAR(dot(q, read_row(inputs.k, 1, 256)), -85.47, 0.005);
        EXPECT_NEAR(dot(q, read_row(inputs.k, 0, 256)), 24.94, 0.005);
        EXPECT_NEAR(static_cast<double>(make_problem(e).lowered.inv_freq[118]), 2.05353e-4, 5e-10);
        // Token 1 is no BOS: it stands 12 128 and 12 129 tokens before the rows looked at.
        on_both_backends(e, {12'129, 12'131}, {1, 2}, [](const AttentionView& view) {
            EXPECT_LT(view.logits.mean[0], 0);
            EXPECT_GT(view.logits.mean[1], 0);
        });
        on_both_backends(e, {11'268, 11'270}, {0, 1}, [](const AttentionView& view) {
            EXPECT_GT(view.logits.mean[0], 0);
            EXPECT_LT(view.logits.mean[1], 0);
        });
    };
    // App. B.2: two of 512 tokens that are 100 apart stand 100·(L + 1)/513 positions apart on average.
    proofs["barbero-fig8a"] = [](const Experiment& e) {
        const Problem problem = make_problem(e);
        const auto q = problem.inputs.q.constant_row(), k = problem.inputs.k.constant_row();
        const std::vector<int> gap{100};
        double last = sum_of_cosines(ladder(10'000, 256), 100) / 128;  // RoPE itself, which is L = 512
        for (const int upper : {512, 2048, 8192}) {
            const auto point = random_position_decay(problem, q, k, {.tokens = 512, .upper = upper}, gap, {}).front();
            EXPECT_NEAR(point.expected_distance, 100 * (upper + 1) / 513.0, 1e-9);
            if (upper == 512)
                EXPECT_NEAR(point.mean, last, 1e-12);
            else
                EXPECT_LT(point.mean, last);
            last = point.mean;
        }
        EXPECT_NEAR(last, 0.1338, 5e-5);
    };
    proofs["barbero-fig8b"] = expect_gaussian;
    // Table 1.
    proofs["barbero-table1-rope"] = [](const Experiment& e) {
        const EncodingProperties can = properties_of(e);
        EXPECT_TRUE(can.diagonal.possible() && can.previous_token.possible());
        EXPECT_NEAR(can.diagonal.norm_needed.value_or(0), 43.1, 0.05);
        EXPECT_NEAR(can.previous_token.norm_needed.value_or(0), 45.0, 0.05);
        EXPECT_FALSE(can.semantic.robust);
        EXPECT_EQ(can.semantic.fails_at, 11'780);
        EXPECT_EQ(std::ceil(pi / 2 / ladder(10'000, 64).back()), 11'780);
        EXPECT_EQ(first_negative(decay_of(e)), 11'780);
    };
    proofs["barbero-table1-nope"] = [](const Experiment& e) {
        const EncodingProperties can = properties_of(e);
        EXPECT_FALSE(can.diagonal.possible() || can.previous_token.possible());
        EXPECT_NEAR(can.diagonal.best_weight * 16384, 1, 1e-12);
        EXPECT_TRUE(can.semantic.robust);
        EXPECT_EQ(first_negative(decay_of(e)), -1);
    };
    proofs["barbero-table1-p-rope"] = [](const Experiment& e) {
        const EncodingProperties can = properties_of(e);
        EXPECT_TRUE(can.diagonal.possible() && can.previous_token.possible());
        EXPECT_TRUE(can.semantic.robust);
        EXPECT_EQ(can.semantic.pair, 24);
        EXPECT_EQ(can.semantic.inv_freq, 0);
        EXPECT_EQ(first_negative(decay_of(e)), -1);
    };
    // Section 6: 128 000 / 10 000 / 2π; the slowest pair turns by exactly 1/base here.
    proofs["barbero-turns"] = [](const Experiment& e) {
        EXPECT_NEAR(turns(make_problem(e).lowered, 128'000).back(), 2.04, 0.005);
        EXPECT_NEAR(turns(make_problem(changed(e, "encoding.base=500000")).lowered, 128'000).back(), 0.04, 0.005);
    };
    proofs["barbero-fig3-synthetic"] = [](const Experiment& e) {
        const auto usage = query_usage(e);
        const auto& amplitudes = std::get<Bands>(e.construction).amplitudes;
        for (std::size_t t = 0; t < usage.size(); ++t) EXPECT_NEAR(usage[t], amplitudes[t], 1e-12);
        EXPECT_NEAR(share(usage, 40, 64), 0.86, 0.005);
    };
    proofs["barbero-fig6-synthetic"] = [](const Experiment& e) {
        EXPECT_NEAR(share(query_usage(e), 0, 16), 0.97, 0.005);
        expect_every_row_attends(e, 0, 0, 0.99);
    };
    // App. D.1: Cauchy–Schwarz, reached where the head aims.
    proofs["barbero-table3-synthetic"] = [](const Experiment& e) {
        for (const TokenAlignment& row : alignment(make_problem(e), {0, 8}, {})) {
            EXPECT_NEAR(row.diagonal_bound, 140, 0.005);
            EXPECT_NEAR(row.diagonal, row.diagonal_bound, 1e-10);
            EXPECT_LT(row.previous.value_or(0), 0.75 * row.diagonal_bound);
        }
        expect_every_row_attends(e, 0, 0, 0.99);
    };
    proofs["barbero-table5-synthetic"] = [](const Experiment& e) {
        for (const TokenAlignment& row : alignment(make_problem(e), {1, 8}, {})) {
            EXPECT_NEAR(row.previous_bound.value_or(0), 56, 0.005);
            EXPECT_NEAR(row.previous.value_or(0), row.previous_bound.value_or(0), 1e-10);
            EXPECT_LT(row.diagonal, 0.75 * row.diagonal_bound);
        }
        expect_every_row_attends(e, 1, 1, 0.99);
    };
    // Section 6.1: RoPE's floor is gone, NoPE has no top, p-RoPE has both.
    proofs["p-rope"] = [](const Experiment& e) {
        EXPECT_EQ(first_negative(decay_of(changed(e, "encoding=rope"))), 2653);
        for (const double score : decay_of(changed(e, "encoding=nope")).mean) EXPECT_NEAR(score, 1, 1e-12);
        const Decay found = decay_of(e);
        EXPECT_EQ(first_negative(found), -1);
        EXPECT_EQ(greatest_at(found), 0);
        const auto parts = contributions(make_problem(e), 4095, 1442);
        EXPECT_NEAR(std::accumulate(parts.begin() + 96, parts.end(), 0.0), 0.25, 1e-12);
    };
    // Rows sum to 1, and the greatest score, ‖ψ‖², is where it was put: in the last row, and in the first that reaches.
    proofs["million"] = [](const Experiment& e) {
        const Problem problem = make_problem(e);
        for (const auto& [id, query] : {std::pair{"cpu", e.seq_len - 1}, {"reference", 262'144}}) {
            const auto backend = open_backend(id, 2);
            const int keys = query + 1, target = query - 262'144;
            const auto whole = backend->attend(problem, {{query, query + 1}, {0, keys}, 1, 1, RowSampling::all}, {});
            EXPECT_NEAR(whole.weights.mean[0] * keys, 1, 1e-5) << id;
            EXPECT_NEAR(whole.row_greatest_logit[0], 40, 1e-4) << id;
            const auto aimed =
                backend->attend(problem, Viewport::one_to_one({query, query + 1}, {target, target + 1}), {});
            EXPECT_NEAR(aimed.logits.mean[0], 40, 1e-4) << id;
        }
    };
}

void add_wendler(Proofs& proofs) {
    proofs["wendler-exp1-alpha1"] = [](const Experiment& e) { expect_weight(e, 19, 18, 0.58665, 5e-6); };
    proofs["wendler-exp1-alpha10"] = [](const Experiment& e) { expect_weight(e, 19, 18, 0.99996, 5e-6); };
    proofs["wendler-exp1-alpha100"] = [](const Experiment& e) { expect_weight(e, 19, 18, 1, 1e-12); };
    // Experiment 2: one query and one key for all tokens, so that W_Q and W_K have rank 1.
    proofs["wendler-exp2"] = [](const Experiment& e) {
        const HeadInputs inputs = make_problem(e).inputs;
        EXPECT_TRUE(inputs.is_constant());
        for (const int token : {0, 17, 63}) {
            EXPECT_EQ(read_row(inputs.q, token, 64), read_row(inputs.q, 0, 64));
            EXPECT_EQ(read_row(inputs.k, token, 64), read_row(inputs.k, 0, 64));
        }
        expect_weight(e, 40, 39, 0.99996, 5e-6);
    };
    proofs["wendler-exp3-d0-0"] = [](const Experiment& e) { expect_semantic(e, 0, 0.335); };
    proofs["wendler-exp3-d0-32"] = [](const Experiment& e) { expect_semantic(e, 32, 0.386); };
    proofs["wendler-exp3-d0-48"] = [](const Experiment& e) { expect_semantic(e, 48, 0.878); };
    proofs["wendler-exp3-d0-56"] = [](const Experiment& e) { expect_semantic(e, 56, 0.978); };
    proofs["wendler-exp3-d0-62"] = [](const Experiment& e) {
        expect_semantic(e, 62, 0.995);  // "still a small recency bias": cos(r/10⁴)
        const Decay found = decay_of(e);
        EXPECT_NEAR(found.mean.back() / found.mean.front(), std::cos(999e-4) / std::cos(1e-4), 1e-12);
    };
    proofs["wendler-exp4"] = [](const Experiment& e) {
        const auto usage = query_usage(e);
        EXPECT_EQ(share(usage, 0, 24), 0);
        EXPECT_EQ(share(usage, 24, 32), 1);
    };
    // Experiment 5: without RoPE all keys that carry s score ‖s‖².
    proofs["wendler-exp5"] = [](const Experiment& e) {
        const auto s = pair_norms(read_row(make_problem(e).inputs.q, 999, 64));
        for (const double score : decay_of(e).mean) EXPECT_NEAR(score, std::accumulate(s.begin(), s.end(), 0.0), 1e-12);
        on_both_backends(e, {999, 1000}, {0, 999}, [](const AttentionView& view) {
            for (const double weight : view.weights.mean) EXPECT_NEAR(weight, view.weights.mean[0], 1e-9);
        });
    };
    // "RoPE introduces a recency bias": Σ cos(r·w_t)·‖x_t‖².
    proofs["wendler-recency"] = [](const Experiment& e) {
        const auto x = pair_norms(read_row(make_problem(e).inputs.q, 0, 64));
        const auto w = ladder(10'000, 64);
        const Decay found = decay_of(e);
        EXPECT_EQ(greatest_at(found), 0);
        EXPECT_NEAR(found.mean[0], 16, 1e-12);
        for (const int r : {1, 10, 55, 200}) {
            double score = 0;
            for (std::size_t t = 0; t < w.size(); ++t) score += std::cos(r * w[t]) * x[t];
            EXPECT_NEAR(found.mean[r], score, 1e-10);
        }
    };
    // The same formula, between "the" at 9 and at 5 and 1.
    proofs["wendler-text"] = [](const Experiment& e) {
        const auto x = pair_norms(read_row(make_problem(e).inputs.q, 9, 64));
        const auto w = ladder(10'000, 64);
        for (const auto& [key, published] : {std::pair{9, 6.0}, {5, 4.15}, {1, 3.40}}) {
            double score = 0;
            for (std::size_t t = 0; t < w.size(); ++t) score += std::cos((9 - key) * w[t]) * x[t];
            EXPECT_NEAR(score, published, 0.005);
            on_both_backends(e, {9, 10}, {key, key + 1},
                             [&](const AttentionView& view) { EXPECT_NEAR(view.logits.mean[0], score, 1e-5); });
        }
    };
}

void add_hong(Proofs& proofs) {
    proofs["hong-fig2"] = [](const Experiment& e) {
        const auto turned = turns(make_problem(e).lowered, 131'072);
        EXPECT_NEAR(turned.front(), 20'861, 0.5);
        EXPECT_NEAR(turned.back(), 2.4, 0.05);
        const auto far = rotation_heat_map(make_problem(e).lowered, {131'071, 131'072}, 1, {});
        for (std::size_t t = 0; t < 64; ++t) EXPECT_NEAR(far[t], std::cos(131'071 * ladder(10'000, 128)[t]), 1e-9);
    };
    // Section 4.1. Against the share over all cells, within three standard errors of the scene's 2000.
    proofs["hong-top-pairs"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 128);
        double slow = 0, all = 0;
        for (int r = 0; r < e.seq_len; ++r) {
            std::vector<int> order(64);
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(),
                             [&](int a, int b) { return std::cos(r * w[a]) > std::cos(r * w[b]); });
            for (int place = 0; place < 5; ++place) {
                all += e.seq_len - r;
                if (order[place] >= 59) slow += e.seq_len - r;
            }
        }
        EXPECT_NEAR(slow / all, 0.52, 0.005);
        const auto shares = top_pair_shares(make_problem(e), 2000, 5, {});
        EXPECT_NEAR(share(shares, 59, 64), slow / all, 3 * std::sqrt(0.25 / 2000));
    };
    // Section 4.2, eq. 14–16: softmax(g)·(0 … 63), its ranks against those of the distance.
    proofs["hong-dominance"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 128);
        const auto& a = std::get<Bands>(e.construction).amplitudes;
        const std::size_t n = static_cast<std::size_t>(e.seq_len);
        std::vector<double> dominant;
        for (std::size_t r = 0; r < n; ++r) {
            double sum = 0, weighted = 0;
            for (std::size_t t = 0; t < w.size(); ++t) {
                const double part = std::exp(a[t] * std::cos(static_cast<double>(r) * w[t]));
                sum += part, weighted += part * static_cast<double>(t);
            }
            dominant.push_back(weighted / sum);
        }
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](auto x, auto y) { return dominant[x] < dominant[y]; });
        double squares = 0;  // of rank differences: there are no ties
        for (std::size_t rank = 0; rank < n; ++rank)
            squares += std::pow(static_cast<double>(rank) - static_cast<double>(order[rank]), 2);
        const double size = static_cast<double>(n), rho = 1 - 6 * squares / (size * (size * size - 1));
        EXPECT_NEAR(rho, 0.978, 0.0005);
        const Dominance found = dominance(make_problem(e), {.queries = {0, e.seq_len}, .keys_per_query = 1000},
                                          *open_backend("cpu", 2), {});
        ASSERT_EQ(found.by_distance.size(), n);
        for (const int r : {0, 5, 100, 400}) EXPECT_NEAR(found.by_distance[r].rotated, dominant[r], 1e-9);
        EXPECT_NEAR(found.correlation.value_or(0), rho, 1e-4);
        EXPECT_FALSE(found.unrotated_correlation.has_value());  // all distances alike
    };
    // Section 2.2: YaRN 16 times, CLEX before training NTK-aware by 2·16 − 1.
    proofs["hong-extensions"] = [](const Experiment& e) {
        const auto yarn = divisors(e, 10'000), clex = divisors(changed(e, "encoding=clex"), 10'000);
        EXPECT_NEAR(yarn.front(), 1, 1e-12);
        EXPECT_NEAR(yarn.back(), 16, 1e-12);
        EXPECT_NEAR(clex.front(), 1, 1e-12);
        EXPECT_NEAR(clex.back(), 31, 1e-10);
        EXPECT_NEAR(make_problem(e).lowered.attention_scaling, 0.1 * std::log(16) + 1, 1e-12);
    };
    // Jin et al. 2024: (L − W)·G + W tokens fit into the trained L.
    proofs["hong-self-extend"] = [](const Experiment& e) {
        const auto distances = effective_distances(make_problem(e), e.seq_len - 1);
        EXPECT_EQ((4096 - 1024) * 8 + 1024, 25'600);
        EXPECT_EQ(distances[1023], 1023);
        EXPECT_EQ(distances[25'599], 4095);
        EXPECT_EQ(distances[25'600], 4096);
    };
}

void add_decay_and_bases(Proofs& proofs) {
    // S, Fig. 2; L: (d/2 + 1)/2 at r = 0.
    proofs["long-term-decay"] = [](const Experiment& e) {
        const auto bound = mean_partial_sums(make_problem(e), 256, {});
        EXPECT_DOUBLE_EQ(bound[0], 32.5);
        EXPECT_FALSE(std::is_sorted(bound.rbegin(), bound.rend()));
        const auto w = ladder(10'000, 128);
        Complex walk = 0;
        double sum = 0;
        for (const double frequency : w) sum += std::abs(walk += std::polar(1.0, 100 * frequency));
        EXPECT_NEAR(bound[100], sum / 64, 1e-10);
        EXPECT_NEAR(bound[100], 10.23, 0.005);
    };
    proofs["long-term-phasors"] = [](const Experiment& e) {
        const Problem problem = make_problem(e);
        EXPECT_DOUBLE_EQ(tip_to_tail(unit_phasors(problem, 4095, 4095)).back().real(), 64);
        const Complex end = tip_to_tail(unit_phasors(problem, 4095, 3895)).back();
        EXPECT_NEAR(end.real(), sum_of_cosines(ladder(10'000, 128), 200), 1e-10);
        EXPECT_NEAR(end.real(), 19.56, 0.005);
    };
    // L, M: 2σ² Σ cos(r·w_t), within four standard errors of the scene's samples.
    proofs["similar-vs-random"] = [](const Experiment& e) {
        const auto w = ladder(10'000, 128);
        EXPECT_EQ(2 * sum_of_cosines(w, 0), 128);
        const Decay found = decay_of(e);
        for (const int r : {0, 1, 10, 100, 1000, 1706, 4000})
            EXPECT_LT(std::abs(found.mean[r] - 2 * sum_of_cosines(w, r)), 4 * found.sigma[r] / std::sqrt(found.samples))
                << r;
    };
    proofs["men-margins"] = [](const Experiment& e) {
        for (const auto& [base, reach] : {std::pair{1e4, 1706}, {5e5, 18'437}, {1e6, 27'114}})
            EXPECT_EQ(longest_context(base, e.head_dim, e.seq_len, {}), reach);
        EXPECT_EQ(first_negative(decay_of(e)), 1707);
    };
    proofs["men-least-base"] = [](const Experiment& e) {
        EXPECT_EQ(least_base_on_grid(4000, e.head_dim, {}), 27'000);
        EXPECT_EQ(published_bases[2].context, 4000);
        EXPECT_EQ(published_bases[2].base, 27'000);
        EXPECT_EQ(first_negative(decay_of(e)), -1);
        const auto least = least_base(4000, e.head_dim, {});
        ASSERT_TRUE(least.has_value());
        EXPECT_NEAR(least->feasible, 26'912.49, 0.005);
    };
    proofs["men-table"] = [](const Experiment& e) {
        EXPECT_EQ(first_negative_margin(6.4e5, e.head_dim, 32'000, {}), 27'685);
        EXPECT_EQ(first_negative_margin(3.1e5, e.head_dim, 16'000, {}), 12'223);
        for (const auto& [context, base] : published_bases)
            if (context <= 8000) {
                EXPECT_EQ(least_base_on_grid(context, e.head_dim, {}), base);
            }
        EXPECT_EQ(first_negative(decay_of(e)), 27'685);
    };
}

void add_encodings(Proofs& proofs) {
    proofs["truncation-gemma4"] = [](const Experiment& e) {
        const auto slowest = [](const Experiment& experiment) {
            double longest = 0;
            for (const double length : wavelengths(make_problem(experiment).lowered))
                if (std::isfinite(length)) longest = std::max(longest, length);
            return longest;
        };
        EXPECT_NEAR(slowest(e), 188, 0.5);
        EXPECT_NEAR(slowest(e), 2 * pi * std::pow(1e6, 126.0 / 512), 1e-9);
        EXPECT_NEAR(slowest(changed(e, "encoding=partial encoding.fraction=0.25")), 5.06e6, 0.005e6);
    };
    // Peng et al. 2023: the ramp from floor c(32) = 20 to ceil c(1) = 46, c(β) = d·ln(L/2πβ)/(2 ln base).
    proofs["yarn-ramp"] = [](const Experiment& e) {
        const auto c = [](double beta) { return 128 * std::log(4096 / (2 * pi * beta)) / (2 * std::log(1e4)); };
        EXPECT_EQ(std::floor(c(32)), 20);
        EXPECT_EQ(std::ceil(c(1)), 46);
        const auto divisor = divisors(e, 10'000);
        EXPECT_EQ(count_of(divisor, 1), 21);
        EXPECT_EQ(count_of(divisor, 16), 64 - 46);
        const double r = (33 - 20) / 26.0;
        EXPECT_NEAR(divisor[33], 1 / (r / 16 + 1 - r), 1e-12);
        EXPECT_NEAR(std::pow(make_problem(e).lowered.attention_scaling, 2), 1.6314, 5e-5);
    };
    // Wavelengths below 8192/4 stay, those above 8192/1 are stretched.
    proofs["llama3-ramp"] = [](const Experiment& e) {
        int shorter = 0, longer = 0;
        for (const double w : ladder(500'000, 128)) shorter += 2 * pi / w<2048, longer += 2 * pi / w> 8192;
        EXPECT_EQ(shorter, 29);
        EXPECT_EQ(longer, 29);
        const auto divisor = divisors(e, 500'000);
        EXPECT_EQ(count_of(divisor, 1), shorter);
        EXPECT_EQ(count_of(divisor, 8), longer);
    };
    proofs["longrope"] = [](const Experiment& e) {
        EXPECT_NEAR(make_problem(e).lowered.attention_scaling, std::sqrt(1 + std::log(32) / std::log(4096)), 1e-12);
        EXPECT_NEAR(make_problem(e).lowered.attention_scaling, 1.19024, 5e-6);
        const auto divisor = divisors(e, 10'000);
        const auto& factors = std::get<LongRope>(e.encoding).long_factor;
        for (std::size_t t = 0; t < divisor.size(); ++t) EXPECT_NEAR(divisor[t], factors[t], 1e-12 * factors[t]);
        EXPECT_EQ(count_of(divisors(changed(e, "seq_len=4096"), 10'000), 1), 32);  // the short list
    };
    // Sun et al. 2022: ζ₀ = 0.4/1.4 over 512 tokens.
    proofs["xpos-decay"] = [](const Experiment& e) {
        const auto damped = contributions(make_problem(e), 4095, 3583),
                   whole = contributions(make_problem(changed(e, "encoding=rope")), 4095, 3583);
        EXPECT_NEAR(damped[0] / whole[0], 0.4 / 1.4, 1e-12);
        EXPECT_NEAR(damped[31] / whole[31], (62 / 64.0 + 0.4) / 1.4, 1e-12);
    };
    // Vaswani et al. 2017: (x + p_i)·(x + p_j), with p_i·p_j = Σ cos((i − j)·w_t).
    proofs["sinusoidal-not-relative"] = [](const Experiment& e) {
        const auto x = read_row(make_problem(e).inputs.q, 0, 64);
        const auto w = ladder(10'000, 64);
        const auto along = [&](double position) {
            double sum = 0;
            for (std::size_t t = 0; t < w.size(); ++t)
                sum += x[2 * t] * std::sin(position * w[t]) + x[2 * t + 1] * std::cos(position * w[t]);
            return sum;
        };
        double least = 1e300, greatest = -1e300;
        on_both_backends(e, {0, 256}, {0, 256}, [&](const AttentionView& view) {
            for (int i = 10; i < 256; ++i) {
                const double found = view.logits.mean[i * 256 + i - 10];
                EXPECT_NEAR(found, dot(x, x) + along(i) + along(i - 10) + sum_of_cosines(w, 10), 1e-4) << i;
                least = std::min(least, found), greatest = std::max(greatest, found);
            }
        });
        EXPECT_NEAR(least, 28.9, 0.05);
        EXPECT_NEAR(greatest, 41.6, 0.05);
        on_both_backends(changed(e, "encoding=rope"), {0, 256}, {0, 256}, [](const AttentionView& view) {
            for (int i = 11; i < 256; ++i)
                EXPECT_NEAR(view.logits.mean[i * 256 + i - 10], view.logits.mean[10 * 256], 1e-5);
        });
    };
    // Press et al. 2022: slopes 2⁻¹ … 2⁻⁸ of eight heads.
    proofs["alibi-slopes"] = [](const Experiment& e) {
        for (int head = 0; head < 8; ++head)
            on_both_backends(changed(e, "encoding.head=" + std::to_string(head)), {255, 256}, {0, 256},
                             [&](const AttentionView& view) {
                                 EXPECT_NEAR(view.logits.mean[255] - view.logits.mean[155], 100 * std::exp2(-1 - head),
                                             1e-5 * 100);
                             });
    };
    // Peng et al. 2023: 0.1 ln s + 1 on cosine and sine, hence its square on logits. A row of n logits of variance v
    // has an entropy of about ln n − v/2, here 1.64 instead of 0.5 below ln n.
    proofs["entropy-sharpening"] = [](const Experiment& e) {
        const Experiment plain = changed(e, "encoding.scale_attention=false");
        const double factor = std::pow(0.1 * std::log(32) + 1, 2);
        EXPECT_NEAR(factor, 1.8133, 5e-5);
        EXPECT_NEAR(logit(e, 4095, 2000), factor * logit(plain, 4095, 2000), 1e-10);
        const auto backend = open_backend("cpu", 2);
        const auto sharp = row_statistics(make_problem(e), {0, 4096}, 64, *backend, {}),
                   flat = row_statistics(make_problem(plain), {0, 4096}, 64, *backend, {});
        ASSERT_EQ(sharp.size(), flat.size());
        for (std::size_t row = 0; row < sharp.size(); ++row) {
            EXPECT_LT(sharp[row].entropy, flat[row].entropy);
            EXPECT_LE(flat[row].entropy, std::log(flat[row].row + 1.0) + 1e-6);
        }
    };
}

const Proofs& proofs() {
    static const Proofs all = [] {
        Proofs found;
        add_barbero(found);
        add_wendler(found);
        add_hong(found);
        add_decay_and_bases(found);
        add_encodings(found);
        return found;
    }();
    return all;
}

std::vector<std::string> proven_scenes() {
    std::vector<std::string> names;
    for (const auto& [name, proof] : proofs()) names.push_back(name);
    return names;
}

TEST(SceneProofs, EveryBundledSceneHasOneAndIsInTheList) {
    EXPECT_EQ(bundled_scenes(), proven_scenes());
    const std::string list = read_file(ROPEWALK_SOURCE_DIR "/assets/scenes/README.md", 1 << 20);
    for (const auto& name : bundled_scenes()) EXPECT_NE(list.find("`" + name + "`"), std::string::npos) << name;
}

class SceneProof : public testing::TestWithParam<std::string> {};

TEST_P(SceneProof, Holds) {
    const Scene scene = open_scene(GetParam());
    ASSERT_EQ(validate(scene.experiment), std::nullopt);
    proofs().at(GetParam())(scene.experiment);
}

INSTANTIATE_TEST_SUITE_P(Bundled, SceneProof, testing::ValuesIn(proven_scenes()), [](const auto& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace ropewalk
