// Curves beside a head's decay: heads that differ from it in some settings, those that were pinned, the head before a
// drag and the reference.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figure.h"
#include "core/analysis/heads/attention_row.h"

namespace ropewalk {

struct ComparedCurve {
    std::string title{};  // none of what is not in the legend
    Numbers values{};
    int first_distance = 0;  // of the values, which follow each other
    Stroke stroke{};  // a variant's or a pin's is one of the theme's curves, evenly dashed where it lies over another
    int pin = -1;     // which of the pinned ones it is
};

/// Those that are known, in this order: of heads that come of the present one by the settings of each variant, if they
/// differ from it; of pinned heads, by settings from the default, a look for each place that is the curve's for life;
/// of the ghost; of the reference.
std::vector<ComparedCurve> compared_curves(const FigureInput& input, const std::vector<std::string>& variants,
                                           const std::vector<std::string>& pins);

/// In a list of pins, where one was taken away.
inline constexpr std::string_view free_place = "-";
/// Where the next pin is to stand among the others, so that none of the variants has its colour.
std::size_t place_for_pin(const Experiment& head, const std::vector<std::string>& variants,
                          std::vector<std::string> pins);

/// What the present head is beside them: all that those set which have or may have a curve, as it is in it.
std::string name_beside(const FigureInput& input, const std::vector<std::string>& variants,
                        const std::vector<std::string>& pins);

/// From the query's own key, at distance 0, to the first; the same array for as long as the row is there.
Numbers weights_by_distance(const std::shared_ptr<const AttentionRow>& row, const FigureInput& input);

/// The weights of the ghost's and of the reference's row by distance, where they are of the query that the present row
/// is of.
std::vector<ComparedCurve> compared_rows(const FigureInput& input);

Curve curve_of(const ComparedCurve& curve, const FigureInput& input);

}  // namespace ropewalk
