// What a model loses without its positional heads, and without as many random ones (Hong et al. 2024).
#pragma once

#include "app/figures/models/model_map.h"
#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

struct MaskedHeadsFigure : CurveFigure<MaskedHeadsFigure> {
    static constexpr auto id = "masked_heads", title = "Masked heads";
    static constexpr auto summary =
        "Mean loss with the outputs of the heads with the highest measure set to zero, and with those of as many "
        "random heads.";
    static constexpr auto source = "Hong et al. 2024, section 4.3.2, Fig. 6–9";
    static constexpr auto table_shape = "[1 + shares, 3 + repetitions]: share, heads, loss, losses of random draws";
    AtlasMeasure measure = AtlasMeasure::spearman;
    std::vector<double> shares = MaskedHeadsQuestion{}.shares;
    int repetitions = MaskedHeadsQuestion{}.repetitions;

    bool operator==(const MaskedHeadsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "measure",
                .label = "Ranked by",
                .help = "The heads with the highest measure are masked. Hong et al. call those with the highest "
                        "correlation of distance and dominant dimension positional heads."},
          s.measure);
        f(Field{.name = "shares",
                .label = "Shares",
                .min = 0,
                .max = 1,
                .help = "Shares of all heads to mask, at least one head each."},
          s.shares);
        f(Field{.name = "repetitions",
                .label = "Random draws",
                .min = 1,
                .max = 100,
                .slider_max = 20,
                .help = "How many random draws of as many heads are masked. The random seed determines them."},
          s.repetitions);
        zoom_fields(s, f);
    }

    MaskedHeadsQuestion question() const { return {.measure = measure, .shares = shares, .repetitions = repetitions}; }
    bool draws_reference() const { return false; }
    Needs needs(const Experiment&, PlotPixels) const { return {question()}; }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question());
        if (!found || found->shares.empty()) return model_message(input);
        std::string text = fmt::format("loss {}", readable(found->loss, 4));
        for (const auto& at : found->shares)
            text += fmt::format("   {} % masked: {}, random {}", readable(100 * at.share), readable(at.loss, 4),
                                readable(mean_of(at.random_loss), 4));
        return text;
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question());
        if (found->shares.empty()) throw InputError(no_model_message);
        std::vector<std::vector<double>> rows{{0, 0, found->loss}};
        rows.front().resize(static_cast<std::size_t>(3 + repetitions), found->loss);
        for (const auto& at : found->shares) {
            auto& row = rows.emplace_back(std::vector<double>{at.share, static_cast<double>(at.heads.size()), at.loss});
            row.insert(row.end(), at.random_loss.begin(), at.random_loss.end());
        }
        std::vector<std::string> columns{"share", "heads", "loss"};
        for (std::string& name : numbered_columns("random_", repetitions)) columns.push_back(std::move(name));
        DataTable table{.shape = {static_cast<std::int64_t>(rows.size()), 3 + repetitions}, .columns = columns};
        for (const auto& row : rows) table.values.insert(table.values.end(), row.begin(), row.end());
        return table;
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto found = input.results.find(question());
        CurvePlot plot{.x = {.title = "heads masked (%)", .low = 0, .high = 11},
                       .y = {.title = "mean loss (nats)", .brief = "loss", .low = 1, .high = 0}};
        if (!found || found->shares.empty()) {
            plot.message = model_message(input);
            return {plot};
        }
        std::vector<double> percent{0}, ranked{found->loss}, mean{found->loss};
        std::vector<Point> draws;
        for (const auto& at : found->shares) {
            percent.push_back(100 * at.share), ranked.push_back(at.loss), mean.push_back(mean_of(at.random_loss));
            for (const double loss : at.random_loss) draws.push_back({100 * at.share, loss});
        }
        const ValueRange range = finite_range(ranked), of_draws = finite_range(column_of(draws, &Point::y));
        const double low = std::min(range.min, of_draws.min), high = std::max(range.max, of_draws.max);
        const double margin = 0.1 * (high - low) + 1e-3;  // a change may be small beside the loss itself
        plot.y.low = low - margin, plot.y.high = high + margin;
        plot.x.high = 1.1 * *std::max_element(percent.begin(), percent.end());
        plot.cursor_x = -1;
        plot.series = {{.label = "random heads", .points = points_of(percent, mean), .color = theme.text_dim},
                       {.label = "each draw", .points = draws, .color = theme.text_dim, .as_dots = true},
                       {.label = fmt::format("highest {}", name_of(measure).title),
                        .points = points_of(percent, ranked),
                        .color = theme.series[0],
                        .is_compared = true}};
        return {plot};
    }

  private:
    static double mean_of(const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    }
};

}  // namespace ropewalk
