// The base of figures that consist of curves.
#pragma once

#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/curves/other_states.h"
#include "app/figures/parts/curves/zoom.h"

namespace ropewalk {

/// The base of a figure `Own` made of curves. `Own` defines, in place of `draw`,
///     plots_of(input) → its plots, from the top
/// They are drawn together with those before a drag and of the reference. Redefine `draws_reference` to draw no
/// reference, and `ghost_name` to name the curves of the state before the drag.
template <class Own>
struct CurveFigure : ZoomableFigure {
    static constexpr bool moves = true;

    bool draws_reference() const { return true; }
    std::string ghost_name(const FigureInput&) const { return {}; }
    bool draws_this_reference(const FigureInput& input) const {
        const std::vector<CurvePlot> plots = compared_plots(input);
        return std::any_of(plots.begin(), plots.end(), [](const CurvePlot& plot) {
            return std::any_of(plot.series.begin(), plot.series.end(),
                               [](const Series& series) { return series.of == Series::Of::reference; });
        });
    }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        return draw_curves(compared_plots(input), input, canvas, rect);
    }
    bool operator==(const CurveFigure&) const = default;

  protected:
    /// Returns the plots with the series of the state before the drag and of the reference, if there are any.
    std::vector<CurvePlot> compared_plots(const FigureInput& input) const {
        const Own& own = static_cast<const Own&>(*this);
        std::vector<CurvePlot> plots = own.plots_of(input);
        if (input.blended_from) move(plots, own.plots_of(input.of_origin()), input);
        for (CurvePlot& plot : plots) plot.x = input.reached(plot.x);  // other heads' points beyond its end are dropped
        for (CurvePlot& plot : plots) plot.zoom = {x_range, &plot == &plots.front() ? y_range : std::vector<double>()};
        if (input.ghost) add_ghost(plots, own.plots_of(input.of_ghost()), input, own.ghost_name(input));
        if (input.reference && own.draws_reference()) add_reference(plots, own.plots_of(input.swapped()), input);
        return plots;
    }
};

}  // namespace ropewalk
