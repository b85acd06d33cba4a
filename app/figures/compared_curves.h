// Curves beside a head's decay: heads that differ from it in some settings, those that were pinned, the head before a
// drag and the reference.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "core/analysis/decay.h"

namespace ropewalk {

struct ComparedCurve {
    static constexpr double longest_dash = 8;

    std::string title;  // none of what is not in the legend
    std::shared_ptr<const Decay> answer;
    Color color;
    int twins = 0;  // curves before it that it coincides with: it is dashed above them
    int pin = -1;   // which of the pinned ones it is

    double dash() const { return twins == 0 ? 0 : longest_dash / twins; }
};

/// Those that are known, in this order: of heads that come of the present one by the settings of each variant, if they
/// differ from it; of pinned heads, by settings from the default, a colour for each place; of the ghost; of the
/// reference.
std::vector<ComparedCurve> compared_curves(const FigureInput& input, const std::vector<std::string>& variants,
                                           const std::vector<std::string>& pins);

/// What the present head is beside them: all that they set, as it is in it.
std::string name_beside(const FigureInput& input, const std::vector<std::string>& variants,
                        const std::vector<std::string>& pins);

void draw_compared(const ComparedCurve& curve, const Frame& frame, Canvas& canvas);

}  // namespace ropewalk
