#include "core/cpu/rotation.h"

#include <algorithm>

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

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(rotate_row_kernel);

Rotation::Rotation(const Lowered& lowered, const PositionMap& map, double row_factor)
    : group(map.group), factor(row_factor) {
    for (const long double w : lowered.inv_freq) {
        per_position.push_back(phase_of(w));
        offset.push_back(rotation_phase(map, w, 0));
    }
}

void rotate_row(const Rotation& rotation, std::int64_t position, std::span<const double> row, std::span<double> out) {
    const std::int64_t remainder = position % rotation.group;
    const std::int64_t grouped = (position - remainder) / rotation.group - (remainder < 0 ? 1 : 0);
    HWY_DYNAMIC_DISPATCH(rotate_row_kernel)(rotation, grouped, row, out);
}

}  // namespace ropewalk::cpu
#endif
