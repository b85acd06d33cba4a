// What each pair adds to the score of the cursor's cell, and their running sum (Hong et al. 2024, eq. 8–13).
#pragma once

#include <numeric>

#include "app/figures/figure.h"

namespace ropewalk {

struct ContributionsFigure {
    static constexpr auto id = "contributions", title = "Contributions";
    static constexpr auto summary =
        "The cursor's score taken apart: gᵢ of every pair, the strongest five marked, and the running sum.";

    bool operator==(const ContributionsFigure&) const = default;

    template <class S, class F>
    static void fields(S&, F&&) {}

    Needs needs(const Experiment&, PlotPixels) const { return {ContributionsQuestion{}}; }

    /// Bars above, their running sum below: the sum of many small parts would flatten them on a common axis.
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        static const std::vector<double> nothing;
        const auto answer = input.results.find(ContributionsQuestion{});
        const std::vector<double>& parts = answer ? *answer : nothing;
        std::vector<double> running(parts.size());
        std::partial_sum(parts.begin(), parts.end(), running.begin());
        const Theme& theme = input.theme;
        const double gap = 4, upper_height = (rect.height - gap) * 0.5;
        const auto plot = [&](const Rect& part, const char* y_title, const char* x_title,
                              const std::vector<double>& values) {
            const ValueRange range = finite_range(values),
                             shown = padded({std::min(0.0, range.least), std::max(0.0, range.greatest)});
            PlotOptions options;
            options.x = {.title = x_title, .low = -0.5, .high = input.experiment().head_dim / 2 - 0.5, .whole = true};
            options.y = {.title = y_title, .low = shown.least, .high = shown.greatest};
            return std::pair{options, layout(options, canvas, part, theme)};
        };
        auto [upper, upper_frame] = plot({rect.x, rect.y, rect.width, upper_height}, "gᵢ", "", parts);
        auto [lower, lower_frame] =
            plot({rect.x, rect.y + upper_height + gap, rect.width, rect.height - upper_height - gap}, "Σ gᵢ",
                 "pair i (fast to slow)", running);
        align_left(upper_frame, lower_frame);

        draw_background(upper, upper_frame, canvas, theme);
        draw_bars({parts}, 0.8, theme.series[0], theme.series[3], upper_frame, canvas);
        draw_horizontal_rule(0, upper_frame, canvas, {.color = theme.axis, .width = 1});
        for (const std::size_t pair : strongest(parts))
            draw_point({static_cast<double>(pair), parts[pair]}, 3, theme.warning, upper_frame, canvas, theme);
        if (input.cursor_shown) draw_vertical_rule(input.cursor.pair, upper_frame, canvas, cursor_stroke(theme));
        draw_axes(upper, upper_frame, canvas, theme);

        draw_background(lower, lower_frame, canvas, theme);
        draw_horizontal_rule(0, lower_frame, canvas, {.color = theme.axis, .width = 1});
        draw_curve({running}, {.color = theme.series[1], .width = 1.5}, lower_frame, canvas);
        if (input.cursor_shown) draw_vertical_rule(input.cursor.pair, lower_frame, canvas, cursor_stroke(theme));
        draw_axes(lower, lower_frame, canvas, theme);
        return lower_frame;
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto pair = index_at(frame.x_at(at.x), input.experiment().head_dim / 2);
        if (!pair) return std::nullopt;
        Cursor cursor = input.cursor;
        cursor.pair = *pair;
        return cursor;
    }

    std::string readout(const FigureInput& input) const {
        const auto answer = input.results.find(ContributionsQuestion{});
        if (!answer) return {};
        const auto& parts = *answer;
        const Cursor cursor = input.results.request.cursor;
        const auto pair =
            static_cast<std::size_t>(std::clamp(input.cursor.pair, 0, static_cast<int>(parts.size()) - 1));
        return fmt::format("{}   pair {}   g = {}   score {}", place_text(cursor), pair, readable(parts[pair]),
                           readable(std::accumulate(parts.begin(), parts.end(), 0.0)));
    }

  private:
    /// The five pairs of greatest |g|.
    static std::vector<std::size_t> strongest(const std::vector<double>& parts) {
        std::vector<std::size_t> order(parts.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const std::size_t count = std::min<std::size_t>(5, order.size());
        std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                          [&](std::size_t a, std::size_t b) { return std::abs(parts[a]) > std::abs(parts[b]); });
        order.resize(count);
        return order;
    }
};

}  // namespace ropewalk
