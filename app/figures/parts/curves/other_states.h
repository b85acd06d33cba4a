// What a figure's plots show of other states of the head: of the reference, and of the state before a change.
#pragma once

#include <string>
#include <vector>

#include "app/figures/parts/curves/curves.h"

namespace ropewalk {

/// Add the compared series of the reference (dashed lines or dots, named in the first legend) or of the state before
/// the drag (faint; named in the first legend unless `name` is empty). Axes with a fixed range are extended to include
/// them.
void add_reference(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& of_reference, const FigureInput& input);
void add_ghost(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& of_ghost, const FigureInput& input,
               const std::string& name = {});

/// Moves the values of all series, and their points, to where they are on the way from another state.
void move(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& origin, const FigureInput& input);

}  // namespace ropewalk
