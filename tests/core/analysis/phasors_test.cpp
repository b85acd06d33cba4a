// Phasors and Abel's bounds against sums written out here.
#include "core/analysis/encodings/phasors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/analysis/encodings/phasor_bound.h"
#include "core/analysis/heads/contributions.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/evaluate.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/experiment.h"
#include "tests/core/analysis/ask.h"

namespace ropewalk {
namespace {

/// Σ_{j=1}^{d/2} |S_j| at an angle of r · base^(−2t/d), in long double.
double partial_sums_of_rope(int pairs, long double base, long double r) {
    long double x = 0, y = 0, sum = 0;
    for (int t = 0; t < pairs; ++t) {
        const long double angle = r * std::pow(base, -static_cast<long double>(t) / pairs);
        x += std::cos(angle), y += std::sin(angle);
        sum += std::sqrt(x * x + y * y);
    }
    return static_cast<double>(sum);
}

TEST(Phasors, RealPartsAreTheContributionsOfEveryEncoding) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        const Problem problem = make_problem({.head_dim = 16,
                                              .seq_len = 2000,
                                              .encoding = encoding,
                                              .construction = Gaussian{},
                                              .positions = {.start = 5, .stride = 3}});
        for (const auto& [i, j] : {std::pair{1999, 0}, std::pair{1999, 1998}, std::pair{7, 7}, std::pair{3, 900}}) {
            const auto [units, amplitudes, unit_walk, walk] = ask(PhasorsQuestion{}, problem, {i, j});
            const auto parts = contributions(problem, i, j);
            ASSERT_EQ(units.size(), parts.size());
            std::vector<Complex> steps;
            for (std::size_t t = 0; t < parts.size(); ++t) {
                EXPECT_NEAR(std::abs(units[t]), 1, 1e-15);
                steps.push_back(amplitudes[t] * units[t]);
                EXPECT_NEAR(steps[t].real(), parts[t], 1e-12) << id_of(encoding) << " pair " << t;
            }
            EXPECT_EQ(unit_walk, tip_to_tail(units));
            EXPECT_EQ(walk, tip_to_tail(steps));
            EXPECT_NEAR(walk.back().real(), std::accumulate(parts.begin(), parts.end(), 0.0), 1e-12);
        }
    }
}

TEST(Phasors, WalkBeginsAtTheOriginAndAddsOneStepAPair) {
    const std::vector<Complex> steps{{1, 0}, {0, 2}, {-3, 1}};
    EXPECT_EQ(tip_to_tail(steps), (std::vector<Complex>{{0, 0}, {1, 0}, {1, 2}, {-2, 3}}));
}

TEST(PhasorBound, CurveIsTheMeanOfPartialSums) {
    const Problem problem = make_problem({.head_dim = 128, .seq_len = 131'072});
    const auto curve = mean_partial_sums(problem, 131'072, {});
    ASSERT_EQ(curve.size(), 131'072u);
    EXPECT_NEAR(curve[0], 65 / 2.0, 1e-12);
    for (const int r : {1, 2, 127, 128, 129, 4095, 65'536, 131'071})
        EXPECT_NEAR(curve[r], partial_sums_of_rope(64, 10'000, r) / 64, 1e-12) << r;
    bool rises = false;  // it is no monotone decay
    for (int r = 1; r < 1000; ++r) rises |= curve[r] > curve[r - 1];
    EXPECT_TRUE(rises);
    EXPECT_LT(curve[1000], curve[0] / 2);
}

TEST(PhasorBound, BoundsHoldInOrderAtEveryDistance) {
    const Problem problem = make_problem({.head_dim = 32, .seq_len = 700, .construction = Gaussian{}});
    const AbelBounds bounds = ask(AbelQuestion{.count = 700}, problem, {13, 600}).value();
    const auto h = pair_amplitudes(problem, 13, 600);
    for (int r = 0; r < 700; ++r) {
        Complex sum = 0, walk = 0;
        double weighted = 0, max = 0, all = 0;
        for (int t = 0; t < 16; ++t) {
            const Complex phasor = std::polar(1.0, r * std::pow(10'000.0, -t / 16.0));
            const double change = std::abs((t < 15 ? h[t + 1] : 0) - h[t]);
            sum += h[t] * phasor, walk += phasor;
            weighted += change * std::abs(walk), all += std::abs(walk), max = std::max(max, change);
        }
        EXPECT_NEAR(bounds.magnitude[r], std::abs(sum), 1e-12);
        EXPECT_NEAR(bounds.weighted[r], weighted, 1e-11);
        EXPECT_NEAR(bounds.max[r], max * all, 1e-10);
        EXPECT_LE(bounds.magnitude[r], bounds.weighted[r] + 1e-12);
        EXPECT_LE(bounds.weighted[r], bounds.max[r] + 1e-12);
    }
}

TEST(PhasorBound, DampingShortensTheAmplitudes) {
    const Experiment experiment{.head_dim = 16,
                                .seq_len = 300,
                                .encoding = XPos{.scale_base = 30},
                                .construction = SameVector{.norm_squared = 50},
                                .positions = {.start = 3, .stride = 2}};
    const Problem problem = make_problem(experiment);
    const AbelBounds bounds = ask(AbelQuestion{.count = 300}, problem, {299, 0}).value();
    for (int r = 0; r < 300; ++r) {
        const Phasors cell = ask(PhasorsQuestion{}, problem, {299, 299 - r});
        EXPECT_NEAR(bounds.magnitude[r], std::abs(cell.weighted_walk.back()), 1e-11) << r;
        double weighted = 0;
        for (std::size_t t = 0; t < cell.amplitudes.size(); ++t)
            weighted += std::abs(cell.unit_walk[t + 1]) *
                        std::abs((t + 1 < cell.amplitudes.size() ? cell.amplitudes[t + 1] : 0) - cell.amplitudes[t]);
        EXPECT_NEAR(bounds.weighted[r], weighted, 1e-11) << r;
        EXPECT_LE(bounds.magnitude[r], bounds.weighted[r] + 1e-12);
        EXPECT_LE(bounds.weighted[r], bounds.max[r] + 1e-12);
    }
}

TEST(PhasorBound, SaysNothingOfAddedWaves) {
    Evaluator evaluator(open_backend("reference", 1));
    const auto bounds_of = [&](const Encoding& encoding) {
        const auto results = evaluator.evaluate(
            {{.head_dim = 8, .seq_len = 20, .encoding = encoding}, {.query = 19}, {AbelQuestion{.count = 20}}},
            Detail::exact, {});
        return results->find(AbelQuestion{.count = 20})->has_value();
    };
    EXPECT_FALSE(bounds_of(Sinusoidal{}));
    EXPECT_TRUE(bounds_of(XPos{}));
}

// With one pair alone the only difference is h_0 itself and all three are |h_0|: the last term counts.
TEST(PhasorBound, LastDifferenceBelongsToTheMaximum) {
    const Problem problem = make_problem({.head_dim = 2, .seq_len = 10, .construction = SameVector{.norm_squared = 9}});
    const AbelBounds bounds = ask(AbelQuestion{.count = 10}, problem).value();
    for (const auto* curve : {&bounds.magnitude, &bounds.weighted, &bounds.max})
        for (const double value : *curve) EXPECT_NEAR(value, 9, 1e-12);
}

TEST(PhasorBound, EveryEncodingIsItsOwnPhasorsAtTheLastToken) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        Experiment experiment{
            .head_dim = 8, .seq_len = 300, .encoding = encoding, .positions = {.start = 7, .stride = 2}};
        if (auto* grouped = std::get_if<SelfExtend>(&*experiment.encoding)) grouped->window = 100;
        const Problem problem = make_problem(experiment);
        const auto curve = mean_partial_sums(problem, 300, {});
        for (int r = 0; r < 300; ++r) {
            const auto walk = tip_to_tail(unit_phasors(problem, 299, 299 - r));
            double sum = 0;
            for (const Complex& point : walk) sum += std::abs(point);
            EXPECT_NEAR(curve[r], sum / 4, 1e-11) << id_of(encoding) << " at " << r;
        }
    }
}

}  // namespace
}  // namespace ropewalk
