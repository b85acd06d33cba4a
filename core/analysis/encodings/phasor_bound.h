// Bounds from partial sums of phasors, against distance (Su et al. 2021, arXiv:2104.09864, eq. 35–37 and Fig. 2).
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Returns RoFormer's decay factor (2/d)·Σ_{j=1}^{d/2} |S_j| at r = 0 … count − 1 tokens, for the last token as query;
/// it is (d/2 + 1)/2 at r = 0. It falls overall but not at every step, and it bounds a score only after multiplication
/// by the amplitudes' changes. Phases are exact; the error is below 1e-12.
std::vector<double> mean_partial_sums(const Problem& problem, int count, const Cancel& cancel);

/// Abel's bounds at every distance, for one (q, k), in units of the score:
///     |Σ h_t e^{irw_t}|  ≤  Σ|S_{t+1}||h_{t+1} − h_t|  ≤  max|h_{t+1} − h_t| · Σ|S_{t+1}|,    h_{d/2} = 0,
/// so the last difference is |h_{d/2−1}|.
struct AbelBounds {
    std::vector<double> magnitude, weighted, max;
};

/// Returns whether a curve over `count` distances takes longer than a frame or two.
inline bool takes_long(const Problem& problem, int count) {
    return static_cast<double>(problem.lowered.pairs()) * count > 5e6;
}

struct PartialSumsQuestion : QuestionDefaults {
    using Answer = std::vector<double>;
    static constexpr auto stage = "partial sums";
    int count = 0;

    bool operator==(const PartialSumsQuestion&) const = default;

    bool is_job(const Problem& problem) const { return takes_long(problem, count); }
    double cost(const Problem& problem, const Backend& backend) const;
    Answer answer(const AnalysisContext& context) const {
        return mean_partial_sums(context.problem, count, context.cancel);
    }
};

/// Asks for the bounds of a head with constant q and k, or else of the cursor's query and key, as if these were r = 0 …
/// count − 1 tokens apart and the query were the last token. Amplitudes (`pair_amplitudes`) are damped as the encoding
/// damps them at each distance. The answer is empty if waves are added, because then the score is not a sum of rotating
/// amplitudes.
struct AbelQuestion : QuestionDefaults {
    using Answer = std::optional<AbelBounds>;
    static constexpr auto stage = "bounds";
    int count = 0;

    bool operator==(const AbelQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_rows(head); }
    bool is_job(const Problem& problem) const { return takes_long(problem, count); }
    double cost(const Problem& problem, const Backend& backend) const;
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
