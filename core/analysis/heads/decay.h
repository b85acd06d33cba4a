// How the logit falls (or does not) with distance.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis_context.h"
#include "core/analysis/heads/decay_verdict.h"

namespace ropewalk {

/// What a curve is of: one q and one k at every token; the head's samples; or the last query's row, whose keys differ
/// by more than their distance.
enum class DecayOf { head, samples, row };

/// Logits of the last query against keys at distance first_distance, first_distance + 1, … tokens: mean and population
/// σ over the head's samples (Barbero et al. 2024, Fig. 2), or the last row itself.
struct Decay {
    DecayOf of = DecayOf::head;
    int first_distance = 0;
    int samples = 1;
    std::vector<double> mean;
    std::vector<double> sigma;  // of as many; empty where one sample is all there is
    std::string complaint;      // why there is no curve; usually empty
    DecayVerdict verdict;       // "does it decay?", for the head as set; of a row there is none

    double mean_at(std::size_t place) const { return mean[place]; }
    double sigma_at(std::size_t place) const { return sigma.empty() ? 0 : sigma[place]; }
};

Decay decay(const Problem& problem, Backend& backend, const Cancel& cancel);

/// Logits of one fixed (q, k), [head_dim] in pair order, with the query at the last token and the key r = 0 … count − 1
/// tokens before it; in double.
std::vector<double> logits_by_distance(const Problem& problem, std::span<const double> q, std::span<const double> k,
                                       int count, const Cancel& cancel);

/// By how much those logits are below that at the distance `target`, [count]: from half the difference of the angles,
/// so that near returns of tokens at equal distances keep their digits, to 1e-11 of themselves or 1e-15 of
/// Σ|amplitude|, whichever is more. Of encodings that rotate.
std::vector<double> logit_falls(const Problem& problem, std::span<const double> q, std::span<const double> k,
                                int target, int count, const Cancel& cancel);

/// A curve that stays as it is, whatever becomes of the experiment.
struct PinnedDecay {
    Experiment experiment;
    Decay curve;
};

/// Of the experiment that comes of the default one by `settings`, as `changed` reads them. It is found beside all else,
/// once.
struct PinnedDecayQuestion {
    using Answer = PinnedDecay;
    static constexpr auto stage = "pinned decay";
    static constexpr auto dependence = Dependence::nothing;
    std::string settings;

    bool operator==(const PinnedDecayQuestion&) const = default;

    /// Of its own head, whatever the problem is.
    double cost(const Problem& problem, const Backend& backend) const;
    static bool is_job(const Problem&) { return true; }
    /// Settings that cannot be give a curve without points and the reason.
    Answer answer(const AnalysisContext& context) const;
};

/// Of the experiment, or of what it is after `settings`, which are written as behind `--set` with spaces between them.
struct DecayQuestion {
    using Answer = Decay;
    static constexpr auto stage = "decay";
    static constexpr auto dependence = Dependence::experiment;
    std::string settings{};

    bool operator==(const DecayQuestion&) const = default;

    /// A sample's logits are found in double, each as slowly as some twenty of a kernel's.
    double cost(const Problem& problem, const Backend&) const { return cost_of(problem); }
    static bool is_job(const Problem& problem) {
        return static_cast<double>(std::max(1, problem.inputs.samples)) * problem.seq_len * problem.head_dim() > 2e9;
    }
    /// A curve or two leave a first look the time for its cells.
    std::optional<DecayQuestion> coarsened(const Problem& problem) const {
        return cost_of(problem) <= frame_cost / 3 ? std::optional(*this) : std::nullopt;
    }
    /// Settings that cannot be give a curve without points and the reason.
    Answer answer(const AnalysisContext& context) const;

  private:
    static double cost_of(const Problem& problem) {
        return std::max(1.0, 20.0 * problem.inputs.samples) * problem.seq_len * problem.head_dim();
    }
};

}  // namespace ropewalk
