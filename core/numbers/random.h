// Counter-based random numbers: a token's row depends only on its key, so rows can be drawn separately and in any
// order, with the same bits on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ropewalk {

enum class RandomStream : std::uint32_t { query, key, content, position = 16, training, held_out, weights };

/// The key that determines a row of random numbers.
struct RandomKey {
    std::int64_t seed = 0;
    std::uint32_t sample = 0;
    RandomStream stream = RandomStream::query;
    std::uint32_t token = 0;
};

/// Fills row[channel] with independent N(0, 1): Philox4x32-10 (Salmon et al. 2011) keyed by the seed, with the counter
/// (token, channel / 2, sample, stream), 53-bit uniforms, and the normal quantile function AS 241 (Wichura 1988). Uses
/// only operations that IEEE 754 rounds exactly.
void fill_gaussian(const RandomKey& key, std::span<double> row);

/// Independent uniform whole numbers that depend on a key alone, from the same generator with the counter (block,
/// token, sample, stream).
class UniformNumbers {
  public:
    explicit UniformNumbers(const RandomKey& key);

    /// Returns the next number of 0 … bound − 1, each equally likely. bound ≥ 1.
    std::uint32_t below(std::uint32_t bound);

  private:
    std::uint32_t word();

    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> counter_, words_{};
    std::size_t used_ = 4;
};

/// Returns `count` distinct numbers of 1 … upper in increasing order, uniformly among all such sets, from the same
/// generator in the stream `position`. 1 ≤ count ≤ upper.
std::vector<std::int64_t> draw_positions(std::int64_t seed, int count, int upper);

/// Returns the standard normal quantile of p in (0, 1), with a relative error of about 1e-15.
double normal_quantile(double p);

}  // namespace ropewalk
