#include "core/attention.h"

#include "core/error.h"

namespace ropewalk {

void ensure_valid(const Problem& problem, const Viewport& viewport) {
    const auto inside = [&](Interval range, int cells) {
        return range.begin >= 0 && range.end <= problem.seq_len && range.size() > 0 && cells > 0 &&
               cells <= range.size();
    };
    ensure(inside(viewport.rows, viewport.cells_down) && inside(viewport.columns, viewport.cells_across),
           "a viewport must lie inside the matrix and have from one cell to one cell an entry");
    const Lowered& lowered = problem.lowered;
    ensure(
        !lowered.positions || (lowered.positions.size() >= problem.seq_len && !lowered.far && lowered.bias_slope == 0 &&
                               lowered.damping.empty()),
        "an encoding with positions of its own needs one for every token and can do nothing but rotate or add waves");
    ensure(!lowered.far || (lowered.damping.empty() && lowered.rotates()), "two regimes can do nothing but rotate");
    ensure(lowered.damping.empty() || lowered.rotates(), "waves that are added cannot be damped");
}

Problem scores_only(Problem problem) {
    problem.mask = Mask::none;
    problem.scale = 1;
    problem.temperature = 1;
    problem.lowered.bias_slope = 0;
    return problem;
}

}  // namespace ropewalk
