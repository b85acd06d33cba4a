// Plots of curves, alone or above each other: what many figures are.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/parts/mark.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

/// One curve, by evenly spaced y (`values`) or by points.
struct Series {
    std::string label{};  // in the legend; none if empty
    std::shared_ptr<const std::vector<double>> values{};
    double first = 0, step = 1;  // x of the values
    std::vector<Point> points{};
    Color color{};
    double width = 1.5;
    Dashes dash{};
    bool as_dots = false, as_bars = false;  // of points; of values
    std::vector<Color> colors{};            // of the bars one by one; empty: `color`
    std::vector<double> spread{};           // of the points one by one: a band reaches so far to either side; or none
    std::string spread_label{};             // in the legend
    bool is_compared = false;               // those of the heads that the plot is beside are drawn, too
    enum class Of { present, reference, ghost } of = Of::present;
};

struct CurvePlot {
    Axis x{}, y{};  // where y.low ≥ y.high its range is found from the series
    std::vector<Series> series{};
    std::vector<Mark> marks{};
    double cursor_x = nan;
    std::string message{};  // instead of curves: why there are none
    double share = 1;       // of the height, where several stand above each other
};

/// So broad and pale that it is seen on both sides of a thin one that comes after it and may coincide with it.
Series beneath(Series series, const Theme& theme);
inline constexpr double thin_line = 1.25;

/// Adds the reference's series that are compared to the plots of the present, as dashed lines or dots, with names in
/// the first legend; or those of the ghost, faint and without names. Axes whose range is set grow with them.
void add_reference(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& of_reference, const FigureInput& input);
void add_ghost(std::vector<CurvePlot>& plots, const std::vector<CurvePlot>& of_ghost, const FigureInput& input);

/// What plots_of(input) makes of the present, and of the ghost if there is one, together.
template <class PlotsOf>
std::vector<CurvePlot> beside_ghost(const FigureInput& input, PlotsOf&& plots_of) {
    std::vector<CurvePlot> plots = plots_of(input);
    for (CurvePlot& plot : plots) plot.x = input.reached(plot.x);  // points of others are cut where it ends
    if (input.ghost) add_ghost(plots, plots_of(input.of_ghost()), input);
    return plots;
}

/// The same, and of the reference if there is one.
template <class PlotsOf>
std::vector<CurvePlot> beside_reference(const FigureInput& input, PlotsOf&& plots_of) {
    std::vector<CurvePlot> plots = beside_ghost(input, plots_of);
    if (input.reference) add_reference(plots, plots_of(input.turned()), input);
    return plots;
}

/// Whether any curve of the reference is among them.
template <class PlotsOf>
bool draws_beside_reference(const FigureInput& input, PlotsOf&& plots_of) {
    const std::vector<CurvePlot> plots = beside_reference(input, plots_of);
    return std::any_of(plots.begin(), plots.end(), [](const CurvePlot& plot) {
        return std::any_of(plot.series.begin(), plot.series.end(),
                           [](const Series& series) { return series.of == Series::Of::reference; });
    });
}

/// The plots above each other, as many from the top as can be read, with one left and one right edge, each below its
/// legend; those with the same x axis have one set of labels. Returns the last one's frame, the others above it; its
/// `outer` is of them all but for the topmost legend.
Frame draw_curves(const std::vector<CurvePlot>& plots, const FigureInput& input, Canvas& canvas, const Rect& rect);

/// The plots of the present, and in them what is compared of the ghost and of the reference.
template <class PlotsOf>
Frame draw_beside_reference(PlotsOf&& plots_of, const FigureInput& input, Canvas& canvas, const Rect& rect) {
    return draw_curves(beside_reference(input, plots_of), input, canvas, rect);
}

/// What stands where a figure has nothing to draw: a sentence, in lines as long as fit.
void draw_message(const std::string& sentence, const Rect& rect, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
