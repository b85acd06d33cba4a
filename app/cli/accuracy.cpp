#include "app/cli/accuracy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/attention/make_problem.h"
#include "core/series/sum_by_distance.h"

namespace ropewalk {

double phase_error_at(std::int64_t position) {
    // A turn is the sum of both parts: at position 10⁶ the first one alone would overstate the error by a tenth.
    constexpr long double turn = 2 * std::numbers::pi_v<long double>, rest_of_turn = -1.0033115225336175e-19L;
    double max = 0;
    for (const long double w : make_problem({.head_dim = 256, .seq_len = 1}).lowered.inv_freq) {
        const auto tokens = static_cast<long double>(position);
        const long double angle = tokens * w, rounding = std::fma(tokens, w, -angle),
                          expected =
                              std::remainder(angle, turn) - std::nearbyint(angle / turn) * rest_of_turn + rounding,
                          found = angle_of(phase_at(position, phase_of(w)));
        max = std::max(max, static_cast<double>(std::abs(std::remainder(found - expected, turn))));
    }
    return max;
}

double curve_error_up_to(int head_dim, int seq_len) {
    const Problem problem = make_problem({.head_dim = head_dim, .seq_len = seq_len});
    std::vector<DistanceTerm> terms;
    for (const long double w : problem.lowered.inv_freq) terms.push_back({.cosine = 1, .per_step = phase_of(w)});
    const std::vector<double> found = sum_by_distance(terms, 0, seq_len, {});
    const int step = std::max(1, seq_len / 4096);
    double max = 0;
    for (int distance = seq_len - 1; distance >= 0; distance -= step) {
        long double expected = 0;
        for (const long double w : problem.lowered.inv_freq) expected += std::cos(distance * w);
        max = std::max(max, static_cast<double>(std::abs(found[distance] - expected)));
    }
    return max / static_cast<double>(terms.size());
}

}  // namespace ropewalk
