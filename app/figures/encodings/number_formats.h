// Rounding errors of number formats in the angles and in this head's scores.
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

struct NumberFormatsFigure : CurveFigure<NumberFormatsFigure> {
    static constexpr auto id = "number_formats", title = "Number formats";
    static constexpr auto summary =
        "Rounding errors when positions, frequencies, angles, tables and products each use their own number format; "
        "below, the cursor's row.";
    static constexpr auto table_shape = "[seq_len, 5]";
    static constexpr bool has_row_per_x = true;
    NumberFormat positions = NumberFormat::fp32, frequencies = NumberFormat::fp32, angles = NumberFormat::fp32,
                 table_format = NumberFormat::fp32, products = NumberFormat::fp32;

    bool operator==(const NumberFormatsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "positions",
                .label = "Positions m",
                .help = "bf16 has 8 significant bits: it distinguishes only 641 of the positions below 2048."},
          s.positions);
        f(Field{.name = "frequencies",
                .label = "Frequencies wₜ",
                .help = "Format in which the frequencies are stored."},
          s.frequencies);
        f(Field{.name = "angles",
                .label = "Angles m·wₜ",
                .help = "Format of the product. Its error reaches 0.03 rad in fp32 at position 1 000 000, and half a "
                        "radian in fp16 beyond 1024."},
          s.angles);
        f(Field{.name = "table", .label = "Cos, sin table", .help = "Format in which cosines and sines are stored."},
          s.table_format);
        f(Field{.name = "products",
                .label = "Products",
                .help = "Format of queries, keys, their rotated values and the score. Dot products are summed at "
                        "higher precision."},
          s.products);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return false; }
    /// Returns the same number of cells for every plot size, so that the axes do not depend on the resolution.
    Needs needs(const Experiment& experiment, PlotPixels) const {
        constexpr int most_cells = 2048;
        // Cells of equal size: if some had one token and others two, the smaller ones would seem to have smaller
        // errors.
        const int tokens = (experiment.seq_len + most_cells - 1) / most_cells;
        return {question((experiment.seq_len + tokens - 1) / tokens)};
    }

    /// Returns the name among other figures of its kind: "fp16", "bf16 positions, else fp32".
    std::optional<std::string> own_name() const {
        const std::pair<const char*, NumberFormat> steps[] = {{"positions", positions},
                                                              {"frequencies", frequencies},
                                                              {"angles", angles},
                                                              {"table", table_format},
                                                              {"products", products}};
        NumberFormat usual = positions;
        std::ptrdiff_t most = 0;
        for (const auto& [step, format] : steps) {
            const auto alike =
                std::count_if(std::begin(steps), std::end(steps),
                              [&, format = format](const auto& other) { return other.second == format; });
            if (alike > most) most = alike, usual = format;
        }
        std::string others;
        for (const auto& [step, format] : steps)
            if (format != usual) others += fmt::format("{} {}, ", name_of(format).id, step);
        return others + (others.empty() ? "" : "else ") + std::string(name_of(usual).id);
    }

    Badge badge(const FigureInput& input) const {
        const auto effect = effect_of(input.results);
        if (!effect || !effect->complaint.empty()) return {};
        return {fmt::format("{}: |Δcos| ≤ {}, {} of {} positions", *own_name(), readable(effect->max_cosine_error),
                            readable(effect->distinct_positions), readable(input.experiment().seq_len)),
                "Number formats",
                fmt::format("The largest error of a cosine is {}. The {} tokens have {} different positions.",
                            readable(effect->max_cosine_error), readable(input.experiment().seq_len),
                            readable(effect->distinct_positions)),
                fmt::format("|Δcos| ≤ {}, {} of {} positions", readable(effect->max_cosine_error),
                            readable(effect->distinct_positions), readable(input.experiment().seq_len))};
    }

    std::string readout(const FigureInput& input) const {
        const auto effect = effect_of(input.results);
        const std::string place = place_text(input, input.cursor);
        const auto key = static_cast<std::size_t>(input.cursor.key);
        if (!effect || key >= effect->scores.size()) return place;
        const double score = effect->scores[key], exact = effect->exact_scores[key];
        if (!std::isfinite(score))
            return fmt::format("{}   no score: overflow in these formats   exact {}", place, readable(exact));
        return fmt::format("{}   score {}   exact {}   error {}", place, readable(score), readable(exact),
                           readable(score - exact));
    }

    DataTable table(const Results& results) const {
        const auto effect = effect_of(results);
        if (!effect->complaint.empty()) throw InputError(effect->complaint);
        return table_of_columns({{"token", counted(effect->angle_error.size())},
                                 {"angle_error", effect->angle_error},
                                 {"cosine_error", effect->cosine_error},
                                 {"exact_score", effect->exact_scores},
                                 {"score", effect->scores}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto effect = effect_of(input.results);
        const double last = input.experiment().seq_len - 1.0;
        CurvePlot errors{
            .x = key_axis(input, 0, std::max(last, 1.0)),
            .y = {.title = "largest error", .brief = "error", .low = 1, .high = 0, .scale = AxisScale::logarithmic}};
        CurvePlot row{.x = errors.x, .y = {.title = "score", .low = 1, .high = 0}};
        if (!effect) {
            errors.message = row.message = still_computing;
        } else if (!effect->complaint.empty()) {
            errors.message = effect->complaint;
            return {errors};
        } else {
            const double step = static_cast<double>(input.experiment().seq_len) /
                                static_cast<double>(std::max<std::size_t>(effect->angle_error.size(), 1));
            const double first = (step - 1) / 2;  // the middle of a cell
            errors.series = {beneath({.label = "angle (rad)",
                                      .values = SharedNumbers(effect, effect->angle_error),
                                      .first = first,
                                      .step = step,
                                      .color = theme.series[1],
                                      .is_compared = true},
                                     theme),
                             {.label = "cosine in the table",
                              .values = SharedNumbers(effect, effect->cosine_error),
                              .first = first,
                              .step = step,
                              .color = theme.series[0],
                              .width = thin_line,
                              .is_compared = true}};
            row.series = {
                beneath(
                    {.label = "exact", .values = SharedNumbers(effect, effect->exact_scores), .color = theme.series[0]},
                    theme),
                {.label = overflows(*effect) ? "in these formats, without overflows" : "in these formats",
                 .values = SharedNumbers(effect, effect->scores),
                 .color = theme.series[1],
                 .width = thin_line,
                 .is_compared = true}};
        }
        return {errors, row};
    }

  private:
    static bool overflows(const FormatEffect& effect) {
        return std::any_of(effect.scores.begin(), effect.scores.end(),
                           [](double score) { return !std::isfinite(score); });
    }

    NumberFormatQuestion question(int cells) const {
        return {.formats = {positions, frequencies, angles, table_format, products}, .cells = cells};
    }

    /// Returns the answer to this figure's question, for any number of cells.
    std::shared_ptr<const FormatEffect> effect_of(const Results& results) const {
        for (const Question& asked : results.request.needs)
            if (const auto* own = std::get_if<NumberFormatQuestion>(&asked); own && *own == question(own->cells))
                return results.find(*own);
        return nullptr;
    }
};

}  // namespace ropewalk
