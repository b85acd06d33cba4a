// YaRN: fast pairs keep their frequency, slow ones are interpolated by the factor, with a ramp between, and the
// attention logits are sharpened (Peng et al. 2023, arXiv:2309.00071; the ramp over pair numbers is that of the
// authors' code and of Hugging Face transformers, the ramp over turns is the paper's eq. 20).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/encodings/common.h"

namespace ropewalk {

enum class YarnRamp { code, paper };
template <>
struct EnumText<YarnRamp> {
    static constexpr std::array<EnumName, 2> names{{{"code", "Code"}, {"paper", "Paper"}}};
};

struct Yarn : EncodingDefaults {
    static constexpr auto id = "yarn", title = "YaRN", source = "Peng et al. 2023, arXiv:2309.00071";
    static constexpr auto summary = "Slow pairs are stretched by s, fast ones kept, and the logits sharpened.";
    double base = 10'000;
    double factor = 8;
    int original_length = 4096;
    double beta_fast = 32, beta_slow = 1;
    YarnRamp ramp = YarnRamp::code;
    bool truncate = true;
    bool scale_frequencies = true, scale_attention = true;

    bool operator==(const Yarn&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(base_field, s.base);
        f(factor_field, s.factor);
        f(original_length_field, s.original_length);
        f(Field{.name = "beta_fast",
                .label = "β fast",
                .unit = "turns",
                .min = 1e-3,
                .max = 1e6,
                .slider_min = 1,
                .slider_max = 256,
                .logarithmic = true,
                .meaning = Meaning::turns_threshold,
                .help = "Pairs with more turns than this over the trained context keep their frequency."},
          s.beta_fast);
        f(Field{.name = "beta_slow",
                .label = "β slow",
                .unit = "turns",
                .min = 1e-3,
                .max = 1e6,
                .slider_min = 0.1,
                .slider_max = 32,
                .logarithmic = true,
                .meaning = Meaning::turns_threshold,
                .help = "Pairs with fewer turns than this over the trained context are slowed by the whole factor."},
          s.beta_slow);
        f(Field{.name = "ramp",
                .label = "Ramp",
                .help = "Code: linear in the pair's number, as the authors' program and every library do it. Paper: "
                        "linear in turns over "
                        "the trained context, as eq. 20 says; no released code uses it."},
          s.ramp);
        f(Field{.name = "truncate",
                .label = "Whole pairs",
                .help = "Round the ends of the ramp outwards to whole pairs. Off in gpt-oss."},
          s.truncate);
        f(Field{.name = "scale_frequencies",
                .label = "Scale frequencies",
                .help = "Off leaves RoPE's frequencies, to see the attention scaling alone."},
          s.scale_frequencies);
        f(Field{.name = "scale_attention",
                .label = "Scale attention",
                .meaning = Meaning::attention_scaling,
                .help = "Cosine and sine times 0.1 ln s + 1, hence the logits times its square; 1 for s ≤ 1."},
          s.scale_attention);
    }

    std::optional<std::string> check(const Shape&) const {
        if (base <= 1) return "encoding.base is " + text_of(base) + "; YaRN needs a base above 1";
        if (beta_fast < beta_slow || (ramp == YarnRamp::paper && beta_fast == beta_slow))
            return fmt::format("encoding.beta_fast is {}; it must be above encoding.beta_slow, which is {}",
                               text_of(beta_fast), text_of(beta_slow));
        return std::nullopt;
    }

    const char* formula() const {
        return scale_frequencies ? "wₜ = {encoding.base}^(−2t/d)·(1 − ρₜ + ρₜ ÷ {encoding.factor}), ρₜ = 0 … 1 from "
                                   "{encoding.beta_fast} to {encoding.beta_slow} turns"
                                 : "wₜ = {encoding.base}^(−2t/d), as RoPE has it";
    }

    double attention_scaling() const { return scale_attention && factor > 1 ? 0.1 * std::log(factor) + 1 : 1; }

    std::string note(const Shape&) const {
        return fmt::format("logits × {:.4g}", attention_scaling() * attention_scaling());
    }

    /// ρₜ, how far a pair is interpolated: 0 keeps its frequency, 1 divides it by the factor.
    long double interpolation(int pair, const Shape& shape) const {
        if (!scale_frequencies) return 0;
        const auto clip = [](long double x) { return std::clamp(x, 0.0L, 1.0L); };
        if (ramp == YarnRamp::paper) {
            const long double turns = turns_over(original_length, ladder_frequency(base, pair, shape.head_dim));
            return 1 - clip((turns - beta_slow) / (static_cast<long double>(beta_fast) - beta_slow));
        }
        double low = pair_of_turns(beta_fast, shape), high = pair_of_turns(beta_slow, shape);
        if (truncate) low = std::floor(low), high = std::ceil(high);
        low = std::max(low, 0.0), high = std::min(high, shape.head_dim - 1.0);
        if (low == high) high += 0.001;
        return clip((pair - static_cast<long double>(low)) / (static_cast<long double>(high) - low));
    }

    /// Sets out to stretch a context of `trained` tokens s times.
    bool extend(double s, int trained) {
        factor = s, original_length = trained;
        return true;
    }

    LoweredEncoding lower(const Shape& shape) const {
        auto inv_freq = frequency_ladder(base, shape.head_dim);
        for (int pair = 0; pair < shape.pairs(); ++pair) {
            const long double r = interpolation(pair, shape);
            inv_freq[pair] *= r / factor + (1 - r);
        }
        LoweredEncoding lowered = rotation_only(std::move(inv_freq));
        lowered.attention_scaling = attention_scaling();
        return lowered;
    }

  private:
    /// The (fractional) pair that makes `turns` turns over the trained context.
    double pair_of_turns(double turns, const Shape& shape) const {
        return shape.head_dim * std::log(original_length / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
    }
};

}  // namespace ropewalk
