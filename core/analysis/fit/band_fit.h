// The head whose logit comes closest to a curve over distance: least squares over every pair's cosine and sine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/fit/bands.h"
#include "core/analysis/fit/target_curve.h"

namespace ropewalk {

/// What counts alike in the fit: every distance, or every octave of distances (a weight of 1/(r + 1)).
enum class FitWeighting { distances, octaves };
template <>
struct EnumText<FitWeighting> {
    static constexpr std::array<EnumName, 2> names{{{"distances", "Distances"}, {"octaves", "Octaves"}}};
};

/// Every pair has an amplitude of its own, or all have one and only phases differ. (That ‖q_t‖ = ‖k_t‖ needs no asking:
/// a construction made of bands has it.)
enum class FitAmplitudes { free, equal };
template <>
struct EnumText<FitAmplitudes> {
    static constexpr std::array<EnumName, 2> names{{{"free", "Free"}, {"equal", "Equal"}}};
};

/// How to fit.
struct FitRules {
    double ridge = 0;    // ≥ 0: what a squared amplitude [logits²] costs beside the mean squared misfit
    int first_pair = 0;  // pairs before it are 0
    int last_pair = -1;  // pairs after it are 0; −1: to the last
    FitWeighting weighting = FitWeighting::distances;
    FitAmplitudes amplitudes = FitAmplitudes::free;
    int most_distances = 0;  // that are fitted; 0: as many as give nearly what all would
    int beginnings = 16;     // of equal amplitudes, at most: fewer of many pairs

    bool operator==(const FitRules&) const = default;
};

struct BandFit {
    std::string complaint{};              // why there is no fit; usually empty
    std::vector<Band> bands;              // [pairs], of the score: what the construction is made of
    std::vector<double> cosine, sine;     // [pairs]: amplitude·cos φ and −amplitude·sin φ, A and B of `Lowered`
    std::vector<double> logit_amplitude;  // [pairs]: the amplitude in logits
    std::vector<double> share;   // [pairs]: of the parts' mean squares over the fitted distances, adding up to 1
    std::vector<double> logits;  // [seq_len], of the fitted head: the last query's, by distance
    int first_distance = 0;      // of the target
    std::vector<double> target, left_over;  // from first_distance on; left_over = logit − target
    double rms = 0;                         // of what is left over, weighted as in the fit
    double min_logit = 0, max_logit = 0;    // at the target's distances
    double max = 0;                         // |left_over|
    int max_at = 0;                         // distance
    int fitted_distances = 0;               // of many, one drawn from each of as many stretches is fitted
    int rank = 0;                           // of the cosines and sines
};

/// The bands for which the logit of the last query is closest to `target` by distance. That logit is
///     (factor · Σ_t left_over_t(m) (A_t cos(m'w_t) + B_t sin(m'w_t)) − bias_slope · m) / temperature,
///     factor = scale · attention_scaling²,
/// with m the positions between query and key and m' those after the encoding's maps. What is sought is
/// x = factor/temperature · (A, B), in logits, from left_over·(cos, sin)·x ≈ target + bias_slope·m/temperature: the
/// weighted mean of the squared misfit plus ridge·‖x‖² is least. Where several x are equally good, to 1e-10 of the
/// waves, it is the shortest. With equal amplitudes, x_t = a·(cos φ_t, −sin φ_t): from several beginnings, Newton's
/// method on a and the phases finds places where nothing near is better, of which the best is taken; there may be a
/// better one that none of them leads to.
BandFit band_fit(const Problem& problem, const TargetCurve& target, const FitRules& rules, const Cancel& cancel);

struct BandFitQuestion {
    using Answer = BandFit;
    static constexpr auto stage = "fit";
    static constexpr auto dependence = Dependence::experiment;
    TargetCurve target;
    FitRules rules;

    bool operator==(const BandFitQuestion&) const = default;

    double multiply_adds(const Problem& problem) const;
    double cost(const Problem& problem, const Backend&) const { return multiply_adds(problem); }
    Answer answer(const AnalysisContext& context) const {
        return band_fit(context.problem, target, rules, context.cancel);
    }
    /// With fewer distances where that makes it quick enough to follow the mouse.
    std::optional<BandFitQuestion> coarsened(const Problem& problem) const;
};

}  // namespace ropewalk
