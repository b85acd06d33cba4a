// Curves drawn beside a head's decay: variants with other settings, pinned heads, the state before a drag and the
// reference.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/parts/curves/pins.h"
#include "core/analysis/heads/attention_row.h"

namespace ropewalk {

struct ComparedCurve {
    std::string title{};  // empty if the curve is not in the legend
    SharedNumbers values{};
    int first_distance = 0;  // distance of values[0]; the others follow
    Stroke stroke{};         // for variants and pins, one of the theme's curves; wider where another coincides with it
    int pin = -1;            // index of a pinned curve; −1: not pinned
};

/// Returns the curves whose answers are available, in this order: variants (settings applied to the current head;
/// omitted if they change nothing), pinned heads (settings applied to the default head; the style depends only on the
/// place), the state before the drag, the reference.
std::vector<ComparedCurve> compared_curves(const FigureInput& input, const std::vector<std::string>& variants,
                                           const std::vector<std::string>& pins);

/// Returns the place for the next pin, chosen so that no variant has its colour.
std::size_t place_for_pin(const Experiment& head, const std::vector<std::string>& variants,
                          std::vector<std::string> pins);

/// Returns the name of the current head among these curves: its values of all fields that the other curves set.
std::string name_beside(const FigureInput& input, const std::vector<std::string>& variants,
                        const std::vector<std::string>& pins);

/// Returns the row's weights by distance, from the query's own key (distance 0) to the first key. Returns the same
/// array for as long as the row exists.
SharedNumbers weights_by_distance(const std::shared_ptr<const AttentionRow>& row, const FigureInput& input);

/// Returns the weights by distance before the drag and in the reference, if these rows belong to the same query as the
/// current row.
std::vector<ComparedCurve> compared_rows(const FigureInput& input);

Curve curve_of(const ComparedCurve& curve, const FigureInput& input);

}  // namespace ropewalk
