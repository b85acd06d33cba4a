#include "core/series/phasor_sums.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/series/phasor_sums.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/series/phase_sincos-inl.h"

#ifndef ROPEWALK_CORE_CPU_PHASOR_SUMS_ONCE
#define ROPEWALK_CORE_CPU_PHASOR_SUMS_ONCE
namespace ropewalk {

/// The kernel's arguments. Empty amplitudes: only lengths are needed.
struct PhasorTask {
    std::span<const Phase> phases;  // [pairs], at the first angle
    const double* turns;            // [pairs, 2, phasor_lanes]
    std::span<const std::complex<double>> amplitudes;
    std::span<const double> weights;
};

}  // namespace ropewalk
#endif

HWY_BEFORE_NAMESPACE();
namespace ropewalk::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Doubles{}));
constexpr int chains = 4;  // vectors of angles summed in parallel
// This many of them get their lengths by multiplications while the processor's square root, which takes longer than the
// rest of its chain, computes the others. Wide vectors have slower square roots.
constexpr int multiplied_chains = lanes > 4 ? 2 : 1;
static_assert(phasor_lanes % (chains * lanes) == 0);

/// Returns √(x² + y²).
HWY_INLINE Vector length_of(Vector x, Vector y) {
    return hn::Sqrt(hn::MulAdd(x, x, hn::Mul(y, y)));
}

/// Returns √(x² + y²) by multiplications, except for lengths below 1e-15: an estimate of 1/√ in float with 8 bits or
/// more, one step of Halley's method, which triples the correct bits, and one of Newton's method for the root itself,
/// whose remainder is exact.
HWY_INLINE Vector multiplied_length_of(Vector x, Vector y) {
    const Doubles d;
    const hn::Rebind<float, Doubles> df;
    const Vector squared = hn::MulAdd(x, x, hn::Mul(y, y)), positive = hn::Max(squared, hn::Set(d, 1e-30));
    Vector inverse = hn::PromoteTo(d, hn::ApproximateReciprocalSqrt(hn::DemoteTo(df, positive)));
    const Vector off = hn::Mul(hn::Mul(positive, inverse), inverse);  // near 1
    inverse =
        hn::Mul(inverse, hn::MulAdd(off, hn::MulAdd(off, hn::Set(d, 0.375), hn::Set(d, -1.25)), hn::Set(d, 1.875)));
    const Vector length = hn::Mul(squared, inverse), left = hn::NegMulAdd(length, length, squared);
    return hn::MulAdd(hn::Mul(hn::Set(d, 0.5), inverse), left, length);
}

enum class Wanted { lengths, everything };

template <Wanted wanted>
void sum_chains(const PhasorTask& task, const double* cosines, const double* sines, int at, PhasorSums& sums) {
    const Doubles d;
    Vector x[chains], y[chains], lengths[chains], weighted[chains], total_x[chains], total_y[chains];
    for (auto* all : {x, y, lengths, weighted, total_x, total_y})
        for (int chain = 0; chain < chains; ++chain) all[chain] = hn::Zero(d);
    const double* turns = task.turns + at;
    for (std::size_t pair = 0; pair < task.phases.size(); ++pair, turns += 2 * phasor_lanes) {
        const Vector c = hn::Set(d, cosines[pair]), s = hn::Set(d, sines[pair]);
        for (int chain = 0; chain < chains; ++chain) {
            const Vector turn_c = hn::Load(d, turns + chain * lanes),
                         turn_s = hn::Load(d, turns + phasor_lanes + chain * lanes);
            const Vector real = hn::NegMulAdd(s, turn_s, hn::Mul(c, turn_c)),
                         imaginary = hn::MulAdd(s, turn_c, hn::Mul(c, turn_s));
            x[chain] = hn::Add(x[chain], real);
            y[chain] = hn::Add(y[chain], imaginary);
            const Vector length =
                chain < multiplied_chains ? multiplied_length_of(x[chain], y[chain]) : length_of(x[chain], y[chain]);
            lengths[chain] = hn::Add(lengths[chain], length);
            if constexpr (wanted == Wanted::everything) {
                const Vector a = hn::Set(d, task.amplitudes[pair].real()), b = hn::Set(d, task.amplitudes[pair].imag());
                weighted[chain] = hn::MulAdd(hn::Set(d, task.weights[pair]), length, weighted[chain]);
                total_x[chain] = hn::NegMulAdd(b, imaginary, hn::MulAdd(a, real, total_x[chain]));
                total_y[chain] = hn::MulAdd(b, real, hn::MulAdd(a, imaginary, total_y[chain]));
            }
        }
    }
    for (int chain = 0; chain < chains; ++chain) {
        hn::Store(lengths[chain], d, sums.lengths + at + chain * lanes);
        if constexpr (wanted == Wanted::everything) {
            hn::Store(weighted[chain], d, sums.weighted + at + chain * lanes);
            hn::Store(length_of(total_x[chain], total_y[chain]), d, sums.total + at + chain * lanes);
        }
    }
}

void sum_kernel(const PhasorTask& task, PhasorSums& sums) {
    std::vector<double> cosines(task.phases.size()), sines(cosines.size());
    cosines_and_sines(task.phases, cosines.data(), sines.data());
    const auto sum = task.amplitudes.empty() ? sum_chains<Wanted::lengths> : sum_chains<Wanted::everything>;
    for (int at = 0; at < phasor_lanes; at += chains * lanes) sum(task, cosines.data(), sines.data(), at, sums);
}

}  // namespace
}  // namespace ropewalk::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk {

HWY_EXPORT(cosines_and_sines);
HWY_EXPORT(sum_kernel);

PhasorRun::PhasorRun(std::vector<Phase> start, std::vector<Phase> step)
    : start_(std::move(start)), step_(std::move(step)), turns_(aligned_doubles(step_.size() * 2 * phasor_lanes)) {
    std::vector<Phase> phases(phasor_lanes);
    for (std::size_t pair = 0; pair < step_.size(); ++pair) {
        for (int b = 0; b < phasor_lanes; ++b) phases[b] = phase_at(b, step_[pair]);
        double* const turns = turns_.get() + pair * 2 * phasor_lanes;
        HWY_DYNAMIC_DISPATCH(cosines_and_sines)(phases, turns, turns + phasor_lanes);
    }
}

void PhasorRun::sum(std::int64_t first, std::span<const std::complex<double>> amplitudes,
                    std::span<const double> weights, PhasorSums& sums) const {
    std::vector<Phase> phases(start_);
    for (std::size_t pair = 0; pair < phases.size(); ++pair) phases[pair] += phase_at(first, step_[pair]);
    HWY_DYNAMIC_DISPATCH(sum_kernel)
    ({.phases = phases, .turns = turns_.get(), .amplitudes = amplitudes, .weights = weights}, sums);
}

}  // namespace ropewalk
#endif
