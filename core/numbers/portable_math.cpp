#include "core/numbers/portable_math.h"

#include <cmath>
#include <numbers>

namespace ropewalk {

double portable_log(double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent);
    if (mantissa < std::numbers::sqrt2 / 2) mantissa *= 2, --exponent;
    const double s = (mantissa - 1) / (mantissa + 1), square = s * s;
    double sum = 0;
    for (int n = 23; n >= 1; n -= 2) sum = sum * square + 1.0 / n;
    return 2 * s * sum + exponent * std::numbers::ln2;
}

double portable_exp_of_nonpositive(double x) {
    if (x < -700) return 0;
    const double power = std::floor(x * std::numbers::log2e + 0.5);
    // ln 2 in two parts: the product with the first is exact.
    const double rest = (x - power * 0x1.62e42feep-1) - power * 0x1.a39ef35793c76p-33;
    double sum = 1;
    for (int n = 14; n >= 1; --n) sum = 1 + sum * rest / n;
    return std::ldexp(sum, static_cast<int>(power));
}

SineAndCosine portable_sine_and_cosine(Phase phase) {
    // The two top bits of the rounded phase are the quadrant; the rest is an angle in [−π/4, π/4).
    const Phase quadrant = (phase + (Phase{1} << 61)) >> 62;
    const double x = angle_of(phase - (quadrant << 62)), square = x * x;
    double sine = 1, cosine = 1;
    for (int n = 18; n >= 2; n -= 2) {
        sine = 1 - sine * square / (n * (n + 1));
        cosine = 1 - cosine * square / (n * (n - 1));
    }
    sine *= x;
    switch (quadrant) {
        case 0: return {sine, cosine};
        case 1: return {cosine, -sine};
        case 2: return {-sine, -cosine};
        default: return {-cosine, sine};
    }
}

}  // namespace ropewalk
