// Each pair's contribution to the score at the cursor, and the running sum (Hong et al. 2024, eq. 8–13).
#pragma once

#include <numeric>

#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct ContributionsFigure : FigureDefaults {
    static constexpr auto id = "contributions", title = "Contributions";
    static constexpr auto summary =
        "What each pair contributes to the score at the cursor (gₜ), and the running sum. Dots mark up to five "
        "dominant pairs.";
    static constexpr auto table_shape = "[d/2]";

    bool operator==(const ContributionsFigure&) const = default;

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {ContributionsQuestion{}}; }

    Badge badge(const FigureInput& input) const {
        const auto answer = input.results.find(ContributionsQuestion{});
        const std::size_t marked = answer ? dominant_pairs(*answer).size() : 0;
        if (marked == 0) return {};
        return {marked == 1 ? "top pair marked" : fmt::format("top {} marked", marked), "Dominant pairs",
                "Up to five pairs whose |gₜ| exceeds that of all others."};
    }

    /// Draws bars above and, if it fits, their running sum below. On a common axis, the sum of many small contributions
    /// would flatten them.
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const Sums own(&input.results), other(input.reference), before(input.ghost);
        const bool has_sum = rect.height >= min_height_of_two;
        const auto [upper_room, lower_part] = has_sum ? stacked(rect, 0.5, 4) : std::pair{rect, Rect{}};
        const auto options_of = [&](const Rect& part, const char* y_title, std::vector<double> Sums::*values) {
            ValueRange range = finite_range(own.*values);
            for (const Sums* more : {&other, &before})
                if (!more->is_empty()) range = united(range, finite_range(more->*values));
            if (!own.is_empty()) range = input.reached(y_title, range);
            PlotOptions options{.x = input.reached(pair_axis(input)), .y = y_axis(range, part.height)};
            options.y.title = y_title;
            return options;
        };
        const auto entries = other.is_empty() ? std::vector<LegendEntry>{} : legend_of_compared(input);
        const Rect upper_part = below_legend(entries, upper_room, canvas, input.theme);
        PlotOptions upper = options_of(upper_part, "gₜ", &Sums::parts);
        upper.x_labels = !has_sum;
        const PlotOptions lower = options_of(lower_part, "Σ gₜ", &Sums::running);
        Frame upper_frame = layout(upper, canvas, upper_part, input.theme);
        Frame lower_frame = has_sum ? layout(lower, canvas, lower_part, input.theme) : Frame{};
        if (has_sum) align(upper_frame, lower_frame);
        draw_plot(upper, upper_frame, {}, input, canvas,
                  [&] { draw_parts(own.parts, other.parts, before.parts, input, upper_frame, canvas); });
        draw_legend(entries, upper_room, upper_part, canvas, input.theme);
        if (!has_sum) {
            canvas.report_omitted("the running sum");
            return upper_frame;
        }
        const std::vector<Mark> marks = marks_to_drag(handles(input), input);
        draw_plot(lower, lower_frame, marks, input, canvas,
                  [&] { draw_sums(own.running, other.running, before.running, input, lower_frame, canvas); });
        draw_mark_names(marks, input, lower_frame, canvas,
                        [&](const Rect& box) { return count_in(box, Curve{own.running}, lower_frame); });
        lower_frame.outer = rect;
        return lower_frame;
    }

    std::string readout(const FigureInput& input) const {
        const auto answer = input.results.find(ContributionsQuestion{});
        if (!answer) return {};
        const auto& parts = *answer;
        const Cursor cursor = input.results.request.cursor;
        const std::size_t pair = pair_at_cursor(input, parts.size());
        const bool is_masked = cursor.key >= input.results.problem->visible_keys(cursor.query);
        return fmt::format("{}   pair {}   g = {}   score {}{}", place_text(input, cursor), pair, readable(parts[pair]),
                           readable(std::accumulate(parts.begin(), parts.end(), 0.0)),
                           is_masked ? ", before the mask" : "");
    }

    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input); }

    DataTable table(const Results& results) const {
        const std::vector<double>& parts = *results.find(ContributionsQuestion{});
        return {.shape = {static_cast<std::int64_t>(parts.size())}, .columns = {"contribution"}, .values = parts};
    }

  private:
    static constexpr double min_height_of_two = 150, mark_radius = 3;  // logical pixels

    /// The contributions and their running sum; empty without an answer.
    struct Sums {
        std::vector<double> parts, running;

        explicit Sums(const Results* results) {
            const auto answer = results ? results->find(ContributionsQuestion{}) : nullptr;
            if (!answer) return;
            parts = *answer;
            running.resize(parts.size());
            std::partial_sum(parts.begin(), parts.end(), running.begin());
        }
        bool is_empty() const { return parts.empty(); }
    };

    /// Draws the bars of the current head, the outlines of the others and dots on the dominant pairs.
    static void draw_parts(std::span<const double> own, std::span<const double> other, std::span<const double> before,
                           const FigureInput& input, const Frame& frame, Canvas& canvas) {
        const Theme& theme = input.theme;
        if (!before.empty()) draw_steps({before}, ghost_stroke(theme), frame, canvas);
        draw_bars({own}, 0.8, theme.series[0], theme.series[3], frame, canvas);
        draw_zero_line(frame, canvas, theme);
        if (!other.empty()) draw_steps({other}, reference_stroke(theme), frame, canvas);
        for (const std::size_t pair : dominant_pairs(own))
            draw_point({static_cast<double>(pair), own[pair]}, mark_radius, theme.warning, frame, canvas, theme);
    }

    static void draw_sums(std::span<const double> own, std::span<const double> other, std::span<const double> before,
                          const FigureInput& input, const Frame& frame, Canvas& canvas) {
        draw_zero_line(frame, canvas, input.theme);
        if (!before.empty()) draw_curve({before}, ghost_stroke(input.theme), frame, canvas);
        draw_curve({own}, {.color = input.theme.series[1], .width = 1.5}, frame, canvas);
        if (!other.empty()) draw_curve({other}, reference_stroke(input.theme), frame, canvas);
    }

    /// Returns an axis that includes zero and the range, with room for a dot at either end of a plot of this height.
    static Axis y_axis(const ValueRange& range, double height) {
        ValueRange shown = padded({std::min(0.0, range.min), std::max(0.0, range.max)});
        const double mark = (shown.max - shown.min) * (mark_radius + 1.5) / std::max(24.0, height - 30);
        if (range.max > 0) shown.max = std::max(shown.max, range.max + mark);
        if (range.min < 0) shown.min = std::min(shown.min, range.min - mark);
        return {.low = shown.min, .high = shown.max};
    }

    /// Returns the pairs whose |g| is matched by at most four others. Values closer than 1 % count as equal, and values
    /// below 10⁻⁹ of the largest do not count.
    static std::vector<std::size_t> dominant_pairs(std::span<const double> parts) {
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
};

}  // namespace ropewalk
