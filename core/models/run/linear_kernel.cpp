#include <algorithm>
#include <cstring>

#include "core/models/run/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/models/run/linear_kernel.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/cpu/kernels/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;

/// Loads numbers of a type as floats.
struct LoadBf16 {
    static constexpr std::size_t bytes = 2;
    static HWY_INLINE hn::Vec<F> load(const std::byte* from) {
        const F d;
        const hn::Rebind<std::uint32_t, F> du;
        const hn::Rebind<std::uint16_t, F> narrow;
        const auto bits = hn::LoadU(narrow, reinterpret_cast<const std::uint16_t*>(from));
        return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
    }
};
struct LoadF16 {
    static constexpr std::size_t bytes = 2;
    static HWY_INLINE hn::Vec<F> load(const std::byte* from) {
        const hn::Rebind<hwy::float16_t, F> narrow;
        return hn::PromoteTo(F(), hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(from)));
    }
};
struct LoadF32 {
    static constexpr std::size_t bytes = 4;
    static HWY_INLINE hn::Vec<F> load(const std::byte* from) {
        return hn::LoadU(F(), reinterpret_cast<const float*>(from));
    }
};
struct LoadF64 {
    static constexpr std::size_t bytes = 8;
    static HWY_INLINE hn::Vec<F> load(const std::byte* from) {
        HWY_ALIGN float numbers[hn::MaxLanes(F())];
        for (std::size_t i = 0; i < hn::Lanes(F()); ++i) {
            double number;
            std::memcpy(&number, from + i * sizeof(double), sizeof(double));
            numbers[i] = static_cast<float>(number);
        }
        return hn::Load(F(), numbers);
    }
};

template <class Load>
HWY_INLINE void pack_rows_of(const WeightRows& weights, std::int64_t first, std::int64_t columns, float* packed) {
    const F d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    alignas(64) std::byte rest[4][64 * 8];  // the last columns of each row, filled up with zeros
    const auto vector_of = [&](int row, std::int64_t column) HWY_ATTR {
        if (!weights.rows[row]) return hn::Zero(d);
        const std::byte* const from = weights.rows[row] + static_cast<std::size_t>(first + column) * Load::bytes;
        if (column + lanes <= columns) return Load::load(from);
        std::memset(rest[row], 0, sizeof(rest[row]));
        std::memcpy(rest[row], from, static_cast<std::size_t>(columns - column) * Load::bytes);
        return Load::load(rest[row]);
    };
    for (std::int64_t column = 0; column < columns; column += lanes) {
        const auto a = vector_of(0, column), b = vector_of(1, column), c = vector_of(2, column),
                   e = vector_of(3, column);
        if (column + lanes <= columns) {
            hn::StoreInterleaved4(a, b, c, e, d, packed + column * 4);
        } else {
            HWY_ALIGN float last[4 * hn::MaxLanes(d)];
            hn::StoreInterleaved4(a, b, c, e, d, last);
            std::copy_n(last, 4 * (columns - column), packed + column * 4);
        }
    }
}

void pack_rows_here(const WeightRows& weights, std::int64_t first, std::int64_t columns, float* packed) {
    switch (weights.type) {
        case TensorType::bf16: return pack_rows_of<LoadBf16>(weights, first, columns, packed);
        case TensorType::f16: return pack_rows_of<LoadF16>(weights, first, columns, packed);
        case TensorType::f64: return pack_rows_of<LoadF64>(weights, first, columns, packed);
        default: return pack_rows_of<LoadF32>(weights, first, columns, packed);
    }
}

void multiply_here(const Multiplication& product) {
    constexpr int width = panel_width<float>;
    const int columns = static_cast<int>(product.columns);
    for (int panel = 0; panel < product.panels; ++panel) {
        const float* const in = product.in + panel * product.in_stride;
        float* const out = product.out + panel * product.out_stride;
        for (int begin = 0; begin < columns; begin += stretch)
            for_groups_together(0, product.groups, [&](int group, auto together) HWY_ATTR {
                multiply_stretch<together>(
                    columns, begin, in, product.rows + std::ptrdiff_t{group} * columns * key_group,
                    out + group * key_group * width, width, NoFetch(), [](hn::Vec<F> sum) HWY_ATTR { return sum; });
            });
    }
}

int panel_tokens_here() {
    return panel_width<float>;
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(panel_tokens_here);
HWY_EXPORT(pack_rows_here);
HWY_EXPORT(multiply_here);

int panel_tokens() {
    return HWY_DYNAMIC_DISPATCH(panel_tokens_here)();
}

void pack_rows(const WeightRows& weights, std::int64_t first, std::int64_t columns, float* packed) {
    HWY_DYNAMIC_DISPATCH(pack_rows_here)(weights, first, columns, packed);
}

void multiply(const Multiplication& product) {
    HWY_DYNAMIC_DISPATCH(multiply_here)(product);
}

}  // namespace ropewalk::cpu
#endif
