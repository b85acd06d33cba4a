// Sine and cosine of phases, in double. Included once per instruction set.
#if defined(ROPEWALK_CORE_CPU_PHASE_SINCOS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_CPU_PHASE_SINCOS_INL_H
#undef ROPEWALK_CORE_CPU_PHASE_SINCOS_INL_H
#else
#define ROPEWALK_CORE_CPU_PHASE_SINCOS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Computes sine and cosine of phases (fractions of a turn in units of 2⁻⁶⁴), within 6e-16. The two top bits of the
/// rounded phase are the quadrant; the rest is an angle in [−π/4, π/4), the domain of fdlibm's polynomials (k_sin.c,
/// k_cos.c).
template <class D, class V = hn::Vec<D>>
HWY_INLINE void phase_sincos(D d, hn::Vec<hn::RebindToUnsigned<D>> phase, V& sine, V& cosine) {
    const hn::RebindToUnsigned<D> du;
    const auto quadrant = hn::ShiftRight<62>(hn::Add(phase, hn::Set(du, std::uint64_t{1} << 61)));
    // The remainder, a signed fraction of a quarter turn, becomes the mantissa of a double in [1, 2).
    const auto shifted = hn::Xor(hn::ShiftLeft<2>(phase), hn::Set(du, std::uint64_t{1} << 63));
    const auto one_to_two = hn::Or(hn::ShiftRight<12>(shifted), hn::Set(du, 0x3FF0'0000'0000'0000));
    const V x = hn::Mul(hn::Sub(hn::BitCast(d, one_to_two), hn::Set(d, 1.5)), hn::Set(d, std::numbers::pi / 2));

    const V z = hn::Mul(x, x);
    V s = hn::Set(d, 1.58969099521155010221e-10);
    s = hn::MulAdd(s, z, hn::Set(d, -2.50507602534068634195e-08));
    s = hn::MulAdd(s, z, hn::Set(d, 2.75573137070700676789e-06));
    s = hn::MulAdd(s, z, hn::Set(d, -1.98412698298579493134e-04));
    s = hn::MulAdd(s, z, hn::Set(d, 8.33333333332248946124e-03));
    s = hn::MulAdd(s, z, hn::Set(d, -1.66666666666666324348e-01));
    s = hn::MulAdd(hn::Mul(s, z), x, x);
    V c = hn::Set(d, -1.13596475577881948265e-11);
    c = hn::MulAdd(c, z, hn::Set(d, 2.08757232129817482790e-09));
    c = hn::MulAdd(c, z, hn::Set(d, -2.75573143513906633035e-07));
    c = hn::MulAdd(c, z, hn::Set(d, 2.48015872894767294178e-05));
    c = hn::MulAdd(c, z, hn::Set(d, -1.38888888888741095749e-03));
    c = hn::MulAdd(c, z, hn::Set(d, 4.16666666666666019037e-02));
    c = hn::MulAdd(hn::Mul(c, z), z, hn::NegMulAdd(z, hn::Set(d, 0.5), hn::Set(d, 1.0)));

    const auto odd = hn::RebindMask(d, hn::TestBit(quadrant, hn::Set(du, std::uint64_t{1})));
    const auto two = hn::Set(du, std::uint64_t{2});
    const auto sine_sign = hn::ShiftLeft<62>(hn::And(quadrant, two));
    const auto cosine_sign = hn::ShiftLeft<62>(hn::And(hn::Add(quadrant, hn::Set(du, std::uint64_t{1})), two));
    sine = hn::Xor(hn::IfThenElse(odd, c, s), hn::BitCast(d, sine_sign));
    cosine = hn::Xor(hn::IfThenElse(odd, s, c), hn::BitCast(d, cosine_sign));
}

/// Computes cosines and sines of phases, [phases.size()] each.
inline void cosines_and_sines(std::span<const std::uint64_t> phases, double* cosines, double* sines) {
    const hn::ScalableTag<double> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<double>{});
    for (std::size_t first = 0; first < phases.size(); first += lanes) {
        const std::size_t count = std::min(lanes, phases.size() - first);
        HWY_ALIGN std::uint64_t some[lanes] = {};
        HWY_ALIGN double c[lanes], s[lanes];
        std::copy_n(phases.data() + first, count, some);
        hn::Vec<decltype(d)> sine, cosine;
        phase_sincos(d, hn::Load(du, some), sine, cosine);
        hn::Store(cosine, d, c);
        hn::Store(sine, d, s);
        std::copy_n(c, count, cosines + first);
        std::copy_n(s, count, sines + first);
    }
}

}  // namespace ropewalk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
