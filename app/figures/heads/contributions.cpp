#include "app/figures/heads/contributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

Badge ContributionsFigure::badge(const FigureInput& input) const {
    const auto answer = input.results.find(ContributionsQuestion{});
    const std::size_t marked = answer ? dominant_pairs(*answer).size() : 0;
    if (marked == 0) return {};
    return {marked == 1 ? "top pair marked" : fmt::format("top {} marked", marked), "Dominant pairs",
            "Up to five pairs whose |gₜ| exceeds that of all others."};
}

Frame ContributionsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    constexpr double gap = 4, below_plot = 38;  // labels and title of the common x axis
    const auto answer = input.results.find(ContributionsQuestion{});
    const auto other = input.reference ? input.reference->find(ContributionsQuestion{}) : nullptr,
               before = input.ghost ? input.ghost->find(ContributionsQuestion{}) : nullptr;
    const Sums own(answer), of_reference(other), of_ghost(before);
    const std::vector<double>&parts = own.parts, &running = own.running;
    const Theme& theme = input.theme;
    const bool has_sum = rect.height >= min_height_of_two;
    const double upper_height = has_sum ? std::floor((rect.height - gap - below_plot) / 2) : rect.height;
    const auto plot = [&](const Rect& part, const char* y_title, std::vector<double> Sums::*values) {
        PlotOptions options;
        options.x = input.reached(pair_axis(input));
        ValueRange range = finite_range(own.*values);
        for (const Sums& more : {of_reference, of_ghost})
            if (!(more.*values).empty()) range = united(range, finite_range(more.*values));
        if (answer) range = input.reached(y_title, range);
        options.y = y_axis(range, part.height);
        options.y.title = y_title;
        return options;
    };
    const Stroke compared = reference_stroke(theme);
    const auto entries = other ? legend_of_compared(input) : std::vector<LegendEntry>{};
    const Rect upper_room{rect.x, rect.y, rect.width, upper_height},
        upper_part = below_legend(entries, upper_room, canvas, theme);
    PlotOptions upper = plot(upper_part, "gₜ", &Sums::parts);
    upper.x_labels = !has_sum;
    Frame upper_frame = layout(upper, canvas, upper_part, theme);
    const Rect lower_part{rect.x, upper_part.bottom() + gap, rect.width, rect.bottom() - upper_part.bottom() - gap};
    const PlotOptions lower = plot(lower_part, "Σ gₜ", &Sums::running);
    Frame lower_frame = has_sum ? layout(lower, canvas, lower_part, theme) : Frame{};
    if (has_sum) align(upper_frame, lower_frame);

    draw_background(upper, upper_frame, canvas, theme);
    if (before) draw_steps({of_ghost.parts}, ghost_stroke(theme), upper_frame, canvas);
    draw_bars({parts}, 0.8, theme.series[0], theme.series[3], upper_frame, canvas);
    draw_zero_line(upper_frame, canvas, theme);
    if (other) draw_steps({of_reference.parts}, compared, upper_frame, canvas);
    for (const std::size_t pair : dominant_pairs(parts))
        draw_point({static_cast<double>(pair), parts[pair]}, mark_radius, theme.warning, upper_frame, canvas, theme);
    if (input.cursor_shown) draw_vertical_rule(input.cursor.pair, upper_frame, canvas, cursor_stroke(theme));
    draw_axes(upper, upper_frame, canvas, theme);
    draw_legend(entries, upper_room, upper_part, canvas, theme);
    if (!has_sum) {
        canvas.report_omitted("the running sum");
        return upper_frame;
    }

    draw_background(lower, lower_frame, canvas, theme);
    draw_zero_line(lower_frame, canvas, theme);
    if (before) draw_curve({of_ghost.running}, ghost_stroke(theme), lower_frame, canvas);
    draw_curve({running}, {.color = theme.series[1], .width = 1.5}, lower_frame, canvas);
    if (other) draw_curve({of_reference.running}, compared, lower_frame, canvas);
    const std::vector<Mark> marks = marks_to_drag(handles(input), input);
    draw_mark_lines(marks, lower_frame, canvas);
    if (input.cursor_shown) draw_vertical_rule(input.cursor.pair, lower_frame, canvas, cursor_stroke(theme));
    draw_axes(lower, lower_frame, canvas, theme);
    draw_mark_names(marks, input, lower_frame, canvas,
                    [&](const Rect& box) { return count_in(box, Curve{running}, lower_frame); });
    lower_frame.outer = rect;
    return lower_frame;
}

std::optional<Cursor> ContributionsFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    return pick_pair(input, frame, at);
}

std::string ContributionsFigure::readout(const FigureInput& input) const {
    const auto answer = input.results.find(ContributionsQuestion{});
    if (!answer) return {};
    const auto& parts = *answer;
    const Cursor cursor = input.results.request.cursor;
    const auto pair = static_cast<std::size_t>(std::clamp(input.cursor.pair, 0, static_cast<int>(parts.size()) - 1));
    const bool is_masked = cursor.key >= input.results.problem->visible_keys(cursor.query);
    return fmt::format("{}   pair {}   g = {}   score {}{}", place_text(input, cursor), pair, readable(parts[pair]),
                       readable(std::accumulate(parts.begin(), parts.end(), 0.0)),
                       is_masked ? ", before the mask" : "");
}

DataTable ContributionsFigure::table(const Results& results) const {
    const std::vector<double>& parts = *results.find(ContributionsQuestion{});
    return {.shape = {static_cast<std::int64_t>(parts.size())}, .columns = {"contribution"}, .values = parts};
}

Axis ContributionsFigure::y_axis(const ValueRange& range, double height) {
    ValueRange shown = padded({std::min(0.0, range.min), std::max(0.0, range.max)});
    const double mark = (shown.max - shown.min) * (mark_radius + 1.5) / std::max(24.0, height - 30);
    if (range.max > 0) shown.max = std::max(shown.max, range.max + mark);
    if (range.min < 0) shown.min = std::min(shown.min, range.min - mark);
    return {.low = shown.min, .high = shown.max};
}

std::vector<std::size_t> ContributionsFigure::dominant_pairs(const std::vector<double>& parts) {
    constexpr double visible = 0.01, nothing = 1e-9;
    constexpr std::size_t most = 5;
    std::vector<double> sizes(parts.size());
    std::transform(parts.begin(), parts.end(), sizes.begin(), [](double part) { return std::abs(part); });
    std::vector<double> sorted(sizes);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    if (sorted.empty()) return {};
    const double sixth = sorted.size() > most ? sorted[most] : 0;
    const double min = std::max(sixth * (1 + visible), sorted.front() * nothing);
    std::vector<std::size_t> found;
    for (std::size_t pair = 0; pair < sizes.size(); ++pair)
        if (sizes[pair] > min) found.push_back(pair);
    return found;
}

}  // namespace ropewalk
