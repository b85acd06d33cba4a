#include "core/cpu/rotation.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>
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
void rotate_side_by_side(const Rotation& rotation, const std::int64_t* grouped, const T* rows, TurnedRows<T> out) {
    const hn::CappedTag<double, rotation_lanes> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::CappedTag<double, rotation_lanes>{}));
    const int pairs = static_cast<int>(rotation.per_position.size());
    const auto factor = hn::Set(d, rotation.factor);
    for (int pair = 0; pair < pairs; ++pair, rows += 2 * rotation_lanes, out.values += out.stride) {
        HWY_ALIGN std::uint64_t phases[rotation_lanes];
        for (int lane = 0; lane < rotation_lanes; ++lane)
            phases[lane] = phase_at(grouped[lane], rotation.per_position[pair]) + rotation.offset[pair];
        for (int lane = 0; lane < rotation_lanes; lane += lanes) {
            hn::Vec<decltype(d)> sine, cosine;
            phase_sincos(d, hn::Load(du, phases + lane), sine, cosine);
            const auto x = hn::Mul(factor, load(d, rows + lane)),
                       y = hn::Mul(factor, load(d, rows + rotation_lanes + lane));
            store(d, hn::Sub(hn::Mul(x, cosine), hn::Mul(y, sine)), out.values + lane);
            store(d, hn::MulAdd(x, sine, hn::Mul(y, cosine)), out.values + pairs * out.stride + lane);
        }
    }
}
template <class T>
void rotate_by_addition(const Rotation& rotation, const LaneTurns& turns, std::int64_t first, const T* rows,
                        TurnedRows<T> out) {
    const hn::ScalableTag<double> all;
    const hn::RebindToUnsigned<decltype(all)> du;
    constexpr int all_lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<double>{}));
    constexpr int groups_ahead = 2;  // whose rows are fetched: they come from memory
    constexpr int most_pairs = 64;   // whose sines and cosines are made at a time
    HWY_ALIGN std::uint64_t phases[most_pairs];
    HWY_ALIGN double cosines[most_pairs], sines[most_pairs];
    const hn::CappedTag<double, rotation_lanes> d;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::CappedTag<double, rotation_lanes>{}));
    const int pairs = static_cast<int>(rotation.per_position.size());
    const auto factor = hn::Set(d, rotation.factor);
    for (int begin = 0; begin < pairs; begin += most_pairs) {
        const int count = std::min(most_pairs, pairs - begin);
        for (int i = 0; i < count; ++i)
            phases[i] = phase_at(first, rotation.per_position[begin + i]) + rotation.offset[begin + i];
        std::fill(phases + count, phases + (count + all_lanes - 1) / all_lanes * all_lanes, 0);
        for (int i = 0; i < count; i += all_lanes) {
            hn::Vec<decltype(all)> sine, cosine;
            phase_sincos(all, hn::Load(du, phases + i), sine, cosine);
            hn::Store(cosine, all, cosines + i);
            hn::Store(sine, all, sines + i);
        }
        for (int i = 0; i < count; ++i) {
            const auto c = hn::Mul(factor, hn::Set(d, cosines[i])), s = hn::Mul(factor, hn::Set(d, sines[i]));
            const std::ptrdiff_t pair = begin + i;
            hwy::Prefetch(rows + (pair + groups_ahead * pairs) * 2 * rotation_lanes);
            for (int lane = 0; lane < rotation_lanes; lane += lanes) {
                const auto turn_c = hn::LoadU(d, turns.cosines.data() + pair * rotation_lanes + lane),
                           turn_s = hn::LoadU(d, turns.sines.data() + pair * rotation_lanes + lane);
                const auto cosine = hn::NegMulAdd(s, turn_s, hn::Mul(c, turn_c)),
                           sine = hn::MulAdd(s, turn_c, hn::Mul(c, turn_s));
                const auto x = load(d, rows + 2 * pair * rotation_lanes + lane),
                           y = load(d, rows + (2 * pair + 1) * rotation_lanes + lane);
                store(d, hn::NegMulAdd(y, sine, hn::Mul(x, cosine)), out.values + pair * out.stride + lane);
                store(d, hn::MulAdd(x, sine, hn::Mul(y, cosine)), out.values + (pairs + pair) * out.stride + lane);
            }
        }
    }
}

/// Cosines and sines of what rows 0, step, … are turned by, without the offset.
void turns_kernel(const Rotation& rotation, std::int64_t step, double* cosines, double* sines) {
    const hn::CappedTag<double, rotation_lanes> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::CappedTag<double, rotation_lanes>{}));
    for (const Phase per_position : rotation.per_position) {
        HWY_ALIGN std::uint64_t phases[rotation_lanes];
        for (int lane = 0; lane < rotation_lanes; ++lane) phases[lane] = phase_at(lane * step, per_position);
        for (int lane = 0; lane < rotation_lanes; lane += lanes) {
            hn::Vec<decltype(d)> sine, cosine;
            phase_sincos(d, hn::Load(du, phases + lane), sine, cosine);
            hn::StoreU(cosine, d, cosines + lane);
            hn::StoreU(sine, d, sines + lane);
        }
        cosines += rotation_lanes;
        sines += rotation_lanes;
    }
}

void add_floats(const Rotation& rotation, const LaneTurns& turns, std::int64_t first, const float* rows,
                TurnedRows<float> out) {
    rotate_by_addition(rotation, turns, first, rows, out);
}
void add_doubles(const Rotation& rotation, const LaneTurns& turns, std::int64_t first, const double* rows,
                 TurnedRows<double> out) {
    rotate_by_addition(rotation, turns, first, rows, out);
}

void rotate_floats(const Rotation& rotation, const std::int64_t* grouped, const float* rows, TurnedRows<float> out) {
    rotate_side_by_side(rotation, grouped, rows, out);
}
void rotate_doubles(const Rotation& rotation, const std::int64_t* grouped, const double* rows, TurnedRows<double> out) {
    rotate_side_by_side(rotation, grouped, rows, out);
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(rotate_row_kernel);
HWY_EXPORT(turns_kernel);
HWY_EXPORT(add_floats);
HWY_EXPORT(add_doubles);
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
                 TurnedRows<T> out) {
    std::int64_t grouped[rotation_lanes];
    std::transform(positions.begin(), positions.end(), grouped,
                   [&](std::int64_t position) { return rotation.grouped(position); });
    if constexpr (std::is_same_v<T, float>)
        HWY_DYNAMIC_DISPATCH(rotate_floats)(rotation, grouped, rows, out);
    else
        HWY_DYNAMIC_DISPATCH(rotate_doubles)(rotation, grouped, rows, out);
}
template void rotate_rows(const Rotation&, std::span<const std::int64_t, rotation_lanes>, const float*,
                          TurnedRows<float>);
template void rotate_rows(const Rotation&, std::span<const std::int64_t, rotation_lanes>, const double*,
                          TurnedRows<double>);

LaneTurns::LaneTurns(const Rotation& rotation, std::int64_t step)
    : cosines(rotation.per_position.size() * rotation_lanes), sines(cosines.size()) {
    HWY_DYNAMIC_DISPATCH(turns_kernel)(rotation, step, cosines.data(), sines.data());
}

template <class T>
void rotate_evenly(const Rotation& rotation, const LaneTurns& turns, std::int64_t first, const T* rows,
                   TurnedRows<T> out) {
    if constexpr (std::is_same_v<T, float>)
        HWY_DYNAMIC_DISPATCH(add_floats)(rotation, turns, first, rows, out);
    else
        HWY_DYNAMIC_DISPATCH(add_doubles)(rotation, turns, first, rows, out);
}
template void rotate_evenly(const Rotation&, const LaneTurns&, std::int64_t, const float*, TurnedRows<float>);
template void rotate_evenly(const Rotation&, const LaneTurns&, std::int64_t, const double*, TurnedRows<double>);

}  // namespace ropewalk::cpu
#endif
