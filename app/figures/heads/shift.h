// The logit of one entry when both its tokens move: a test of whether only their distance matters.
#pragma once

#include "app/figures/parts/curves/curve_figure.h"
#include "core/analysis/heads/shift.h"

namespace ropewalk {

struct ShiftFigure : CurveFigure<ShiftFigure> {
    static constexpr auto id = "shift", title = "Shift both tokens";
    static constexpr auto summary =
        "The logit at the cursor with both tokens moved s positions further, and its change. Drag the mark to choose "
        "s.";
    static constexpr bool takes_brush = true;
    static constexpr auto table_shape = "[shifts, 3]";
    static constexpr bool has_row_per_x = true;
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
        zoom_fields(s, f);
    }

    Needs needs(const Experiment&, PlotPixels) const { return {question()}; }

    /// Returns whether the logit depends on the positions, by the computed numbers.
    Badge badge(const FigureInput& input) const {
        const auto shifts = shifts_of(input.results);
        if (!shifts || !shifts->complaint.empty()) return {};
        const double most = shifts->max_residual();
        const std::string every = omitted() ? fmt::format(" {} of {} shifts were sampled.",
                                                          readable(static_cast<double>(shifts->positions.size())),
                                                          readable(last_shift() + 1.0))
                                            : "";
        if (most == 0 && input.results.problem->lowered.relative())
            return {"depends on distance only", "Relative",
                    "Moving both tokens changes nothing: the logit depends only on their distance."};
        if (most == 0)
            return {"no change in these shifts", "Unchanged",
                    "No shift changes this logit, although the encoding does not depend on distance alone." + every};
        return {
            fmt::format("changes by up to {}", readable(most, 3)), "Not relative",
            "Moving both tokens changes the logit: it depends on their positions, not only on their distance." + every};
    }

    std::string readout(const FigureInput& input) const {
        const auto shifts = shifts_of(input.results);
        const std::string place = place_text(input, input.results.request.cursor);
        const std::optional<std::size_t> at = shifts ? place_of_mark(*shifts) : std::nullopt;
        if (!at) return place;
        return fmt::format("{}   s = {}   logit {}   change {}", place, readable(shift), readable(shifts->logit[*at]),
                           readable(shifts->residual[*at]));
    }

    /// Returns whether the point is in a plot; the mark can be dragged from anywhere there.
    bool draws_at(const Frame& frame, Point at) const { return plot_at(frame, at) != nullptr; }

    void draw_with(const BrushMove& move, const Frame& frame, const FigureInput&, Experiment&) {
        const double at = std::clamp(move.to.x, frame.plot.x, frame.plot.right());
        shift = static_cast<int>(std::lround(std::clamp(frame.x_at(at), 0.0, frame.x.high)));
    }

    DataTable table(const Results& results) const {
        const auto shifts = results.find(question());
        if (!shifts->complaint.empty()) throw InputError(shifts->complaint);
        return table_of_columns(
            {{"shift", shifts->positions}, {"logit", shifts->logit}, {"difference", shifts->residual}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto shifts = shifts_of(input.results);
        const Axis axis{.title = "shift s (positions)", .low = 0, .high = end_of_axis(input), .whole = true};
        CurvePlot logits{.x = axis, .y = {.title = "logit", .low = 1, .high = 0}, .share = 1.3};
        CurvePlot residuals{.x = axis, .y = {.title = "|change|", .low = 1, .high = 0}};
        if (!shifts || !shifts->complaint.empty()) {
            logits.message = shifts ? shifts->complaint : still_computing;
            return {logits};
        }
        const double unmoved = shifts->logit.front();
        logits.series = {
            {.label = "original", .points = {{0, unmoved}, {axis.high, unmoved}}, .color = theme.text_faint, .dash = 5},
            series_of(*shifts, shifts->logit, theme.series[0])};
        logits.series.back().label = "shifted by s";
        residuals.series = {series_of(*shifts, shifts->residual, theme.series[3])};
        const ValueRange range = input.reached("logit", finite_range(shifts->logit));
        const double apart = std::max({range.max - range.min, std::abs(unmoved) * 0.2, 0.1});
        logits.y.low = range.min - apart * 0.15, logits.y.high = range.max + apart * 0.15;
        const double residual = input.reached("residual", {0, shifts->max_residual()}).max;
        residuals.y.low = 0, residuals.y.high = residual > 0 ? residual * 1.1 : 1;
        const auto at = static_cast<double>(shift);
        logits.marks = {{.at = at, .label = fmt::format("s = {}", readable(at)), .color = theme.warning, .grip = true}};
        residuals.marks = {{.at = at, .color = theme.warning, .dash = dash_to_drag}};  // continues the same line
        return {logits, residuals};
    }

  private:
    ShiftsQuestion question() const { return {.max = last_shift(), .marked = shift}; }
    /// Returns the largest shift on the axis.
    int last_shift() const { return std::max(max, shift); }
    /// Returns the end of the axis, which stays fixed while the mark is dragged.
    double end_of_axis(const FigureInput& input) const {
        const auto last = static_cast<double>(last_shift());
        return input.drawn_on ? std::max(last, input.drawn_on->x.high) : last;
    }

    bool omitted() const { return last_shift() > ShiftsQuestion::most; }

    /// Returns the answer to this figure's question or, until it arrives, one that differs only in the mark.
    std::shared_ptr<const Shifts> shifts_of(const Results& results) const {
        if (const auto own = results.find(question())) return own;
        for (const auto& [asked, answer] : results.all_of<ShiftsQuestion>())
            if (asked.max == question().max) return answer;
        return nullptr;
    }

    std::optional<std::size_t> place_of_mark(const Shifts& shifts) const {
        const auto place = std::find(shifts.positions.begin(), shifts.positions.end(), shift);
        if (place == shifts.positions.end()) return std::nullopt;
        return static_cast<std::size_t>(place - shifts.positions.begin());
    }

    Series series_of(const Shifts& shifts, const std::vector<double>& values, Color color) const {
        return {
            .points = points_of(shifts.positions, values), .color = color, .as_dots = omitted(), .is_compared = true};
    }
};

}  // namespace ropewalk
