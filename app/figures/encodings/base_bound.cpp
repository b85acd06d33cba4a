#include "app/figures/encodings/base_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/figures/parts/tables/frequency_formula.h"
#include "app/figures/parts/text/text_table.h"
#include "core/experiment/settings.h"

namespace ropewalk {
namespace {

/// Returns a base that a certified search found, rounded (up if it is feasible, down if all below are ruled out) to the
/// last digit that the search determines.
std::string certain_digits(double base, double (*rounded)(double)) {
    constexpr double certainty = 1e-6;  // relative, of `min_base`
    const double step = std::pow(10, std::ceil(std::log10(base * certainty)));
    return readable(rounded(base / step) * step, 10);
}
std::string feasible_base(const MinBase& found) {
    if (found.feasible) return certain_digits(*found.feasible, std::ceil);
    return found.excluded == max_base ? "none to 10¹⁵" : "uncertain: some Bₘ is almost 0";
}

}  // namespace

Badge BaseBoundFigure::badge(const FigureInput&) const {
    if (part != BaseBoundPart::published) return {};
    const std::string text = fmt::format("d = {}", published_head_dim);
    return {text, "Head dimension", "The published table always uses this head dimension, not the one of your head.",
            text};
}

Needs BaseBoundFigure::needs(const Experiment& experiment, PlotPixels) const {
    switch (part) {
        case BaseBoundPart::margins: return {margins_question(experiment)};
        case BaseBoundPart::min_base: return {margins_question(experiment), min_question(experiment)};
        case BaseBoundPart::published: return {PublishedBasesQuestion{.certify_up_to = certify_up_to}};
    }
    return {};
}

Frame BaseBoundFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    if (part == BaseBoundPart::published) return draw_published(input, canvas, rect);
    if (part == BaseBoundPart::margins) return CurveFigure::draw(input, canvas, rect);
    const double height = std::min(table_height(4, input.theme), rect.height * 0.5);
    draw_min({rect.x, rect.y, rect.width, height}, input, canvas);
    return CurveFigure::draw(input, canvas,
                             {rect.x, rect.y + height + 6, rect.width, std::max(0.0, rect.height - height - 6)});
}

std::optional<Cursor> BaseBoundFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    auto picked = pick_on(input, frame, at);
    if (picked) picked->key = picked->query - picked->distance() / input.experiment().positions.stride;
    return picked;
}

std::string BaseBoundFigure::readout(const FigureInput& input) const {
    const auto question = margins_question(input.experiment());
    const auto margins = input.results.find(question);
    std::string text = fmt::format("base {}", readable(question.base));
    if (!margins) return text;
    const auto m = static_cast<std::size_t>(std::max(input.cursor.distance(), 0));
    if (m < margins->values.size())
        text += fmt::format("   B({}) = {}", readable(static_cast<double>(m)), readable(margins->values[m]));
    return text + (is_negative_somewhere(*margins) ? " supports L = " + readable(margins->longest_context)
                                                   : "   positive up to " + readable(margins->longest_context));
}

DataTable BaseBoundFigure::table(const Results& results) const {
    const Experiment& experiment = results.request.experiment;
    if (part == BaseBoundPart::margins) {
        const auto margins = results.find(margins_question(experiment));
        DataTable table = table_of_columns({{"m", counted(margins->values.size())}, {"margin", margins->values}});
        const Experiment rope = changed({.head_dim = experiment.head_dim},
                                        fmt::format("encoding.base={}", margins_question(experiment).base));
        table.formula = frequency_formula(
            rope, fmt::format("m = np.arange({})\ndata = np.column_stack([m, sum(np.cos(m*w_t) for w_t in w)])",
                              margins->values.size()));
        return table;
    }
    const auto excluded = [](const MinBases& found) { return found.certified ? found.certified->excluded : nan; };
    const auto feasible = [](const MinBases& found) {
        return found.certified ? found.certified->feasible.value_or(nan) : nan;
    };
    if (part == BaseBoundPart::min_base) {
        const std::vector<MinBases> found{*results.find(min_question(experiment))};
        return table_of_columns({{"context", column_of(found, &MinBases::context_length)},
                                 {"on_grid", column_of(found, &MinBases::on_grid)},
                                 {"excluded", column_of(found, excluded)},
                                 {"feasible", column_of(found, feasible)}});
    }
    const auto all = results.find(PublishedBasesQuestion{.certify_up_to = certify_up_to});
    std::vector<MinBases> found;
    for (const PublishedComparison& row : *all) found.push_back(row.found);
    return table_of_columns(
        {{"context", column_of(found, &MinBases::context_length)},
         {"published", column_of(*all, [](const PublishedComparison& row) { return row.published.base; })},
         {"first_negative", column_of(*all, &PublishedComparison::first_negative)},
         {"on_grid", column_of(found, &MinBases::on_grid)},
         {"least", column_of(found, feasible)}});
}

std::vector<CurvePlot> BaseBoundFigure::plots_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto question = margins_question(input.experiment());
    const auto margins = input.results.find(question);
    CurvePlot plot{.x = {.title = fmt::format("m ({})", unit_of_positions(input.experiment())),
                         .low = 1,
                         .high = std::max(question.count - 1.0, 2.0),
                         .scale = AxisScale::logarithmic,
                         .whole = true,
                         .along = Along::distance},
                   .y = {.title = "$B_m$", .low = 1, .high = 0},
                   .cursor_x = shown_distance(input) * input.experiment().positions.stride};
    if (margins) {
        plot.series = {
            {.values = SharedNumbers(margins, margins->values), .color = theme.series[0], .is_compared = true}};
        if (is_negative_somewhere(*margins))
            plot.marks = {{.at = margins->longest_context + 1.0,
                           .label = "Bₘ < 0 at m = " + readable(margins->longest_context + 1),
                           .color = theme.warning}};
    } else {
        plot.message = still_computing;
    }
    return {plot};
}

MarginsQuestion BaseBoundFigure::margins_question(const Experiment& experiment) const {
    return {.base = number_meaning(experiment, Meaning::base).value_or(10'000),  // RoPE's
            .head_dim = experiment.head_dim,
            .count = std::max(context_of(experiment), 2) + 1};
}

MinBaseQuestion BaseBoundFigure::min_question(const Experiment& experiment) const {
    return {.context_length = context_of(experiment), .head_dim = experiment.head_dim};
}

bool BaseBoundFigure::is_negative_somewhere(const Margins& margins) {
    return margins.longest_context + 1 < static_cast<int>(margins.values.size());
}

std::string BaseBoundFigure::text_of_base(const std::optional<double>& base) {
    return base ? readable(*base) : std::string("none to 10¹⁵");
}

void BaseBoundFigure::draw_min(const Rect& rect, const FigureInput& input, Canvas& canvas) const {
    const auto question = min_question(input.experiment());
    const auto found = input.results.find(question);
    if (!found || found->context_length != question.context_length) {
        draw_message("searching for the smallest base …", rect, canvas, input.theme);
        return;
    }
    const MinBase certified = *found->certified;
    draw_text_table({.columns = {fmt::format("context {}, d = {}", readable(found->context_length), question.head_dim),
                                 "smallest base"},
                     .rows = {{"two significant digits", text_of_base(found->on_grid)},
                              {"certified: feasible", feasible_base(certified)},
                              {"certified: all below ruled out", certain_digits(certified.excluded, std::floor)}}},
                    input.theme, canvas, rect);
}

Frame BaseBoundFigure::draw_published(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const auto all = input.results.find(PublishedBasesQuestion{.certify_up_to = certify_up_to});
    if (!all) return draw_message("searching for the smallest bases of eleven contexts …", rect, canvas, input.theme);
    TextTable table{
        .columns = {"context", "published", "two digits", "certified", "published is"},
        .notes = {
            "Published: Men et al. 2024, Table 2, the smallest base for which no Bₘ up to the context is negative.",
            "Two digits: the smallest such base with two significant digits. Certified: the smallest of all; a "
            "certified search rules out every smaller base.",
            "Negative at m: the smallest m at which the published base makes Bₘ negative."}};
    for (const PublishedComparison& row : *all)
        table.rows.push_back({readable(row.published.context_length), readable(row.published.base),
                              text_of_base(row.found.on_grid),
                              row.found.certified ? feasible_base(*row.found.certified) : "not searched",
                              row.first_negative                        ? "negative at " + readable(*row.first_negative)
                              : row.found.on_grid == row.published.base ? "smallest (2 digits)"
                                                                        : "not the smallest"});
    draw_text_table(table, input.theme, canvas, rect);
    return {.outer = rect, .plot = rect};
}

}  // namespace ropewalk
