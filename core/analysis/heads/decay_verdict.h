// "Does it decay?", answered from the data.
#pragma once

#include <optional>
#include <string>

namespace ropewalk {

struct Decay;

/// How a decay curve goes: ever down, down overall, down and then up, neither, or up overall. It goes down or
/// up if its nearest and farthest tenths differ by more than chance explains and by a fiftieth of its range; yet not
/// down if it stands higher behind its nearest tenth, by a tenth of the range, or in its farther half is back in the
/// upper tenth of it after it was in the lower half; and not up unless it stands so much higher behind its nearest
/// tenth. It goes down and then up if the farthest tenth's mean has made good, by more than chance explains, a quarter
/// of the fall from the nearest tenth's mean to the least mean of a tenth. It goes down at first if it does neither but
/// begins half its range or more above the farthest tenth's mean, by more than chance explains, and once it has fallen
/// to that mean never returns half way.
enum class DecayTrend { steadily_down, down, down_then_up, down_at_first, flat, up };

struct DecayVerdict {
    DecayTrend trend = DecayTrend::flat;
    std::optional<int> first_negative;       // distance in tokens, of the mean
    double first_tenth = 0, last_tenth = 0;  // mean logit over the nearest and the farthest tenth of the distances
    double noise = 0;                        // three standard errors of their difference: what samples alone could do
    std::string label;                       // in a few words; empty without a curve
    std::string brief;                       // in fewer
    std::string sentence;                    // with the numbers that decide
};

DecayVerdict decay_verdict(const Decay& decay);

}  // namespace ropewalk
