#include "app/figures/heads/decay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/figures/parts/curves/area_label.h"
#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/text/caption.h"
#include "app/plot/dense_curve.h"

namespace ropewalk {

namespace {

Stroke expected_stroke(const Theme& theme) {
    return {.color = theme.warning, .width = 2};
}

}  // namespace

bool DecayFigure::draws_this_reference(const FigureInput& input) const {
    const std::vector<ComparedCurve> curves = compared_curves(input);
    return std::any_of(curves.begin(), curves.end(),
                       [&](const ComparedCurve& curve) { return curve.title == input.reference_name; });
}

Needs DecayFigure::needs(const Experiment&, PlotPixels) const {
    if (quantity == DecayQuantity::weight) return {RowQuestion{}};
    Needs needs{DecayQuestion{}};
    for (const std::string& settings : variants()) needs.push_back(DecayQuestion{.settings = settings});
    for (const std::string& settings : pins())
        if (settings != free_place) needs.push_back(PinnedDecayQuestion{.settings = settings});
    return needs;
}

std::optional<std::string> DecayFigure::obstacle_to_pin(const Experiment& experiment) const {
    if (quantity != DecayQuantity::logit) return "only logits can be pinned, not weights";
    if (reads_files(experiment)) return "queries and keys from a file cannot be pinned";
    return obstacle_to_another_pin(pinned, as_settings(experiment));
}

void DecayFigure::pin(const Experiment& experiment) {
    const std::string settings = as_settings(experiment);
    if (!has_pin(pinned, settings)) pinned = with_pin(pinned, settings, place_for_pin(experiment, variants(), pins()));
}

void DecayFigure::unpin(std::size_t which) {
    pinned = without_pin(pinned, which);
}

std::string DecayFigure::pin_text(const FigureInput& input, std::size_t which) const {
    const auto all = pins();
    const auto answer = which < all.size() ? input.results.find(PinnedDecayQuestion{.settings = all[which]}) : nullptr;
    return answer ? caption(answer->experiment) : std::string();
}

Badge DecayFigure::badge(const FigureInput& input) const {
    const auto answer = quantity == DecayQuantity::logit ? input.results.find(DecayQuestion{}) : nullptr;
    if (!answer) return {};
    std::string complaints;
    int wrong = 0;
    const auto add = [&](const std::string& settings, const std::string& complaint) {
        if (!complaint.empty()) complaints += fmt::format("{}{}: {}", wrong++ > 0 ? "\n" : "", settings, complaint);
    };
    for (const std::string& settings : variants())
        if (const auto other = input.results.find(DecayQuestion{.settings = settings})) add(settings, other->complaint);
    for (const std::string& settings : pins())
        if (const auto pin = input.results.find(PinnedDecayQuestion{.settings = settings}))
            add(settings, pin->curve.complaint);
    if (wrong > 0)
        return {fmt::format("{} of {} compared curves cannot be computed", wrong,
                            variants().size() + count_of_pins(pinned)),
                "Compared", complaints, fmt::format("{} cannot be computed", wrong), true};
    const DecayVerdict& verdict = answer->verdict;
    return {with_readable_numbers(verdict.label),
            "Does it decay?",
            with_readable_numbers(verdict.sentence),
            with_readable_numbers(verdict.brief),
            false,
            true};
}

Frame DecayFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const Data data = data_of(input);
    PlotOptions options;
    const double first = axis == AxisScale::logarithmic ? std::max(1, data.first) : 0;
    const double last = data.first + static_cast<double>(data.count) - 1;
    const double end = std::max(last, first + 1), margin = axis == AxisScale::linear ? room_at_ends(end - first) : 0;
    options.x = input.reached(distance_axis(first - margin, end + margin, axis));
    options.y = y_axis(data, input);
    options = zoomed(options, {.x = x_range});
    if (options.whole_x) fit_in_sight(options, data, input);
    options = zoomed(options, {.y = y_range});
    const std::vector<ComparedCurve> others = compared_curves(input);
    const Curve own = curve_of(data, input);
    std::vector<LegendEntry> entries = legend(data, others, options.x, input);
    std::vector<std::pair<Curve, Stroke>> among;  // curves of which none may hide another
    if (is_compared(others)) {
        for (const ComparedCurve& other : others)
            if (!other.title.empty()) among.emplace_back(ropewalk::curve_of(other, input), other.stroke);
        among.emplace_back(own, input.theme.curve(0));
    }
    const auto lines_in = [&](const Frame& frame) { return named_lines(data, others, entries, input, frame); };
    Rect room = rect;
    Frame frame = layout(options, canvas, room, input.theme);
    const bool is_named_inside = !places_of_names(lines_in(frame), frame, canvas, input.theme).empty();
    if (!is_named_inside) {
        room = without_legend(entries, rect, canvas, input.theme);
        frame = layout(options, canvas, room, input.theme);
    }
    std::size_t nth =
        entries.size() - static_cast<std::size_t>(std::count_if(
                             others.begin(), others.end(), [](const auto& other) { return !other.title.empty(); }));
    for (const ComparedCurve& other : others)  // a curve with an area is drawn solid
        if (!other.title.empty() && share_of_area(ropewalk::curve_of(other, input), frame) > 0)
            entries[nth++].dash = {};
        else if (!other.title.empty())
            ++nth;
    draw_background(options, frame, canvas, input.theme);
    const std::string message =
        data.count == 0 ? ""
        : last < first  ? "The sequence has one token and only distance 0, which a logarithmic axis cannot show."
                        : nothing_in_sight(options.x, data.first, last);
    if (!message.empty()) {
        draw_message(message, frame.plot, canvas, input.theme);
        draw_axes(options, frame, canvas, input.theme);
        return frame;
    }
    draw_all_curves(data, others, among, input, frame, canvas);
    const std::vector<Mark> marks = marks_to_drag(handles(input), input);
    draw_mark_lines(marks, frame, canvas);
    draw_first_negative(data, input, frame, canvas);
    if (input.cursor_shown) draw_cursor(data, input, frame, canvas);
    draw_axes(options, frame, canvas, input.theme);
    std::vector<Curve> curves = {own};
    for (const ComparedCurve& other : others) curves.push_back(ropewalk::curve_of(other, input));
    const auto hidden_by = [&](const Rect& box) {
        std::size_t hidden = 0;
        for (const Curve& curve : curves) hidden += count_in(box, curve, frame);
        return hidden;
    };
    std::vector<Rect> taken = draw_mark_names(marks, input, frame, canvas, hidden_by);
    frame.outer = rect;
    if (is_named_inside) {
        const std::vector<NamedLine> lines = lines_in(frame);
        const std::vector<Rect> names = places_of_names(lines, frame, canvas, input.theme);
        draw_line_names(lines, names, canvas, input.theme);
        taken.insert(taken.end(), names.begin(), names.end());
    }
    const auto is_dense = [&](const Curve& curve) { return share_of_area(curve, frame) >= min_labelled_area; };
    if (data.samples <= 1 && std::any_of(curves.begin(), curves.end(), is_dense))
        draw_area_label(
            taken, [&](const Rect& box) { return hidden_by(box) + count_in(box, marks, frame); }, frame, canvas,
            input.theme);
    if (is_named_inside) return frame;
    const std::vector<Rect> drawn = draw_legend(entries, rect, room, frame, canvas, input.theme);
    frame.chips.resize(pins().size());
    for (std::size_t i = 0; i < drawn.size(); ++i)
        if (entries[i].chip >= 0) frame.chips[static_cast<std::size_t>(entries[i].chip)] = drawn[i];
    return frame;
}

void DecayFigure::fit_in_sight(PlotOptions& options, const Data& data, const FigureInput& input) const {
    Extent seen;
    for (const ComparedCurve& other : compared_curves(input))
        seen.take(extent_within(ropewalk::curve_of(other, input), options.x));
    if (data.values) seen.take(extent_within(curve_of(data, input), options.x));
    if (data.samples > 1)
        for (const double side : {-1.0, 1.0}) seen.take(extent_within(edge_of(data, side, input), options.x));
    if (seen.empty() || !std::isfinite(seen.min) || !std::isfinite(seen.max)) return;
    const ValueRange range = padded({seen.min, seen.max});
    options.y.low = range.min, options.y.high = range.max;
}

std::optional<Cursor> DecayFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    return at.y < frame.plot.y ? std::nullopt : pick_on(input, frame, at);  // not in the legend
}

std::vector<std::string> DecayFigure::listed(const std::string& list) const {
    if (quantity != DecayQuantity::logit) return {};
    return parts_outside_quotes(list, '|');
}

std::string DecayFigure::as_settings(const Experiment& experiment) {
    Settings settings = settings_between(Experiment{}, experiment);
    if (settings.empty()) settings = {fmt::format("seq_len={}", experiment.seq_len)};  // the default head
    return in_one_line(settings);
}

std::vector<ComparedCurve> DecayFigure::compared_curves(const FigureInput& input) const {
    if (quantity != DecayQuantity::logit) return compared_rows(input);
    return ropewalk::compared_curves(input, variants(), pins());
}

bool DecayFigure::is_compared(const std::vector<ComparedCurve>& others) {
    return std::any_of(others.begin(), others.end(), [](const ComparedCurve& other) { return !other.title.empty(); });
}

std::vector<LegendEntry> DecayFigure::legend(const Data& data, const std::vector<ComparedCurve>& others, const Axis& x,
                                             const FigureInput& input) const {
    const Color color = input.theme.series[0];
    const double end = end_of(curve_of(data, input), x.high);
    std::vector<LegendEntry> entries;
    if (is_compared(others)) {
        const std::string own = name_beside(input, variants(), pins());
        entries.push_back({.label = own.empty()            ? input.own_name
                                    : input.theme.is_paper ? own
                                                           : fmt::format("{} ({})", own,
                                                                         input.is_before      ? "before"
                                                                         : input.is_reference ? "reference"
                                                                                              : "current"),
                           .color = color,
                           .end = end});
    } else if (data.samples > 1) {
        entries.push_back({.label = fmt::format("mean of {} samples", data.samples), .color = color, .end = end});
    }
    if (data.samples > 1)
        entries.push_back({.label = "± σ",
                           .color = color.with_alpha(0.22),
                           .band = true,
                           .end = end_of(edge_of(data, 1, input), x.high)});
    if (data.expected)
        entries.push_back({.label = "expected margin",
                           .color = expected_stroke(input.theme).color,
                           .end = end_of(expected_of(data, input), x.high)});
    for (const ComparedCurve& other : others)
        if (!other.title.empty())
            entries.push_back({.label = other.title,
                               .color = other.stroke.color,
                               .dash = input.theme.is_paper ? other.stroke.dash : Dashes{},
                               .width = other.stroke.width,
                               .end = end_of(ropewalk::curve_of(other, input), x.high),
                               .chip = other.pin});
    return entries;
}

std::vector<NamedLine> DecayFigure::named_lines(const Data& data, const std::vector<ComparedCurve>& others,
                                                const std::vector<LegendEntry>& entries, const FigureInput& input,
                                                const Frame& frame) {
    std::vector<NamedLine> lines;
    if (!input.theme.is_paper || entries.empty() || data.samples > 1 || data.expected) return lines;
    lines.push_back(named_line(entries.front().label, curve_of(data, input), frame));
    for (const ComparedCurve& other : others)
        lines.push_back(named_line(other.title, ropewalk::curve_of(other, input), frame));
    return lines;
}

Axis DecayFigure::y_axis(const Data& data, const FigureInput& input) const {
    ValueRange range = range_of(data, input);
    for (const auto& other : compared_curves(input)) range = united(range, input.range_of({.values = other.values}));
    if (input.reference && quantity == DecayQuantity::logit)  // the same range for both heads
        for (const auto& other : input.reference->all_of<DecayQuestion>())
            if (!other.answer->mean.empty())
                range = united(range, input.range_of({.values = SharedNumbers(other.answer, other.answer->mean)}));
    if (const Data other = input.reference ? data_of(input.swapped()) : Data{}; other.values)
        range = united(range, range_of(other, input));
    if (quantity == DecayQuantity::weight) range.min = 0;
    if (data.values) range = input.reached("y", range);
    // From zero, so that a change of 1 % does not look like a fall to zero.
    range = united(range, {0, 0});
    const bool has_positive_only = range.min == 0;
    range = padded(range);
    if (has_positive_only) range.min = 0;
    // If the curve depends on the query, the title names it.
    const Problem& problem = *input.results.problem;
    const auto query = query_of(data, problem);
    return {.title = curve_name(problem) + (is_margin(problem) ? " q·k* − q·k" : "") +
                     (query ? " of query " + readable(*query) : ""),
            .brief = is_margin(problem) ? "margin" : curve_name(problem),
            .low = range.min,
            .high = range.max};
}

void DecayFigure::draw_all_curves(const Data& data, const std::vector<ComparedCurve>& others,
                                  const std::vector<std::pair<Curve, Stroke>>& among, const FigureInput& input,
                                  const Frame& frame, Canvas& canvas) const {
    const Curve own = curve_of(data, input);
    const Color color = input.theme.series[0];
    if (data.samples > 1)
        draw_band(edge_of(data, -1, input), edge_of(data, 1, input), color.with_alpha(0.22), frame, canvas);
    for (const ComparedCurve& other : others)
        if (other.title.empty()) draw_curve(ropewalk::curve_of(other, input), other.stroke, frame, canvas);
    for (const CurvePart part : {CurvePart::area, CurvePart::line})
        for (const auto& [curve, stroke] : among) draw_curve(curve, stroke, frame, canvas, part);
    if (among.empty()) draw_curve(own, input.theme.curve(0), frame, canvas);
    if (data.expected) draw_curve(expected_of(data, input), expected_stroke(input.theme), frame, canvas);
}

void DecayFigure::draw_first_negative(const Data& data, const FigureInput& input, Frame& frame, Canvas& canvas) const {
    constexpr double radius = 3.5, reach = 6;  // logical pixels
    const auto answer = quantity == DecayQuantity::logit ? input.results.find(DecayQuestion{}) : nullptr;
    if (!answer || !answer->verdict.first_negative || input.theme.is_paper) return;
    const int distance = *answer->verdict.first_negative;
    const Point at = frame.to_pixels(distance, data.at(distance));
    if (!frame.plot.contains(at)) return;
    draw_point({static_cast<double>(distance), data.at(distance)}, radius, input.theme.warning, frame, canvas,
               input.theme);
    frame.marks.push_back({{at.x - reach, at.y - reach, 2 * reach, 2 * reach},
                           static_cast<double>(distance),
                           "First negative value at r = " + readable(distance)});
}

void DecayFigure::draw_cursor(const Data& data, const FigureInput& input, const Frame& frame, Canvas& canvas) const {
    const int distance = input.cursor.distance();
    draw_cursor_band(distance, frame, canvas, input.theme);
    const double value = data.at(distance);
    if (!std::isfinite(value)) return;
    const Color color = input.theme.series[0];
    const Point at = frame.to_pixels(distance, value);
    const auto query = query_of(data, *input.results.problem);
    if (!query || *query == input.cursor.query)
        return draw_point({static_cast<double>(distance), value}, point_radius, color, frame, canvas, input.theme);
    if (!frame.plot.inset(-1).contains(at)) return;
    constexpr double outline = 1.5, reach = 6;  // logical pixels
    canvas.push_clip(frame.outer);
    canvas.circle(at, point_radius - outline / 2, input.theme.plot_background, {.color = color, .width = outline});
    canvas.pop_clip();
    canvas.add_tooltip({at.x - reach, at.y - reach, 2 * reach, 2 * reach}, "Another query",
                       fmt::format("The curve shows query {}; the cursor is on query {}.", readable(*query),
                                   readable(input.cursor.query)));
}

}  // namespace ropewalk
