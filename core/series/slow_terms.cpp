#include "core/series/slow_terms.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

constexpr double omitted = 1e-17;

/// Returns whether J_n(z) and all after it are negligible: n > z, and J_n(n sech α) < exp(n (tanh α − α)) (DLMF
/// 10.14.5).
bool is_negligible(int n, double z) {
    if (n <= z) return false;
    const double alpha = std::acosh(n / z);
    return n * (std::tanh(alpha) - alpha) < std::log(omitted);
}

/// Computes J_0(z) … J_(count−1)(z) by Miller's backward recurrence, scaled by J_0 + 2 Σ J_2k = 1. z > 0.
void bessel_functions(double z, std::span<double> values) {
    constexpr int margin = 24;  // even; after this many steps the initial guess no longer matters
    const int top = 2 * ((static_cast<int>(values.size()) + margin) / 2);
    const double twice_inverse = 2 / z;
    double above = 0, here = 1e-280, sum = 0;
    for (int n = top; n >= 0; --n) {
        if (n < static_cast<int>(values.size())) values[static_cast<std::size_t>(n)] = here;
        if (n % 2 == 0) sum += n == 0 ? here : 2 * here;
        const double below = n * twice_inverse * here - above;
        above = here, here = below;
        if (std::abs(here) > 1e280) {
            here *= 1e-280, above *= 1e-280, sum *= 1e-280;
            for (double& value : values) value *= 1e-280;
        }
    }
    for (double& value : values) value /= sum;
}

}  // namespace

int expansion_order(double z) {
    int n = std::max(1, static_cast<int>(z));
    while (z > 0 && !is_negligible(n, z)) ++n;
    return (n + 1) / 2;
}

WaveExpansion expand_waves(std::span<const double> z) {
    WaveExpansion expansion;
    double max = 0;
    for (const double each : z) max = std::max(max, std::abs(each));
    if (!z.empty()) expansion.order = expansion_order(max);
    const auto order = static_cast<std::size_t>(expansion.order);
    expansion.even.assign(z.size() * order + read_together, 0);
    expansion.odd = expansion.even;
    std::vector<double> bessel(2 * order);
    for (std::size_t wave = 0; wave < z.size(); ++wave) {
        double* even = expansion.even.data() + wave * order;
        double* odd = expansion.odd.data() + wave * order;
        constexpr double standing = 1e-18;  // below it cos is 1 and sin is z·x to all digits
        if (std::abs(z[wave]) < standing) {
            even[0] = 1, odd[0] = z[wave];
            continue;
        }
        bessel_functions(std::abs(z[wave]), bessel);
        for (std::size_t k = 0; k < order; ++k) {
            const double sign = k % 2 == 0 ? 1 : -1;
            even[k] = sign * (k == 0 ? 1 : 2) * bessel[2 * k];
            odd[k] = sign * std::copysign(2, z[wave]) * bessel[2 * k + 1];
        }
    }
    return expansion;
}

std::size_t waves_to_expand(std::span<const double> falling_z, int half_width, std::size_t tiles) {
    // Costs in multiply-adds of the product. In the product, every wave and every polynomial is multiplied at every
    // place of a tile. Every expanded wave also needs every polynomial once per tile, which is slower, and its
    // expansion has a fixed cost (both measured).
    constexpr double one_by_one = 2, expanding = 8000;
    const double per_tile = static_cast<double>(tiles);
    double most_saved = 0;
    std::size_t best = 0;
    int order = 1;
    for (std::size_t count = 1; count <= falling_z.size(); ++count) {
        const double z = falling_z[falling_z.size() - count];
        while (z > 0 && !is_negligible(2 * order, z)) ++order;
        if (order > most_order) break;
        const double waves = static_cast<double>(count);
        const double saved = per_tile * ((waves - order) * half_width - one_by_one * waves * order) - expanding * waves;
        if (saved > most_saved) most_saved = saved, best = count;
    }
    return best;
}

}  // namespace ropewalk
