// Zoomed axes of figures with curves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

/// Returns the options with axes that show only the ranges of `zoom`, and with the whole axes for the frame.
PlotOptions zoomed(PlotOptions options, const Zoom& zoom);

/// Returns a sentence if an axis shows nothing between two values; empty otherwise.
std::string nothing_in_sight(const Axis& shown, double first, double last);

/// Returns the extent of a curve's values within an axis.
Extent extent_within(const Curve& curve, const Axis& x);

/// Returns the range of an axis, `factor` times as long on its scale, in which `at` (0 to 1, from the axis's beginning)
/// stays in place. It is within the whole axis; empty if it is all of it.
std::vector<double> zoomed_about(const Axis& shown, const Axis& whole, double at, double factor);
/// Returns the range of an axis about a mark, a tenth as long as what is shown, but at least some whole numbers.
std::vector<double> zoomed_to(const Axis& shown, const Axis& whole, double mark);
/// Returns the range of an axis moved by a share of its length, as far as the whole axis allows.
std::vector<double> shifted_by(const Axis& shown, const Axis& whole, double share);

/// The base of figures whose axes can be zoomed. The options x and y are ranges: empty, or two numbers. In stacked
/// plots y is that of the first. A figure with further options lists these two with `zoom_fields`, or with `x_field` if
/// its vertical axis shows no values; it then redefines `zoom_to`.
struct ZoomableFigure : FigureDefaults {
    std::vector<double> x_range, y_range;

    bool operator==(const ZoomableFigure&) const = default;

    static void x_field(auto& s, auto&& f) {
        f(Field{.name = "x",
                .label = "Horizontal range",
                .in_controls = false,
                .may_be_empty = true,
                .help = "Part of the horizontal axis to show, as in x=2000:3000; all of it if empty."},
          s.x_range);
    }
    static void zoom_fields(auto& s, auto&& f) {
        x_field(s, f);
        f(Field{.name = "y",
                .label = "Vertical range",
                .in_controls = false,
                .may_be_empty = true,
                .help = "Part of the vertical axis to show; all that is needed if empty."},
          s.y_range);
    }
    static void fields(auto& s, auto&& f) { zoom_fields(s, f); }

    std::optional<std::string> check() const { return check_ranges(); }
    std::optional<Zoom> zoom() const { return Zoom{x_range, y_range}; }
    void zoom_to(const Zoom& zoom) { x_range = zoom.x, y_range = zoom.y; }

  protected:
    /// Returns a sentence if a range does not have two ends, the second beyond the first.
    std::optional<std::string> check_ranges() const;
};

}  // namespace ropewalk
