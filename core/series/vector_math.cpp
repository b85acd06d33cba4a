#include "core/series/vector_math.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/series/vector_math.cpp"
#include "core/machine/targets.h"
#include "core/numbers/numbers.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Once per instruction set, too.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Doubles{}));
constexpr double last_place_is_1 = 0x1.8p52;

/// Calls transform(vector) on every part of [in, in + count); the last part is padded.
template <class Transform>
HWY_INLINE void for_each_vector(const double* in, std::size_t count, double* out, Transform transform) {
    const Doubles d;
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(transform(hn::LoadU(d, in + i)), d, out + i);
    if (i == count) return;
    HWY_ALIGN double rest[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) rest[lane] = in[std::min(i + lane, count - 1)];
    hn::Store(transform(hn::Load(d, rest)), d, rest);
    std::copy_n(rest, count - i, out + i);
}

/// Returns 2ⁿ for whole −1022 ≤ n ≤ 1023. Adding n + 1023 to a number whose last place is 1 puts it in the last bits.
HWY_INLINE Vector power_of_two(Vector n) {
    const Doubles d;
    const hn::RebindToUnsigned<Doubles> du;
    return hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(du, hn::Add(n, hn::Set(d, last_place_is_1 + 1023)))));
}

/// Returns exp(x) = 2ⁿ exp(r), |r| ≤ ln 2 / 2. exp(r) is a Chebyshev series up to r¹¹; its next term is 3e-18.
HWY_INLINE Vector exponential(Vector x) {
    const Doubles d;
    x = hn::Min(hn::Max(x, hn::Set(d, -750)), hn::Set(d, 700));
    const Vector n = hn::Sub(hn::MulAdd(x, hn::Set(d, 1 / std::numbers::ln2), hn::Set(d, last_place_is_1)),
                             hn::Set(d, last_place_is_1));
    // ln 2 in two parts (from fdlibm); n times the first part is exact.
    Vector r = hn::NegMulAdd(n, hn::Set(d, 6.93147180369123816490e-01), x);
    r = hn::NegMulAdd(n, hn::Set(d, 1.90821492927058770002e-10), r);
    Vector e = hn::Set(d, 2.5114870219497476e-08);
    for (const double coefficient : {2.7632640675430235e-07, 2.755722495611072e-06, 2.480148547921643e-05,
                                     0.00019841269909219843, 0.0013888888952318045, 0.008333333333309526,
                                     0.04166666666648808, 0.16666666666666702, 0.5000000000000019, 1.0, 1.0})
        e = hn::MulAdd(e, r, hn::Set(d, coefficient));
    // In two steps, of which only the second may give a subnormal number.
    const Vector most = hn::Max(n, hn::Set(d, -1000));
    return hn::Mul(hn::Mul(e, power_of_two(most)), power_of_two(hn::Sub(n, most)));
}

void exp_minus_kernel(std::span<const double> values, double shift, double* out) {
    const Vector offset = hn::Set(Doubles(), shift);
    for_each_vector(values.data(), values.size(), out,
                    [&](Vector x) HWY_ATTR { return exponential(hn::Sub(x, offset)); });
}

template <bool is_capped>
HWY_INLINE Extremes add_line(std::span<const double> values, const Line& line, double* out) {
    const Doubles d;
    const Vector factor = hn::Set(d, line.factor), slope = hn::Set(d, line.slope), step = hn::Set(d, lanes),
                 offset = hn::Set(d, line.offset), cap = hn::Set(d, line.cap);
    Vector min = hn::Set(d, infinity), max = hn::Set(d, -infinity);
    Vector place = hn::Add(hn::Set(d, static_cast<double>(line.first)), hn::Iota(d, 0));
    const auto add = [&](const double* from, double* to) HWY_ATTR {
        Vector y = hn::NegMulAdd(slope, place, hn::Mul(factor, hn::LoadU(d, from)));
        if constexpr (is_capped) y = hn::Mul(cap, hn::Tanh(d, hn::Div(y, cap)));
        y = hn::Sub(y, offset);
        place = hn::Add(place, step);
        hn::StoreU(y, d, to);
        return y;
    };
    std::size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes) {
        const Vector y = add(values.data() + i, out + i);
        min = hn::Min(min, y), max = hn::Max(max, y);
    }
    Extremes extremes{.min = hn::GetLane(hn::MinOfLanes(d, min)), .max = hn::GetLane(hn::MaxOfLanes(d, max))};
    HWY_ALIGN double rest[lanes] = {};
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(i), values.end(), rest);
    add(rest, rest);
    for (std::size_t lane = 0; i < values.size(); ++i, ++lane) {
        out[i] = rest[lane];
        extremes = {.min = std::min(extremes.min, out[i]), .max = std::max(extremes.max, out[i])};
    }
    return extremes;
}

Extremes add_line_kernel(std::span<const double> values, const Line& line, double* out) {
    return line.cap == 0 ? add_line<false>(values, line, out) : add_line<true>(values, line, out);
}

void log_plus_kernel(std::span<double> sums, double carry, double offset) {
    const Doubles d;
    const Vector before = hn::Set(d, carry), base = hn::Set(d, offset);
    for_each_vector(sums.data(), sums.size(), sums.data(),
                    [&](Vector x) HWY_ATTR { return hn::Add(base, hn::Log(d, hn::Add(before, x))); });
}

/// Returns combine() over all values, or `nothing` if there are none.
template <class Combine>
HWY_INLINE double reduce(std::span<const double> values, double nothing, Combine combine) {
    const Doubles d;
    constexpr int chains = 4;
    if (values.size() < chains * lanes) {
        double all = nothing;
        for (const double value : values) all = combine(all, value);
        return all;
    }
    Vector parts[chains];
    for (Vector& part : parts) part = hn::Set(d, nothing);
    std::size_t i = 0;
    for (; i + chains * lanes <= values.size(); i += chains * lanes)
        for (int chain = 0; chain < chains; ++chain)
            parts[chain] = combine(parts[chain], hn::LoadU(d, values.data() + i + chain * lanes));
    HWY_ALIGN double ends[lanes];
    hn::Store(combine(combine(parts[0], parts[1]), combine(parts[2], parts[3])), d, ends);
    double all = ends[0];
    for (int lane = 1; lane < lanes; ++lane) all = combine(all, ends[lane]);
    for (; i < values.size(); ++i) all = combine(all, values[i]);
    return all;
}

struct Add {
    HWY_INLINE double operator()(double a, double b) const { return a + b; }
    HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Add(a, b); }
};
struct Greater {
    HWY_INLINE double operator()(double a, double b) const { return std::max(a, b); }
    HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Max(a, b); }
};
struct Smaller {
    HWY_INLINE double operator()(double a, double b) const { return std::min(a, b); }
    HWY_INLINE Vector operator()(Vector a, Vector b) const { return hn::Min(a, b); }
};

double sum_of_kernel(std::span<const double> values) {
    return reduce(values, 0, Add());
}
double max_of_kernel(std::span<const double> values) {
    return reduce(values, -infinity, Greater());
}
double min_of_kernel(std::span<const double> values) {
    return reduce(values, infinity, Smaller());
}

/// Returns combine() over value · factor.
template <class Combine>
HWY_INLINE double reduce_products(const double* values, const double* factors, int count, double nothing,
                                  Combine combine) {
    const Doubles d;
    double all = nothing;
    int i = 0;
    if (count >= 2 * lanes) {
        Vector even = hn::Set(d, nothing), odd = even;
        for (; i + 2 * lanes <= count; i += 2 * lanes) {
            even = combine(even, hn::Mul(hn::LoadU(d, values + i), hn::LoadU(d, factors + i)));
            odd = combine(odd, hn::Mul(hn::LoadU(d, values + i + lanes), hn::LoadU(d, factors + i + lanes)));
        }
        HWY_ALIGN double ends[lanes];
        hn::Store(combine(even, odd), d, ends);
        for (const double end : ends) all = combine(all, end);
    }
    for (; i < count; ++i) all = combine(all, values[i] * factors[i]);
    return all;
}

PooledRows pool_kernel(const WeightedRows& rows) {
    PooledRows pooled;
    if (rows.sums) pooled.sum = reduce_products(rows.sums, rows.factors, rows.count, 0, Add());
    if (rows.max) pooled.max = reduce_products(rows.max, rows.factors, rows.count, 0, Greater());
    if (rows.min) pooled.min = reduce_products(rows.min, rows.factors, rows.count, infinity, Smaller());
    return pooled;
}

}  // namespace
}  // namespace ropewalk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk {

HWY_EXPORT(exp_minus_kernel);
HWY_EXPORT(add_line_kernel);
HWY_EXPORT(log_plus_kernel);
HWY_EXPORT(sum_of_kernel);
HWY_EXPORT(max_of_kernel);
HWY_EXPORT(min_of_kernel);
HWY_EXPORT(pool_kernel);

void exp_minus(std::span<const double> values, double shift, double* out) {
    HWY_DYNAMIC_DISPATCH(exp_minus_kernel)(values, shift, out);
}
Extremes add_line(std::span<const double> values, const Line& line, double* out) {
    return HWY_DYNAMIC_DISPATCH(add_line_kernel)(values, line, out);
}
void log_plus(std::span<double> sums, double carry, double offset) {
    HWY_DYNAMIC_DISPATCH(log_plus_kernel)(sums, carry, offset);
}
double sum_of(std::span<const double> values) {
    return HWY_DYNAMIC_DISPATCH(sum_of_kernel)(values);
}
double min_of(std::span<const double> values) {
    return HWY_DYNAMIC_DISPATCH(min_of_kernel)(values);
}
double max_of(std::span<const double> values) {
    return HWY_DYNAMIC_DISPATCH(max_of_kernel)(values);
}
PooledRows pool(const WeightedRows& rows) {
    return HWY_DYNAMIC_DISPATCH(pool_kernel)(rows);
}

}  // namespace ropewalk
#endif
