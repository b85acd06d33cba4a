// The divergence of rows of attention from another head's, against sums over the whole matrices in double.
#include "core/analysis/heads/row_divergence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// Σ p ln(p/p_ref) of every row, from all weights of both heads.
std::vector<double> brute_divergences(const Experiment& own, const Experiment& reference) {
    const int n = own.seq_len;
    const auto weights = [n](const Experiment& experiment) {
        return open_backend("reference", 1)
            ->attend(make_problem(experiment), Viewport::one_to_one({0, n}, {0, n}), {})
            .weights.mean;
    };
    const Numbers p = weights(own), other = weights(reference);
    std::vector<double> divergences;
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int j = 0; j < n; ++j)
            if (const std::size_t at = static_cast<std::size_t>(i) * n + j; p[at] > 0)
                sum += p[at] * std::log(p[at] / other[at]);
        divergences.push_back(sum);
    }
    return divergences;
}

std::vector<RowDivergence> answer_of(const Experiment& own, const Experiment& reference, int rows,
                                     const char* backend) {
    const auto opened = open_backend(backend, 2);
    const Problem problem = make_problem(own);
    return RowDivergencesQuestion{.reference = reference, .rows = rows}.answer({own, problem, {}, *opened, {}});
}

TEST(RowDivergence, IsThatOfAllWeights) {
    const Experiment gaussian = changed({.head_dim = 32, .seq_len = 90}, "construction=gaussian");
    for (const char* settings : {"encoding.base=100", "encoding=nope", "temperature=0.5", "encoding=alibi",
                                 "construction=at_distance", "seed=7"}) {
        const Experiment reference = changed(gaussian, settings);
        const std::vector<double> expected = brute_divergences(gaussian, reference);
        for (const auto& [backend, accuracy] : {std::pair{"reference", 1e-10}, {"cpu", 2e-5}}) {
            const auto found = answer_of(gaussian, reference, 90, backend);
            ASSERT_EQ(found.size(), 90u) << settings;
            for (std::size_t i = 0; i < found.size(); ++i) {
                EXPECT_EQ(found[i].row, static_cast<int>(i));
                EXPECT_NEAR(found[i].nats, expected[i], accuracy * (1 + expected[i])) << settings << ", row " << i;
                EXPECT_GE(found[i].nats, 0);
            }
        }
    }
}

TEST(RowDivergence, HasADirection) {
    const std::vector<double> even{0, 0}, uneven{std::log(3.0), 0};  // ½, ½ and ¾, ¼
    EXPECT_NEAR(row_divergence(even, uneven), 0.5 * std::log(0.5 / 0.75) + 0.5 * std::log(0.5 / 0.25), 1e-15);
    EXPECT_NEAR(row_divergence(uneven, even), 0.75 * std::log(0.75 / 0.5) + 0.25 * std::log(0.25 / 0.5), 1e-15);
    const std::vector<double> moved{1e5 + std::log(3.0), 1e5};
    EXPECT_NEAR(row_divergence(moved, uneven), 0, 1e-10) << "weights are what counts";
}

TEST(RowDivergence, IsInfiniteWhereTheReferenceHasNoWeight) {
    const Experiment all{.seq_len = 8, .mask = Mask::none}, causal{.seq_len = 8};
    const auto found = answer_of(all, causal, 8, "cpu"), other_way = answer_of(causal, all, 8, "cpu");
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(std::isinf(found[static_cast<std::size_t>(i)].nats), i < 7) << i;
        EXPECT_TRUE(std::isfinite(other_way[static_cast<std::size_t>(i)].nats)) << i;
    }
}

TEST(RowDivergence, OfLongHeadsSomeRowsAreLookedAt) {
    const Experiment own = changed({.head_dim = 16, .seq_len = 200}, "construction=gaussian"),
                     reference = changed(own, "encoding.base=50");
    const std::vector<double> expected = brute_divergences(own, reference);
    const auto found = answer_of(own, reference, 40, "reference");
    ASSERT_EQ(found.size(), 40u);
    for (const RowDivergence& row : found)
        EXPECT_NEAR(row.nats, expected[static_cast<std::size_t>(row.row)], 1e-10) << row.row;
    const auto asked = [](int seq_len) {
        return RowDivergencesQuestion::affordable({.seq_len = seq_len}, {.seq_len = seq_len}).rows;
    };
    EXPECT_EQ(asked(1024), 1024) << "all of what is quick to go through";
    EXPECT_EQ(asked(8192), 256);
    EXPECT_EQ(asked(1 << 20), 64);
}

TEST(RowDivergence, IsOfRowsThatHaveKeysAndTheSameOnes) {
    const std::vector<double> none, one{0}, two{0, 1};
    EXPECT_THROW(row_divergence(none, none), std::logic_error);
    EXPECT_THROW(row_divergence(two, one), std::logic_error);
    EXPECT_THROW(row_divergence(one, two), std::logic_error);
}

TEST(RowDivergence, OfWhatIsNoNumberIsNone) {
    const std::vector<double> even{0, 0}, first{nan, 0}, last{0, nan};
    for (const auto& broken : {first, last}) {
        EXPECT_TRUE(std::isnan(row_divergence(broken, even)));
        EXPECT_TRUE(std::isnan(row_divergence(even, broken)));
    }
    EXPECT_EQ(row_divergence(even, even), 0);
}

/// Answers with nothing in it, or fails.
class WatchedBackend : public Backend {
  public:
    std::string_view id() const override { return "watched"; }
    std::string_view description() const override { return "watched"; }
    Precision precision() const override { return Precision::fp64; }
    double cost(const Problem&, const Viewport&) const override { return 1; }
    AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel&) override {
        if (fails) throw IoError("the card is gone");
        AttentionView view = empty_view(problem, viewport);
        max = std::max(max, view.logits.mean.size() + view.weights.mean.size());
        has_weights |= !view.weights.mean.empty();
        return view;
    }

    bool fails = false, has_weights = false;
    std::size_t max = 0;  // entries of one view
};

TEST(RowDivergence, WhatTheWorldDoesIsToldAsItIs) {
    const Experiment head{.seq_len = 16};
    const Problem problem = make_problem(head);
    WatchedBackend backend;
    backend.fails = true;
    EXPECT_THROW((RowDivergencesQuestion{.reference = head, .rows = 16}.answer({head, problem, {}, backend, {}})),
                 IoError);
}

TEST(RowDivergence, HoldsNoMoreThanItLooksAt) {
    const Experiment head{.head_dim = 2, .seq_len = 1 << 14};
    const Problem problem = make_problem(head);
    WatchedBackend backend;
    EXPECT_EQ((RowDivergencesQuestion{.reference = head, .rows = 128}.answer({head, problem, {}, backend, {}}).size()),
              128u);
    EXPECT_FALSE(backend.has_weights);
    EXPECT_LE(2 * backend.max, std::size_t{1} << 21) << "both heads' views";
    EXPECT_GE(2 * backend.max, std::size_t{1} << 20) << "many rows at a time";
}

TEST(RowDivergence, AHeadOfAnotherLengthHasNoRowsToCompare) {
    EXPECT_TRUE(answer_of({.seq_len = 16}, {.seq_len = 17}, 16, "reference").empty());
}

}  // namespace
}  // namespace ropewalk
