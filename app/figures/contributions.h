// What each pair adds to the score of the cursor's cell, and their running sum (Hong et al. 2024, eq. 8–13).
#pragma once

#include <numeric>

#include "app/figures/figure.h"

namespace ropewalk {

struct ContributionsFigure {
    static constexpr auto id = "contributions", title = "Contributions";
    static constexpr auto summary = "The cursor's score taken apart: gᵢ of every pair, the strongest five marked, and the running sum.";

    bool operator==(const ContributionsFigure&) const = default;

    template <class S, class F>
    static void fields(S&, F&&) {}

    Needs needs(const Experiment&, PlotPixels) const { return {.contributions = true}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const std::vector<double> parts = input.results.contributions ? *input.results.contributions : std::vector<double>{};
        std::vector<double> running(parts.size());
        std::partial_sum(parts.begin(), parts.end(), running.begin());
        const ValueRange bars = finite_range(parts), sums = finite_range(running);
        const ValueRange range = padded({std::min({0.0, bars.least, sums.least}), std::max({0.0, bars.greatest, sums.greatest})});
        PlotOptions options;
        options.x = {.title = "pair i (fast to slow)", .low = -0.5, .high = input.experiment().head_dim / 2 - 0.5, .whole = true};
        options.y = {.title = "gᵢ and Σgᵢ", .low = range.least, .high = range.greatest};
        const Frame frame = layout(options, canvas, rect, input.theme);
        draw_background(options, frame, canvas, input.theme);
        const Theme& theme = input.theme;
        draw_bars({parts}, 0.8, theme.series[0], theme.series[3], frame, canvas);
        draw_curve({running}, {.color = theme.series[1], .width = 1.5}, frame, canvas);
        draw_horizontal_rule(0, frame, canvas, {.color = theme.axis, .width = 1});
        for (const std::size_t pair : strongest(parts)) draw_point({static_cast<double>(pair), parts[pair]}, 3, theme.warning, frame, canvas, theme);
        if (input.cursor_shown) draw_vertical_rule(input.cursor.pair, frame, canvas, cursor_stroke(theme));
        draw_axes(options, frame, canvas, theme);
        std::vector<Point> occupied;
        for (std::size_t i = 0; i < parts.size(); ++i) occupied.push_back({static_cast<double>(i), running[i]}), occupied.push_back({static_cast<double>(i), parts[i]});
        const LegendEntry entries[] = {{"gᵢ", theme.series[0]}, {"running sum", theme.series[1]}};
        draw_legend(entries, occupied, frame, canvas, theme);
        return frame;
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto pair = index_at(frame.x_at(at.x), input.experiment().head_dim / 2);
        if (!pair) return std::nullopt;
        Cursor cursor = input.cursor;
        cursor.pair = *pair;
        return cursor;
    }

    std::string readout(const FigureInput& input) const {
        if (!input.results.contributions) return {};
        const auto& parts = *input.results.contributions;
        const Cursor cursor = input.results.request.cursor;
        const auto pair = static_cast<std::size_t>(std::clamp(input.cursor.pair, 0, static_cast<int>(parts.size()) - 1));
        return fmt::format("{}   pair {}   g = {}   score {}", place_text(cursor), pair, readable(parts[pair]), readable(std::accumulate(parts.begin(), parts.end(), 0.0)));
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
