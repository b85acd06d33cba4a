// "Does it decay?", answered from the data.
#pragma once

#include <optional>
#include <string>

namespace ropewalk {

struct Decay;

/// How a decay curve goes: ever down, down on the whole, neither, or up on the whole.
enum class DecayTrend { steadily_down, down, flat, up };

struct DecayVerdict {
    DecayTrend trend = DecayTrend::flat;
    std::optional<int> first_negative;       // distance in tokens, of the mean
    double first_tenth = 0, last_tenth = 0;  // mean logit over the nearest and the farthest tenth of the distances
    double noise = 0;                        // three standard errors of their difference: what samples alone could do
    std::string label;                       // in a few words; empty without a curve
    std::string sentence;                    // with the numbers that decide
};

DecayVerdict decay_verdict(const Decay& decay);

}  // namespace ropewalk
