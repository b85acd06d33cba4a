// How sharply a head can single out one distance, and how far a semantic channel reaches (Barbero et al. 2024,
// arXiv:2410.06205, Def. 5.1, Thm 5.3 and Thm 6.1).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// By how much the logit `target` tokens back exceeds that at every other distance, [count] with 0 at the target: the
/// logit at distance r falls short of it by norm · per_norm[r] + fixed[r], where norm = ‖q‖‖k‖ (‖ψ‖² for q = ψ,
/// k = Rʳψ) may be varied and `fixed` is the encoding's bias. Tokens before the row's beginning do not count.
struct TargetGaps {
    int target = 0;
    std::vector<double> per_norm, fixed;
};

/// The gaps of a head with constant queries and keys at distances 0 … count − 1, whatever its present norm; the query
/// is the last token. Of encodings that rotate. Below, rows are taken to see the same gaps,
/// as under any encoding in which distance alone matters.
TargetGaps target_gaps(const Problem& problem, int target, int count, const Cancel& cancel);

/// The least weight that any row from row `target` to the last gives its target under the causal mask: it is the last
/// row's, as every row sees all that the row before it sees.
double min_target_weight(const TargetGaps& gaps, double norm);

/// The least norm with weight > 1 − epsilon in every row, to 1e-12 of itself if the gaps are exact; nothing if no norm
/// does, because some distance scores as high as the target (to 1e-13: where a norm beyond 10^13 would be needed).
std::optional<double> norm_needed(const TargetGaps& gaps, double epsilon);

/// A distance whose score nearly returns to the target's: higher than at the distances beside it.
struct SidePeak {
    int distance = 0;
    double gap = 0;  // per norm; negative where it is the higher one
};

/// The `most` returns of the smallest gaps, smallest first.
std::vector<SidePeak> side_peaks(const TargetGaps& gaps, int most);

/// Where a match on a single pair of this inverse frequency [rad/position] first turns against itself, the tokens being
/// `stride` positions apart: the first distance r [tokens] with cos(r·stride·w) < 0, which is ceil(π/2w) at stride 1.
/// Nothing for a pair that is not rotated: such a channel never fails.
std::optional<std::int64_t> first_failing_distance(long double inv_freq, std::int64_t stride = 1);

/// How well a head with constant queries and keys singles out one distance.
struct Robustness {
    TargetGaps gaps;
    double norm = 0;    // ‖q‖‖k‖ as it is,
    double weight = 0;  // and the least target weight with it
    std::optional<double> norm_needed;
    std::vector<double> norms;                 // ‖q‖‖k‖, logarithmically spaced
    std::vector<int> lengths;                  // contexts, of which the last is the experiment's
    std::vector<std::vector<double>> weights;  // [lengths][norms]: least target weight
    std::vector<SidePeak> side_peaks;
};

struct RobustnessQuestion {
    /// Nothing where queries and keys vary, or scores do not grow with them; without a causal mask; where no row has a
    /// token so far back.
    using Answer = std::optional<Robustness>;
    static constexpr auto stage = "robustness";
    static constexpr auto dependence = Dependence::experiment;
    int target = -1;  // distance in tokens; −1 takes that of the greatest logit
    double epsilon = 0.01;

    bool operator==(const RobustnessQuestion&) const = default;

    static bool is_job(const Problem& problem) { return problem.seq_len > 1 << 13; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
