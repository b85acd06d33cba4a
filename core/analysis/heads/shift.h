// What changes when both tokens of a cell move on: nothing, for an encoding that knows distances only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// |score(i, j) with both tokens so many positions on − score(i, j)|: 0 for an encoding that knows distances only.
/// What is less than 10⁻¹² of Σ|g_t|, the size of what is added up, is rounding and counts as 0. Nothing where an
/// encoding draws the positions, which cannot be shifted.
struct ShiftQuestion {
    using Answer = std::optional<double>;
    static constexpr auto stage = "shift";
    static constexpr auto dependence = Dependence::experiment;
    int query = 0, key = 0, positions = 0;

    bool operator==(const ShiftQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
};

/// logit(i, j), without the mask, after both tokens moved on by each number of positions.
struct Shifts {
    std::vector<double> positions;  // how far, from 0
    std::vector<double> logit;
    std::vector<double> residual;  // |logit − logit unmoved|; what is rounding, as for `ShiftQuestion`, is 0
    std::string complaint;         // why tokens cannot be moved; usually empty

    double max_residual() const;
};

/// Of the cursor's cell: 0 … greatest positions on. Where these are more than `most`, all of the first `near` and some
/// of the others, spread by an odd step so that no period of a power of two hides; `marked` in any case.
struct ShiftsQuestion {
    using Answer = Shifts;
    static constexpr auto stage = "shifts";
    static constexpr auto dependence = Dependence::experiment_and_cell;
    static constexpr int most = 512, near = 64;
    int max = 0, marked = 0;

    bool operator==(const ShiftsQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
