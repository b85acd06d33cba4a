// A head as a sum of waves: what amplitude and phase each pair brings to the score (Hong et al. 2024, eq. 12).
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// amplitude · cos(r·w + phase) of a pair's score r tokens back, before the encoding scales, damps or biases it.
struct Band {
    double amplitude = 0, phase = 0;  // phase: radians

    bool operator==(const Band&) const = default;
};

/// What a construction may have.
inline constexpr double max_amplitude = 1e12;

/// With an amplitude of at least 0 and a phase in [−π, π].
Band upright(const Band& band);

/// ‖q_t‖‖k_t‖ and the angle from k_t to q_t [pairs], of one query and one key.
std::vector<Band> bands_between(const Problem& problem, int query, int key);

/// The lists of a construction that is made of bands [pairs], upright; nothing of one that is not.
std::optional<std::vector<Band>> listed_bands(const Experiment& experiment);

/// The experiment with a construction made of these bands, none of them larger than `greatest_amplitude`. Not
/// validated.
Experiment with_bands(Experiment experiment, const std::vector<Band>& bands);

/// Of a head with one query and one key for all tokens, or of the cursor's query and key.
struct BandsQuestion {
    using Answer = std::vector<Band>;
    static constexpr auto stage = "bands";

    bool operator==(const BandsQuestion&) const = default;

    static Dependence dependence(const Problem& problem) {
        return problem.inputs.is_constant() ? Dependence::experiment : Dependence::experiment_and_cell;
    }
    Answer answer(const AnalysisContext& context) const;
    BandsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
