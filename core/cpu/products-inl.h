// What scans and whole matrices are made of: dot products of a panel of rows with rows in groups, and exponentials.
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

#include "core/cpu/row_scan.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of a panel: key_group times as many sums are kept in registers.
constexpr int register_vectors = HWY_TARGET == HWY_SCALAR ? 4 : 3;

template <class T>
constexpr int panel_width = register_vectors* static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>{}));

// Channels that are summed before their sum is added to what was there, so that rounding errors grow with stretch +
// head_dim / stretch instead of head_dim.
constexpr int stretch = 64;

/// Products of one group of rows, [head_dim, key_group], with the rows of a panel, [head_dim, panel_width], over the
/// stretch that begins at channel `begin`. They are added to `products`, [key_group, panel_width] with `stride` numbers
/// from one row to the next; the first stretch's are put there.
template <class T>
HWY_INLINE void multiply_stretch(int head_dim, int begin, const T* panel, const T* rows, T* products,
                                 std::ptrdiff_t stride) {
    const hn::ScalableTag<T> d;
    constexpr int width = panel_width<T>, lanes = width / register_vectors;
    hn::Vec<decltype(d)> sums[key_group][register_vectors];
    for (auto& row : sums)
        for (auto& sum : row) sum = hn::Zero(d);
    const int end = std::min(begin + stretch, head_dim);
    HWY_UNROLL(2)  // a sixth faster
    for (int channel = begin; channel < end; ++channel) {
        hn::Vec<decltype(d)> across[register_vectors];
        for (int v = 0; v < register_vectors; ++v) across[v] = hn::Load(d, panel + channel * width + v * lanes);
        for (int row = 0; row < key_group; ++row) {
            const auto factor = hn::Set(d, rows[channel * key_group + row]);
            for (int v = 0; v < register_vectors; ++v) sums[row][v] = hn::MulAdd(factor, across[v], sums[row][v]);
        }
    }
    for (int row = 0; row < key_group; ++row) {
        for (int v = 0; v < register_vectors; ++v) {
            T* const to = products + row * stride + v * lanes;
            hn::Store(begin == 0 ? sums[row][v] : hn::Add(hn::Load(d, to), sums[row][v]), d, to);
        }
    }
}

/// Fetches part `part` of `parts` of these numbers into the first-level cache.
template <class T>
HWY_INLINE void prefetch(const T* values, int count, int part, int parts) {
    constexpr int line = 64 / sizeof(T);
    const int lines = (count / line + parts - 1) / parts;
    for (int i = 0; i < lines; ++i) hwy::Prefetch(values + (part * lines + i) * line);
}

/// exp(x) for x ≤ 0. In float 2^round(y) · 2^(y − round(y)), y = x·log₂e, with a polynomial of degree 6 for the latter:
/// relative error 1e-7 + 6e-8·|x|, and 0 below −87, where exp(x) would be denormal.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_of_nonpositive(D d, V x) {
    if constexpr (sizeof(hn::TFromD<D>) == sizeof(double)) {
        return hn::Exp(d, x);
    } else {
        const hn::RebindToSigned<D> di;
        const V log2e = hn::Set(d, 1.44269504f),
                rounding = hn::Set(d, 12582912.0f);  // 1.5 · 2²³: ulp 1, its lowest bits are the integer
        const V limit = hn::Set(d, -87.0f), clamped = hn::Max(x, limit);
        const V shifted = hn::MulAdd(clamped, log2e, rounding);
        const V fraction = hn::MulSub(clamped, log2e, hn::Sub(shifted, rounding));
        V power = hn::Set(d, 1.5403530e-4f);
        power = hn::MulAdd(power, fraction, hn::Set(d, 1.3333558e-3f));
        power = hn::MulAdd(power, fraction, hn::Set(d, 9.6181291e-3f));
        power = hn::MulAdd(power, fraction, hn::Set(d, 5.5504109e-2f));
        power = hn::MulAdd(power, fraction, hn::Set(d, 2.4022651e-1f));
        power = hn::MulAdd(power, fraction, hn::Set(d, 6.9314718e-1f));
        power = hn::MulAdd(power, fraction, hn::Set(d, 1.0f));
        const auto exponent = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
        return hn::IfThenElseZero(hn::Ge(x, limit), hn::BitCast(d, hn::Add(hn::BitCast(di, power), exponent)));
    }
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
