#include "core/series/cosine_sums.h"

#include <array>
#include <numbers>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/series/cosine_sums.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After foreach_target.h, for the same reason.
#include <hwy/contrib/math/math-inl.h>

#ifndef ROPEWALK_CORE_SERIES_COSINE_SUMS_ONCE
#define ROPEWALK_CORE_SERIES_COSINE_SUMS_ONCE
namespace ropewalk {

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

}  // namespace ropewalk
#endif

HWY_BEFORE_NAMESPACE();
namespace ropewalk::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;

/// Returns the sine or cosine of y, |y| ≤ π/2, by its series in z = y²; the first omitted term is below 1e-16.
HWY_INLINE Vector series(const std::array<double, 11>& coefficients, Vector z) {
    const Doubles d;
    Vector sum = hn::Set(d, coefficients.back());
    for (std::size_t k = coefficients.size() - 1; k-- > 0;) sum = hn::MulAdd(sum, z, hn::Set(d, coefficients[k]));
    return sum;
}

/// Returns half the angle between `turns` and the nearest whole number of turns.
HWY_INLINE Vector half_angle(Vector turns) {
    return hn::Mul(hn::Sub(turns, hn::Round(turns)), hn::Set(Doubles(), std::numbers::pi));
}

HWY_INLINE Vector radians_per_token(const double* exponents, double u) {
    const Doubles d;
    return hn::Exp(d, hn::Mul(hn::LoadU(d, exponents), hn::Set(d, -u)));
}

constexpr double turns_per_radian = 1 / (2 * std::numbers::pi);

void frequencies(const double* exponents, std::size_t pairs, double u, double* turns_per_token) {
    const Doubles d;
    for (std::size_t t = 0; t < pairs; t += hn::Lanes(d))
        hn::StoreU(hn::Mul(radians_per_token(exponents + t, u), hn::Set(d, turns_per_radian)), d, turns_per_token + t);
}

/// Returns the terms of one vector, with 0 for the padding.
HWY_INLINE Vector without_padding(Vector terms, std::size_t left) {
    const Doubles d;
    return left >= hn::Lanes(d) ? terms : hn::IfThenElseZero(hn::FirstN(d, left), terms);
}

double value_kernel(const double* turns_per_token, std::size_t pairs, double distance) {
    const Doubles d;
    Vector sum = hn::Zero(d);
    for (std::size_t t = 0; t < pairs; t += hn::Lanes(d)) {
        const auto y = half_angle(hn::Mul(hn::LoadU(d, turns_per_token + t), hn::Set(d, distance)));
        const auto z = hn::Mul(y, y), sine = hn::Mul(y, series(sine_series, z));
        sum = hn::Add(sum, without_padding(hn::NegMulAdd(hn::Add(sine, sine), sine, hn::Set(d, 1)), pairs - t));
    }
    return hn::GetLane(hn::SumOfLanes(d, sum));
}

CosineSums sums_kernel(const double* exponents, std::size_t pairs, double u, double distance) {
    const Doubles d;
    Vector value = hn::Zero(d), slope = hn::Zero(d), curvature = hn::Zero(d);
    for (std::size_t t = 0; t < pairs; t += hn::Lanes(d)) {
        const auto s = hn::LoadU(d, exponents + t),
                   x = hn::Mul(radians_per_token(exponents + t, u), hn::Set(d, distance));
        const auto y = half_angle(hn::Mul(x, hn::Set(d, turns_per_radian))), z = hn::Mul(y, y);
        const auto sine = hn::Mul(y, series(sine_series, z)), twice = hn::Add(sine, sine), xs = hn::Mul(x, s);
        const auto left = pairs - t;
        value = hn::Add(value, without_padding(hn::NegMulAdd(twice, sine, hn::Set(d, 1)), left));
        slope = hn::Add(slope, without_padding(hn::Mul(xs, hn::Mul(twice, series(cosine_series, z))), left));
        curvature = hn::Add(curvature, without_padding(hn::MulAdd(xs, s, hn::Mul(xs, xs)), left));
    }
    return {hn::GetLane(hn::SumOfLanes(d, value)), hn::GetLane(hn::SumOfLanes(d, slope)),
            hn::GetLane(hn::SumOfLanes(d, curvature))};
}

}  // namespace
}  // namespace ropewalk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk {

HWY_EXPORT(frequencies);
HWY_EXPORT(value_kernel);
HWY_EXPORT(sums_kernel);

CosineSum::CosineSum(std::vector<double> exponents) : pairs_(exponents.size()), exponents_(std::move(exponents)) {
    constexpr std::size_t widest = 8;
    exponents_.resize((pairs_ + widest - 1) / widest * widest);
    turns_per_token_.resize(exponents_.size());
}

void CosineSum::set(double u) {
    HWY_DYNAMIC_DISPATCH(frequencies)(exponents_.data(), pairs_, u, turns_per_token_.data());
}
double CosineSum::value(double distance) const {
    return HWY_DYNAMIC_DISPATCH(value_kernel)(turns_per_token_.data(), pairs_, distance);
}
CosineSums CosineSum::sums(double u, double distance) const {
    return HWY_DYNAMIC_DISPATCH(sums_kernel)(exponents_.data(), pairs_, u, distance);
}

}  // namespace ropewalk
#endif
