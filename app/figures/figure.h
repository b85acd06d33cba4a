// The input of every figure, and the drawing helpers that figures share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/parts/cells/value_range.h"
#include "app/figures/parts/figure_memo.h"
#include "app/figures/parts/tables/data_table.h"
#include "app/figures/parts/text/caption.h"
#include "app/plot/axes.h"
#include "app/plot/marks.h"
#include "app/plot/theme.h"
#include "core/evaluation/evaluate.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

/// Size of a figure's plot area in device pixels. No figure computes anything finer.
struct PlotPixels {
    int across = 600, down = 600;
};

/// The shown ranges of a figure's axes: empty for all, or the two ends.
struct Zoom {
    std::vector<double> x{}, y{};

    bool operator==(const Zoom&) const = default;
};

/// Everything a figure draws from. `results` may belong to an older experiment than the one being edited, but they are
/// always complete.
struct FigureInput {
    const Results& results;
    Cursor cursor;
    bool cursor_shown = false;
    const Theme& theme;
    FigureMemo& memo;
    const Results* reference = nullptr;  // results of the experiment to compare with, for the same figure
    std::string own_name = "current";    // label of the experiment's own curves beside those of the reference
    std::string reference_name = "reference";
    std::optional<PlotPixels> pixels{};       // resolution requested for this figure; others may have requested more
    const Results* ghost = nullptr;           // state before the last change
    std::shared_ptr<const Frame> drawn_on{};  // its plots when the mouse began to draw on them; their axes stay
    std::shared_ptr<const Frame> was_drawn_on{};  // its plots after the last stroke; their axes stay while values fit
    PlotRanges* ranges = nullptr;                 // ranges shared by all frames of a sweep; null for a single picture
    bool has_color_bars = true;                   // false if the page omits colour bars
    bool is_reference = false;                    // true while the reference is shown in place of the current head,
    bool is_before = false;                       // or the state before the last change; `ghost` is then the current
    bool has_handles = false;                     // true if lines that represent a field can be dragged
    const Results* blended_from = nullptr;        // while a change is shown gradually: the state before it,
    double blend = 1;                             // and how far it has come

    const Experiment& experiment() const { return results.request.experiment; }
    /// Returns the input with the experiment and its reference exchanged. Requires a reference.
    FigureInput swapped() const {
        return {.results = *reference,
                .cursor = cursor,
                .theme = theme,
                .memo = memo,
                .reference = &results,
                .pixels = pixels,
                .ranges = ranges,
                .has_color_bars = has_color_bars,
                .is_reference = !is_reference};
    }
    /// Returns the input of the state before the last change. Requires `ghost`.
    FigureInput of_ghost() const {
        return {.results = *ghost, .cursor = cursor.clamped(ghost->request.experiment), .theme = theme, .memo = memo};
    }
    /// Returns the input of the state that a gradual change begins with. Requires `blended_from`.
    FigureInput of_origin() const {
        return {.results = *blended_from,
                .cursor = cursor.clamped(blended_from->request.experiment),
                .theme = theme,
                .memo = memo,
                .pixels = pixels,
                .has_color_bars = has_color_bars};
    }
    /// Returns numbers on their way from those of the origin to the current ones; the latter if the two lists differ in
    /// size or are so long that the window would lag.
    SharedNumbers on_the_way(const SharedNumbers& from, const SharedNumbers& to) const;
    void move(std::vector<double>& to, std::span<const double> from) const;
    ValueRange range_of(const RangeKey& key) const;
    /// Returns the range for the axis or colour scale `name`, widened to that of all frames of a sweep.
    ValueRange reached(const std::string& name, const ValueRange& range) const {
        return ranges ? ranges->grown(name, range) : range;
    }
    /// Returns the horizontal axis, widened to that of all frames of a sweep. A sweep over the length or the head
    /// dimension moves its end.
    Axis reached(Axis axis) const;
};

/// Returns the colour bar of a heat map, or nullopt if the page omits colour bars.
inline std::optional<ColorBar> color_bar_of(const FigureInput& input, const HeatMap& map, std::string title) {
    if (!input.has_color_bars) return std::nullopt;
    ColorBar bar{.map = map, .title = std::move(title)};
    if (!map.values) return bar;  // not computed yet
    const ValueRange all = input.range_of({.values = map.values, .visible = map.visible, .columns = map.columns});
    bar.some_below = all.min < map.scale.min;
    bar.some_above = all.max > map.scale.max;
    return bar;
}

/// A remark beside a figure's title, with its tooltip. An empty `text` means no badge. `brief` replaces `text` where
/// there is too little room.
struct Badge {
    std::string text{}, title{}, help{}, brief{};
    bool is_fault = false;    // something requested cannot be shown
    bool is_verdict = false;  // an answer rather than a remark on the picture; not in captions on paper
};

/// Returns the badge that says how cells pool several values.
inline Badge pooling_badge(std::string text, std::string brief,
                           const char* advice = "There are more values than pixels.") {
    std::string sentence = text;
    sentence.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence.front())));
    return {text, "Pooling", fmt::format("{}. {}", sentence, advice), std::move(brief)};
}

/// Returns the range of the curve's finite values.
inline ValueRange range_of(const Curve& curve) {
    const Extent extent = curve.extent(0, curve.size());
    if (std::isfinite(extent.min) && std::isfinite(extent.max)) return {extent.min, extent.max};
    std::vector<double> values;
    for (std::size_t i = 0; i < curve.size(); ++i) values.push_back(curve.y_at(i));
    return finite_range(values);
}

/// Returns the stroke of the reference's curves.
inline Stroke reference_stroke(const Theme& theme) {
    return {.color = theme.text_faint, .width = 1.25};
}
/// Returns the stroke of curves of the state before the last change.
inline Stroke ghost_stroke(const Theme& theme) {
    return {.color = theme.faded(theme.text_faint, 0.6), .width = 1.25};
}

/// Returns whether the logits equal the scores, and are called so.
inline bool logits_are_scores(const Problem& problem) {
    return problem.scale == 1 && problem.temperature == 1 && problem.softcap == 0 && problem.lowered.bias_slope == 0;
}

/// Returns the legend of a curve and its reference.
inline std::vector<LegendEntry> legend_of_compared(const FigureInput& input) {
    const Stroke other = reference_stroke(input.theme);
    return {{input.own_name, input.theme.series[0]},
            {.label = input.reference_name, .color = other.color, .width = other.width}};
}

/// Draws the cursor over a heat map as soft bands along its row and column, with a ring where they cross. NaN omits a
/// band.
void draw_cross_hair(double x, double y, const Frame& frame, Canvas& canvas);

/// Gives two stacked plots the same left and right edge.
inline void align(Frame& upper, Frame& lower) {
    const double left = std::max(upper.plot.x, lower.plot.x), right = std::min(upper.plot.right(), lower.plot.right());
    for (Frame* frame : {&upper, &lower})
        frame->plot = {left, frame->plot.y, std::max(0.0, right - left), frame->plot.height};
}

/// Returns two parts of a rect for plots with a common horizontal axis. `share` is the upper plot's part of the height,
/// without the labels below the lower one.
inline std::pair<Rect, Rect> stacked(const Rect& rect, double share, double gap) {
    constexpr double labels = 38;  // logical pixels, with the title
    const Rect upper{rect.x, rect.y, rect.width, std::floor((rect.height - gap - labels) * share)};
    return {upper, {rect.x, upper.bottom() + gap, rect.width, rect.bottom() - upper.bottom() - gap}};
}

/// Returns "12", or "12 “dog”" if tokens have names.
inline std::string token_text(const FigureInput& input, int token) {
    const auto& labels = input.results.problem->inputs.labels;
    const auto at = static_cast<std::size_t>(std::max(token, 0));
    return at < labels.size() ? fmt::format("{} “{}”", token, labels[at]) : readable(token);
}

/// Returns an axis of tokens at whole numbers, labelled with their names where these fit.
inline Axis token_axis(const FigureInput& input, const char* title, double low, double high) {
    const auto& labels = input.results.problem->inputs.labels;
    Axis axis{.title = title, .low = low, .high = high, .whole = true};
    if (!labels.empty()) axis.names = {input.results.problem, &labels};
    return axis;
}

/// Returns whether token i is at position i.
inline bool numbers_are_positions(const Problem& problem) {
    return !problem.lowered.positions && problem.positions.start == 0 && problem.positions.stride == 1;
}
inline Axis key_axis(const FigureInput& input, double low, double high) {
    const bool are_positions = numbers_are_positions(*input.results.problem);
    Axis axis = token_axis(input, are_positions ? "key position $j$" : "key $j$ (token)", low, high);
    axis.brief = "key $j$", axis.along = Along::key;
    return axis;
}
inline Axis query_axis(const FigureInput& input, double low, double high) {
    const bool are_positions = numbers_are_positions(*input.results.problem);
    Axis axis = token_axis(input, are_positions ? "query position $i$" : "query $i$ (token)", low, high);
    axis.brief = "query $i$", axis.along = Along::query;
    return axis;
}

/// Returns an axis of distances in tokens.
inline Axis distance_axis(double low, double high, AxisScale scale = AxisScale::linear) {
    return {.title = "distance $r=i-j$ (tokens)",
            .brief = "distance $r$",
            .low = low,
            .high = high,
            .scale = scale,
            .whole = true,
            .along = Along::distance};
}

/// Returns the unit of wavelengths: "tokens" if consecutive tokens are at consecutive positions, else "positions".
inline std::string unit_of_positions(const Experiment& experiment) {
    return experiment.positions.stride == 1 ? "tokens" : "positions";
}

/// Returns an axis of `pairs` pairs.
inline Axis pair_axis(std::size_t pairs) {
    return {.title = "pair $t$ (fast to slow)",
            .low = -0.5,
            .high = static_cast<double>(pairs) - 0.5,
            .whole = true,
            .along = Along::pair};
}
inline Axis pair_axis(const FigureInput& input) {
    return pair_axis(static_cast<std::size_t>(input.experiment().head_dim / 2));
}
/// Returns the vertical axis of a heat map with a row for each pair, the fastest on top.
inline Axis pairs_downwards(const FigureInput& input) {
    Axis axis = pair_axis(input);
    axis.title = "pair $t$", axis.downwards = true;
    return axis;
}

/// Message shown until a figure's answer arrives.
inline constexpr auto still_computing = "computing …";

/// Returns how far a linear axis extends beyond its end values, so that the frame does not hide them.
inline double room_at_ends(double range) {
    return std::max(0.5, 0.012 * range);
}

/// Returns the cursor's distance, or NaN if its key comes after its query.
inline double shown_distance(const FigureInput& input) {
    return input.cursor.distance() >= 0 ? input.cursor.distance() : nan;
}
/// Returns the cursor's place on an axis, or NaN if the axis shows no part of it.
double cursor_on(const Axis& axis, const FigureInput& input);

/// Returns "i = 12   j = 3   r = 9".
inline std::string place_text(const FigureInput& input, const Cursor& cursor) {
    return fmt::format("i = {}   j = {}   r = {}", token_text(input, cursor.query), token_text(input, cursor.key),
                       readable(cursor.distance()));
}

/// Returns the integer in [0, count) nearest to a value, or nullopt if the value is off the axis or too far from all of
/// them.
inline std::optional<int> index_on(const Axis& axis, double value, int count) {
    const double last = count - 1.0, room = 0.5 + room_at_ends(last);
    if (!(value >= axis.low && value <= axis.high && value >= -room && value <= last + room)) return std::nullopt;
    return static_cast<int>(std::clamp(std::round(value), 0.0, last));
}
/// Return the index at the pointer's place on the horizontal or vertical axis.
inline std::optional<int> index_across(const Frame& frame, Point at, int count) {
    return index_on(frame.x, frame.x_at(at.x), count);
}
inline std::optional<int> index_down(const Frame& frame, Point at, int count) {
    return index_on(frame.y, frame.y_at(at.y), count);
}

/// Returns the cursor's pair as an index of one of `pairs` values.
inline std::size_t pair_at_cursor(const FigureInput& input, std::size_t pairs) {
    return static_cast<std::size_t>(std::clamp(input.cursor.pair, 0, static_cast<int>(pairs) - 1));
}

/// A drag along a track of a figure, which moves the cursor.
struct Scrub {
    Cursor begun_at;  // the cursor when the button was pressed
    Point from, to;   // the pointer then and now
};

/// Returns the plot that contains a point, among the frame and those above it, or null.
const Frame* plot_at(const Frame& frame, Point at);
/// Returns the cursor at the pointer's place on the axes of the plot under it, or nullopt if they show no part of the
/// cursor or the pointer is off them. Between plots, the frame's own axes count.
std::optional<Cursor> pick_on(const FigureInput& input, const Frame& frame, Point at);

}  // namespace ropewalk
