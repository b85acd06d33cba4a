// The logit of one entry when both its tokens move: a test of whether only their distance matters.
#pragma once

#include "app/figures/parts/brush.h"
#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "core/analysis/heads/shift.h"

namespace ropewalk {

struct ShiftFigure : FigureDefaults {
    static constexpr auto id = "shift", title = "Shift both tokens";
    static constexpr auto summary =
        "The logit at the cursor with both tokens moved s positions further, and its change. Drag the mark to choose "
        "s.";
    static constexpr bool takes_brush = true;
    static constexpr auto table_shape = "[shifts, 3]";
    int shift = 100, max = 512;

    bool operator==(const ShiftFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "shift",
                .label = "Shift s",
                .unit = "positions",
                .min = 0,
                .max = longest_sequence,
                .slider_max = 4096,
                .help = "How far both tokens are moved: logit(i + s, j + s)."},
          s.shift);
        f(Field{.name = "max",
                .label = "Largest s",
                .unit = "positions",
                .min = 1,
                .max = longest_sequence,
                .logarithmic = true,
                .help = "End of the axis, or s if that is larger. Above 512, only a sample of the shifts is computed "
                        "and shown as dots."},
          s.max);
    }

    bool draws_reference() const { return true; }
    bool draws_this_reference(const FigureInput& input) const;
    Needs needs(const Experiment&, PlotPixels) const { return {question()}; }

    /// Returns whether the logit depends on the positions, by the computed numbers.
    Badge badge(const FigureInput& input) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    /// Returns nullopt: the mouse moves the mark, not the cursor.
    std::optional<Cursor> pick(const FigureInput&, const Frame&, Point) const { return std::nullopt; }
    std::string readout(const FigureInput& input) const;

    /// Returns whether the point is in a plot; the mark can be dragged from anywhere there.
    bool draws_at(const Frame& frame, Point at) const;
    void draw_with(const BrushMove& move, const Frame& frame, const FigureInput&, Experiment&);
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;
    ShiftsQuestion question() const { return {.max = last_shift(), .marked = shift}; }
    /// Returns the largest shift on the axis.
    int last_shift() const { return std::max(max, shift); }
    /// Returns the end of the axis, which stays fixed while the mark is dragged.
    double end_of_axis(const FigureInput& input) const;
    bool omitted() const { return last_shift() > ShiftsQuestion::most; }

    /// Returns the answer to this figure's question or, until it arrives, one that differs only in the mark.
    std::shared_ptr<const Shifts> shifts_of(const Results& results) const;
    std::optional<std::size_t> place_of_mark(const Shifts& shifts) const;
    Series series_of(const Shifts& shifts, const std::vector<double>& values, Color color) const;
};

}  // namespace ropewalk
