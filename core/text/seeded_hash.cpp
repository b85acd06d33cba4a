#include "core/text/seeded_hash.h"

#include <cstring>
#include <random>

namespace ropewalk {
namespace {

__extension__ using WideProduct = unsigned __int128;

constexpr std::uint64_t hash_prime = (std::uint64_t{1} << 61) - 1;

std::uint64_t drawn_multiplier() {
    std::random_device random;
    return (std::uint64_t{random()} << 32 | random()) % (hash_prime - 1) + 1;
}

/// Returns a number below 2⁶¹ + 4 that is congruent to the product modulo the prime, for numbers below 2⁶² and 2⁶¹.
std::uint64_t product_modulo(std::uint64_t number, std::uint64_t factor) {
    const WideProduct exact = WideProduct{number} * factor;
    const std::uint64_t sum =
        (static_cast<std::uint64_t>(exact) & hash_prime) + static_cast<std::uint64_t>(exact >> 61);
    return (sum & hash_prime) + (sum >> 61);
}

std::uint64_t hash_multiplier() {
    static const std::uint64_t drawn = drawn_multiplier();
    return drawn;
}

template <class T>
std::uint64_t load_bytes(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return value;
}

/// Returns the last bytes of a text, at most seven, as a number. Several loads take less time than a copy of any
/// length.
std::uint64_t last_bytes(std::string_view text) {
    const std::size_t size = text.size();
    const char* const from = text.data();
    if (size >= 4)
        return load_bytes<std::uint32_t>(from) | load_bytes<std::uint32_t>(from + size - 4) << 8 * (size - 4);
    if (size == 0) return 0;
    return load_bytes<std::uint8_t>(from) | load_bytes<std::uint8_t>(from + size / 2) << 8 |
           load_bytes<std::uint8_t>(from + size - 1) << 16;
}

}  // namespace

/// Returns the value, at the drawn point, of a polynomial whose coefficients are the length and groups of seven bytes.
std::size_t SeededHash::operator()(std::string_view text) const {
    constexpr std::size_t group = 7;
    constexpr std::uint64_t bytes_of_group = (std::uint64_t{1} << 8 * group) - 1;
    const std::uint64_t drawn = hash_multiplier();
    if (text.size() <= group) return product_modulo(text.size() << 8 * group | last_bytes(text), drawn);
    std::uint64_t hash = product_modulo(text.size(), drawn);
    for (; text.size() > group; text.remove_prefix(group))
        hash = product_modulo(hash + (load_bytes<std::uint64_t>(text.data()) & bytes_of_group), drawn);
    return product_modulo(hash + last_bytes(text), drawn);
}

}  // namespace ropewalk
