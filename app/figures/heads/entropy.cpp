#include "app/figures/heads/entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

Frame EntropyFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    return draw_beside_reference([this](const FigureInput& of) { return plots_of(of); }, input, canvas, rect);
}

Badge EntropyFigure::badge(const FigureInput& input) const {
    const auto found = input.results.find(question(input.experiment()));
    if (!found || static_cast<int>(found->size()) == input.experiment().seq_len) return {};
    return pooling_badge(fmt::format("{} of {} rows sampled", found->size(), readable(input.experiment().seq_len)), "",
                         "You can raise the number in the figure's options.");
}

std::optional<Cursor> EntropyFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    const auto query = index_across(frame, at, input.experiment().seq_len);
    if (!query) return std::nullopt;
    return Cursor{*query, std::min(input.cursor.key, *query), input.cursor.pair};
}

std::string EntropyFigure::readout(const FigureInput& input) const {
    const auto found = input.results.find(question(input.experiment()));
    if (!found || found->empty()) return place_text(input, input.cursor);
    const auto nearest = std::min_element(found->begin(), found->end(), [&](const auto& a, const auto& b) {
        return std::abs(a.row - input.cursor.query) < std::abs(b.row - input.cursor.query);
    });
    return fmt::format("row {}{}   entropy {} of {} nats   largest weight {}   gap {}", readable(nearest->row),
                       nearest->row == input.cursor.query ? "" : " (nearest sampled)", readable(nearest->entropy),
                       readable(std::log(input.results.problem->visible_keys(nearest->row))),
                       readable(nearest->max_weight), readable(nearest->margin));
}

DataTable EntropyFigure::table(const Results& results) const {
    std::vector<double> columns[4];
    for (const RowStatistics& row : *results.find(question(results.request.experiment))) {
        columns[0].push_back(row.row);
        columns[1].push_back(row.entropy);
        columns[2].push_back(row.max_weight);
        columns[3].push_back(row.margin);
    }
    return table_of_columns(
        {{"row", columns[0]}, {"entropy", columns[1]}, {"greatest_weight", columns[2]}, {"margin", columns[3]}});
}

std::vector<CurvePlot> EntropyFigure::plots_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto found = input.results.find(question(input.experiment()));
    Series entropy{.label = "entropy", .color = theme.series[0], .is_compared = true},
        uniform{.label = "equal weights", .color = theme.text_faint, .dash = 5},
        max{.label = "largest weight", .color = theme.series[1], .is_compared = true},
        margin{.label = "gap to the second", .color = theme.series[3], .width = thin_line};
    if (found)
        for (const RowStatistics& row : *found) {
            const double token = row.row;
            entropy.points.push_back({token, row.entropy});
            uniform.points.push_back({token, std::log(input.results.problem->visible_keys(row.row))});
            max.points.push_back({token, row.max_weight});
            margin.points.push_back({token, row.margin});
        }
    CurvePlot upper, lower;
    upper.x = lower.x = query_axis(input, -0.5, std::max(input.experiment().seq_len, 2) - 0.5);
    upper.y = {.title = "entropy (nats)", .low = 1, .high = 0};
    const auto highest = std::max_element(max.points.begin(), max.points.end(),
                                          [](const Point& a, const Point& b) { return a.y < b.y; });
    lower.y = {
        .title = "weight", .low = 0, .high = 1.04 * (highest != max.points.end() && highest->y > 0 ? highest->y : 1)};
    upper.series = {uniform, entropy};
    lower.series = {beneath(max, theme), margin};  // they coincide if one key has all the weight
    upper.cursor_x = lower.cursor_x = input.cursor.query;
    if (!found) upper.message = lower.message = still_computing;
    return {upper, lower};
}

}  // namespace ropewalk
