// Statistics over a head's cells and rows, against brute force over the whole matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "core/analysis/heads/alignment.h"
#include "core/analysis/heads/contributions.h"
#include "core/analysis/heads/dominance.h"
#include "core/analysis/heads/row_statistics.h"
#include "core/analysis/heads/sampling.h"
#include "core/analysis/heads/spearman.h"
#include "core/analysis/heads/top_pairs.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/experiment.h"
#include "tests/core/analysis/ask.h"

namespace ropewalk {
namespace {

TEST(Spearman, RanksShareTheirMeanWhereValuesAreEqual) {
    EXPECT_EQ(average_ranks(std::vector<double>{3, 1, 3, 2, 3}), (std::vector<double>{4, 1, 4, 2, 4}));
    EXPECT_EQ(average_ranks(std::vector<double>{}), std::vector<double>{});
}

TEST(Spearman, KnownValues) {
    const std::vector<double> up{1, 2, 3, 4, 5}, down{50, 40, 3, 2, 1}, flat{7, 7, 7, 7, 7};
    EXPECT_EQ(spearman(up, up), 1);
    EXPECT_EQ(spearman(up, down), -1);
    EXPECT_EQ(spearman(up, flat), std::nullopt);
    EXPECT_EQ(spearman(std::vector<double>{1}, std::vector<double>{2}), std::nullopt);
    // IQ and hours of television, the textbook example without ties: −29/165
    EXPECT_NEAR(*spearman(std::vector<double>{106, 100, 86, 101, 99, 103, 97, 113, 112, 110},
                          std::vector<double>{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}),
                -29.0 / 165, 1e-14);
    // Ranks (1, 2.5, 2.5, 4) and (1, 2, 3, 4): 4.5/√(4.5·5), where the shortcut 1 − 6Σd²/(n³ − n) would give 0.95.
    EXPECT_NEAR(*spearman(std::vector<double>{1, 2, 2, 3}, std::vector<double>{1, 2, 3, 4}), std::sqrt(0.9), 1e-14);
}

TEST(Spearman, IsPearsonOfRanksCountedByHand) {
    std::vector<double> x, y;
    for (int i = 0; i < 60; ++i) x.push_back(i * 37 % 11), y.push_back(i * i % 7 + i / 20);
    const auto rank = [](const std::vector<double>& values, std::size_t i) {
        double below = 0, equal = 0;
        for (const double other : values) below += other < values[i], equal += other == values[i];
        return below + (equal + 1) / 2;
    };
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    const double n = 60;
    for (std::size_t i = 0; i < 60; ++i) {
        const double a = rank(x, i), b = rank(y, i);
        sx += a, sy += b, sxx += a * a, syy += b * b, sxy += a * b;
    }
    const double expected = (sxy - sx * sy / n) / std::sqrt((sxx - sx * sx / n) * (syy - sy * sy / n));
    EXPECT_NEAR(*spearman(x, y), expected, 1e-13);
}

std::vector<int> sampled_rows(Interval range, int most) {
    std::vector<int> rows;
    for_each_row(make_problem({.head_dim = 2, .seq_len = 101}), range, most, *make_reference_backend(), {},
                 [&](const RowView& row) { rows.push_back(row.row); });
    return rows;
}

TEST(Sampling, RowsAreEquallyFarApart) {
    EXPECT_EQ(sampled_rows({10, 14}, 100), (std::vector<int>{10, 11, 12, 13}));
    EXPECT_EQ(sampled_rows({0, 100}, 4), (std::vector<int>{12, 37, 62, 87}));
    EXPECT_EQ(sampled_rows({0, 101}, 4), (std::vector<int>{36, 62, 88}));  // parts of 26 from row 23 on
    EXPECT_EQ(sampled_rows({5, 5}, 4), std::vector<int>{});
}

TEST(Sampling, SampledRowsAreRowsOfTheMatrix) {
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})})
        for (const auto& backend : {make_reference_backend(), open_backend("cpu")}) {
            // so long that the rows come in several views
            const Problem problem = make_problem({.head_dim = 2, .seq_len = 200'000, .construction = construction});
            std::vector<int> rows;
            for_each_row(problem, {100, 3000}, 25, *backend, {}, [&](const RowView& row) {
                rows.push_back(row.row);
                const AttentionView alone =
                    backend->attend(problem, Viewport::one_to_one({row.row, row.row + 1}, {0, 3000}), {});
                ASSERT_EQ(row.logits.size(), 200'000u);
                for (int j = 0; j < 3000; ++j) {
                    if (j > row.row) {
                        EXPECT_EQ(row.logits[j], alone.logits.mean[j]);
                        EXPECT_EQ(row.weights[j], 0);
                    } else {
                        ASSERT_NEAR(row.logits[j], alone.logits.mean[j], 1e-5);
                        ASSERT_NEAR(row.weights[j], alone.weights.mean[j], 1e-6);
                    }
                }
            });
            std::vector<int> expected;  // the middles of 25 parts of 116 rows
            for (int row = 158; row < 3000; row += 116) expected.push_back(row);
            EXPECT_EQ(rows, expected);
        }
}

TEST(Dominance, DimensionIsTheSoftmaxMeanOfThePairs) {
    EXPECT_NEAR(dominant_dimension(std::vector<double>{0, 0, 0}), 1, 1e-15);
    EXPECT_NEAR(dominant_dimension(std::vector<double>{std::log(1), std::log(2), std::log(5)}), 12.0 / 8, 1e-15);
    EXPECT_EQ(dominant_dimension(std::vector<double>{-1e308, 1e308}), 1);
}

TEST(Dominance, AveragesTheTopKeysOfEveryQueryByDistance) {
    const Problem problem = make_problem({.head_dim = 12, .seq_len = 40, .construction = Gaussian{}});
    const auto backend = make_reference_backend();
    const AttentionView view = backend->attend(problem, Viewport::one_to_one({0, 40}, {0, 40}), {});
    const Dominance found = ask(DominanceQuestion{.keys_per_query = 5}, problem);
    std::map<int, std::vector<double>> rotated, unrotated;
    std::vector<double> q(12), k(12);
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j <= i; ++j) {
            int higher = 0;
            for (int other = 0; other <= i; ++other)
                higher += view.logits.mean[i * 40 + other] > view.logits.mean[i * 40 + j];
            if (higher >= 5) continue;
            problem.inputs.q.read(i, q), problem.inputs.k.read(j, k);
            double sum[2] = {0, 0}, moment[2] = {0, 0};
            for (int t = 0; t < 6; ++t) {
                const double a = q[2 * t] * k[2 * t] + q[2 * t + 1] * k[2 * t + 1],
                             b = q[2 * t] * k[2 * t + 1] - q[2 * t + 1] * k[2 * t],
                             angle = (i - j) * std::pow(10'000.0, -t / 6.0);
                const double g[2] = {a * std::cos(angle) + b * std::sin(angle), a};
                for (int which : {0, 1}) sum[which] += std::exp(g[which]), moment[which] += t * std::exp(g[which]);
            }
            rotated[i - j].push_back(moment[0] / sum[0]);
            unrotated[i - j].push_back(moment[1] / sum[1]);
        }
    EXPECT_EQ(found.queries, 40);
    ASSERT_EQ(found.by_distance.size(), rotated.size());
    std::vector<double> distances, means;
    for (const auto& point : found.by_distance) {
        const auto mean = [](const std::vector<double>& values) {
            return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
        };
        ASSERT_EQ(point.count, static_cast<int>(rotated[point.distance].size())) << point.distance;
        EXPECT_NEAR(point.rotated, mean(rotated[point.distance]), 1e-12);
        EXPECT_NEAR(point.unrotated, mean(unrotated[point.distance]), 1e-12);
        distances.push_back(point.distance), means.push_back(point.rotated);
    }
    EXPECT_EQ(found.correlation, spearman(distances, means));
}

// At distance 0 a rotation is none, whatever the encoding scales logits by.
TEST(Dominance, WithoutRotationTheScalingStays) {
    const Problem problem = make_problem({.head_dim = 12,
                                          .seq_len = 40,
                                          .encoding = Yarn{.factor = 32, .original_length = 16},
                                          .construction = Gaussian{}});
    ASSERT_NE(problem.lowered.attention_scaling, 1);
    const Dominance found = ask(DominanceQuestion{}, problem);
    ASSERT_EQ(found.by_distance[0].distance, 0);
    EXPECT_NEAR(found.by_distance[0].rotated, found.by_distance[0].unrotated, 1e-14);
    EXPECT_GT(std::abs(found.by_distance[7].rotated - found.by_distance[7].unrotated), 1e-3);
}

// With only the slow pair of two at work, g = (0, 3 cos 0.01r) falls over 64 tokens and the dominant dimension with it:
// 1/(1 + e^(−g)). Without rotation distance makes no difference, and there is nothing to correlate.
TEST(Dominance, OfOneSlowPairFallsWithDistance) {
    const Problem problem =
        make_problem({.head_dim = 4, .seq_len = 64, .construction = Bands{.amplitudes = {0, 3}, .phases = {0, 0}}});
    const Dominance found = ask(DominanceQuestion{}, problem);
    ASSERT_EQ(found.by_distance.size(), 64u);
    for (const auto& point : found.by_distance) {
        EXPECT_NEAR(point.rotated, 1 / (1 + std::exp(-3 * std::cos(0.01 * point.distance))), 1e-13);
        EXPECT_NEAR(point.unrotated, 1 / (1 + std::exp(-3)), 1e-13);
        EXPECT_EQ(point.count, 64 - point.distance);
    }
    EXPECT_EQ(found.correlation, -1);
    EXPECT_EQ(found.unrotated_correlation, std::nullopt);
}

TEST(TopPairs, OfAHeadWithOneGreatPairIsThatPair) {
    const Problem problem =
        make_problem({.head_dim = 8, .seq_len = 50, .construction = Bands{.amplitudes = {0, 0, 0, 2}}});
    EXPECT_EQ(ask(TopPairsQuestion{.cells = 100, .top = 1}, problem), (std::vector<double>{0, 0, 0, 1}));
    EXPECT_EQ(ask(TopPairsQuestion{.cells = 100, .top = 5}, problem), (std::vector<double>(4, 0.25)));
}

TEST(TopPairs, SamplesAgreeWithAllCells) {
    const Problem problem = make_problem({.head_dim = 16, .seq_len = 40, .construction = Gaussian{}});
    std::vector<double> counts(8);
    double all = 0;
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j <= i; ++j) {
            const auto parts = contributions(problem, i, j);
            for (std::size_t t = 0; t < 8; ++t) {
                int higher = 0;
                for (const double part : parts) higher += part > parts[t];
                if (higher < 2) counts[t] += 1, all += 1;
            }
        }
    for (const auto& [cells, tolerance] : {std::pair{800, 0.03}, {820, 1e-12}, {4000, 1e-12}}) {  // of 820
        const auto shares = ask(TopPairsQuestion{.cells = cells, .top = 2}, problem);
        EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
        for (std::size_t t = 0; t < 8; ++t) EXPECT_NEAR(shares[t], counts[t] / all, tolerance) << t;
    }
}

TEST(RowStatistics, OfKnownRows) {
    const auto backend = make_reference_backend();
    const Problem even = make_problem({.seq_len = 30, .encoding = NoPE{}});
    for (const int most : {100, 4}) {
        const auto rows = sampled_rows({0, 30}, most);
        const auto statistics = row_statistics(even, {0, 30}, most, *backend, {});
        ASSERT_EQ(statistics.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(statistics[i].row, rows[i]);
            EXPECT_NEAR(statistics[i].entropy, std::log(rows[i] + 1), 1e-13);
            EXPECT_NEAR(statistics[i].max_weight, 1.0 / (rows[i] + 1), 1e-15);
            EXPECT_NEAR(statistics[i].margin, rows[i] == 0 ? 1 : 0, 1e-15);
        }
    }
}

// Wendler's experiment 1: N = 20, d = 64, α = 1, the last row's previous-token weight is 0.58665.
TEST(RowStatistics, OfAPreviousTokenHead) {
    const Problem problem = make_problem({.seq_len = 20, .construction = PreviousToken{.alpha = 1}});
    const auto backend = make_reference_backend();
    const RowStatistics last = row_statistics(problem, {19, 20}, 1, *backend, {})[0];
    const AttentionView view = backend->attend(problem, Viewport::one_to_one({19, 20}, {0, 20}), {});
    auto weights = view.weights.mean;
    double entropy = 0;
    for (const double w : weights) entropy -= w * std::log(w);
    std::sort(weights.rbegin(), weights.rend());
    EXPECT_NEAR(last.max_weight, 0.58665, 5e-6);
    EXPECT_NEAR(last.margin, weights[0] - weights[1], 1e-15);
    EXPECT_NEAR(last.entropy, entropy, 1e-14);
}

// App. D.1: the diagonal head of Thm 5.3 reaches its bound on the diagonal, the previous-token head one beside it.
TEST(Alignment, BoundsAreReachedWhereTheHeadLooks) {
    for (const int distance : {0, 1}) {
        const Problem problem =
            make_problem({.seq_len = 8, .construction = AtDistance{.distance = distance, .norm_squared = 40}});
        const auto tokens = ask(AlignmentQuestion{.count = 8}, problem);
        ASSERT_EQ(tokens.size(), 8u);
        EXPECT_FALSE(tokens[0].previous || tokens[0].previous_bound);
        for (const TokenAlignment& at : tokens) {
            EXPECT_NEAR(at.diagonal_bound, 40 / 8.0, 1e-13);
            const double wanted = distance == 0 ? at.diagonal : at.previous.value_or(5);
            const double beside = distance == 0 ? at.previous.value_or(0) : at.diagonal;
            EXPECT_NEAR(wanted, at.diagonal_bound, 1e-12);
            EXPECT_LT(beside, at.diagonal_bound - 0.1);
            EXPECT_NEAR(at.previous_bound.value_or(5), 5, 1e-13);
        }
    }
}

TEST(Alignment, IsTheScaledScoreOfEveryEncodingWithinItsBound) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        const Problem problem =
            make_problem({.head_dim = 16, .seq_len = 30, .encoding = encoding, .construction = Gaussian{}});
        const AttentionView scores =
            make_reference_backend()->attend(scores_only(problem), Viewport::one_to_one({0, 30}, {0, 30}), {});
        for (const TokenAlignment& at : ask(AlignmentQuestion{.count = 30}, problem)) {
            if (at.token == 0) continue;
            EXPECT_NEAR(at.diagonal, scores.logits.mean[at.token * 31] / 4, 1e-13) << id_of(encoding);
            EXPECT_NEAR(*at.previous, scores.logits.mean[at.token * 31 - 1] / 4, 1e-13);
            EXPECT_LE(std::abs(at.diagonal), at.diagonal_bound + 1e-12);
            EXPECT_LE(std::abs(*at.previous), *at.previous_bound + 1e-12);
        }
    }
}

TEST(RowStatistics, TheLastRowIsAlwaysAmongThem) {
    const Experiment experiment{.head_dim = 4, .seq_len = 12, .construction = Gaussian{}};
    const Problem problem = make_problem(experiment);
    const auto backend = make_reference_backend();
    const auto rows_of = [&](int rows) {
        std::vector<int> found;
        for (const RowStatistics& each :
             RowStatisticsQuestion{.rows = rows}.answer({experiment, problem, {}, *backend, Cancel{}})) {
            found.push_back(each.row);
            const RowStatistics alone =
                OneRowStatisticsQuestion{.query = each.row}.answer({experiment, problem, {}, *backend, Cancel{}});
            EXPECT_NEAR(each.entropy, alone.entropy, 1e-12);
            EXPECT_EQ(each.max_key, alone.max_key);
        }
        return found;
    };
    EXPECT_EQ(rows_of(1), std::vector<int>{11});
    std::vector<int> all(12);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(rows_of(12), all);
    EXPECT_EQ(rows_of(13), all);
    for (int rows = 2; rows < 12; ++rows) {
        const std::vector<int> found = rows_of(rows);
        EXPECT_LE(found.size(), static_cast<std::size_t>(rows));
        EXPECT_GE(2 * found.size(), static_cast<std::size_t>(rows));
        EXPECT_EQ(found.back(), 11);
        EXPECT_EQ(std::adjacent_find(found.begin(), found.end(), std::greater_equal{}), found.end()) << "none twice";
    }
}

}  // namespace
}  // namespace ropewalk
