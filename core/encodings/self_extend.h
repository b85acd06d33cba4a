// Self-Extend: near keys at their own distance, far keys at positions divided by a group size, so that no distance
// exceeds what the model was trained on (Jin et al. 2024, arXiv:2401.01325, eq. 3 and Alg. 1).
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "core/encodings/common.h"

namespace ropewalk {

/// How the far positions join the near ones: W − ⌊W/G⌋ (the paper), or W − W/G with true division (some public code).
enum class GroupOffset { integer, fractional };
template <>
struct EnumText<GroupOffset> {
    static constexpr std::array<EnumName, 2> names{{{"integer", "Integer"}, {"fractional", "Fractional"}}};
};

struct SelfExtend : EncodingDefaults {
    static constexpr auto id = "self_extend", title = "Self-Extend",
                          source = "Jin et al. 2024, arXiv:2401.01325, Alg. 1";
    static constexpr auto summary =
        "Distances from W on are counted in groups of G tokens: not a function of the distance alone.";
    static constexpr auto formula =
        "wₜ = {encoding.base}^(−2t/d), distances from {encoding.window} on in groups of {encoding.group}";
    double base = 10'000;
    int group = 4;
    int window = 64;
    int original_length = 4096;
    GroupOffset offset = GroupOffset::integer;

    bool operator==(const SelfExtend&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(base_field, s.base);
        f(Field{.name = "group",
                .label = "Group size G",
                .unit = "tokens",
                .min = 1,
                .max = 1 << 16,
                .slider_max = 64,
                .logarithmic = true,
                .help = "Tokens that share one far position. 1 is RoPE."},
          s.group);
        f(Field{.name = "window",
                .label = "Neighbour window W",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .slider_max = 4096,
                .meaning = Meaning::window,
                .help = "Distances below W are left alone; from W on, distance = ⌊i/G⌋ − ⌊j/G⌋ + W − ⌊W/G⌋."},
          s.window);
        static constexpr Field trained_context = [] {
            Field field = original_length_field;
            field.help =
                "The context length that the model was trained on. It changes no number but the reach below: the "
                "greatest distance that still counts as less than L.";
            return field;
        }();
        f(trained_context, s.original_length);
        f(Field{.name = "offset",
                .label = "Offset",
                .help = "W − ⌊W/G⌋ as in the paper, or W − W/G with true division as in some public code."},
          s.offset);
    }

    /// The greatest distance, from position 0, whose effective distance ⌊r/G⌋ + offset stays below the trained context.
    std::int64_t reach() const {
        if (window > original_length) return original_length - 1;
        // ⌊r/G⌋ < L − offset holds up to the last token of a group.
        const std::int64_t groups =
            original_length - window + (offset == GroupOffset::integer ? window / group : (window + group - 1) / group);
        return std::max<std::int64_t>(groups * group, window) - 1;
    }

    std::string note(const Shape&) const {
        return fmt::format("reach {}: up to this distance from position 0, tokens count as less than L apart", reach());
    }

    LoweredEncoding lower(const Shape& shape) const {
        LoweredEncoding lowered = rotation_only(frequency_ladder(base, shape.head_dim));
        if (group == 1) return lowered;
        const long double joined = offset == GroupOffset::integer ? window - window / group
                                                                  : window - static_cast<long double>(window) / group;
        lowered.far =
            FarRegime{.window = window, .maps = {.query = {.group = group, .offset = joined}, .key = {.group = group}}};
        return lowered;
    }
};

}  // namespace ropewalk
