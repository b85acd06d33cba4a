// What the decay figure shows: its numbers, their names, and the table of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "app/figures/heads/decay.h"
#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/tables/frequency_formula.h"
#include "core/analysis/fit/bands.h"

namespace ropewalk {
namespace {

constexpr std::size_t other_curves = 6;  // its own, both edges of the band, the expected one, the ghost, the reference
static_assert(FigureMemo::most_long_curves >= 2 * most_curves + other_curves);

}  // namespace

auto DecayFigure::data_of(const FigureInput& input) const -> Data {
    Data data;
    const auto decay = input.results.find(DecayQuestion{});
    const auto row = input.results.find(RowQuestion{});
    if (quantity == DecayQuantity::logit && decay) {
        data = {.first = decay->first_distance,
                .samples = decay->samples,
                .values = {decay, decay->mean},
                .count = decay->mean.size(),
                .of = decay->of};
        if (data.samples > 1) data.sigma = SharedNumbers(decay, decay->sigma);
        if (!decay->expected.empty()) data.expected = SharedNumbers(decay, decay->expected);
    } else if (quantity == DecayQuantity::weight && row) {
        data.values = weights_by_distance(row, input), data.count = data.values->size();
        data.is_row = true;
    }
    if (!input.blended_from) return data;
    const Data from = data_of(input.of_origin());
    if (from.first != data.first) return data;
    data.values = input.on_the_way(from.values, data.values);
    data.sigma = input.on_the_way(from.sigma, data.sigma);
    data.expected = input.on_the_way(from.expected, data.expected);
    return data;
}

Curve DecayFigure::edge_of(const Data& data, double sigmas, const FigureInput& input) {
    return input.memo.quick(
        {.y = *data.values, .first = static_cast<double>(data.first), .spread = *data.sigma, .spreads = sigmas},
        data.values, data.sigma);
}

Curve DecayFigure::curve_of(const Data& data, const FigureInput& input) {
    if (!data.values) return {};
    return input.memo.quick({*data.values, static_cast<double>(data.first)}, data.values);
}

Curve DecayFigure::expected_of(const Data& data, const FigureInput& input) {
    return input.memo.quick({*data.expected, static_cast<double>(data.first)}, data.expected);
}

ValueRange DecayFigure::range_of(const Data& data, const FigureInput& input) {
    if (!data.values) return {};
    if (data.samples <= 1) return input.range_of({.values = data.values});
    return {ropewalk::range_of(edge_of(data, -1, input)).min, ropewalk::range_of(edge_of(data, 1, input)).max};
}

std::optional<int> DecayFigure::query_of(const Data& data, const Problem& problem) {
    if (problem.depends_on_distance_only() || (!data.is_row && data.of == DecayOf::samples)) return std::nullopt;
    return data.is_row ? static_cast<int>(data.count) - 1 : problem.seq_len - 1;
}

bool DecayFigure::is_margin(const Problem& problem) const {
    return quantity == DecayQuantity::logit && problem.inputs.sample_of == SampleOf::margin;
}

std::string DecayFigure::curve_name(const Problem& problem) const {
    if (is_margin(problem)) return "margin";
    const bool is_score = quantity == DecayQuantity::logit && logits_are_scores(problem);
    const bool is_match = quantity == DecayQuantity::logit && problem.inputs.sample_of == SampleOf::match;
    return std::string(is_score ? "score" : name_of(quantity).id) + (is_match ? " of the matching key" : "");
}

namespace {

/// Returns a score, or 0 where it may be nothing but the rounding errors of its sum: 2e-14 of ‖q‖‖k‖.
double without_rounding(double score, const Problem& problem, const Cursor& cursor) {
    if (std::abs(score) > 1e-6) return score;  // does not read rows in vain
    const auto length = [](const std::vector<double>& row) {
        return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    };
    const double most = length(problem.query(cursor.query)) * length(problem.key(cursor.key));
    return std::abs(score) <= 2e-14 * most * std::abs(problem.logit_factor()) ? 0 : score;
}

}  // namespace

std::string DecayFigure::readout(const FigureInput& input) const {
    const Data data = data_of(input);
    const int distance = input.cursor.distance();
    double value = data.at(distance);
    if (!std::isfinite(value)) return fmt::format("r = {}", readable(distance));
    if (quantity != DecayQuantity::weight) value = without_rounding(value, *input.results.problem, input.cursor);
    const auto query = query_of(data, *input.results.problem);
    const std::string of_other = query && *query != input.cursor.query ? " of query " + readable(*query) + " =" : "";
    std::string text = fmt::format("r = {}   {}{} {}", readable(distance), curve_name(*input.results.problem), of_other,
                                   readable(value));
    const auto place = static_cast<std::size_t>(distance - data.first);
    if (data.samples > 1) text += " ± " + readable((*data.sigma)[place]);
    if (data.expected) text += "   expected " + readable((*data.expected)[place]);
    return text;
}

namespace {

/// Returns NumPy code for the curve of one query and one key for all tokens; empty if the score is more than a sum over
/// the pairs.
std::string formula_of(const Decay& curve, const Results& results) {
    const Problem& problem = *results.problem;
    if (!problem.lowered.relative() || !problem.lowered.damping.empty()) return {};
    std::vector<double> amplitudes, phases;
    for (const Band& band : bands_between(problem, 0, 0))
        amplitudes.push_back(band.amplitude), phases.push_back(band.phase);
    std::string code = fmt::format("r = np.arange({}, {})  # distance, tokens\n", curve.first_distance,
                                   curve.first_distance + static_cast<int>(curve.mean.size()));
    const auto list = [&](const char* name, const std::vector<double>& values, const char* about) {
        const bool is_one = std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
        code += is_one ? fmt::format("{} = np.full(len(w), {})  # {}\n", name, values.front(), about)
                       : fmt::format("{} = np.array([{}])  # {}\n", name, fmt::join(values, ", "), about);
    };
    list("a", amplitudes, "of each pair: norm of q times norm of k");
    list("phi", phases, "of each pair: angle from k to q");
    code += fmt::format("score = sum(a_t * np.cos({}*w_t + phi_t) for a_t, w_t, phi_t in zip(a, w, phi))\n",
                        in_positions("r", problem.step()));
    code += fmt::format("logit = {} * score", problem.logit_factor());
    if (problem.bias_per_token() != 0) code += fmt::format(" - {} * r", problem.bias_per_token());
    if (problem.max_logit() != 0) code += fmt::format("\nlogit = {0} * np.tanh(logit / {0})", problem.max_logit());
    return frequency_formula(results.request.experiment,
                             code + "\ndata = np.column_stack([r, logit, np.zeros(len(r))])");
}

}  // namespace

DataTable DecayFigure::table(const Results& results) const {
    if (quantity == DecayQuantity::weight) {
        const auto row = results.find(RowQuestion{});
        const auto visible = static_cast<std::ptrdiff_t>(row->query) + 1;
        return table_of_columns({{"distance", counted(static_cast<std::size_t>(visible))},
                                 {"weight", {row->weights.rend() - visible, row->weights.rend()}}});
    }
    const auto own = results.find(DecayQuestion{});
    const int first = own->first_distance;
    std::vector<std::pair<std::string, std::vector<double>>> columns{
        {"distance", counted(own->mean.size(), first)}, {"mean", copied(own->mean)}, {"sigma", copied(own->sigma)}};
    columns.back().second.resize(own->mean.size());  // 0 without samples
    if (!own->expected.empty()) columns.emplace_back("expected", copied(own->expected));
    const auto add = [&](const std::string& name, const Decay& curve) {
        if (!curve.complaint.empty()) return;
        std::vector<double> mean(static_cast<std::size_t>(std::max(0, curve.first_distance - first)), nan);
        mean.insert(mean.end(), curve.mean.begin() + std::max(0, first - curve.first_distance), curve.mean.end());
        columns.emplace_back(name, std::move(mean));
    };
    for (const std::string& settings : variants())
        if (const auto curve = results.find(DecayQuestion{.settings = settings})) add(settings, *curve);
    for (const std::string& settings : pins())
        if (const auto pin = results.find(PinnedDecayQuestion{.settings = settings})) add(settings, pin->curve);
    const bool is_alone = columns.size() == 3;
    DataTable table = table_of_columns(columns);
    if (is_alone && own->of == DecayOf::head) table.formula = formula_of(*own, results);
    return table;
}

}  // namespace ropewalk
