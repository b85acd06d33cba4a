#include "core/numbers/random.h"

#include <bit>
#include <cmath>

#include "core/numbers/portable_math.h"

namespace ropewalk {
namespace {

using Block = std::array<std::uint32_t, 4>;

/// Returns one block of Philox4x32-10: ten rounds of two 32×32-bit products.
Block philox(Block counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
                   static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return counter;
}

/// Returns the value of a polynomial with coefficients in order of increasing powers.
double polynomial(std::span<const double> coefficients, double x) {
    double sum = 0;
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) sum = sum * x + *c;
    return sum;
}

/// Numerators and denominators of the three regions of AS 241, PPND16.
constexpr double centre_numerator[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                       1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                       3.3430575583588128105e+4, 2.5090809287301226727e+3};
constexpr double centre_denominator[] = {1.0000000000000000000e0,  4.2313330701600911252e+1, 6.8718700749205790830e+2,
                                         5.3941960214247511077e+3, 2.1213794301586595867e+4, 3.9307895800092710610e+4,
                                         2.8729085735721942674e+4, 5.2264952788528545610e+3};
constexpr double middle_numerator[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                       3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                       2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double middle_denominator[] = {
    1.0000000000000000000e0,   2.05319162663775882187e0,  1.67638483018380384940e0,  6.89767334985100004550e-1,
    1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9};
constexpr double tail_numerator[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double tail_denominator[] = {1.0000000000000000000e0,   5.99832206555887937690e-1, 1.36929880922735805310e-1,
                                       1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                                       1.42151175831644588870e-7, 2.04426310338993978564e-15};

}  // namespace

double normal_quantile(double p) {
    const double q = p - 0.5;
    if (std::abs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(centre_numerator, r) / polynomial(centre_denominator, r);
    }
    const double r = std::sqrt(-portable_log(q < 0 ? p : 1 - p));
    const double size = r <= 5 ? polynomial(middle_numerator, r - 1.6) / polynomial(middle_denominator, r - 1.6)
                               : polynomial(tail_numerator, r - 5) / polynomial(tail_denominator, r - 5);
    return std::copysign(size, q);
}

void fill_gaussian(const RandomKey& key, std::span<double> row) {
    const auto seed = static_cast<std::uint64_t>(key.seed);
    for (std::size_t channel = 0; channel < row.size(); channel += 2) {
        const Block bits = philox(
            {key.token, static_cast<std::uint32_t>(channel / 2), key.sample, static_cast<std::uint32_t>(key.stream)},
            {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
        for (std::size_t half = 0; half < 2 && channel + half < row.size(); ++half) {
            const std::uint64_t word = std::uint64_t{bits[2 * half + 1]} << 32 | bits[2 * half];
            row[channel + half] = normal_quantile((static_cast<double>(word >> 11) + 0.5) * 0x1p-53);
        }
    }
}

UniformNumbers::UniformNumbers(const RandomKey& key)
    : key_{static_cast<std::uint32_t>(key.seed),
           static_cast<std::uint32_t>(static_cast<std::uint64_t>(key.seed) >> 32)},
      counter_{0, key.token, key.sample, static_cast<std::uint32_t>(key.stream)} {}

std::uint32_t UniformNumbers::word() {
    if (used_ == words_.size()) words_ = philox(counter_, key_), ++counter_[0], used_ = 0;
    return words_[used_++];
}

std::uint32_t UniformNumbers::below(std::uint32_t bound) {
    // The upper word of a product, drawn again in the few cases that would cause a bias (Lemire 2019).
    const std::uint32_t unfair = -bound % bound;
    while (true) {
        const std::uint64_t product = std::uint64_t{word()} * bound;
        if (static_cast<std::uint32_t>(product) >= unfair) return static_cast<std::uint32_t>(product >> 32);
    }
}

std::vector<std::int64_t> draw_positions(std::int64_t seed, int count, int upper) {
    // Draws the omitted numbers instead if these are fewer.
    const bool omitted = count > upper / 2;
    std::vector<std::uint64_t> marks((static_cast<std::size_t>(upper) + 63) / 64);
    UniformNumbers numbers({.seed = seed, .stream = RandomStream::position});
    for (int missing = omitted ? upper - count : count; missing > 0;) {
        const std::uint32_t number = numbers.below(static_cast<std::uint32_t>(upper));
        const std::uint64_t bit = std::uint64_t{1} << number % 64;
        missing -= (marks[number / 64] & bit) == 0;
        marks[number / 64] |= bit;
    }
    std::vector<std::int64_t> drawn;
    drawn.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < marks.size(); ++i)
        for (std::uint64_t bits = omitted ? ~marks[i] : marks[i]; bits != 0 && static_cast<int>(drawn.size()) < count;
             bits &= bits - 1)
            drawn.push_back(static_cast<std::int64_t>(64 * i) + std::countr_zero(bits) + 1);
    return drawn;
}

}  // namespace ropewalk
