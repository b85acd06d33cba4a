// Single entries and rows against sums written out here.
#include "core/analysis/heads/entries.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/analysis/heads/row_statistics.h"
#include "core/attention/make_problem.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {
namespace {

/// Weights of all rows, from logits found pair by pair with cosines and sines of double angles.
struct WrittenOut {
    std::vector<std::vector<double>> scores, weights;

    WrittenOut(const Experiment& experiment, double base, double stretch = 1) {
        const Problem problem = make_problem(experiment);
        const int n = experiment.seq_len, d = experiment.head_dim;
        std::vector<double> q(static_cast<std::size_t>(d)), k(q.size());
        for (int i = 0; i < n; ++i) {
            std::vector<double>& row = scores.emplace_back();
            problem.inputs.q.read(i, q);
            for (int j = 0; j < n; ++j) {
                problem.inputs.k.read(j, k);
                double score = 0;
                for (int t = 0; t < d / 2; ++t) {
                    const double angle = stretch * (i - j) * std::pow(base, -2.0 * t / d);
                    score += (q[2 * t] * k[2 * t] + q[2 * t + 1] * k[2 * t + 1]) * std::cos(angle) +
                             (q[2 * t] * k[2 * t + 1] - q[2 * t + 1] * k[2 * t]) * std::sin(angle);
                }
                row.push_back(score);
            }
            std::vector<double> weight(static_cast<std::size_t>(n));
            for (int j = 0; j <= i; ++j) weight[j] = std::exp(row[j] / experiment.temperature);
            const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
            for (double& each : weight) each /= sum;
            weights.push_back(weight);
        }
    }
};

class Entries : public testing::TestWithParam<const char*> {
  protected:
    const Experiment experiment_ =
        changed({}, std::string("seq_len=40 head_dim=16 temperature=1.5 encoding.base=500 ") + GetParam());
    const WrittenOut written_{experiment_, 500};
    std::unique_ptr<Backend> backend_ = open_backend("cpu", 2);

    template <class Q>
    typename Q::Answer ask(const Q& question) {
        const Problem problem = make_problem(experiment_);
        return question.answer({experiment_, problem, {}, *backend_, Cancel{}});
    }
};

TEST_P(Entries, OfTokensBeyondTheSequenceAreRefused) {
    EXPECT_THROW(ask(EntryQuestion{.query = 40, .key = 0}), std::logic_error);
    EXPECT_THROW(ask(EntryQuestion{.query = 0, .key = 40}), std::logic_error);
    EXPECT_THROW(ask(EntryQuestion{.query = -1, .key = 0}), std::logic_error);
}

TEST_P(Entries, OneEntry) {
    for (const auto& [i, j] : {std::pair{39, 0}, {39, 39}, {20, 17}, {0, 0}, {7, 2}}) {
        const MatrixEntry entry = ask(EntryQuestion{.query = i, .key = j});
        EXPECT_NEAR(entry.score, written_.scores[i][j], 1e-10);
        EXPECT_NEAR(entry.logit, written_.scores[i][j] / 1.5, 1e-4);
        EXPECT_NEAR(entry.weight, written_.weights[i][j], 1e-5);
    }
    EXPECT_EQ(ask(EntryQuestion{.query = 3, .key = 9}).weight, 0) << "masked";
}

TEST_P(Entries, OneRow) {
    for (const int i : {0, 5, 39}) {
        const RowStatistics row = ask(OneRowStatisticsQuestion{.query = i});
        double entropy = 0, max = 0;
        int key = 0;
        for (int j = 0; j <= i; ++j) {
            const double weight = written_.weights[i][j];
            if (weight > 0) entropy -= weight * std::log(weight);
            if (weight > max) max = weight, key = j;
        }
        EXPECT_NEAR(row.entropy, entropy, 1e-4) << i;
        EXPECT_NEAR(row.max_weight, max, 1e-5) << i;
        EXPECT_EQ(row.max_key, key) << i;
    }
}

TEST_P(Entries, TheSmallestWeightOfADiagonal) {
    for (const int r : {0, 3, 39}) {
        double min = 1;
        for (int i = r; i < 40; ++i) min = std::min(min, written_.weights[i][i - r]);
        EXPECT_NEAR(ask(MinWeightQuestion{.distance = r}), min, 1e-5) << r;
    }
}

INSTANTIATE_TEST_SUITE_P(Heads, Entries,
                         testing::Values("construction=at_distance construction.distance=3 construction.norm_squared=9",
                                         "construction=gaussian seed=3", "construction=text"),
                         [](const auto& test) { return fmt::format("Head{}", test.index); });

}  // namespace
}  // namespace ropewalk
