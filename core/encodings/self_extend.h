// Self-Extend: near keys at their own distance, far keys at positions divided by a group size, so that no distance
// exceeds what the model was trained on (Jin et al. 2024, arXiv:2401.01325, eq. 3 and Alg. 1).
#pragma once

#include "core/encodings/common.h"

namespace ropewalk {

/// How the far positions join the near ones: W − ⌊W/G⌋ (the paper), or W − W/G with true division (some public code).
enum class GroupOffset { integer, fractional };
template <>
struct EnumText<GroupOffset> {
    static constexpr std::array<EnumName, 2> names{{{"integer", "Integer"}, {"fractional", "Fractional"}}};
};

struct SelfExtend {
    static constexpr auto id = "self_extend", title = "Self-Extend",
                          source = "Jin et al. 2024, arXiv:2401.01325, Alg. 1";
    static constexpr auto summary = "Distances from W on are counted in groups of G tokens.";
    double base = 10'000;
    int group = 4;
    int window = 64;
    GroupOffset offset = GroupOffset::integer;

    bool operator==(const SelfExtend&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(base_field, s.base);
        f(Field{.name = "group",
                .label = "Group size G",
                .unit = "tokens",
                .least = 1,
                .greatest = 1 << 16,
                .slider_greatest = 64,
                .logarithmic = true,
                .help = "Tokens that share one far position. 1 is RoPE."},
          s.group);
        f(Field{.name = "window",
                .label = "Neighbour window W",
                .unit = "tokens",
                .least = 0,
                .greatest = 1 << 20,
                .slider_greatest = 4096,
                .help = "Distances below W are left alone; from W on, distance = ⌊i/G⌋ − ⌊j/G⌋ + W − ⌊W/G⌋."},
          s.window);
        f(Field{.name = "offset",
                .label = "Offset",
                .help = "W − ⌊W/G⌋ as in the paper, or W − W/G with true division as in some public code."},
          s.offset);
    }

    Lowered lower(const Shape& shape) const {
        Lowered lowered = rotation_only(frequency_ladder(base, shape.head_dim));
        if (group == 1) return lowered;
        const long double joined = offset == GroupOffset::integer ? window - window / group
                                                                  : window - static_cast<long double>(window) / group;
        lowered.far =
            FarRegime{.window = window, .maps = {.query = {.group = group, .offset = joined}, .key = {.group = group}}};
        return lowered;
    }
};

}  // namespace ropewalk
