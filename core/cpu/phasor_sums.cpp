#include "core/cpu/phasor_sums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/phasor_sums.cpp"
#include "core/cpu/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

void add_phasors_kernel(double turn_x, double turn_y, const double* cosines, const double* sines, double weight,
                        PhasorSums& sums) {
    const hn::ScalableTag<double> d;
    const auto c = hn::Set(d, turn_x), s = hn::Set(d, turn_y), w = hn::Set(d, weight);
    for (std::size_t b = 0; b < phasor_lanes; b += hn::Lanes(d)) {
        const auto cosine = hn::LoadU(d, cosines + b), sine = hn::LoadU(d, sines + b);
        const auto x = hn::NegMulAdd(s, sine, hn::MulAdd(c, cosine, hn::Load(d, sums.x + b)));
        const auto y = hn::MulAdd(c, sine, hn::MulAdd(s, cosine, hn::Load(d, sums.y + b)));
        hn::Store(x, d, sums.x + b);
        hn::Store(y, d, sums.y + b);
        const auto length = hn::Sqrt(hn::MulAdd(x, x, hn::Mul(y, y)));
        hn::Store(hn::MulAdd(w, length, hn::Load(d, sums.lengths + b)), d, sums.lengths + b);
    }
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(add_phasors_kernel);

void add_phasors(std::complex<double> turn, const double* cosines, const double* sines, double weight,
                 PhasorSums& sums) {
    HWY_DYNAMIC_DISPATCH(add_phasors_kernel)(turn.real(), turn.imag(), cosines, sines, weight, sums);
}

}  // namespace ropewalk::cpu
#endif
