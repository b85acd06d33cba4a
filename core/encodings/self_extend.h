// Self-Extend: near keys keep their distance, far keys are rotated by positions divided by a group size, so that no
// distance exceeds the training length (Jin et al. 2024, arXiv:2401.01325, eq. 3 and Alg. 1).
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "core/encodings/common.h"

namespace ropewalk {

/// The offset that joins far positions to near ones: W − ⌊W/G⌋ (the paper), or W − W/G with true division (some public
/// code).
enum class GroupOffset { integer, fractional };
template <>
struct EnumText<GroupOffset> {
    static constexpr std::array<EnumName, 2> names{{{"integer", "Integer"}, {"fractional", "Fractional"}}};
};

struct SelfExtend : EncodingDefaults {
    static constexpr auto id = "self_extend", title = "Self-Extend",
                          source = "Jin et al. 2024, arXiv:2401.01325, Alg. 1";
    static constexpr auto summary =
        "Distances of W or more are counted in groups of G tokens, so the score also depends on the positions.";
    static constexpr auto formula =
        "$w_t$ = {encoding.base}$^{-2t/d}$, distances ≥ {encoding.window} in groups of {encoding.group}";
    double base = 10'000;
    int group = 4;
    int window = 64;
    int original_length = 4096;
    GroupOffset offset = GroupOffset::integer;

    bool operator==(const SelfExtend&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(Field{.name = "group",
                .label = "Group size G",
                .unit = "tokens",
                .min = 1,
                .max = 1 << 16,
                .slider_max = 64,
                .logarithmic = true,
                .help = "Number of tokens that share one far position. 1 is RoPE."},
          s.group);
        f(Field{.name = "window",
                .label = "Neighbour window W",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .slider_max = 4096,
                .meaning = Meaning::window,
                .help = "Distances below W are kept; from W on, the effective distance is ⌊i/G⌋ − ⌊j/G⌋ + W − ⌊W/G⌋."},
          s.window);
        Field training_length = original_length_field;
        training_length.help =
            "Sequence length on which the model was trained. It determines only the reach shown below: the largest "
            "distance mapped below L.";
        f(training_length, s.original_length);
        f(Field{.name = "offset",
                .label = "Offset",
                .help = "W − ⌊W/G⌋ as in the paper, or W − W/G with true division, as in some public code."},
          s.offset);
    }

    /// Returns the largest distance from position 0 whose effective distance ⌊r/G⌋ + offset is below the training
    /// length.
    std::int64_t reach() const {
        if (window > original_length) return original_length - 1;
        // ⌊r/G⌋ < L − offset holds up to the last token of a group.
        const std::int64_t groups =
            original_length - window + (offset == GroupOffset::integer ? window / group : (window + group - 1) / group);
        return std::max<std::int64_t>(groups * group, window) - 1;
    }

    std::string note(const Shape&) const {
        return fmt::format("reach {}: the largest distance from position 0 that is mapped below L", reach());
    }

    std::string numpy(const Shape&) const { return numpy_frequencies(base, numpy_rope); }

    LoweredEncoding lower(const Shape& shape) const {
        LoweredEncoding lowered = rotation_only(rope_frequencies(base, shape.head_dim));
        if (group == 1) return lowered;
        const long double far_offset = offset == GroupOffset::integer
                                           ? window - window / group
                                           : window - static_cast<long double>(window) / group;
        lowered.far = FarRegime{.window = window,
                                .maps = {.query = {.group = group, .offset = far_offset}, .key = {.group = group}}};
        return lowered;
    }
};

}  // namespace ropewalk
