// YaRN: fast pairs keep their frequency, slow ones are interpolated by the factor, with a ramp in between. The
// attention logits are scaled up (Peng et al. 2023, arXiv:2309.00071). The ramp over pair numbers is that of the
// authors' code and of Hugging Face transformers; the ramp over turns is the paper's eq. 20.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

#include "core/encodings/common.h"

namespace ropewalk {

enum class YarnRamp { code, paper };
template <>
struct EnumText<YarnRamp> {
    static constexpr std::array<EnumName, 2> names{{{"code", "Code"}, {"paper", "Paper"}}};
};

struct Yarn : EncodingDefaults {
    static constexpr auto id = "yarn", title = "YaRN", source = "Peng et al. 2023, arXiv:2309.00071";
    static constexpr auto summary = "Interpolates slow pairs by s, keeps fast ones, and scales the logits up.";
    double base = 10'000;
    double factor = 8;
    int original_length = 4096;
    double beta_fast = 32, beta_slow = 1;
    YarnRamp ramp = YarnRamp::code;
    bool truncate = true;
    bool scale_frequencies = true, scale_attention = true;
    double attention_factor = 0;

    bool operator==(const Yarn&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(factor_field, s.factor);
        f(original_length_field, s.original_length);
        Field fast = field_named(turns_field, "beta_fast", "β fast", kept_above),
              slow = field_named(turns_field, "beta_slow", "β slow", interpolated_below);
        fast.slider_min = 1, fast.slider_max = 256, slow.slider_max = 32;
        f(fast, s.beta_fast);
        f(slow, s.beta_slow);
        f(Field{.name = "ramp",
                .label = "Ramp",
                .help = "Code: linear in the pair's number, as in the authors' code and Hugging Face Transformers. "
                        "Paper: linear in turns over the training length, as in the ramp of Llama 3.1."},
          s.ramp);
        f(Field{.name = "truncate",
                .label = "Whole pairs",
                .help = "Round the ends of the ramp outwards to whole pairs. gpt-oss turns this off."},
          s.truncate);
        f(Field{.name = "scale_frequencies",
                .label = "Scale frequencies",
                .help = "Turn off to keep RoPE's frequencies and see the attention scaling alone."},
          s.scale_frequencies);
        f(Field{.name = "scale_attention",
                .label = "Scale attention",
                .meaning = Meaning::attention_scaling,
                .help = "Multiplies cosine and sine by 0.1 ln s + 1, and so the logits by its square; no effect for s "
                        "≤ 1."},
          s.scale_attention);
        f(attention_factor_field, s.attention_factor);
    }

    std::optional<std::string> check(const Shape&) const {
        if (base <= 1) return "encoding.base is " + text_of(base) + "; YaRN needs a base above 1";
        if (beta_fast < beta_slow || (ramp == YarnRamp::paper && beta_fast == beta_slow))
            return fmt::format("encoding.beta_fast is {}; it must be above encoding.beta_slow, which is {}",
                               text_of(beta_fast), text_of(beta_slow));
        return check_attention_factor(attention_factor);
    }

    const char* formula() const {
        return scale_frequencies
                   ? "$w_t$ = {encoding.base}$^{-2t/d}$·(1 − $\\rho_t$ + $\\rho_t$ ÷ {encoding.factor}), "
                     "$\\rho_t$ = 0 … 1 from "
                     "{encoding.beta_fast} to {encoding.beta_slow} turns"
                   : "$w_t$ = {encoding.base}$^{-2t/d}$, as in RoPE";
    }

    double attention_scaling() const {
        if (!scale_attention) return 1;
        if (attention_factor > 0) return attention_factor;
        return factor > 1 ? 0.1 * std::log(factor) + 1 : 1;
    }

    std::string note(const Shape&) const {
        return fmt::format("logits × {:.4g}", attention_scaling() * attention_scaling());
    }

    /// Returns the pairs between which the ramp over pair numbers rises.
    std::pair<double, double> ends_of_ramp(const Shape& shape) const {
        double low = pair_of_turns(beta_fast, shape), high = pair_of_turns(beta_slow, shape);
        if (truncate) low = std::floor(low), high = std::ceil(high);
        low = std::max(low, 0.0), high = std::min(high, shape.head_dim - 1.0);
        if (low == high) high += 0.001;
        return {low, high};
    }
    /// Returns ρₜ, how far a pair is interpolated: 0 keeps its frequency, 1 divides it by the factor.
    long double interpolation(int pair, const Shape& shape) const {
        if (!scale_frequencies) return 0;
        if (ramp == YarnRamp::paper)
            return 1 - kept_share(rope_frequency(base, pair, shape.head_dim), original_length, beta_slow, beta_fast);
        const auto [low, high] = ends_of_ramp(shape);
        return std::clamp((pair - static_cast<long double>(low)) / (static_cast<long double>(high) - low), 0.0L, 1.0L);
    }

    bool extend(double s, int trained) {
        factor = s, original_length = trained;
        return true;
    }

    std::string numpy(const Shape& shape) const {
        std::string text = numpy_frequencies(base, numpy_rope);
        if (!scale_frequencies) return text;
        const auto [low, high] = ends_of_ramp(shape);
        text += ramp == YarnRamp::paper ? fmt::format("r = 1 - np.clip(({}*w/(2*np.pi) - {}) / ({} - {}), 0, 1)\n",
                                                      original_length, beta_slow, beta_fast, beta_slow)
                                        : fmt::format("r = np.clip((t - {0}) / ({1} - {0}), 0, 1)\n", low, high);
        return text + fmt::format("w = w * (r/{} + 1 - r)\n", factor);
    }

    LoweredEncoding lower(const Shape& shape) const {
        auto inv_freq = rope_frequencies(base, shape.head_dim);
        for (int pair = 0; pair < shape.pairs(); ++pair) {
            const long double r = interpolation(pair, shape);
            inv_freq[pair] *= r / factor + (1 - r);
        }
        LoweredEncoding lowered = rotation_only(std::move(inv_freq));
        lowered.attention_scaling = attention_scaling();
        return lowered;
    }

  private:
    /// Returns the (fractional) pair that completes `turns` turns over the training length.
    double pair_of_turns(double turns, const Shape& shape) const {
        return shape.head_dim * std::log(original_length / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
    }
};

}  // namespace ropewalk
