// A head as a sum of waves: the amplitude and phase of each pair in the score (Hong et al. 2024, eq. 12).
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// A pair's score r tokens back, amplitude · cos(r·w + phase), before the encoding scales, damps or biases it.
struct Band {
    double amplitude = 0, phase = 0;  // phase: radians

    bool operator==(const Band&) const = default;
};

/// The largest amplitude that a construction accepts.
inline constexpr double max_amplitude = 1e12;

/// Returns ‖q_t‖‖k_t‖ and the angle from k_t to q_t [pairs] of one query and one key.
std::vector<Band> bands_between(const Problem& problem, int query, int key);

/// Returns the bands [pairs] of a construction that lists them, with amplitudes ≥ 0 and phases in [−π, π]; nothing for
/// other constructions.
std::optional<std::vector<Band>> listed_bands(const Experiment& experiment);

/// Returns the experiment with a construction made of these bands, none larger than `max_amplitude`. Not validated.
Experiment with_bands(Experiment experiment, const std::vector<Band>& bands);

/// Asks for the bands of a head with constant q and k, or else of the cursor's query and key.
struct BandsQuestion : QuestionDefaults {
    using Answer = std::vector<Band>;
    static constexpr auto stage = "bands";

    bool operator==(const BandsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_rows(head); }
    Answer answer(const AnalysisContext& context) const;
    BandsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
