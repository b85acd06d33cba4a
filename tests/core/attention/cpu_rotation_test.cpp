#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "core/cpu/by_row/rotated_rows.h"
#include "core/cpu/kernels/rotation.h"
#include "tests/core/attention/cpu_instruction_sets.h"

namespace ropewalk {
namespace {

using namespace cpu_test;
using cpu::rotation_lanes;

constexpr double row_factor = 0.75;

LoweredEncoding lowered_of(int head_dim) {
    LoweredEncoding lowered;
    for (int pair = 0; pair < head_dim / 2; ++pair)
        lowered.inv_freq.push_back(std::pow(10'000.0L, -2.0L * pair / head_dim));
    return lowered;
}

double entry_of(int token, int channel) {
    return std::sin(0.7 * token + 1.3 * channel);
}

/// The channel of the first of a pair and of the second, turned by an angle that long double knows to 1e-16: positions
/// are below 2^18.
std::pair<double, double> turned(const LoweredEncoding& lowered, const PositionMap& map, int token, int position,
                                 int pair) {
    const long double angle = std::fmod((position + map.offset) * lowered.inv_freq[static_cast<std::size_t>(pair)],
                                        2 * std::numbers::pi_v<long double>);
    const long double x = entry_of(token, 2 * pair), y = entry_of(token, 2 * pair + 1);
    return {static_cast<double>(row_factor * (x * std::cos(angle) - y * std::sin(angle))),
            static_cast<double>(row_factor * (x * std::sin(angle) + y * std::cos(angle)))};
}

/// Turns some groups one after another, into arrays [head_dim, stride].
template <class T>
void expect_turned_evenly(int head_dim, std::ptrdiff_t stride, double tolerance) {
    constexpr int first = 150'000, step = 3, groups = 16;
    const LoweredEncoding lowered = lowered_of(head_dim);
    const PositionMap map{.group = 1, .offset = 2.5L};
    const cpu::Rotation rotation(lowered, map, row_factor);
    const cpu::EvenRotation even(rotation, step);
    const int pairs = head_dim / 2;
    cpu::Turns turns(pairs);
    even.begin(rotation, first, turns);
    for (int group = 0; group < groups; ++group) {
        std::vector<T> rows(static_cast<std::size_t>(head_dim * rotation_lanes));
        for (int channel = 0; channel < head_dim; ++channel)
            for (int lane = 0; lane < rotation_lanes; ++lane)
                rows[static_cast<std::size_t>((channel % 2 * pairs + channel / 2) * rotation_lanes + lane)] =
                    static_cast<T>(entry_of(group * rotation_lanes + lane, channel));
        constexpr T untouched = 7;
        std::vector<T> out(static_cast<std::size_t>(head_dim * stride), untouched);
        even.rotate<T>(turns, rows.data(), {out.data(), stride});
        for (int pair = 0; pair < pairs; ++pair)
            for (int lane = 0; lane < stride; ++lane) {
                const auto found = [&](int half) {
                    return static_cast<double>(out[static_cast<std::size_t>((half * pairs + pair) * stride + lane)]);
                };
                if (lane >= rotation_lanes) {
                    ASSERT_EQ(found(0), untouched);
                    ASSERT_EQ(found(1), untouched);
                    continue;
                }
                const int token = group * rotation_lanes + lane;
                const auto [x, y] = turned(lowered, map, token, first + token * step, pair);
                ASSERT_NEAR(found(0), x, tolerance) << "group " << group << ", pair " << pair << ", row " << lane;
                ASSERT_NEAR(found(1), y, tolerance) << "group " << group << ", pair " << pair << ", row " << lane;
            }
    }
}

TEST(Rotation, OfEvenlySpacedRowsIsByAngleAddition) {
    on_every_instruction_set([] {
        for (const int head_dim : {2, 4, 6, 70, 256})
            for (const std::ptrdiff_t stride : {rotation_lanes, 12, 48}) {
                // An angle at position 150 000 by fixed-point phases is good to 3e-14 (1.7e-13 at a million), of the
                // rest sixteen additions take 1e-14.
                ASSERT_NO_FATAL_FAILURE(expect_turned_evenly<double>(head_dim, stride, 4e-14)) << head_dim;
                // Cosine, product and sum are rounded once each, of numbers up to 1.5 · 0.75.
                ASSERT_NO_FATAL_FAILURE(expect_turned_evenly<float>(head_dim, stride, 3e-7)) << head_dim;
            }
    });
}

TEST(Rotation, OfGroupsDoesNotDependOnTheirOrder) {
    constexpr int head_dim = 10, groups = 40;
    Problem problem;
    problem.seq_len = groups * cpu::key_group;
    problem.lowered = lowered_of(head_dim);
    const cpu::GroupRotator rotator(problem, {}, row_factor);
    std::vector<double> rows(head_dim * cpu::key_group);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::sin(0.3 * static_cast<double>(i));
    cpu::GroupRotator::Run shared(head_dim);
    for (const int group : {0, 1, 2, 15, 16, 17, 3, 4, 4, 39, 38, 0}) {
        cpu::GroupRotator::Run own(head_dim);
        std::vector<double> one_after_another(rows.size()), alone(rows.size());
        rotator.rotate<double>(group, rows.data(), {one_after_another.data()}, shared);
        rotator.rotate<double>(group, rows.data(), {alone.data()}, own);
        for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_NEAR(one_after_another[i], alone[i], 2e-14) << group;
    }
}

}  // namespace
}  // namespace ropewalk
