// The kernels of scans and whole matrices: dot products of a panel of rows with rows in groups, and exponentials.
// Included once per instruction set.
#if defined(ROPEWALK_CORE_CPU_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_CPU_PRODUCTS_INL_H
#undef ROPEWALK_CORE_CPU_PRODUCTS_INL_H
#else
#define ROPEWALK_CORE_CPU_PRODUCTS_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numbers>
#include <type_traits>

#include "core/cpu/kernels/row_scan.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of a panel; the sums take key_group times as many registers.
constexpr int register_vectors = HWY_TARGET == HWY_SCALAR ? 4 : 3;

template <class T>
constexpr int panel_width = register_vectors* static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>{}));

// Number of channels summed before the sum is added to the total, so that rounding errors grow with stretch + head_dim
// / stretch instead of head_dim. With half the length, products of 128 and 256 channels took 3 % longer.
constexpr int stretch = 128;

/// Number of groups multiplied together: as many as the registers allow beside a panel's vectors and a factor.
constexpr int most_groups_together = (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64 ? 2 : 1;

/// Prefetches the next data into the first-level cache while a stretch is multiplied, `per_channel` numbers per
/// channel: before its first channel, or spread over all channels.
enum class Pace { burst, spread };
template <Pace pace, class T>
class Fetch {
  public:
    HWY_INLINE Fetch(const T* from, int per_channel, int channels) : from_(from), per_channel_(per_channel) {
        constexpr int line = 64 / sizeof(T);
        if constexpr (pace == Pace::burst)
            for (int at = 0; at < per_channel * channels; at += line) hwy::Prefetch(from + at);
    }
    HWY_INLINE void operator()(int channel) const {
        if constexpr (pace == Pace::spread) hwy::Prefetch(from_ + channel * per_channel_);
    }

  private:
    const T* from_;
    int per_channel_;
};
/// Prefetches nothing.
struct NoFetch {
    HWY_INLINE void operator()(int) const {}
};

/// Multiplies groups of rows, [groups, head_dim, key_group], with the rows of a panel, [head_dim, panel_width], over
/// the stretch that begins at channel `begin`. Adds the products to `products`, [groups · key_group, panel_width] with
/// `stride` numbers from one row to the next; the first stretch overwrites them. After the last stretch, applies
/// `finish` to them. Calls fetch(i) with the i-th channel of the stretch.
template <int groups, class T, class Fetching, class Finish>
HWY_INLINE void multiply_stretch(int head_dim, int begin, const T* panel, const T* rows, T* products,
                                 std::ptrdiff_t stride, Fetching fetch, Finish finish) {
    const hn::ScalableTag<T> d;
    constexpr int width = panel_width<T>, lanes = width / register_vectors;
    hn::Vec<decltype(d)> sums[groups * key_group][register_vectors];
    HWY_UNROLL(8)  // here and below: without unrolling, the sums would be in memory
    for (auto& row : sums) {
        HWY_UNROLL(4)
        for (auto& sum : row) sum = hn::Zero(d);
    }
    const int end = std::min(begin + stretch, head_dim);
    const std::ptrdiff_t group_entries = std::ptrdiff_t{head_dim} * key_group;
    HWY_UNROLL(8)  // at least 1/6 faster
    for (int channel = begin; channel < end; ++channel) {
        hn::Vec<decltype(d)> across[register_vectors];
        for (int v = 0; v < register_vectors; ++v) across[v] = hn::Load(d, panel + channel * width + v * lanes);
        fetch(channel - begin);
        for (int row = 0; row < groups * key_group; ++row) {
            const auto factor =
                hn::Set(d, rows[row / key_group * group_entries + channel * key_group + row % key_group]);
            for (int v = 0; v < register_vectors; ++v) sums[row][v] = hn::MulAdd(factor, across[v], sums[row][v]);
        }
    }
    HWY_UNROLL(8)
    for (int row = 0; row < groups * key_group; ++row) {
        HWY_UNROLL(4)
        for (int v = 0; v < register_vectors; ++v) {
            T* const to = products + row * stride + v * lanes;
            const auto sum = begin == 0 ? sums[row][v] : hn::Add(hn::Load(d, to), sums[row][v]);
            hn::Store(end == head_dim ? finish(sum) : sum, d, to);
        }
    }
}

/// Calls visit(group, groups) for groups first … end − 1, with as many of them together as possible; `groups` is a
/// std::integral_constant.
template <class Visit>
HWY_INLINE void for_groups_together(int first, int end, Visit visit) {
    int group = first;
    for (; group + most_groups_together <= end; group += most_groups_together)
        visit(group, std::integral_constant<int, most_groups_together>{});
    for (; group < end; ++group) visit(group, std::integral_constant<int, 1>{});
}

/// Returns 2^y for y ≤ 0 (or above 0 by rounding): 2^round(y) · 2^(y − round(y)), with a minimax polynomial of degree 5
/// for the latter. Relative error 1.6e-7 down to 2^−126; between 0 and 2^−126 down to 2^−127; 0 below.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp2_of_nonpositive(D d, V y) {
    const hn::RebindToSigned<D> di;
    const V rounding = hn::Set(d, 12582912.0f);         // 1.5 · 2²³: ulp 1, its lowest bits are the integer
    const V clamped = hn::Max(y, hn::Set(d, -127.0f));  // there the polynomial is 1, and the exponent clears all bits
    const V shifted = hn::Add(clamped, rounding);
    const V fraction = hn::Sub(clamped, hn::Sub(shifted, rounding));
    V power = hn::Set(d, 1.32647272e-3f);
    power = hn::MulAdd(power, fraction, hn::Set(d, 9.67151264e-3f));
    power = hn::MulAdd(power, fraction, hn::Set(d, 5.55073374e-2f));
    power = hn::MulAdd(power, fraction, hn::Set(d, 2.40222421e-1f));
    power = hn::MulAdd(power, fraction, hn::Set(d, 6.93146978e-1f));
    power = hn::MulAdd(power, fraction, hn::Set(d, 1.0f));
    return hn::BitCast(d, hn::Add(hn::BitCast(di, power), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

constexpr float log2e = std::numbers::log2e_v<float>;

/// Whether floats are multiplied and subtracted with one rounding, so that exponents can be computed in one step.
/// Otherwise x·log₂e would be rounded before a nearly equal number is subtracted.
template <class T>
constexpr bool fuses_exponents = HWY_NATIVE_FMA && sizeof(T) == sizeof(float);

/// Returns the origin for `exp_from` of a max logit: its product with log₂e if exponents are fused. Finite also for −∞.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exponent_origin(D d, V logit) {
    using T = hn::TFromD<D>;
    if constexpr (fuses_exponents<T>) logit = hn::Mul(logit, hn::Set(d, log2e));
    return hn::Max(logit, hn::Set(d, std::numeric_limits<T>::lowest()));
}

/// Returns the reference of exponentials from the origin of a max logit: that logit, except for the rounding of its
/// product with log₂e if exponents are fused.
template <class T>
double reference_logit(T max) {
    if constexpr (fuses_exponents<T>)
        return static_cast<double>(max * log2e) / static_cast<double>(log2e);
    else
        return static_cast<double>(max);
}

/// Returns the factor that converts exponentials from one origin to a larger one.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V factor_between(D d, V from, V to) {
    using T = hn::TFromD<D>;
    const V difference = hn::Sub(from, to);
    if constexpr (sizeof(T) == sizeof(double))
        return hn::Exp(d, difference);
    else
        return exp2_of_nonpositive(d, fuses_exponents<T> ? difference : hn::Mul(difference, hn::Set(d, log2e)));
}

/// Returns exp(x − reference_logit) from the origin of a max logit, for x up to that logit. In float the relative error
/// is 1.6e-7 + 6e-8 · |x − reference_logit|.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_from(D d, V x, V origin) {
    if constexpr (fuses_exponents<hn::TFromD<D>>)
        return exp2_of_nonpositive(d, hn::MulSub(x, hn::Set(d, log2e), origin));
    else
        return factor_between(d, x, origin);
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
