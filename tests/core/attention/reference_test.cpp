// The oracle itself, against attention written out in long double with its own angles.
#include "core/attention/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/error.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// Score of query i and key j from the definition: long double angles of the effective distance, no phases, no rotated
/// rows.
long double score(const Problem& problem, int i, int j, long double& size) {
    const auto d = static_cast<std::size_t>(problem.head_dim());
    std::vector<double> q(d), k(d);
    problem.inputs.q.read(i, q);
    problem.inputs.k.read(j, k);
    const std::int64_t m = problem.position(i), n = problem.position(j);
    const auto& far = problem.lowered.far;
    const bool is_far = far && m - n >= far->window;
    const Regime maps = is_far ? far->maps : problem.lowered.near;
    const auto place = [](std::int64_t position, const PositionMap& map) {
        return std::floor(static_cast<long double>(position) / map.group) + map.offset;
    };
    const long double distance = place(m, maps.query) - place(n, maps.key);
    long double sum = 0;
    size = 0;
    for (std::size_t t = 0; t < d / 2; ++t) {
        long double q0 = q[2 * t], q1 = q[2 * t + 1], k0 = k[2 * t], k1 = k[2 * t + 1];
        long double angle = distance * problem.lowered.inv_freq[t], left = 1;
        if (!problem.lowered.damping.empty())
            left = std::exp(-problem.lowered.damping[t] * static_cast<long double>(m - n));
        if (const auto& waves = problem.lowered.added_waves; !waves.empty()) {
            const auto wave = [&](int number, std::int64_t position) {
                const long double turned = problem.lowered.inv_freq[number / 2] * static_cast<long double>(position);
                return number % 2 == 0 ? std::sin(turned) : std::cos(turned);
            };
            angle = 0;
            q0 += wave(waves[2 * t], m), q1 += wave(waves[2 * t + 1], m);
            k0 += wave(waves[2 * t], n), k1 += wave(waves[2 * t + 1], n);
        }
        sum += left * ((q0 * k0 + q1 * k1) * std::cos(angle) + (q0 * k1 - q1 * k0) * std::sin(angle));
        size += left * std::hypot(q0, q1) * std::hypot(k0, k1);
    }
    const long double scaling = problem.lowered.attention_scaling;
    size *= scaling * scaling * problem.scale / problem.temperature;
    return scaling * scaling * sum;
}

void expect_right(const Experiment& experiment) {
    ASSERT_EQ(validate(experiment).value_or(""), "");
    const Problem problem = make_problem(experiment);
    const int n = experiment.seq_len;
    const AttentionView view = make_reference_backend()->attend(problem, Viewport::one_to_one({0, n}, {0, n}), {});
    for (int i = 0; i < n; ++i) {
        std::vector<long double> exact;
        long double top = -std::numeric_limits<long double>::infinity(), sum = 0, size = 0;
        const auto is_masked = [&](int j) {
            return (experiment.mask != Mask::none && j > i) ||
                   (experiment.mask == Mask::window && j <= i - experiment.window);
        };
        for (int j = 0; j < n; ++j) {
            const long double bias =
                problem.lowered.bias_slope * static_cast<double>(problem.position(i) - problem.position(j));
            long double logit = problem.scale * score(problem, i, j, size) - bias;
            if (experiment.softcap != 0) logit = experiment.softcap * std::tanh(logit / experiment.softcap);
            exact.push_back(logit / problem.temperature);
            if (is_masked(j)) {
                exact.back() = -infinity;
                continue;
            }
            top = std::max(top, exact.back());
            EXPECT_NEAR(view.logits.mean[i * n + j], static_cast<double>(exact.back()),
                        1e-12 * static_cast<double>(1 + size));
        }
        for (const long double logit : exact) sum += std::exp(logit - top);
        double total = 0;
        for (int j = 0; j < n; ++j) {
            const double weight = view.weights.mean[i * n + j];
            total += weight;
            if (is_masked(j)) {
                EXPECT_EQ(view.logits.mean[i * n + j], -infinity);
                EXPECT_EQ(weight, 0);
            } else {
                EXPECT_NEAR(weight, static_cast<double>(std::exp(exact[j] - top) / sum), 1e-12);
            }
        }
        EXPECT_NEAR(total, 1, 1e-12);
        EXPECT_NEAR(view.row_log_sum[i], static_cast<double>(top + std::log(sum)), 1e-11);
    }
}

TEST(Reference, AgreesWithTheDefinitionForEveryEncodingAndConstruction) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        for (const Construction& construction : alternatives_of<Construction>()) {
            for (const int head_dim : {4, 64}) {
                Experiment experiment{.head_dim = head_dim,
                                      .seq_len = 21,
                                      .encoding = encoding,
                                      .construction = construction,
                                      .scale = Scale::sqrt_d,
                                      .temperature = 0.7};
                if (auto* grouped = std::get_if<SelfExtend>(&*experiment.encoding)) grouped->window = 6;
                if (validate(experiment)) continue;  // arrays without files
                expect_right(experiment);
            }
        }
    }
}

TEST(Reference, IsExactAtPositionsUpToAMillion) {
    expect_right(
        {.head_dim = 64, .seq_len = 12, .construction = Gaussian{}, .positions = {.start = 0, .stride = 65536}});
    expect_right({.head_dim = 64,
                  .seq_len = 12,
                  .encoding = SelfExtend{.group = 3, .window = 200'000, .offset = GroupOffset::fractional},
                  .construction = Gaussian{},
                  .positions = {.start = 5, .stride = 65536}});
}

TEST(Reference, IsExactForWavesAndDampingAtPositionsUpToAMillion) {
    for (const Encoding& encoding : {Encoding(Sinusoidal{}), Encoding(XPos{}), Encoding(XPos{.scale_base = 1e5})})
        for (const Positions positions : {Positions{.start = 0, .stride = 26'000}, {.start = 1 << 20, .stride = 1}})
            expect_right({.head_dim = 64,
                          .seq_len = 40,
                          .encoding = encoding,
                          .construction = Gaussian{},
                          .positions = positions});
    expect_right({.head_dim = 16,
                  .seq_len = 30,
                  .encoding = RandomRope{.upper = 1 << 20},
                  .construction = Gaussian{},
                  .mask = Mask::none});
}

TEST(Reference, SeesAWindowAndBoundsLogits) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        for (const auto& [mask, window] : {std::pair{Mask::causal, 9}, {Mask::window, 1}, {Mask::window, 7}})
            for (const double softcap : {0.0, 0.5, 4.0}) {
                const Experiment experiment{.head_dim = 8,
                                            .seq_len = 23,
                                            .encoding = encoding,
                                            .construction = Gaussian{},
                                            .mask = mask,
                                            .window = window,
                                            .scale = Scale::value,
                                            .scale_value = 0.625,
                                            .softcap = softcap,
                                            .temperature = 0.7};
                expect_right(experiment);
            }
    }
}

TEST(Reference, WithoutAMaskEveryKeyIsSeen) {
    expect_right({.head_dim = 8,
                  .seq_len = 9,
                  .encoding = SelfExtend{.group = 2, .window = 3},
                  .construction = Gaussian{},
                  .mask = Mask::none});
}

TEST(Reference, SurvivesLogitsOf1e38AndEqualRows) {
    expect_right({.head_dim = 2, .seq_len = 1, .construction = PreviousToken{.alpha = 0}});
    for (const double alpha : {0.0, 1e38}) {
        const Experiment experiment{.head_dim = 8, .seq_len = 7, .construction = PreviousToken{.alpha = alpha}};
        const AttentionView view =
            make_reference_backend()->attend(make_problem(experiment), Viewport::one_to_one({0, 7}, {0, 7}), {});
        for (int i = 0; i < 7; ++i) {
            double total = 0;
            for (int j = 0; j < 7; ++j) total += view.weights.mean[i * 7 + j];
            EXPECT_NEAR(total, 1, 1e-12);
        }
    }
}

TEST(Reference, PoolsWholeCells) {
    const Experiment experiment{.head_dim = 8, .seq_len = 23, .construction = Gaussian{}};
    const Problem problem = make_problem(experiment);
    const auto backend = make_reference_backend();
    const AttentionView whole = backend->attend(problem, Viewport::one_to_one({0, 23}, {0, 23}), {});
    const Viewport viewport{.rows = {3, 22}, .columns = {1, 23}, .cells_down = 4, .cells_across = 5};
    const AttentionView pooled = backend->attend(problem, viewport, {});
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 5; ++b) {
            double sum = 0, min = 1e9, max = -1e9, weight_sum = 0, weight_min = 1, weight_max = 0;
            int seen = 0, entries = 0;
            for (int i = 3 + a * 19 / 4; i < 3 + (a + 1) * 19 / 4; ++i)
                for (int j = 1 + b * 22 / 5; j < 1 + (b + 1) * 22 / 5; ++j) {
                    const double logit = whole.logits.mean[i * 23 + j], weight = whole.weights.mean[i * 23 + j];
                    ++entries, weight_sum += weight, weight_min = std::min(weight_min, weight),
                                                     weight_max = std::max(weight_max, weight);
                    if (j > i) continue;
                    ++seen, sum += logit, min = std::min(min, logit), max = std::max(max, logit);
                }
            const std::size_t at = static_cast<std::size_t>(a) * 5 + b;
            if (seen == 0) {
                EXPECT_EQ(pooled.logits.mean[at], -infinity);
            } else {
                EXPECT_NEAR(pooled.logits.mean[at], sum / seen, 1e-13);
                EXPECT_EQ(pooled.logits.min[at], min);
                EXPECT_EQ(pooled.logits.max[at], max);
            }
            EXPECT_NEAR(pooled.weights.mean[at], weight_sum / entries, 1e-15);
            EXPECT_EQ(pooled.weights.min[at], weight_min);
            EXPECT_EQ(pooled.weights.max[at], weight_max);
        }
}

TEST(Reference, LooksAtOneRowWhereOneSumWouldDo) {
    const Problem problem = make_problem({.head_dim = 8, .seq_len = 23});
    const auto backend = make_reference_backend();
    Viewport viewport{.rows = {0, 23}, .columns = {0, 23}, .cells_down = 4, .cells_across = 5};
    viewport.row_sampling = RowSampling::one_per_cell;
    const AttentionView of_one_row = backend->attend(problem, viewport, {});
    viewport.row_sampling = RowSampling::one_sum_per_cell;
    const AttentionView view = backend->attend(problem, viewport, {});
    EXPECT_EQ(view.viewport.row_sampling, RowSampling::one_per_cell) << "and says so";
    EXPECT_EQ(view.logits.max, of_one_row.logits.max);
}

TEST(Reference, ScoresExcludeScaleMaskBiasAndTemperature) {
    const Experiment plain{.head_dim = 8,
                           .seq_len = 9,
                           .encoding = Alibi{},
                           .construction = Gaussian{},
                           .scale = Scale::sqrt_d,
                           .temperature = 3};
    const Problem problem = make_problem(plain);
    const AttentionView view =
        make_reference_backend()->attend(scores_only(problem), Viewport::one_to_one({0, 9}, {0, 9}), {});
    long double size = 0;
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j < 9; ++j)
            EXPECT_NEAR(view.logits.mean[i * 9 + j], static_cast<double>(score(problem, i, j, size)), 1e-13);
}

TEST(Reference, StopsWhenAsked) {
    std::atomic<std::uint64_t> generation = 1;
    EXPECT_THROW(make_reference_backend()->attend(make_problem({}), Viewport::one_to_one({0, 256}, {0, 256}),
                                                  Cancel(generation, 0)),
                 Cancelled);
}

TEST(Reference, RejectsViewportsOutsideTheMatrix) {
    EXPECT_THROW(make_reference_backend()->attend(make_problem({}), Viewport::one_to_one({0, 257}, {0, 256}), {}),
                 std::logic_error);
}

}  // namespace
}  // namespace ropewalk
