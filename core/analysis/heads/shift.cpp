#include "core/analysis/heads/shift.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/analysis/heads/contributions.h"

namespace ropewalk {
namespace {

/// The contributions to one entry before and after a shift, and their sums.
class ShiftedEntry {
  public:
    ShiftedEntry(const Problem& problem, int query, int key)
        : problem_(problem), query_(query), key_(key), here_(contributions(problem, query, key)) {}

    /// Returns score after − score before.
    double change(int positions) {
        problem_.positions.start = start_ + positions;
        const std::vector<double> there = contributions(problem_, query_, key_);
        double change = 0, size = 0;
        for (std::size_t pair = 0; pair < here_.size(); ++pair) {
            change += there[pair] - here_[pair];
            size += std::abs(here_[pair]) + std::abs(there[pair]);
        }
        return std::abs(change) < rounding * size ? 0 : change;
    }
    double score() const { return std::accumulate(here_.begin(), here_.end(), 0.0); }

  private:
    static constexpr double rounding = 1e-12;

    Problem problem_;
    int query_, key_;
    std::vector<double> here_;
    int start_ = problem_.positions.start;
};

/// Returns the magnitude of a logit's change after the softcap, from that before it.
double capped_change(const Problem& problem, double change, double logit, double changed_logit) {
    if (problem.softcap == 0) return std::abs(change);
    // tanh(x + δ) − tanh x = tanh δ · (1 − tanh x · tanh(x + δ)) keeps the digits of small changes.
    const double max = problem.max_logit();
    return std::abs(max * std::tanh(change / max) * (1 - logit / max * (changed_logit / max)));
}

}  // namespace

std::optional<double> ShiftQuestion::answer(const AnalysisContext& context) const {
    if (context.problem.lowered.positions) return std::nullopt;
    return std::abs(ShiftedEntry(context.problem, query, key).change(positions));
}

double Shifts::max_residual() const {
    return residual.empty() ? 0 : *std::max_element(residual.begin(), residual.end());
}

Shifts ShiftsQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    Shifts shifts;
    if (problem.lowered.positions) {
        shifts.complaint = "This encoding draws the token positions, so tokens cannot be shifted.";
        return shifts;
    }
    const int step = max <= most ? 1 : ((max - near) / (most - near) + 1) | 1;
    std::set<int> looked_at{max};
    for (int positions = 0; positions <= max; positions += positions < near ? 1 : step) looked_at.insert(positions);
    if (marked >= 0 && marked <= max) looked_at.insert(marked);
    shifts.positions.assign(looked_at.begin(), looked_at.end());
    const Cursor& cell = context.cursor;
    ShiftedEntry shifted(problem, cell.query, cell.key);
    for (const double positions : shifts.positions) {
        context.cancel.check();
        const double change = shifted.change(static_cast<int>(positions));
        shifts.logit.push_back(problem.logit(shifted.score() + change, cell.query, cell.key));
        shifts.residual.push_back(capped_change(problem, problem.scale * change / problem.temperature,
                                                shifts.logit.front(), shifts.logit.back()));
    }
    return shifts;
}

}  // namespace ropewalk
