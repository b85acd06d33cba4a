#include "core/cpu/kernels/rotation.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/kernels/rotation.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/series/phase_sincos-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using ropewalk::HWY_NAMESPACE::cosines_and_sines, ropewalk::HWY_NAMESPACE::phase_sincos;

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

/// Loads and stores numbers as double, whatever their type in memory.
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
void rotate_side_by_side(const Rotation& rotation, const std::int64_t* grouped, const T* rows, RotatedRows<T> out) {
    const hn::CappedTag<double, rotation_lanes> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::CappedTag<double, rotation_lanes>{}));
    const int pairs = static_cast<int>(rotation.per_position.size());
    const auto factor = hn::Set(d, rotation.factor);
    for (int pair = 0; pair < pairs; ++pair, rows += rotation_lanes, out.values += out.stride) {
        HWY_ALIGN std::uint64_t phases[rotation_lanes];
        for (int lane = 0; lane < rotation_lanes; ++lane)
            phases[lane] = phase_at(grouped[lane], rotation.per_position[pair]) + rotation.offset[pair];
        for (int lane = 0; lane < rotation_lanes; lane += lanes) {
            hn::Vec<decltype(d)> sine, cosine;
            phase_sincos(d, hn::Load(du, phases + lane), sine, cosine);
            const auto x = hn::Mul(factor, load(d, rows + lane)),
                       y = hn::Mul(factor, load(d, rows + pairs * rotation_lanes + lane));
            store(d, hn::Sub(hn::Mul(x, cosine), hn::Mul(y, sine)), out.values + lane);
            store(d, hn::MulAdd(x, sine, hn::Mul(y, cosine)), out.values + pairs * out.stride + lane);
        }
    }
}

/// Rotates by the sum of two angles.
template <class V>
HWY_INLINE void turn_on(V& cosine, V& sine, V by_cosine, V by_sine) {
    const V before = cosine;
    cosine = hn::NegMulAdd(sine, by_sine, hn::Mul(cosine, by_cosine));
    sine = hn::MulAdd(sine, by_cosine, hn::Mul(before, by_sine));
}

/// Writes the parts of rotation_lanes numbers to their places.
template <class D, class T>
HWY_INLINE void store_parts(D d, hn::Vec<D> values, RotatedRows<T> out, int begin) {
    constexpr int lanes = static_cast<int>(hn::MaxLanes(D{}));
    T* const to = out.values + begin / rotation_lanes * out.stride + begin % rotation_lanes;
    if (lanes <= rotation_lanes || out.stride == rotation_lanes) return hn::StoreU(values, d, to);
    HWY_ALIGN T parts[lanes];
    hn::Store(values, d, parts);
    for (int part = 0; part < lanes / rotation_lanes; ++part)
        std::copy_n(parts + part * rotation_lanes, rotation_lanes, to + part * out.stride);
}

/// Processes the numbers from `begin` on of rotation_lanes rows.
template <class D, class T>
HWY_INLINE void rotate_part(D d, const Turns& by, Turns& turns, int pairs, int begin, const T* rows,
                            RotatedRows<T> out) {
    const hn::Rebind<T, D> dt;
    auto c = hn::LoadU(d, turns.cosines.get() + begin), s = hn::LoadU(d, turns.sines.get() + begin);
    hn::Vec<decltype(dt)> cosine, sine;
    if constexpr (std::is_same_v<T, float>) {
        cosine = hn::DemoteTo(dt, c);
        sine = hn::DemoteTo(dt, s);
    } else {
        cosine = c;
        sine = s;
    }
    turn_on(c, s, hn::LoadU(d, by.cosines.get() + begin), hn::LoadU(d, by.sines.get() + begin));
    hn::StoreU(c, d, turns.cosines.get() + begin);
    hn::StoreU(s, d, turns.sines.get() + begin);
    const int second = pairs * rotation_lanes;
    const auto x = hn::LoadU(dt, rows + begin), y = hn::LoadU(dt, rows + second + begin);
    store_parts(dt, hn::NegMulAdd(y, sine, hn::Mul(x, cosine)), out, begin);
    store_parts(dt, hn::MulAdd(x, sine, hn::Mul(y, cosine)), out, second + begin);
}

template <class T>
HWY_INLINE void rotate_and_advance(const Turns& by, Turns& turns, int pairs, const T* rows, RotatedRows<T> out) {
    constexpr int groups_ahead = 2;  // whose rows are prefetched from memory
    constexpr int line = 64 / sizeof(T);
    const hn::ScalableTag<double> d;
    const hn::CappedTag<double, rotation_lanes> rest;
    const int entries = pairs * rotation_lanes;
    for (int i = 0; i < 2 * entries; i += line) hwy::Prefetch(rows + groups_ahead * 2 * entries + i);
    int begin = 0;
    for (; begin + static_cast<int>(hn::Lanes(d)) <= entries; begin += static_cast<int>(hn::Lanes(d)))
        rotate_part(d, by, turns, pairs, begin, rows, out);
    for (; begin < entries; begin += static_cast<int>(hn::Lanes(rest)))
        rotate_part(rest, by, turns, pairs, begin, rows, out);
}

void advance_floats(const Turns& by, Turns& turns, int pairs, const float* rows, RotatedRows<float> out) {
    rotate_and_advance(by, turns, pairs, rows, out);
}
void advance_doubles(const Turns& by, Turns& turns, int pairs, const double* rows, RotatedRows<double> out) {
    rotate_and_advance(by, turns, pairs, rows, out);
}

void rotate_floats(const Rotation& rotation, const std::int64_t* grouped, const float* rows, RotatedRows<float> out) {
    rotate_side_by_side(rotation, grouped, rows, out);
}
void rotate_doubles(const Rotation& rotation, const std::int64_t* grouped, const double* rows,
                    RotatedRows<double> out) {
    rotate_side_by_side(rotation, grouped, rows, out);
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(rotate_row_kernel);
HWY_EXPORT(cosines_and_sines);
HWY_EXPORT(advance_floats);
HWY_EXPORT(advance_doubles);
HWY_EXPORT(rotate_floats);
HWY_EXPORT(rotate_doubles);

Rotation::Rotation(const LoweredEncoding& lowered, const PositionMap& used, double row_factor)
    : map(used), factor(row_factor) {
    for (const long double w : lowered.inv_freq) {
        per_position.push_back(phase_of(w));
        offset.push_back(map.offset == 0 ? 0 : phase_of(map.offset * w));
    }
}

void rotate_row(const Rotation& rotation, std::int64_t position, std::span<const double> row, std::span<double> out) {
    HWY_DYNAMIC_DISPATCH(rotate_row_kernel)(rotation, rotation.map.group_of(position), row, out);
}

template <class T>
void rotate_rows(const Rotation& rotation, std::span<const std::int64_t, rotation_lanes> positions, const T* rows,
                 RotatedRows<T> out) {
    std::int64_t grouped[rotation_lanes];
    std::transform(positions.begin(), positions.end(), grouped,
                   [&](std::int64_t position) { return rotation.map.group_of(position); });
    if constexpr (std::is_same_v<T, float>)
        HWY_DYNAMIC_DISPATCH(rotate_floats)(rotation, grouped, rows, out);
    else
        HWY_DYNAMIC_DISPATCH(rotate_doubles)(rotation, grouped, rows, out);
}
template void rotate_rows(const Rotation&, std::span<const std::int64_t, rotation_lanes>, const float*,
                          RotatedRows<float>);
template void rotate_rows(const Rotation&, std::span<const std::int64_t, rotation_lanes>, const double*,
                          RotatedRows<double>);

EvenRotation::EvenRotation(const Rotation& rotation, std::int64_t step)
    : pairs_(static_cast<int>(rotation.per_position.size())), of_lanes_(pairs_), of_all_(pairs_) {
    std::vector<Phase> lanes, all;
    for (const Phase per_position : rotation.per_position)
        for (int lane = 0; lane < rotation_lanes; ++lane) {
            lanes.push_back(phase_at(lane * step, per_position));
            all.push_back(phase_at(rotation_lanes * step, per_position));
        }
    HWY_DYNAMIC_DISPATCH(cosines_and_sines)(lanes, of_lanes_.cosines.get(), of_lanes_.sines.get());
    HWY_DYNAMIC_DISPATCH(cosines_and_sines)(all, of_all_.cosines.get(), of_all_.sines.get());
}

void EvenRotation::begin(const Rotation& rotation, std::int64_t first, Turns& turns) const {
    constexpr int most_pairs = 64;  // whose sines and cosines are computed at a time
    Phase phases[most_pairs];
    double cosines[most_pairs], sines[most_pairs];
    for (int begin = 0; begin < pairs_; begin += most_pairs) {
        const int count = std::min(most_pairs, pairs_ - begin);
        for (int i = 0; i < count; ++i)
            phases[i] = phase_at(first, rotation.per_position[begin + i]) + rotation.offset[begin + i];
        HWY_DYNAMIC_DISPATCH(cosines_and_sines)({phases, static_cast<std::size_t>(count)}, cosines, sines);
        for (int i = 0; i < count; ++i) {
            const double c = rotation.factor * cosines[i], s = rotation.factor * sines[i];
            for (int lane = 0; lane < rotation_lanes; ++lane) {
                const int at = (begin + i) * rotation_lanes + lane;
                turns.cosines[at] = c * of_lanes_.cosines[at] - s * of_lanes_.sines[at];
                turns.sines[at] = s * of_lanes_.cosines[at] + c * of_lanes_.sines[at];
            }
        }
    }
}

template <class T>
void EvenRotation::rotate(Turns& turns, const T* rows, RotatedRows<T> out) const {
    if constexpr (std::is_same_v<T, float>)
        HWY_DYNAMIC_DISPATCH(advance_floats)(of_all_, turns, pairs_, rows, out);
    else
        HWY_DYNAMIC_DISPATCH(advance_doubles)(of_all_, turns, pairs_, rows, out);
}
template void EvenRotation::rotate(Turns&, const float*, RotatedRows<float>) const;
template void EvenRotation::rotate(Turns&, const double*, RotatedRows<double>) const;

}  // namespace ropewalk::cpu
#endif
