// Constructions: what the sources say must be seen of each, and portable random numbers.
#include "core/constructions/construction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "core/attention/attention.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/error.h"
#include "core/io/npy.h"
#include "tests/core/attention/reference_view.h"

namespace ropewalk {
namespace {

Experiment experiment_of(Construction construction, int head_dim = 64, int seq_len = 128) {
    return {.head_dim = head_dim, .seq_len = seq_len, .construction = std::move(construction)};
}

TEST(Construction, OnesScoreIsTheMeanOfCosines) {
    const AttentionView view = reference_view(experiment_of(Ones{}, 8, 40));
    for (int r = 0; r < 40; ++r) {
        double mean = 0;
        for (int t = 0; t < 4; ++t) mean += std::cos(r * std::pow(10'000.0, -t / 4.0)) / 4;
        EXPECT_NEAR(view.logits.mean[39 * 40 + 39 - r], mean, 1e-12);
    }
}

TEST(Construction, DeclaresWhatItsRowsDependOn) {
    const auto numbers_of = [](const Experiment& experiment) {
        const Problem problem = make_problem(experiment);
        std::vector<double> numbers;
        for (int token = 0; token < experiment.seq_len; ++token) {
            numbers.push_back(static_cast<double>(problem.position(token)));
            for (const auto& row : {problem.query(token), problem.key(token)})
                numbers.insert(numbers.end(), row.begin(), row.end());
        }
        return numbers;
    };
    const auto expect_as_declared = [&](Experiment experiment, const char* id) {
        if (validate(experiment)) return;  // arrays without files
        const bool declared = depends_on_seed(experiment);
        const auto numbers = numbers_of(experiment);
        const bool is_constant = make_problem(experiment).inputs.is_constant();
        EXPECT_EQ(is_constant, has_constant_rows(experiment.construction)) << id;
        ++experiment.seed;
        EXPECT_EQ(numbers_of(experiment) != numbers, declared) << id;
    };
    for_each_alternative<Construction>(
        [&]<class C>(C construction) { expect_as_declared(experiment_of(construction, 16, 9), C::id); });
    for_each_alternative<Encoding>([&]<class E>(E encoding) {
        Experiment experiment = experiment_of(Ones{}, 16, 9);
        experiment.encoding = encoding;
        expect_as_declared(experiment, E::id);
    });
    Experiment listed = experiment_of(Ones{}, 16, 3);
    listed.encoding = RandomRope{.positions = {0, 5, 7}};
    expect_as_declared(listed, "random_rope with positions");
}

TEST(Construction, AtDistanceIsLargestThere) {
    for (const int r : {0, 1, 7, 50}) {
        const AttentionView view = reference_view(experiment_of(AtDistance{.distance = r, .norm_squared = 30}));
        for (int i = r; i < 128; ++i) {
            EXPECT_NEAR(view.logits.mean[i * 128 + i - r], 30, 1e-10);
            for (int j = 0; j <= i; ++j) {
                if (j == i - r) continue;
                EXPECT_LT(view.logits.mean[i * 128 + j], 30 - 1e-3);
            }
        }
    }
}

TEST(Construction, DistancesCountTokensWhateverTheStride) {
    Experiment experiment = experiment_of(AtDistance{.distance = 5, .norm_squared = 30});
    experiment.positions = {.start = 1000, .stride = 17};
    EXPECT_NEAR(reference_view(experiment).logits.mean[100 * 128 + 95], 30, 1e-9);
}

TEST(Construction, PreviousTokenScoresAreSumsOfCosines) {
    const AttentionView view = reference_view(experiment_of(PreviousToken{.alpha = 2}, 4, 10));
    for (int j = 0; j < 10; ++j)
        EXPECT_NEAR(view.logits.mean[90 + j], 2 * (std::cos(9 - j - 1) + std::cos((9 - j - 1) * 0.01)), 1e-12);
}

TEST(Construction, BandsScoreIsTheSumThatWasAskedFor) {
    const AttentionView view =
        reference_view(experiment_of(Bands{.amplitudes = {2, -3, 0}, .phases = {0.5, -1, 2}}, 6, 20));
    for (int r = 0; r < 20; ++r)
        EXPECT_NEAR(view.logits.mean[19 * 20 + 19 - r],
                    2 * std::cos(r + 0.5) - 3 * std::cos(r * std::pow(10'000.0, -1 / 3.0) - 1), 1e-12);
    EXPECT_TRUE((Bands{.amplitudes = {1, 2}}.check({.head_dim = 6})).has_value());
}

TEST(Construction, SemanticMatchesAllEarlierTokensOnTheChannelsFromD0) {
    const int d0 = 32, n = 100;
    Experiment experiment = experiment_of(Semantic{.d0 = d0}, 64, n);
    experiment.encoding = Rope{.exponent = RopeExponent::d_minus_2};
    const Problem problem = make_problem(experiment);
    std::vector<double> s(64), other(64);
    problem.inputs.q.read(n - 1, s);
    for (int j = 0; j < n - 1; ++j) {
        problem.inputs.k.read(j, other);
        EXPECT_EQ(other, s);
    }
    for (int channel = 0; channel < d0; ++channel) EXPECT_EQ(s[channel], 0);
    problem.inputs.k.read(n - 1, other);
    EXPECT_NE(other, s);
    const AttentionView view = reference_view(experiment);
    for (int r = 1; r < n; ++r) {
        double score = 0;
        for (int t = d0 / 2; t < 32; ++t)
            score +=
                (s[2 * t] * s[2 * t] + s[2 * t + 1] * s[2 * t + 1]) * std::cos(r * std::pow(10'000.0, -2.0 * t / 62));
        EXPECT_NEAR(view.logits.mean[(n - 1) * n + n - 1 - r], score, 1e-11);
    }
    EXPECT_TRUE((Semantic{.d0 = 64}.check({.head_dim = 64})).has_value());
}

TEST(Construction, SameVectorPrefersTheNearest) {
    const AttentionView view = reference_view(experiment_of(SameVector{.norm_squared = 16}));
    for (int j = 0; j < 127; ++j) EXPECT_LT(view.logits.mean[127 * 128 + j], view.logits.mean[127 * 128 + 127]);
    EXPECT_NEAR(view.logits.mean[127 * 128 + 127], 16, 1e-12);
}

TEST(Construction, PairingMovesChannelsAndNotScores) {
    for (const Construction& construction :
         {Construction(Gaussian{}), Construction(PreviousToken{}), Construction(Semantic{.d0 = 8})}) {
        Experiment a = experiment_of(construction, 16, 20), b = a;
        b.pairing = Pairing::half_split;
        EXPECT_EQ(reference_view(a).logits.mean, reference_view(b).logits.mean);
    }
}

/// Returns an array of the numbers from `first` on.
std::shared_ptr<const HeadArrays> counting_array(const std::vector<std::int64_t>& shape, double first) {
    std::vector<double> values(
        static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())));
    std::iota(values.begin(), values.end(), first);
    return head_arrays(std::make_shared<const StoredArray>(npy_bytes(shape, values), "q.npy"));
}

TEST(Construction, ArraysAreReadByTheirPairing) {
    const auto content = counting_array({3, 4}, 1);
    Experiment experiment = experiment_of(Arrays{.q = {"q.npy", content}, .k = {"q.npy", content}}, 4, 3);
    std::vector<double> row(4);
    make_problem(experiment).inputs.q.read(1, row);
    EXPECT_EQ(row, (std::vector<double>{5, 6, 7, 8}));
    experiment.pairing = Pairing::half_split;
    make_problem(experiment).inputs.q.read(1, row);
    EXPECT_EQ(row, (std::vector<double>{5, 7, 6, 8}));
    experiment.seq_len = 4;
    EXPECT_NE(validate(experiment).value_or(""), "");
    EXPECT_NE(validate(experiment_of(Arrays{}, 4, 3)).value_or(""), "");
}

TEST(Construction, ArraysOfSeveralHeadsGiveTheChosenOne) {
    const auto counted = [](const std::vector<std::int64_t>& shape) { return counting_array(shape, 0); };
    // 2 entries of 4 query heads and 2 key heads, 3 tokens, 2 channels: heads 2 and 3 read key head 1.
    Arrays arrays{.q = {"q.npy", counted({2, 4, 3, 2})}, .k = {"k.npy", counted({2, 2, 3, 2})}, .head = 3, .batch = 1};
    const Problem problem = make_problem(experiment_of(arrays, 2, 3));
    EXPECT_EQ(problem.query(2), (std::vector<double>{46, 47}));
    EXPECT_EQ(problem.key(2), (std::vector<double>{22, 23}));
    arrays.head = 4;
    EXPECT_THAT(validate(experiment_of(arrays, 2, 3)).value_or(""), testing::HasSubstr("heads 0 to 3"));
    arrays.head = 0, arrays.batch = 2;
    EXPECT_THAT(validate(experiment_of(arrays, 2, 3)).value_or(""), testing::HasSubstr("entries 0 to 1"));
    arrays.batch = 0, arrays.k.content = counted({2, 3, 3, 2});
    EXPECT_THAT(validate(experiment_of(arrays, 2, 3)).value_or(""), testing::HasSubstr("must divide"));
}

TEST(Construction, EveryOneWithItsDefaultsGivesFiniteRows) {
    for (const Construction& construction : alternatives_of<Construction>()) {
        Experiment experiment = experiment_of(construction, 64, 9);
        if (validate(experiment)) continue;  // arrays without files
        const Problem problem = make_problem(experiment);
        std::vector<double> row(64, NAN);
        for (const RowSource* source : {&problem.inputs.q, &problem.inputs.k})
            for (int token = 0; token < 9; ++token) {
                source->read(token, row);
                for (const double entry : row) EXPECT_TRUE(std::isfinite(entry)) << id_of(construction);
            }
    }
}

TEST(Random, QuantileInvertsTheNormalDistribution) {
    for (const double p : {1e-300, 1e-20, 1e-9, 0.001, 0.02, 0.3, 0.5, 0.77, 0.999, 1 - 1e-9}) {
        const double x = normal_quantile(p);
        EXPECT_NEAR(0.5 * std::erfc(-x / std::sqrt(2.0)) / p, 1, 1e-12) << p;
    }
    EXPECT_EQ(normal_quantile(0.5), 0);
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);  // tables
}

TEST(Random, MomentsAreThoseOfTheNormalDistribution) {
    std::vector<double> row(100'000);
    fill_gaussian({.seed = 3}, row);
    double mean = 0, square = 0, fourth = 0;
    for (const double x : row) mean += x, square += x * x, fourth += x * x * x * x;
    const double n = static_cast<double>(row.size());
    EXPECT_NEAR(mean / n, 0, 4 / std::sqrt(n));
    EXPECT_NEAR(square / n, 1, 4 * std::sqrt(2 / n));
    EXPECT_NEAR(fourth / n, 3, 4 * std::sqrt(96 / n));
}

TEST(Random, RowsDifferByEveryPartOfTheirKey) {
    const RandomKey key{.seed = 5, .sample = 2, .stream = RandomStream::key, .token = 7};
    std::vector<RandomKey> keys(5, key);
    keys[1].seed = 6, keys[2].sample = 3, keys[3].stream = RandomStream::query, keys[4].token = 8;
    std::map<std::vector<double>, int> seen;
    for (const RandomKey& k : keys) {
        std::vector<double> row(6);
        fill_gaussian(k, row);
        ++seen[row];
        std::vector<double> shorter(3);
        fill_gaussian(k, shorter);
        EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), row.begin()));
    }
    EXPECT_EQ(seen.size(), 5u);
}

}  // namespace
}  // namespace ropewalk
