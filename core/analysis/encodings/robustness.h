// The weight that a positional head gives its target, and the reach of a semantic channel (Barbero et al. 2024,
// arXiv:2410.06205, Def. 5.1, Thm 5.3 and Thm 6.1).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// How much lower the logit is at every other distance than at `target` tokens back, [count] with 0 at the target. The
/// gap at distance r is norm · per_norm[r] + fixed[r], where norm = ‖q‖‖k‖ (‖ψ‖² for q = ψ, k = Rʳψ) may vary and
/// `fixed` is the encoding's bias. Tokens before the first do not count.
struct TargetGaps {
    int target = 0;
    std::vector<double> per_norm, fixed;
};

/// Returns the gaps of a head with constant queries and keys at distances 0 … count − 1, per unit of norm; the query is
/// the last token. Requires an encoding that rotates. The functions below assume the same gaps in every row, as under
/// any encoding that depends on the distance alone.
TargetGaps target_gaps(const Problem& problem, int target, int count, const Cancel& cancel);

/// Returns the minimum weight on the target over the rows from `target` to the last, under the causal mask. It is in
/// the last row, because every row sees all that the row before it sees.
double min_target_weight(const TargetGaps& gaps, double norm);

/// Returns the required norm: the smallest norm with weight > 1 − epsilon in every row, to a relative 1e-12 if the gaps
/// are exact. Returns nothing if no norm is enough, because some distance scores as high as the target (to 1e-13, which
/// would require a norm beyond 10^13).
std::optional<double> norm_needed(const TargetGaps& gaps, double epsilon);

/// A side peak: a distance with a higher score than its two neighbours.
struct SidePeak {
    int distance = 0;
    double gap = 0;  // to the target, per norm; negative if the side peak is higher
};

/// Returns the `most` side peaks with the smallest gaps, smallest first.
std::vector<SidePeak> side_peaks(const TargetGaps& gaps, int most);

/// Returns where a match on a single pair of frequency `inv_freq` [rad per position] turns negative, for tokens
/// `stride` positions apart: the first distance r [tokens] with cos(r·stride·w) < 0, which is ceil(π/2w) at stride 1.
/// Returns nothing for a pair that is not rotated, which never fails.
std::optional<std::int64_t> first_failing_distance(long double inv_freq, std::int64_t stride = 1);

/// How much weight a head with constant queries and keys gives to one distance.
struct Robustness {
    TargetGaps gaps;
    double norm = 0;    // current ‖q‖‖k‖
    double weight = 0;  // minimum weight on the target at that norm
    std::optional<double> norm_needed;
    std::vector<double> norms;                 // ‖q‖‖k‖, logarithmically spaced
    std::vector<int> lengths;                  // sequence lengths; the last is the experiment's
    std::vector<std::vector<double>> weights;  // [lengths][norms]: minimum weight on the target
    std::vector<SidePeak> side_peaks;
};

struct RobustnessQuestion : QuestionDefaults {
    /// Empty if queries and keys vary, if scores do not grow with them, without a causal mask, or if no row has a token
    /// that far back.
    using Answer = std::optional<Robustness>;
    static constexpr auto stage = "robustness";
    int target = -1;  // distance in tokens; −1 takes that of the largest logit
    double epsilon = 0.01;

    bool operator==(const RobustnessQuestion&) const = default;

    static bool is_job(const Problem& problem) { return problem.seq_len > 1 << 13; }
    static double cost(const Problem& problem, const Backend&) {
        constexpr double exponentials = 2e5;  // of a distance, for all norms, in scalar code
        return is_job(problem) ? exponentials * problem.seq_len : 0;
    }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
