#include "core/cpu/rotation.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/rotation.cpp"
#include "core/cpu/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/cpu/phase_sincos-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

void rotate_row_kernel(const Rotation& rotation, std::int64_t grouped, std::span<const double> row,
                       std::span<double> out) {
    const hn::ScalableTag<double> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>{}));
    HWY_ALIGN std::uint64_t phases[lanes];
    HWY_ALIGN double first[lanes], second[lanes];
    const int pairs = static_cast<int>(rotation.per_position.size());
    const auto factor = hn::Set(d, rotation.factor);
    for (int begin = 0; begin < pairs; begin += lanes) {
        const int count = std::min(lanes, pairs - begin);
        for (int lane = 0; lane < lanes; ++lane) {
            const int pair = begin + std::min(lane, count - 1);
            phases[lane] = phase_at(grouped, rotation.per_position[pair]) + rotation.offset[pair];
            first[lane] = row[2 * pair];
            second[lane] = row[2 * pair + 1];
        }
        hn::Vec<decltype(d)> sine, cosine;
        phase_sincos(d, hn::Load(du, phases), sine, cosine);
        const auto x = hn::Mul(factor, hn::Load(d, first)), y = hn::Mul(factor, hn::Load(d, second));
        hn::Store(hn::Sub(hn::Mul(x, cosine), hn::Mul(y, sine)), d, first);
        hn::Store(hn::MulAdd(x, sine, hn::Mul(y, cosine)), d, second);
        std::copy_n(first, count, &out[begin]);
        std::copy_n(second, count, &out[pairs + begin]);
    }
}

/// Numbers to and from double, whatever they are stored as.
template <class D, class T>
HWY_INLINE hn::Vec<D> load([[maybe_unused]] D d, const T* from) {
    if constexpr (std::is_same_v<T, float>)
        return hn::PromoteTo(d, hn::Load(hn::Rebind<float, D>(), from));
    else
        return hn::Load(d, from);
}
template <class D, class T>
HWY_INLINE void store([[maybe_unused]] D d, hn::Vec<D> values, T* to) {
    if constexpr (std::is_same_v<T, float>)
        hn::Store(hn::DemoteTo(hn::Rebind<float, D>(), values), hn::Rebind<float, D>(), to);
    else
        hn::Store(values, d, to);
}

template <class T>
void rotate_side_by_side(const Rotation& rotation, const std::int64_t* grouped, const T* rows, T* out) {
    const hn::CappedTag<double, rotation_lanes> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::CappedTag<double, rotation_lanes>{}));
    const int pairs = static_cast<int>(rotation.per_position.size());
    const auto factor = hn::Set(d, rotation.factor);
    for (int pair = 0; pair < pairs; ++pair, rows += 2 * rotation_lanes, out += rotation_lanes) {
        HWY_ALIGN std::uint64_t phases[rotation_lanes];
        for (int lane = 0; lane < rotation_lanes; ++lane)
            phases[lane] = phase_at(grouped[lane], rotation.per_position[pair]) + rotation.offset[pair];
        for (int lane = 0; lane < rotation_lanes; lane += lanes) {
            hn::Vec<decltype(d)> sine, cosine;
            phase_sincos(d, hn::Load(du, phases + lane), sine, cosine);
            const auto x = hn::Mul(factor, load(d, rows + lane)),
                       y = hn::Mul(factor, load(d, rows + rotation_lanes + lane));
            store(d, hn::Sub(hn::Mul(x, cosine), hn::Mul(y, sine)), out + lane);
            store(d, hn::MulAdd(x, sine, hn::Mul(y, cosine)), out + std::ptrdiff_t{pairs} * rotation_lanes + lane);
        }
    }
}
void rotate_floats(const Rotation& rotation, const std::int64_t* grouped, const float* rows, float* out) {
    rotate_side_by_side(rotation, grouped, rows, out);
}
void rotate_doubles(const Rotation& rotation, const std::int64_t* grouped, const double* rows, double* out) {
    rotate_side_by_side(rotation, grouped, rows, out);
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(rotate_row_kernel);
HWY_EXPORT(rotate_floats);
HWY_EXPORT(rotate_doubles);

Rotation::Rotation(const Lowered& lowered, const PositionMap& map, double row_factor)
    : group(map.group), factor(row_factor) {
    for (const long double w : lowered.inv_freq) {
        per_position.push_back(phase_of(w));
        offset.push_back(rotation_phase(map, w, 0));
    }
}

void rotate_row(const Rotation& rotation, std::int64_t position, std::span<const double> row, std::span<double> out) {
    HWY_DYNAMIC_DISPATCH(rotate_row_kernel)(rotation, rotation.grouped(position), row, out);
}

template <class T>
void rotate_rows(const Rotation& rotation, std::span<const std::int64_t, rotation_lanes> positions, const T* rows,
                 T* out) {
    std::int64_t grouped[rotation_lanes];
    std::transform(positions.begin(), positions.end(), grouped,
                   [&](std::int64_t position) { return rotation.grouped(position); });
    if constexpr (std::is_same_v<T, float>)
        HWY_DYNAMIC_DISPATCH(rotate_floats)(rotation, grouped, rows, out);
    else
        HWY_DYNAMIC_DISPATCH(rotate_doubles)(rotation, grouped, rows, out);
}
template void rotate_rows(const Rotation&, std::span<const std::int64_t, rotation_lanes>, const float*, float*);
template void rotate_rows(const Rotation&, std::span<const std::int64_t, rotation_lanes>, const double*, double*);

}  // namespace ropewalk::cpu
#endif
