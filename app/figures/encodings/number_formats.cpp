#include "app/figures/encodings/number_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

Needs NumberFormatsFigure::needs(const Experiment& experiment, PlotPixels) const {
    constexpr int most_cells = 2048;
    // Cells of equal size: if some had one token and others two, the smaller ones would seem to have smaller
    // errors.
    const int tokens = (experiment.seq_len + most_cells - 1) / most_cells;
    return {question((experiment.seq_len + tokens - 1) / tokens)};
}

Frame NumberFormatsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const auto plots = beside_ghost(input, [this](const FigureInput& of) { return plots_of(of); });
    return draw_curves(plots, input, canvas, rect);
}

std::optional<Cursor> NumberFormatsFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    const auto key = index_across(frame, at, input.experiment().seq_len);
    return key ? std::optional(Cursor{input.cursor.query, *key, input.cursor.pair}) : std::nullopt;
}

std::optional<std::string> NumberFormatsFigure::own_name() const {
    const std::pair<const char*, NumberFormat> steps[] = {{"positions", positions},
                                                          {"frequencies", frequencies},
                                                          {"angles", angles},
                                                          {"table", table_format},
                                                          {"products", products}};
    NumberFormat usual = positions;
    std::ptrdiff_t most = 0;
    for (const auto& [step, format] : steps) {
        const auto alike = std::count_if(std::begin(steps), std::end(steps),
                                         [&, format = format](const auto& other) { return other.second == format; });
        if (alike > most) most = alike, usual = format;
    }
    std::string others;
    for (const auto& [step, format] : steps)
        if (format != usual) others += fmt::format("{} {}, ", name_of(format).id, step);
    return others + (others.empty() ? "" : "else ") + std::string(name_of(usual).id);
}

Badge NumberFormatsFigure::badge(const FigureInput& input) const {
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

std::string NumberFormatsFigure::readout(const FigureInput& input) const {
    const auto effect = effect_of(input.results);
    const std::string place = place_text(input, input.cursor);
    const auto key = static_cast<std::size_t>(input.cursor.key);
    if (!effect || key >= effect->scores.size()) return place;
    const double score = effect->scores[key], exact = effect->exact_scores[key];
    if (!std::isfinite(score))
        return fmt::format("{}   no score: overflow in these formats, exact {}", place, readable(exact));
    return fmt::format("{}   score {}, exact {}, error {}", place, readable(score), readable(exact),
                       readable(score - exact));
}

DataTable NumberFormatsFigure::table(const Results& results) const {
    const auto effect = effect_of(results);
    if (!effect->complaint.empty()) throw InputError(effect->complaint);
    return table_of_columns({{"token", counted(effect->angle_error.size())},
                             {"angle_error", effect->angle_error},
                             {"cosine_error", effect->cosine_error},
                             {"exact_score", effect->exact_scores},
                             {"score", effect->scores}});
}

std::vector<CurvePlot> NumberFormatsFigure::plots_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto effect = effect_of(input.results);
    const double last = input.experiment().seq_len - 1.0;
    CurvePlot errors{
        .x = key_axis(input, 0, std::max(last, 1.0)),
        .y = {.title = "largest error", .brief = "error", .low = 1, .high = 0, .scale = AxisScale::logarithmic},
        .cursor_x = static_cast<double>(input.cursor.key)};
    CurvePlot row{.x = errors.x, .y = {.title = "score", .low = 1, .high = 0}, .cursor_x = errors.cursor_x};
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
                                  .values = part_of(effect, effect->angle_error),
                                  .first = first,
                                  .step = step,
                                  .color = theme.series[1],
                                  .is_compared = true},
                                 theme),
                         {.label = "cosine in the table",
                          .values = part_of(effect, effect->cosine_error),
                          .first = first,
                          .step = step,
                          .color = theme.series[0],
                          .width = thin_line,
                          .is_compared = true}};
        row.series = {
            beneath({.label = "exact", .values = part_of(effect, effect->exact_scores), .color = theme.series[0]},
                    theme),
            {.label = overflows(*effect) ? "in these formats, without overflows" : "in these formats",
             .values = part_of(effect, effect->scores),
             .color = theme.series[1],
             .width = thin_line,
             .is_compared = true}};
    }
    return {errors, row};
}

bool NumberFormatsFigure::overflows(const FormatEffect& effect) {
    return std::any_of(effect.scores.begin(), effect.scores.end(), [](double score) { return !std::isfinite(score); });
}

NumberFormatQuestion NumberFormatsFigure::question(int cells) const {
    return {.formats = {positions, frequencies, angles, table_format, products}, .cells = cells};
}

std::shared_ptr<const FormatEffect> NumberFormatsFigure::effect_of(const Results& results) const {
    for (const Question& asked : results.request.needs)
        if (const auto* own = std::get_if<NumberFormatQuestion>(&asked); own && *own == question(own->cells))
            return results.find(*own);
    return nullptr;
}

}  // namespace ropewalk
