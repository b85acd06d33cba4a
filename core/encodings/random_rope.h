// Randomised positions: RoPE on N positions drawn from a longer range and sorted, so that a model meets large distances
// in short sequences (Ruoss et al. 2023, arXiv:2305.16843; Barbero et al. 2024, arXiv:2410.06205, App. B.2).
#pragma once

#include <fmt/format.h>

#include "core/encodings/common.h"
#include "core/numbers/random.h"

namespace ropewalk {

struct RandomRope : EncodingDefaults {
    static constexpr auto id = "random_rope", title = "Random positions",
                          source = "Ruoss et al. 2023, arXiv:2305.16843";
    static constexpr auto summary =
        "RoPE at positions drawn from 1 … L with the random seed, so the score also depends on the positions.";
    static constexpr auto formula = "$w_t$ = {encoding.base}$^{-2t/d}$ at positions drawn from 1 … {encoding.upper}";
    double base = 10'000;
    int upper = 4096;
    std::vector<double> positions;

    bool operator==(const RandomRope&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(Field{.name = "upper",
                .label = "Range L",
                .unit = "tokens",
                .min = 1,
                .max = 1 << 24,
                .slider_max = longest_sequence,
                .logarithmic = true,
                .meaning = Meaning::position_range,
                .help = "N different positions are drawn from 1 … L, uniformly, and sorted. First position and stride "
                        "do not apply."},
          s.upper);
        f(Field{.name = "positions",
                .label = "Positions",
                .min = 0,
                .max = 1 << 30,
                .may_be_empty = true,
                .help = "One position per token, whole numbers in increasing order, in place of first position and "
                        "stride. Empty: drawn at random."},
          s.positions);
    }

    bool depends_on_seed() const { return positions.empty(); }

    std::optional<std::string> check(const Shape& shape) const {
        if (positions.empty()) {
            if (upper >= shape.seq_len) return std::nullopt;
            return fmt::format("encoding.upper is {}; for {} different positions it must be at least seq_len, {}",
                               upper, shape.seq_len, shape.seq_len);
        }
        if (static_cast<int>(positions.size()) < shape.seq_len)
            return fmt::format("encoding.positions has {} values; it must have at least seq_len, {}, or none",
                               positions.size(), shape.seq_len);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            if (positions[i] != std::floor(positions[i]))
                return fmt::format("encoding.positions[{}] is {}; it must be a whole number", i, text_of(positions[i]));
            if (i > 0 && positions[i] <= positions[i - 1])
                return fmt::format("encoding.positions[{}] is {}; it must be above the one before it, {}", i,
                                   text_of(positions[i]), text_of(positions[i - 1]));
        }
        return std::nullopt;
    }

    std::string numpy(const Shape&) const {
        return numpy_frequencies(base, numpy_rope) +
               (positions.empty() ? "# m is a list because NumPy's generators do not draw these positions.\n" : "");
    }

    LoweredEncoding lower(const Shape& shape) const {
        LoweredEncoding lowered = rotation_only(rope_frequencies(base, shape.head_dim));
        lowered.positions =
            TokenPositions(positions.empty() ? draw_positions(shape.seed, shape.seq_len, upper)
                                             : std::vector<std::int64_t>(positions.begin(), positions.end()));
        return lowered;
    }
};

}  // namespace ropewalk
