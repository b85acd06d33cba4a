// The head whose logit is closest to a curve over distance, by least squares over every pair's cosine and sine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/fit/bands.h"
#include "core/analysis/fit/target_curve.h"

namespace ropewalk {

/// What has equal weight in the fit: every distance, or every octave of distances (weights 1/(r + 1)).
enum class FitWeighting { distances, octaves };
template <>
struct EnumText<FitWeighting> {
    static constexpr std::array<EnumName, 2> names{{{"distances", "Distances"}, {"octaves", "Octaves"}}};
};

/// How to fit.
struct FitRules {
    double ridge = 0;    // ≥ 0: cost of a squared amplitude [logits²] relative to the mean squared residual
    int first_pair = 0;  // pairs before it are 0
    int last_pair = -1;  // pairs after it are 0; −1: to the last
    FitWeighting weighting = FitWeighting::distances;
    int most_distances = 0;  // maximum of fitted distances; 0: as many as give almost the same fit as all

    bool operator==(const FitRules&) const = default;
};

struct BandFit {
    std::string complaint{};           // why there is no fit; usually empty
    std::vector<Band> bands;           // [pairs], of the score, for the construction
    std::vector<double> cosine, sine;  // [pairs]: amplitude·cos φ and −amplitude·sin φ, A and B of `LoweredEncoding`
    std::vector<double> logit_amplitude;    // [pairs]: the amplitude in logits
    std::vector<double> share;              // [pairs]: of the mean squares over the fitted distances; the sum is 1
    Numbers logits;                         // [seq_len], of the fitted head's last query, by distance
    int first_distance = 0;                 // of the target
    std::vector<double> target, left_over;  // from first_distance on; left_over = logit − target, the residual
    double rms = 0;                         // of the residual, weighted as in the fit
    double min_logit = 0, max_logit = 0;    // at the target's distances
    double max = 0;                         // |left_over|
    int max_at = 0;                         // distance
    int fitted_distances = 0;               // number; of many distances, one from each of equal parts is fitted
    int rank = 0;                           // of the cosines and sines
};

/// Returns the bands for which the logit of the last query is closest to `target` at all distances. Before a softcap,
/// that logit is
///     (factor · Σ_t left_over_t(m) (A_t cos(m'w_t) + B_t sin(m'w_t)) − bias_slope · m) / temperature,
///     factor = scale · attention_scaling²,
/// with m the distance between query and key in positions and m' the same after the encoding's maps. The unknown is
/// x = factor/temperature · (A, B), in logits, with left_over·(cos, sin)·x ≈ target + bias_slope·m/temperature. The fit
/// minimises the weighted mean of the squared residual plus ridge·‖x‖². If several x are equally good, to 1e-10 of the
/// waves, it returns the shortest. ‖q_t‖ = ‖k_t‖ in the head that is made of the bands.
BandFit band_fit(const Problem& problem, const TargetCurve& target, const FitRules& rules, const Cancel& cancel);

struct BandFitQuestion : QuestionDefaults {
    using Answer = BandFit;
    static constexpr auto stage = "fit";
    TargetCurve target;
    FitRules rules;

    bool operator==(const BandFitQuestion&) const = default;

    double multiply_adds(const Problem& problem) const;
    double cost(const Problem& problem, const Backend&) const { return multiply_adds(problem); }
    Answer answer(const AnalysisContext& context) const {
        return band_fit(context.problem, target, rules, context.cancel);
    }
    /// Returns the fit with fewer distances, if that is quick enough to follow the mouse.
    std::optional<BandFitQuestion> coarsened(const Problem& problem) const;
};

}  // namespace ropewalk
