// Angles as exact fixed-point phases. An angle is a 64-bit fraction of a turn, so that position × frequency wraps
// around exactly in integer arithmetic. With the frequency in long double the error at position 10⁶ is 1.7e-13 rad; a
// double product has 1e-10 and a float product 0.09.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace ropewalk {

/// A fraction of a turn in units of 2⁻⁶⁴ turns; arithmetic wraps.
using Phase = std::uint64_t;

namespace phase_detail {

// The library functions for these take ten times as long.
/// Returns floor(x) for x ≥ 0.
inline long double whole_part(long double x) {
    return x < 0x1p64L ? static_cast<long double>(static_cast<std::uint64_t>(x)) : std::floor(x);
}
/// Returns the nearest integer; halfway cases to even.
inline long double rounded(long double x) {
    constexpr long double last_place_is_1 = 1.5L / std::numeric_limits<long double>::epsilon();
    const bool is_small = std::abs(x) < 0.25L / std::numeric_limits<long double>::epsilon();
    return is_small ? (x + last_place_is_1) - last_place_is_1 : std::nearbyint(x);
}

}  // namespace phase_detail

/// Returns the phase of an angle [rad]: round(2⁶⁴ · angle/2π) mod 2⁶⁴. Above 2²⁴ rad it is off by some units, by 4 at
/// 2³⁶. It uses products with parts of 1/2π, which are exact if both factors have 32 bits; a quotient in long double
/// would have an error 1.5 times as large.
inline Phase phase_of(long double angle) {
    using phase_detail::rounded, phase_detail::whole_part;
    if (angle < 0) return 0 - phase_of(-angle);
    constexpr long double first = 0xa2f9836ep-34L, second = 0x9c882a53p-67L, rest = 0xf84eafa3ea69bb81p-131L;
    const long double shifted = angle * (0x1p32L + 1), high = shifted - (shifted - angle), low = angle - high;
    const long double turns = high * first, units_and_rest = (turns - whole_part(turns)) * 0x1p64L,
                      units = whole_part(units_and_rest),
                      missing = low * first + high * second + (low * second + angle * rest);
    const long double missing_part = missing < 0 ? missing + whole_part(-missing) : missing - whole_part(missing),
                      further = rounded(units_and_rest - units + missing_part * 0x1p64L);  // within ±2⁶⁴
    const auto wrapped = [](long double whole) { return whole < 0x1p64L ? static_cast<Phase>(whole) : 0; };
    return static_cast<Phase>(units) + (further < 0 ? 0 - wrapped(-further) : wrapped(further));
}

/// Returns the phase of position · frequency, given the frequency's phase per token. Exact for any integer position.
constexpr Phase phase_at(std::int64_t position, Phase per_token) {
    return static_cast<Phase>(position) * per_token;
}

/// Returns the angle in [−π, π), within 4e-16 rad.
inline double angle_of(Phase phase) {
    return static_cast<double>(static_cast<std::int64_t>(phase)) * (std::numbers::pi * 0x1p-63);
}

/// Returns the turns of a pair of frequency w [rad per position] over `positions` positions.
inline long double turns_over(long double positions, long double w) {
    return positions * w / (2 * std::numbers::pi_v<long double>);
}

/// Returns the wavelength in positions of a pair of frequency w; infinite for w = 0.
inline long double wavelength_of(long double w) {
    return w == 0 ? std::numeric_limits<long double>::infinity() : 2 * std::numbers::pi_v<long double> / w;
}

}  // namespace ropewalk
