// Bands fitted to a curve: against least squares written out here in long double, and against heads that are computed.
#include "core/analysis/fit/band_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/analysis/heads/decay.h"
#include "core/attention/make_problem.h"
#include "core/experiment/scene_io.h"
#include "tests/core/analysis/long_double_solve.h"
#include "tests/core/attention/reference_view.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

/// A window, an edge, a slope: nothing that a few waves could meet.
TargetCurve window_of(int tokens, int end) {
    return TargetCurve({{0, 5}, {tokens - 1.0, 6}, {static_cast<double>(tokens), -1}, {end - 1.0, 0.5}});
}

/// The curve at every distance of a list of values.
TargetCurve through(std::span<const double> logits) {
    std::vector<TargetCurve::Point> points;
    for (std::size_t r = 0; r < logits.size(); ++r) points.push_back({static_cast<double>(r), logits[r]});
    return TargetCurve(std::move(points));
}

/// Logits of the last query by distance, as the reference computes them.
std::vector<double> last_row(const Experiment& experiment) {
    const AttentionView view = reference_view(experiment);
    return {view.logits.mean.rbegin(), view.logits.mean.rbegin() + experiment.seq_len};
}

/// cos and sin of r · base^(−2t/d), [distance][2t, 2t + 1], each row times the root of its weight over their sum.
std::vector<std::vector<long double>> waves(int pairs, long double base, int count, FitWeighting weighting) {
    std::vector<std::vector<long double>> rows;
    long double sum = 0;
    const auto weight = [&](int r) { return weighting == FitWeighting::octaves ? 1 / (r + 1.0L) : 1.0L; };
    for (int r = 0; r < count; ++r) sum += weight(r);
    for (int r = 0; r < count; ++r) {
        rows.emplace_back();
        for (int t = 0; t < pairs; ++t) {
            const long double angle = r * std::pow(base, -static_cast<long double>(t) / pairs);
            rows.back().push_back(std::sqrt(weight(r) / sum) * std::cos(angle));
            rows.back().push_back(std::sqrt(weight(r) / sum) * std::sin(angle));
        }
    }
    return rows;
}

TEST(BandFit, IsTheLeastSquaresSolution) {
    constexpr int pairs = 8, count = 300;
    const Experiment experiment = changed(
        {.head_dim = 2 * pairs, .seq_len = count, .scale = Scale::sqrt_d, .temperature = 0.5}, "encoding.base=100");
    const Problem problem = make_problem(experiment);
    const TargetCurve target = window_of(64, count);
    for (const FitWeighting weighting : {FitWeighting::distances, FitWeighting::octaves})
        for (const double ridge : {0.0, 1e-4, 1e-1}) {
            const BandFit fit = band_fit(problem, target, {.ridge = ridge, .weighting = weighting}, {});
            EXPECT_EQ(fit.complaint, "");
            EXPECT_EQ(fit.fitted_distances, count);
            const auto rows = waves(pairs, 100, count, weighting);
            std::vector<long double> wanted;
            const auto ones = waves(1, 1, count, weighting);  // the first column at r = 0 is the root of the weight
            for (int r = 0; r < count; ++r)
                wanted.push_back(std::hypot(ones[r][0], ones[r][1]) * static_cast<long double>(target.at(r)));
            const auto x = normal_equations(rows, wanted, ridge);
            const double per_logit = 0.5 * std::sqrt(16.0);  // temperature · √d
            long double squares = 0;
            for (int r = 0; r < count; ++r) {
                long double sum = -wanted[r];
                for (std::size_t i = 0; i < x.size(); ++i) sum += rows[r][i] * x[i];
                squares += sum * sum;
            }
            EXPECT_NEAR(fit.rms, static_cast<double>(std::sqrt(squares)), 1e-11);
            for (int t = 0; t < pairs; ++t) {
                EXPECT_NEAR(fit.cosine[t], per_logit * static_cast<double>(x[2 * t]), 1e-9) << t;
                EXPECT_NEAR(fit.sine[t], per_logit * static_cast<double>(x[2 * t + 1]), 1e-9) << t;
                EXPECT_NEAR(fit.bands[t].amplitude * std::cos(fit.bands[t].phase), fit.cosine[t], 1e-12);
                EXPECT_NEAR(-fit.bands[t].amplitude * std::sin(fit.bands[t].phase), fit.sine[t], 1e-12);
                EXPECT_NEAR(fit.logit_amplitude[t] * per_logit, fit.bands[t].amplitude, 1e-12);
            }
        }
}

TEST(BandFit, FindsTheBandsThatMadeACurveUnderEveryEncodingThatRotates) {
    std::vector<Band> made;
    for (int pair = 0; pair < 4; ++pair) made.push_back({1.5 + pair, 0.7 * pair - 1});
    int fitted = 0;
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        Experiment experiment{.head_dim = 8,
                              .seq_len = 150,
                              .encoding = encoding,
                              .scale = Scale::sqrt_d,
                              .temperature = 0.25,
                              .positions = {.start = 11, .stride = 3}};
        for (const char* setting : {"encoding.base=50", "encoding.p=1", "encoding.fraction=1", "encoding.window=40"})
            try {
                apply_setting(experiment, setting, {});
            } catch (const UsageError&) {
            }
        SCOPED_TRACE(id_of(encoding));
        const Experiment head = with_bands(experiment, made);
        const Problem problem = make_problem(head);
        const std::vector<double> logits = last_row(head);
        const BandFit fit = band_fit(problem, through(logits), {}, {});
        if (!problem.lowered.rotates()) {
            EXPECT_THAT(fit.complaint, HasSubstr("adds waves"));
            continue;
        }
        ++fitted;
        ASSERT_EQ(fit.complaint, "");
        EXPECT_LT(fit.rms, 1e-9);
        for (int r = 0; r < 150; ++r) EXPECT_NEAR(fit.logits[r], logits[r], 1e-8) << r;
        if (fit.rank < 8) continue;  // unrotated pairs cannot be distinguished
        for (std::size_t pair = 0; pair < made.size(); ++pair) {
            EXPECT_NEAR(fit.bands[pair].amplitude, made[pair].amplitude, 1e-7) << pair;
            EXPECT_NEAR(fit.bands[pair].phase, made[pair].phase, 1e-7) << pair;
        }
    }
    EXPECT_GT(fitted, 12);
}

TEST(BandFit, HasTheLogitsOfItsHead) {
    for (const char* settings :
         {"encoding=rope", "encoding=alibi encoding.head=5", "encoding=xpos", "encoding=self_extend encoding.window=32",
          "encoding=yarn encoding.factor=4 encoding.original_length=64", "encoding=random_rope"}) {
        const Experiment experiment = changed(
            {.head_dim = 32, .seq_len = 128, .temperature = 2, .positions = {.start = 3, .stride = 2}}, settings);
        const BandFit fit = band_fit(make_problem(experiment), window_of(20, 128),
                                     {.ridge = 1e-6, .first_pair = 2, .last_pair = 12}, {});
        const std::vector<double> logits = last_row(with_bands(experiment, fit.bands));
        for (int r = 0; r < 128; ++r) {
            EXPECT_NEAR(fit.logits[r], logits[r], 1e-9) << settings << " at " << r;
            EXPECT_NEAR(fit.left_over[r], logits[r] - fit.target[r], 1e-9);
        }
        EXPECT_NEAR(fit.max, std::abs(logits[fit.max_at] - fit.target[fit.max_at]), 1e-9);
        for (const int outside : {0, 1, 13, 15}) EXPECT_EQ(fit.bands[outside].amplitude, 0);
        EXPECT_NEAR(std::accumulate(fit.share.begin(), fit.share.end(), 0.0), 1, 1e-12);
        EXPECT_EQ(fit.share[0], 0);
    }
}

TEST(BandFit, UnrotatedPairsShareEqually) {
    const Problem problem = make_problem(changed({.head_dim = 32, .seq_len = 200}, "encoding=p_rope encoding.p=0.5"));
    const BandFit fit = band_fit(problem, window_of(50, 200), {}, {});
    EXPECT_GT(std::abs(fit.cosine[8]), 0.01);
    for (int pair = 8; pair < 16; ++pair) {
        EXPECT_NEAR(fit.cosine[pair], fit.cosine[8], 1e-10);
        EXPECT_EQ(fit.sine[pair], 0);
    }
    EXPECT_EQ(fit.rank, 17);
}

/// With base 10 000 the slow pairs cannot be distinguished over 128 distances: many solutions have the same residual.
TEST(BandFit, NearlyDependentPairsCostNoAccuracyOfTheFit) {
    const Problem problem = make_problem({.head_dim = 32, .seq_len = 128});
    const TargetCurve target = window_of(40, 128);
    const BandFit fit = band_fit(problem, target, {}, {});
    EXPECT_LT(fit.rank, 32);
    EXPECT_GT(fit.rank, 16);
    const auto rows = waves(16, 10'000, 128, FitWeighting::distances);
    std::vector<long double> wanted;
    for (int r = 0; r < 128; ++r) wanted.push_back(target.at(r) / std::sqrt(128.0L));
    const auto x = normal_equations(rows, wanted, 1e-17L);
    long double squares = 0;
    for (int r = 0; r < 128; ++r) {
        long double sum = -wanted[r];
        for (std::size_t i = 0; i < x.size(); ++i) sum += rows[r][i] * x[i];
        squares += sum * sum;
    }
    const auto best = static_cast<double>(std::sqrt(squares));
    EXPECT_GT(best, 0.05);
    EXPECT_LT(fit.rms, best * (1 + 1e-5));
}

TEST(BandFit, ARidgeTradesMisfitForSize) {
    const Problem problem = make_problem({.head_dim = 64, .seq_len = 256});
    double rms = 0, size = infinity;
    for (const double ridge : {0.0, 1e-10, 1e-6, 1e-3, 1.0}) {
        const BandFit fit = band_fit(problem, window_of(64, 256), {.ridge = ridge}, {});
        const double squares = std::inner_product(fit.logit_amplitude.begin(), fit.logit_amplitude.end(),
                                                  fit.logit_amplitude.begin(), 0.0);
        EXPECT_GT(fit.rms, rms * (1 - 1e-9)) << ridge;
        EXPECT_LT(squares, size) << ridge;
        rms = fit.rms, size = squares;
    }
}

TEST(BandFit, ManyDistancesAreFittedInRanges) {
    const Experiment experiment =
        with_bands(changed({.head_dim = 32, .seq_len = 40'000}, "encoding.base=2000"), std::vector<Band>(16, {0.5, 1}));
    for (const FitWeighting weighting : {FitWeighting::distances, FitWeighting::octaves}) {
        const Problem problem = make_problem(experiment);
        Numbers logits;
        const std::vector<double>&q = {problem.inputs.q.constant_row().begin(), problem.inputs.q.constant_row().end()},
              &k = {problem.inputs.k.constant_row().begin(), problem.inputs.k.constant_row().end()};
        logits = logits_by_distance(problem, q, k, 40'000, {});
        const BandFit fit = band_fit(problem, through(logits), {.weighting = weighting}, {});
        EXPECT_EQ(fit.fitted_distances, 1024);
        EXPECT_LT(fit.max, 1e-7) << "at every distance, not only where it was fitted";
        EXPECT_EQ(fit.left_over.size(), 40'000u);
    }
}

TEST(BandFit, APreviewUsesFewerDistancesWhereAllWouldTakeLong) {
    const BandFitQuestion question{.target = window_of(500, 4096), .rules = {.ridge = 1e-3}};
    const Problem small = make_problem({.head_dim = 32, .seq_len = 4096}),
                  larger = make_problem({.head_dim = 128, .seq_len = 4096}),
                  large = make_problem({.head_dim = 512, .seq_len = 4096});
    EXPECT_EQ(question.coarsened(small), question);
    EXPECT_EQ(question.coarsened(large), std::nullopt);
    const auto quicker = question.coarsened(larger);
    ASSERT_TRUE(quicker.has_value());
    const BandFit first = band_fit(larger, quicker->target, quicker->rules, {}),
                  exact = band_fit(larger, question.target, question.rules, {});
    EXPECT_EQ(first.fitted_distances, 256);
    EXPECT_EQ(exact.fitted_distances, 1024);
    EXPECT_LT(first.rms, 1.3 * exact.rms) << "over all distances";
}

TEST(BandFit, FewDistancesAreMetExactly) {
    const Problem problem = make_problem({.head_dim = 32, .seq_len = 128});
    const BandFit fit = band_fit(problem, TargetCurve({{40, 1}, {44, 5}}), {}, {});
    EXPECT_EQ(fit.rank, 5);
    EXPECT_LT(fit.max, 1e-9);
}

TEST(BandFit, StopsWhenNoLongerWanted) {
    const std::atomic<std::uint64_t> generation = 2;
    EXPECT_THROW(band_fit(make_problem({.head_dim = 8, .seq_len = 30}), window_of(5, 30), {}, Cancel(generation, 1)),
                 Cancelled);
}

TEST(BandFit, SaysWhatIsMissing) {
    const Problem problem = make_problem({.head_dim = 8, .seq_len = 30});
    EXPECT_THAT(band_fit(problem, {}, {}, {}).complaint, HasSubstr("draw the logit"));
    EXPECT_THAT(band_fit(problem, TargetCurve({{40, 1}, {50, 2}}), {}, {}).complaint, HasSubstr("0 to 29"));
    EXPECT_THAT(band_fit(problem, window_of(5, 30), {.first_pair = 4}, {}).complaint,
                HasSubstr("between 4 and the last"));
    EXPECT_THAT(band_fit(problem, window_of(5, 30), {.first_pair = 3, .last_pair = 2}, {}).complaint,
                HasSubstr("between 3 and 2"));
    EXPECT_EQ(band_fit(problem, TargetCurve({{7, 3}}), {}, {}).target, std::vector<double>{3});
}

TEST(Bands, AreTheNormsAndAnglesOfEveryHead) {
    const Experiment listed = with_bands({.head_dim = 8, .seq_len = 4}, {{2, 0.5}, {3, -3}, {0, 1}, {1e-3, 3.1}});
    EXPECT_EQ(validate(listed), std::nullopt);
    const auto bands = listed_bands(listed);
    ASSERT_TRUE(bands.has_value());
    const auto found = bands_between(make_problem(listed), 3, 1);
    for (std::size_t t = 0; t < 4; ++t) {
        EXPECT_NEAR(found[t].amplitude, (*bands)[t].amplitude, 1e-15);
        EXPECT_NEAR(found[t].phase, t == 2 ? 0 : (*bands)[t].phase, 1e-15);
    }
    EXPECT_EQ((*bands)[2], (Band{0, 1})) << "the list knows the phase of what is silent";
    EXPECT_EQ(listed_bands({}), std::nullopt);
    const auto ones = bands_between(make_problem({.head_dim = 8, .seq_len = 4}), 2, 2);
    for (const Band& band : ones) {
        EXPECT_NEAR(band.amplitude, 0.25, 1e-15);
        EXPECT_NEAR(band.phase, 0, 1e-15);
    }
    // One number stands for all pairs; a negative amplitude is half a turn.
    const auto negative = listed_bands(changed({.head_dim = 8},
                                               "construction=bands construction.amplitudes=-2 "
                                               "construction.phases=1"));
    ASSERT_EQ(negative->size(), 4u);
    EXPECT_EQ((*negative)[3].amplitude, 2);
    EXPECT_NEAR((*negative)[3].phase, 1 - std::numbers::pi, 1e-15);
}

TEST(TargetCurve, RunsStraightFromPointToPoint) {
    const TargetCurve curve({{2, 1}, {6, 3}, {6.5, 0}});
    EXPECT_EQ(curve.at(2), 1);
    EXPECT_EQ(curve.at(4), 2);
    EXPECT_EQ(curve.at(6.5), 0);
    EXPECT_TRUE(std::isnan(curve.at(1.9)) && std::isnan(curve.at(6.6)) && std::isnan(TargetCurve().at(0)));
    EXPECT_EQ(curve.whole_distances(100), std::pair(2, 7));
    EXPECT_EQ(curve.whole_distances(5), std::pair(2, 5));
    EXPECT_EQ(curve.whole_distances(1), std::pair(1, 1));
    EXPECT_EQ(TargetCurve::of_list(curve.as_list()), curve);
}

TEST(TargetCurve, ALineChangesNothingBesideIt) {
    const TargetCurve before({{0, 0}, {40, 8}, {100, -4}});
    TargetCurve after = before.with_line({30, 5}, {50, 1}).with_line({50, 1}, {60, 7});
    for (int r = 0; r <= 100; ++r) {
        const double drawn = r <= 50 ? 5 - (r - 30) / 5.0 : 1 + (r - 50) * 0.6;
        EXPECT_NEAR(after.at(r), r < 30 || r > 60 ? before.at(r) : drawn, 1e-12) << r;
    }
    EXPECT_EQ(before.with_line({50, 1}, {30, 5}), before.with_line({30, 5}, {50, 1})) << "either way";
    after = before.with_line({70, 2}, {70, 9});
    EXPECT_EQ(after.at(70), 9) << "the end of an upright line";
    EXPECT_EQ(after.at(71), before.at(71));
    EXPECT_EQ(before.with_line({120, 1}, {130, 1}).at(110), -1.5) << "a gap is bridged";
    EXPECT_EQ(TargetCurve().with_line({3, 1}, {5, 2}).points().size(), 2u);
}

TEST(TargetCurve, WhatIsTakenAwayIsBridgedOrEnds) {
    const TargetCurve before({{0, 0}, {40, 8}, {100, -4}});
    const TargetCurve bridged = before.without(60, 30);
    EXPECT_EQ(bridged.at(29), before.at(29));
    EXPECT_EQ(bridged.at(61), before.at(61));
    EXPECT_NEAR(bridged.at(45), (before.at(29) + before.at(61)) / 2, 1e-12);
    EXPECT_EQ(before.without(80, 200).points().back().distance, 79);
    EXPECT_EQ(before.without(0, 10).points().front().distance, 11);
    EXPECT_TRUE(before.without(0, 99).is_empty());
}

TEST(TargetCurve, FewPointsKeepItWithinTheTolerance) {
    TargetCurve curve;
    for (int r = 0; r <= 200; ++r)
        curve = curve.with_line({r + 0.0, std::sin(r * 0.05)}, {r + 0.0, std::sin(r * 0.05)});
    const TargetCurve few = curve.simplified(0.01);
    EXPECT_LT(few.points().size(), 50u);
    for (int r = 0; r <= 200; ++r) EXPECT_NEAR(few.at(r), curve.at(r), 0.01) << r;
    EXPECT_EQ(few.simplified(0.01), few);
}

TEST(TargetCurve, AnInvalidListIsReported) {
    EXPECT_EQ(TargetCurve::complaint_about({0, 1, 2, 3}, "points"), std::nullopt);
    EXPECT_EQ(TargetCurve::complaint_about({}, "points"), std::nullopt);
    EXPECT_THAT(TargetCurve::complaint_about({0, 1, 2}, "points").value_or(""), HasSubstr("has 3 numbers"));
    EXPECT_THAT(TargetCurve::complaint_about({5, 1, 5, 3}, "points").value_or(""),
                HasSubstr("points[2] is the distance 5 after 5"));
    EXPECT_THAT(TargetCurve::complaint_about({-1, 1}, "points").value_or(""), HasSubstr("at least 0"));
}

/// A growing zigzag, of which every point is needed, one after the other.
TEST(TargetCurve, TheLongestIsSimplifiedSoon) {
    std::vector<double> list;
    for (std::size_t i = 0; i < TargetCurve::most_points; ++i)
        list.push_back(static_cast<double>(i)), list.push_back(static_cast<double>(i % 2 == 0 ? i : 0));
    ASSERT_EQ(TargetCurve::complaint_about(list, "points"), std::nullopt);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_GT(TargetCurve::of_list(list).simplified(0.01).points().size(), TargetCurve::most_points / 2);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    list.insert(list.end(), {1e6, 0});
    EXPECT_EQ(TargetCurve::complaint_about(list, "points"), "points has 4097 points; it must have at most 4096");
}

}  // namespace
}  // namespace ropewalk
