// The verdict on a decay curve: whether it decays, and the numbers that decide.
#pragma once

#include <optional>
#include <string>

namespace ropewalk {

struct Decay;

/// The trend of a decay curve. "Near" and "far" are the means of its nearest and farthest tenths; "significant" means
/// more than sampling error explains; the range is that of the whole curve.
/// - down or up: near and far differ significantly and by more than a fiftieth of the range.
/// - flat instead of down: the curve rises above its nearest tenth by a tenth of the range, or in its farther half it
///   is in the upper tenth of the range again after it was in the lower half.
/// - flat instead of up: the curve does not rise above its nearest tenth by a tenth of the range.
/// - down_then_up: far exceeds the smallest mean of a tenth, significantly and by a quarter of the fall to it.
/// - down_at_first: neither up nor down, but the curve begins significantly above far, by half its range or more,
///   falls to far, and never returns half way.
enum class DecayTrend { steadily_down, down, down_then_up, down_at_first, flat, up };

struct DecayVerdict {
    DecayTrend trend = DecayTrend::flat;
    std::optional<int> first_negative;       // distance in tokens, of the mean
    double first_tenth = 0, last_tenth = 0;  // mean logit of the nearest and the farthest tenth of the distances
    double noise = 0;                        // three standard errors of their difference; 0 without samples
    std::string label;                       // short; empty without a curve
    std::string brief;                       // shorter
    std::string sentence;                    // with the deciding numbers
};

DecayVerdict decay_verdict(const Decay& decay);

}  // namespace ropewalk
