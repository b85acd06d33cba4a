// The logit as a function of distance.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis_context.h"
#include "core/analysis/heads/decay_verdict.h"

namespace ropewalk {

/// The source of a curve: one q and one k for all tokens; the head's samples; or the last query's row, whose keys
/// differ by more than their distance.
enum class DecayOf { head, samples, row };

/// Logits of the last query against keys at distance first_distance, first_distance + 1, … tokens: mean and population
/// σ over the head's samples (Barbero et al. 2024, Fig. 2), or the last row itself. The softcap bounds them, except
/// margins, which are not logits. Only the last row ends where the mask does.
struct Decay {
    DecayOf of = DecayOf::head;
    int first_distance = 0;
    int samples = 1;
    Numbers mean;
    Numbers sigma;          // same size; empty for a single sample
    Numbers expected;       // mean over all possible samples, in closed form; empty if unknown
    std::string complaint;  // why there is no curve; usually empty
    DecayVerdict verdict;   // on the head at its current settings; none for a row

    double mean_at(std::size_t place) const { return mean[place]; }
    double sigma_at(std::size_t place) const { return sigma.empty() ? 0 : sigma[place]; }
};

Decay decay(const Problem& problem, Backend& backend, const Cancel& cancel);

/// Returns the logits before softcap and mask, [count], of one fixed (q, k), [head_dim] in pair order, with the query
/// at the last token and the key r = 0 … count − 1 tokens before it; in double.
Numbers logits_by_distance(const Problem& problem, std::span<const double> q, std::span<const double> k, int count,
                           const Cancel& cancel);

/// Returns by how much these logits are below the one at distance `target`, [count]. Computed from half the difference
/// of the angles, so that side peaks of tokens at equal distances keep their digits: accurate to 1e-11 of themselves or
/// 1e-15 of Σ|amplitude|, whichever is larger. Requires an encoding that rotates.
Numbers logit_falls(const Problem& problem, std::span<const double> q, std::span<const double> k, int target, int count,
                    const Cancel& cancel);

/// A pinned curve, which does not change with the experiment.
struct PinnedDecay {
    Experiment experiment;
    Decay curve;
};

/// Asks for the curve of the default experiment with `settings` applied, as `changed` reads them. Computed once, as a
/// job.
struct PinnedDecayQuestion : QuestionDefaults {
    using Answer = PinnedDecay;
    static constexpr auto stage = "pinned decay";
    std::string settings;

    bool operator==(const PinnedDecayQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor&) { return {}; }
    /// Returns the cost of the pinned head's curve, without that of building its queries and keys.
    double cost(const Problem&, const Backend&) const;
    double model_work(const Experiment& experiment) const;
    static bool is_job(const Problem&) { return true; }
    /// Returns a curve without points, with a complaint, if the settings are invalid.
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for the decay curve of the experiment with `settings` applied, which are written as after `--set`, separated by
/// spaces.
struct DecayQuestion : QuestionDefaults {
    using Answer = Decay;
    static constexpr auto stage = "decay";
    std::string settings{};

    bool operator==(const DecayQuestion&) const = default;

    /// Returns the cost. A sample's logits are computed in double, each about 20 times as slowly as in a kernel.
    double cost(const Problem& problem, const Backend&) const { return cost_of(problem); }
    double model_work(const Experiment& experiment) const;
    static bool is_job(const Problem& problem) {
        return static_cast<double>(std::max(1, problem.inputs.samples)) * problem.seq_len * problem.head_dim() > 2e9;
    }
    bool is_about_long_head(const Experiment& experiment) const;
    /// Returns the question itself if one or two such curves leave enough time for the cells of a preview.
    std::optional<DecayQuestion> coarsened(const Problem& problem) const {
        return cost_of(problem) <= frame_cost / 3 ? std::optional(*this) : std::nullopt;
    }
    /// Returns a curve without points, with a complaint, if the settings are invalid.
    Answer answer(const AnalysisContext& context) const;

    /// Returns the work of a curve in multiply-adds.
    static double work(int samples, int seq_len, int head_dim) {
        return std::max(1.0, 20.0 * samples) * seq_len * head_dim;
    }

  private:
    static double cost_of(const Problem& problem) {
        return work(problem.inputs.samples, problem.seq_len, problem.head_dim());
    }
};

}  // namespace ropewalk
