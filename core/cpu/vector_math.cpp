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

PooledRows pool_kernel(const WeightedWindows& windows) {
    const Doubles d;
    PooledRows pooled{.sum = 0, .greatest = 0, .least = std::numeric_limits<double>::infinity()};
    int i = 0;
    if (windows.count >= 2 * lanes) {
        Vector sum0 = hn::Zero(d), sum1 = sum0, greatest0 = sum0, greatest1 = sum0;
        Vector least0 = hn::Set(d, pooled.least), least1 = least0;
        for (; i + 2 * lanes <= windows.count; i += 2 * lanes) {
            const Vector factor0 = hn::LoadU(d, windows.factors + i), factor1 = hn::LoadU(d, windows.factors + i + lanes);
            sum0 = hn::MulAdd(hn::LoadU(d, windows.sums + i), factor0, sum0);
            sum1 = hn::MulAdd(hn::LoadU(d, windows.sums + i + lanes), factor1, sum1);
            greatest0 = hn::Max(hn::Mul(hn::LoadU(d, windows.greatest + i), factor0), greatest0);
            greatest1 = hn::Max(hn::Mul(hn::LoadU(d, windows.greatest + i + lanes), factor1), greatest1);
            least0 = hn::Min(hn::Mul(hn::LoadU(d, windows.least + i), factor0), least0);
            least1 = hn::Min(hn::Mul(hn::LoadU(d, windows.least + i + lanes), factor1), least1);
        }
        pooled.sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(sum0, sum1)));
        pooled.greatest = hn::GetLane(hn::MaxOfLanes(d, hn::Max(greatest0, greatest1)));
        pooled.least = hn::GetLane(hn::MinOfLanes(d, hn::Min(least0, least1)));
    }
    for (; i < windows.count; ++i) {
        pooled.sum += windows.sums[i] * windows.factors[i];
        pooled.greatest = std::max(pooled.greatest, windows.greatest[i] * windows.factors[i]);
        pooled.least = std::min(pooled.least, windows.least[i] * windows.factors[i]);
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
double greatest_of(std::span<const double> values) { return HWY_DYNAMIC_DISPATCH(greatest_of_kernel)(values); }
PooledRows pool(const WeightedWindows& windows) { return HWY_DYNAMIC_DISPATCH(pool_kernel)(windows); }

}  // namespace ropewalk::cpu
#endif
