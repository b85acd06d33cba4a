// Numbers of 16 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace ropewalk {

/// Returns the number that an IEEE binary16 stands for, exactly.
inline float from_half(std::uint16_t bits) {
    const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16, exponent = bits >> 10 & 31u;
    const std::uint32_t fraction = bits & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent == 0)
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24f));
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

}  // namespace ropewalk
