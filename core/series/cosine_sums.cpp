#include "core/series/cosine_sums.h"

#include <algorithm>
#include <array>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/series/cosine_sums.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After foreach_target.h, for the same reason.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

/// Returns (−1)^k / (2k + offset)! for k = 0 … 10: the Taylor coefficients of the cosine (offset 0) and of sin(y)/y
/// (offset 1).
constexpr std::array<double, 11> taylor(int offset) {
    std::array<double, 11> coefficients{};
    double factorial = 1;
    for (int k = 0; k < 11; ++k) {
        if (k > 0) factorial *= -1.0 * (2 * k + offset) * (2 * k + offset - 1);
        coefficients[static_cast<std::size_t>(k)] = 1 / factorial;
    }
    return coefficients;
}
constexpr std::array cosine_series = taylor(0), sine_series = taylor(1);

/// Returns the sine or cosine of y, |y| ≤ π/2, by its series in z = y²; the first omitted term is below 1e-16.
HWY_INLINE Vector series(const std::array<double, 11>& coefficients, Vector z) {
    const Doubles d;
    Vector sum = hn::Set(d, coefficients.back());
    for (std::size_t k = coefficients.size() - 1; k-- > 0;) sum = hn::MulAdd(sum, z, hn::Set(d, coefficients[k]));
    return sum;
}

CosineSums sums_kernel(int head_dim, double u, double distance) {
    const Doubles d;
    const std::size_t pairs = static_cast<std::size_t>(head_dim) / 2;
    Vector value = hn::Zero(d), slope = hn::Zero(d), curvature = hn::Zero(d);
    for (std::size_t t = 0; t < pairs; t += hn::Lanes(d)) {
        const auto s = hn::Div(hn::Mul(hn::Set(d, 2), hn::Iota(d, static_cast<double>(t))), hn::Set(d, head_dim));
        const auto x = hn::Mul(hn::Exp(d, hn::Mul(s, hn::Set(d, -u))), hn::Set(d, distance));
        const auto turns = hn::Mul(x, hn::Set(d, 1 / (2 * std::numbers::pi)));
        // Half the angle to the nearest whole turn: cos x = 1 − 2 sin² y, sin x = 2 sin y cos y.
        const auto y = hn::Mul(hn::Sub(turns, hn::Round(turns)), hn::Set(d, std::numbers::pi)), z = hn::Mul(y, y);
        const auto sine = hn::Mul(y, series(sine_series, z)), twice = hn::Add(sine, sine), xs = hn::Mul(x, s);
        const auto used = hn::FirstN(d, std::min(pairs - t, hn::Lanes(d)));
        value = hn::Add(value, hn::IfThenElseZero(used, hn::NegMulAdd(twice, sine, hn::Set(d, 1))));
        slope = hn::Add(slope, hn::IfThenElseZero(used, hn::Mul(xs, hn::Mul(twice, series(cosine_series, z)))));
        curvature = hn::Add(curvature, hn::IfThenElseZero(used, hn::MulAdd(xs, s, hn::Mul(xs, xs))));
    }
    return {hn::GetLane(hn::SumOfLanes(d, value)), hn::GetLane(hn::SumOfLanes(d, slope)),
            hn::GetLane(hn::SumOfLanes(d, curvature))};
}

}  // namespace
}  // namespace ropewalk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk {

HWY_EXPORT(sums_kernel);

CosineSums cosine_sums(int head_dim, double u, double distance) {
    return HWY_DYNAMIC_DISPATCH(sums_kernel)(head_dim, u, distance);
}

}  // namespace ropewalk
#endif
