// The change of a logit when both tokens are shifted: 0 for an encoding that depends on distance only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Asks for |score(i, j) with both tokens shifted by `positions` − score(i, j)|, which is 0 if only the distance
/// matters. Changes below 10⁻¹² of Σ|g_t| are rounding errors and count as 0. The answer is empty if the encoding draws
/// the positions, which cannot be shifted.
struct ShiftQuestion : QuestionDefaults {
    using Answer = std::optional<double>;
    static constexpr auto stage = "shift";
    int query = 0, key = 0, positions = 0;

    bool operator==(const ShiftQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
};

/// logit(i, j), without the mask, with both tokens shifted by each number of positions.
struct Shifts {
    std::vector<double> positions;  // of the shift, from 0
    std::vector<double> logit;
    std::vector<double> residual;  // |logit − logit without shift|; rounding errors, as in `ShiftQuestion`, are 0
    std::string complaint;         // why tokens cannot be shifted; usually empty

    double max_residual() const;
};

/// Asks for shifts of the cursor's entry by 0 … max positions. If these are more than `most`, the answer has the first
/// `near` of them and some of the others, spaced by an odd step so that no period of a power of two is missed. It
/// always has `marked`.
struct ShiftsQuestion : QuestionDefaults {
    using Answer = Shifts;
    static constexpr auto stage = "shifts";
    static constexpr int most = 512, near = 64;
    int max = 0, marked = 0;

    bool operator==(const ShiftsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_cell(head); }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
