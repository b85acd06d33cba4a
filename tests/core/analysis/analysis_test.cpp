// Analyses against sums written out here.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "core/analysis/encodings/rotation.h"
#include "core/analysis/heads/contributions.h"
#include "core/analysis/heads/decay.h"
#include "core/analysis/heads/frequency_usage.h"
#include "core/attention/backend.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"
#include "tests/core/analysis/ask.h"

namespace ropewalk {
namespace {

double frequency(int pair, int head_dim) {
    return std::pow(10'000.0, -2.0 * pair / head_dim);
}

// Barbero et al., Fig. 2a: where the mean of cosines first falls below 0, for base 10 000.
TEST(Decay, OnesAreNegativeForTheFirstTimeWhereTheSumIs) {
    const struct { int head_dim, first; } known[] = {{64, 725}, {128, 1707}, {256, 2653}};
    const auto backend = make_reference_backend();
    for (const auto& [head_dim, first] : known) {
        const Decay curve =
            decay(make_problem({.head_dim = head_dim, .seq_len = 2700, .construction = Ones{}}), *backend, {});
        for (int r = 0; r < first; ++r) ASSERT_GE(curve.mean[r], 0) << head_dim << " at " << r;
        EXPECT_LT(curve.mean[first], 0);
        EXPECT_NEAR(curve.mean[0], 1, 1e-14);
    }
}

// Barbero et al., Prop. 3.2: mean 0, variance 1 at every distance. 2000 samples: σ of the mean is 0.022, of σ² 0.032.
TEST(Decay, GaussianHeadsDoNotDecay) {
    const auto backend = make_reference_backend();
    const Decay curve =
        decay(make_problem({.head_dim = 64, .seq_len = 200, .construction = Gaussian{.samples = 2000}}), *backend, {});
    for (std::size_t r = 0; r < 200; ++r) {
        EXPECT_NEAR(curve.mean[r], 0, 0.12);
        EXPECT_NEAR(curve.sigma[r] * curve.sigma[r], 1, 0.2);
    }
    EXPECT_EQ(curve.samples, 2000);
}

TEST(Decay, OfSamplesIsTheirMeanAndPopulationDeviation) {
    const Problem problem = make_problem({.head_dim = 8, .seq_len = 6, .construction = Gaussian{.samples = 3}});
    const Decay curve = decay(problem, *make_reference_backend(), {});
    std::vector<double> q(8), k(8);
    for (int r = 0; r < 6; ++r) {
        double sum = 0, squares = 0;
        for (int sample = 0; sample < 3; ++sample) {
            problem.inputs.sample(sample, q, k);
            double score = 0;
            for (int t = 0; t < 4; ++t)
                score += (q[2 * t] * k[2 * t] + q[2 * t + 1] * k[2 * t + 1]) * std::cos(r * frequency(t, 8)) +
                         (q[2 * t] * k[2 * t + 1] - q[2 * t + 1] * k[2 * t]) * std::sin(r * frequency(t, 8));
            sum += score, squares += score * score;
        }
        EXPECT_NEAR(curve.mean[r], sum / 3, 1e-13);
        EXPECT_NEAR(curve.sigma[r], std::sqrt(squares / 3 - sum * sum / 9), 1e-12);
    }
}

TEST(Decay, IsTheLastRowReadBackwardsForEveryEncoding) {
    const auto backend = make_reference_backend();
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        for (const Construction& construction : {Construction(SameVector{}), Construction(Semantic{})}) {
            Experiment experiment{.head_dim = 16,
                                  .seq_len = 90,
                                  .encoding = encoding,
                                  .construction = construction,
                                  .scale = Scale::sqrt_d,
                                  .temperature = 0.5,
                                  .positions = {.start = 11, .stride = 3}};
            if (auto* grouped = std::get_if<SelfExtend>(&*experiment.encoding)) grouped->window = 40;
            const Problem problem = make_problem(experiment);
            const Decay curve = decay(problem, *backend, {});
            const AttentionView row = backend->attend(problem, Viewport::one_to_one({89, 90}, {0, 90}), {});
            const int first = std::holds_alternative<Semantic>(*construction) ? 1 : 0;
            ASSERT_EQ(curve.first_distance, first);
            ASSERT_EQ(curve.mean.size(), 90u - first);
            for (int r = first; r < 90; ++r)
                EXPECT_NEAR(curve.mean[r - first], row.logits.mean[89 - r], 1e-11) << id_of(encoding) << " at " << r;
        }
    }
}

// A gap between tokens so wide that their distances are summed one by one, and so narrow that all are summed at once.
TEST(Decay, IsTheLastRowReadBackwardsAtPositionsOfTheEncodingsOwn) {
    const auto backend = make_reference_backend();
    std::vector<double> positions;
    for (int i = 0; i < 300; ++i) positions.push_back(i < 20 ? i * i : i < 220 ? 400 + 3 * i : 5'000 * i);
    for (const auto& encoding :
         {RandomRope{.positions = positions}, RandomRope{.upper = 300}, RandomRope{.upper = 1 << 20}}) {
        const Problem problem =
            make_problem({.head_dim = 16, .seq_len = 300, .encoding = encoding, .construction = SameVector{}});
        const Decay curve = decay(problem, *backend, {});
        const AttentionView row = backend->attend(problem, Viewport::one_to_one({299, 300}, {0, 300}), {});
        for (int r = 0; r < 300; ++r) ASSERT_NEAR(curve.mean[r], row.logits.mean[299 - r], 1e-11) << r;
    }
}

TEST(Contributions, SumToTheScoreOfTheCell) {
    const auto backend = make_reference_backend();
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        const Problem problem =
            make_problem({.head_dim = 16, .seq_len = 100, .encoding = encoding, .construction = Gaussian{}});
        const AttentionView scores =
            backend->attend(scores_only(problem), Viewport::one_to_one({0, 100}, {0, 100}), {});
        for (const auto& [i, j] : {std::pair{0, 0}, std::pair{99, 2}, std::pair{80, 79}, std::pair{3, 50}}) {
            const auto parts = contributions(problem, i, j);
            EXPECT_EQ(parts.size(), 8u);
            EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0), scores.logits.mean[i * 100 + j], 1e-12)
                << id_of(encoding);
        }
    }
}

TEST(Rotation, HeatMapIsTheMeanOverEveryDistance) {
    const LoweredEncoding lowered = Rope{}.lower({.head_dim = 8});
    for (const int step : {1, 3, 4, 355})  // 355 ≈ 113π: the fastest pair completes whole turns
        for (const int cells : {1, 7, 100, 1000}) {
            const auto means = rotation_heat_map(lowered, step, {0, 1000}, cells, {});
            for (int t = 0; t < 4; ++t)
                for (int c = 0; c < cells; ++c) {
                    long double sum = 0;
                    const int begin = c * 1000 / cells, end = (c + 1) * 1000 / cells;
                    for (int r = begin; r < end; ++r) sum += std::cos(step * r * std::pow(10'000.0L, -t / 4.0L));
                    EXPECT_NEAR(means[t * cells + c], static_cast<double>(sum / (end - begin)), 1e-12) << step;
                }
        }
    const Interval distances{0, 1000};
    int next = 1;
    for (int cell = 0; cell < 40; ++cell) {
        const Interval r = distances_of_cell(distances, 40, DistanceScale::logarithmic, cell);
        EXPECT_LE(r.begin, next) << "no distance is skipped";
        EXPECT_GT(r.size(), 0);
        next = std::max(next, r.end);
    }
    EXPECT_EQ(next, 1000);
    const Interval last = distances_of_cell(distances, 40, DistanceScale::logarithmic, 39);
    const auto of_last =
        rotation_heat_map(Rope{}.lower({.head_dim = 4}), 1, distances, 40, {}, DistanceScale::logarithmic);
    double sum = 0;
    for (int r = last.begin; r < last.end; ++r) sum += std::cos(0.01 * r) / last.size();
    EXPECT_NEAR(of_last[2 * 40 - 1], sum, 1e-9);
    const auto still = rotation_heat_map(NoPE{}.lower({.head_dim = 4}), 1, {0, 100}, 10, {});
    for (const double value : still) EXPECT_EQ(value, 1);
}

TEST(Rotation, WavelengthsAreThoseOfTheFrequencies) {
    const auto lengths = wavelengths(PRope{.p = 0.5}.lower({.head_dim = 8}));
    EXPECT_DOUBLE_EQ(lengths[0], 2 * std::numbers::pi);
    EXPECT_NEAR(lengths[1], 20 * std::numbers::pi, 1e-13);
    EXPECT_TRUE(std::isinf(lengths[2]));
}

TEST(FrequencyUsage, IsTheMeanNormOfEachPair) {
    const Problem problem = make_problem({.head_dim = 6, .seq_len = 11, .construction = Gaussian{}});
    const FrequencyUsage usage = ask(UsageQuestion{.cells = 4}, problem);
    std::vector<double> row(6);
    for (int cell = 0; cell < 4; ++cell)
        for (int t = 0; t < 3; ++t) {
            double sum = 0;
            for (int token = cell * 11 / 4; token < (cell + 1) * 11 / 4; ++token) {
                problem.inputs.k.read(token, row);
                sum += std::sqrt(row[2 * t] * row[2 * t] + row[2 * t + 1] * row[2 * t + 1]);
            }
            EXPECT_NEAR(usage.key[t * 4 + cell], sum / ((cell + 1) * 11 / 4 - cell * 11 / 4), 1e-14);
        }
}

TEST(Rotation, PhasesAreTheAnglesOfTheMeans) {
    const LoweredEncoding lowered = Rope{.base = 500}.lower({.head_dim = 32});
    for (const int cells : {1000, 250, 37}) {
        const auto phases = rotation_phases(lowered, 1, {0, 1000}, cells, {});
        for (int pair = 0; pair < 16; ++pair)
            for (int cell = 0; cell < cells; ++cell) {
                const int begin = cell * 1000 / cells, end = (cell + 1) * 1000 / cells;
                std::complex<double> mean = 0;
                for (int r = begin; r < end; ++r)
                    mean += std::polar(1.0 / (end - begin), r * std::pow(500.0, -pair / 16.0));
                const double found = phases[static_cast<std::size_t>(pair) * cells + cell];
                if (std::abs(mean) < 2 / std::numbers::pi)
                    EXPECT_TRUE(std::isnan(found)) << pair << " " << cell;
                else
                    EXPECT_NEAR(std::abs(std::polar(1.0, found) - mean / std::abs(mean)), 0, 1e-11);
            }
    }
}

}  // namespace
}  // namespace ropewalk
