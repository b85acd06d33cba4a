#include "core/cpu/vector_math.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/vector_math.cpp"
#include "core/cpu/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// This one again for each of them.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Doubles{}));

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

void exp_minus_kernel(std::span<const double> values, double shift, double* out) {
    const Doubles d;
    const Vector offset = hn::Set(d, shift), limit = hn::Set(d, 700);
    for_each_vector(values.data(), values.size(), out,
                    [&](Vector x) HWY_ATTR { return hn::Exp(d, hn::Min(hn::Sub(x, offset), limit)); });
}

void log_plus_kernel(std::span<double> sums, double carry, double offset) {
    const Doubles d;
    const Vector before = hn::Set(d, carry), base = hn::Set(d, offset);
    for_each_vector(sums.data(), sums.size(), sums.data(),
                    [&](Vector x) HWY_ATTR { return hn::Add(base, hn::Log(d, hn::Add(before, x))); });
}

double greatest_of_kernel(std::span<const double> values) {
    const Doubles d;
    constexpr int chains = 4;
    Vector best[chains];
    for (Vector& chain : best) chain = hn::Set(d, -std::numeric_limits<double>::infinity());
    std::size_t i = 0;
    for (; i + chains * lanes <= values.size(); i += chains * lanes)
        for (int chain = 0; chain < chains; ++chain)
            best[chain] = hn::Max(best[chain], hn::LoadU(d, values.data() + i + chain * lanes));
    const Vector both = hn::Max(hn::Max(best[0], best[1]), hn::Max(best[2], best[3]));
    double greatest = hn::GetLane(hn::MaxOfLanes(d, both));
    for (; i < values.size(); ++i) greatest = std::max(greatest, values[i]);
    return greatest;
}

PooledRows pool_kernel(const WeightedRows& rows) {
    const Doubles d;
    PooledRows pooled{.sum = 0, .greatest = 0, .least = std::numeric_limits<double>::infinity()};
    int i = 0;
    if (rows.count >= 2 * lanes) {
        constexpr int chains = 2;
        Vector sum[chains], greatest[chains], least[chains];
        for (int chain = 0; chain < chains; ++chain) {
            sum[chain] = greatest[chain] = hn::Zero(d);
            least[chain] = hn::Set(d, pooled.least);
        }
        for (; i + chains * lanes <= rows.count; i += chains * lanes) {
            for (int chain = 0; chain < chains; ++chain) {
                const int at = i + chain * lanes;
                const Vector factor = hn::LoadU(d, rows.factors + at);
                sum[chain] = hn::MulAdd(hn::LoadU(d, rows.sums + at), factor, sum[chain]);
                greatest[chain] = hn::Max(hn::Mul(hn::LoadU(d, rows.greatest + at), factor), greatest[chain]);
                least[chain] = hn::Min(hn::Mul(hn::LoadU(d, rows.least + at), factor), least[chain]);
            }
        }
        pooled.sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum[0], sum[1])));
        pooled.greatest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(greatest[0], greatest[1])));
        pooled.least = hn::GetLane(hn::MinOfLanes(d, hn::Min(least[0], least[1])));
    }
    for (; i < rows.count; ++i) {
        pooled.sum += rows.sums[i] * rows.factors[i];
        pooled.greatest = std::max(pooled.greatest, rows.greatest[i] * rows.factors[i]);
        pooled.least = std::min(pooled.least, rows.least[i] * rows.factors[i]);
    }
    return pooled;
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(exp_minus_kernel);
HWY_EXPORT(log_plus_kernel);
HWY_EXPORT(greatest_of_kernel);
HWY_EXPORT(pool_kernel);

void exp_minus(std::span<const double> values, double shift, double* out) {
    HWY_DYNAMIC_DISPATCH(exp_minus_kernel)(values, shift, out);
}
void log_plus(std::span<double> sums, double carry, double offset) {
    HWY_DYNAMIC_DISPATCH(log_plus_kernel)(sums, carry, offset);
}
double greatest_of(std::span<const double> values) {
    return HWY_DYNAMIC_DISPATCH(greatest_of_kernel)(values);
}
PooledRows pool(const WeightedRows& rows) {
    return HWY_DYNAMIC_DISPATCH(pool_kernel)(rows);
}

}  // namespace ropewalk::cpu
#endif
