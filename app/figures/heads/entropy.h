// The concentration of each row of attention.
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

struct EntropyFigure : CurveFigure<EntropyFigure> {
    static constexpr auto id = "entropy", title = "Entropy of rows";
    static constexpr auto summary =
        "Entropy of every row with ln(i + 1), that of equal weights; largest weight and its gap to the second.";
    static constexpr auto table_shape = "[rows, 4]";
    static constexpr bool has_row_per_x = true;
    int rows = 256;

    bool operator==(const EntropyFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "rows",
                .label = "Rows",
                .min = 1,
                .max = 65536,
                .slider_max = 4096,
                .logarithmic = true,
                .help = "Maximum number of rows to sample, evenly spaced and including the last."},
          s.rows);
        zoom_fields(s, f);
    }

    RowStatisticsQuestion question(const Experiment& experiment) const {
        return {.rows = std::min(rows, experiment.seq_len)};
    }
    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    Badge badge(const FigureInput& input) const {
        const auto found = input.results.find(question(input.experiment()));
        if (!found || static_cast<int>(found->size()) == input.experiment().seq_len) return {};
        return pooling_badge(fmt::format("{} of {} rows sampled", found->size(), readable(input.experiment().seq_len)),
                             "", "You can raise the number in the figure's options.");
    }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question(input.experiment()));
        if (!found || found->empty()) return place_text(input, input.cursor);
        const auto nearest = std::min_element(found->begin(), found->end(), [&](const auto& a, const auto& b) {
            return std::abs(a.row - input.cursor.query) < std::abs(b.row - input.cursor.query);
        });
        return fmt::format("row {}{}   entropy {} of {} nats   largest weight {}   gap {}", readable(nearest->row),
                           nearest->row == input.cursor.query ? "" : " (nearest sampled)", readable(nearest->entropy),
                           readable(max_entropy(*nearest, input)), readable(nearest->max_weight),
                           readable(nearest->margin));
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question(results.request.experiment));
        return table_of_columns({{"row", column_of(*found, &RowStatistics::row)},
                                 {"entropy", column_of(*found, &RowStatistics::entropy)},
                                 {"greatest_weight", column_of(*found, &RowStatistics::max_weight)},
                                 {"margin", column_of(*found, &RowStatistics::margin)}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto found = input.results.find(question(input.experiment()));
        const auto& all = found ? *found : std::vector<RowStatistics>();
        const auto series = [&](const char* label, Color color, auto value_of) {
            return Series{.label = label,
                          .points = points_of(column_of(all, &RowStatistics::row), column_of(all, value_of)),
                          .color = color};
        };
        Series entropy = series("entropy", theme.series[0], &RowStatistics::entropy),
               uniform = series("equal weights", theme.text_faint,
                                [&](const RowStatistics&row) { return max_entropy(row, input); }),
               max = series("largest weight", theme.series[1], &RowStatistics::max_weight),
               margin = series("gap to the second", theme.series[3], &RowStatistics::margin);
        entropy.is_compared = max.is_compared = true;
        uniform.dash = 5, margin.width = thin_line;
        CurvePlot upper, lower;
        upper.x = lower.x = query_axis(input, -0.5, std::max(input.experiment().seq_len, 2) - 0.5);
        upper.y = {.title = "entropy (nats)", .low = 1, .high = 0};
        const double highest = finite_range(column_of(all, &RowStatistics::max_weight)).max;
        lower.y = {.title = "weight", .low = 0, .high = 1.04 * (highest > 0 ? highest : 1)};
        upper.series = {uniform, entropy};
        lower.series = {beneath(max, theme), margin};  // they coincide if one key has all the weight
        if (!found) upper.message = lower.message = still_computing;
        return {upper, lower};
    }

  private:
    static double max_entropy(const RowStatistics& row, const FigureInput& input) {
        return std::log(input.results.problem->seen_keys(row.row).size());
    }
};

}  // namespace ropewalk
