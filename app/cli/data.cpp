#include "app/cli/data.h"

#include <fmt/format.h>

#include <numeric>

#include "app/figures/parts/tables/frequency_formula.h"
#include "core/analysis/encodings/rotation.h"
#include "core/attention/make_problem.h"
#include "core/error.h"
#include "core/evaluation/affordable.h"
#include "core/models/model.h"
#include "core/models/run/model_run.h"
#include "core/text/closest_name.h"

namespace ropewalk {
namespace {

constexpr std::int64_t most_entries = std::int64_t{1} << 26;

void require_entries(std::int64_t count, const char* remedy) {
    if (count > most_entries)
        throw LimitError(
            fmt::format("{} entries requested, but at most {} (2^26) can be written; {}", count, most_entries, remedy));
}

/// Returns whether a range is not empty and lies within the first `count` entries.
bool is_part(const Interval& range, int count) {
    return 0 <= range.begin && range.begin < range.end && range.end <= count;
}

Interval part(const std::optional<Interval>& asked, int count, const char* name) {
    const Interval range = asked.value_or(Interval{0, count});
    if (!is_part(range, count))
        throw InputError(
            fmt::format("--{} is {}:{}; it must be a:b with 0 ≤ a < b ≤ {}", name, range.begin, range.end, count));
    return range;
}

Viewport viewport_of(const Experiment& experiment, const DataSelection& selection) {
    const Interval rows = part(selection.rows, experiment.seq_len, "rows"),
                   columns = part(selection.columns, experiment.seq_len, "columns");
    Viewport viewport = Viewport::one_to_one(rows, columns);
    if (selection.cells) {
        std::tie(viewport.cells_down, viewport.cells_across) = *selection.cells;
        if (viewport.cells_down < 1 || viewport.cells_across < 1 || viewport.cells_down > rows.size() ||
            viewport.cells_across > columns.size())
            throw InputError(fmt::format("--cells is {}x{}; it must be from 1x1 to {}x{}, one cell per entry",
                                         viewport.cells_down, viewport.cells_across, rows.size(), columns.size()));
    }
    require_entries(std::int64_t{viewport.cells_down} * viewport.cells_across,
                    "choose --rows and --columns, or pool with --cells");
    return viewport;
}

void require_affordable(const Problem& problem, const Viewport& viewport, const Backend& backend) {
    ropewalk::require_affordable(backend.cost(problem, viewport), "this many rows at this length",
                                 "choose fewer with --rows");
}

/// Throws LimitError if the model that `needs` ask about would be trained or run for too long.
void require_affordable_model(const Experiment& experiment, const Needs& needs = {}) {
    ropewalk::require_affordable(model_work_of(experiment, needs), "this model",
                                 "choose a shorter seq_len or fewer training steps, or run `ropewalk train` first");
}

DataTable from_view(const AttentionView& view, const PooledGrid& grid, const Backend& backend, Pooling pooling) {
    return {.shape = {grid.rows, grid.columns},
            .columns = view.viewport.is_one_to_one()
                           ? numbered_columns("key_", grid.columns, view.viewport.columns.begin)
                           : numbered_columns("cell_", grid.columns),
            .values = grid.values(pooling),
            .precision = backend.precision()};
}

/// Returns the whole matrix in float, as the backend fills it; null if float cannot hold a logit.
std::shared_ptr<const WholeMatrix> whole_matrix(const Problem& problem, MatrixEntries entries, Backend& backend,
                                                const Cancel& cancel) {
    const auto matrix = std::make_shared<WholeMatrix>();
    backend.fill(*matrix, problem, entries, cancel);
    for (int query = 0; query < problem.seq_len && entries == MatrixEntries::logits; ++query) {
        const Interval seen = problem.seen_keys(query);
        const auto visible = std::as_const(*matrix).row(query).subspan(seen.begin, seen.size());
        if (!std::all_of(visible.begin(), visible.end(), [](float logit) { return std::isfinite(logit); }))
            return nullptr;
    }
    return matrix;
}

enum class MatrixKind { scores, logits, weights };
template <MatrixKind kind>
DataTable matrix(const Experiment& experiment, Backend& backend, const DataSelection& selection, const Cancel& cancel) {
    Viewport viewport = viewport_of(experiment, selection);
    viewport.content = {
        .logits = kind != MatrixKind::weights, .weights = kind == MatrixKind::weights, .row_sums = false};
    require_affordable_model(experiment);
    Problem problem = make_problem(experiment, cancel);
    if (kind == MatrixKind::scores) problem = scores_only(std::move(problem));
    require_affordable(problem, viewport, backend);
    const int seq_len = experiment.seq_len;
    // Heads that depend on distance alone are computed in double, which text output preserves.
    if (backend.precision() == Precision::fp32 && !problem.depends_on_distance_only() &&
        viewport.has_same_cells(Viewport::one_to_one({0, seq_len}, {0, seq_len})))
        if (auto all = whole_matrix(
                problem, kind == MatrixKind::weights ? MatrixEntries::weights : MatrixEntries::logits, backend, cancel))
            return {
                .shape = {seq_len, seq_len}, .columns = numbered_columns("key_", seq_len), .matrix = std::move(all)};
    const AttentionView view = backend.attend(problem, viewport, cancel);
    return from_view(view, kind == MatrixKind::weights ? view.weights : view.logits, backend,
                     selection.pooling.value_or(Pooling::mean));
}

DataTable inv_freq(const Experiment& experiment, Backend&, const DataSelection&, const Cancel&) {
    const LoweredEncoding lowered = lower(experiment.encoding, experiment.shape());
    return {.shape = {lowered.pairs()},
            .columns = {"inv_freq"},
            .values = {lowered.inv_freq.begin(), lowered.inv_freq.end()},
            .formula = frequency_formula(experiment, "data = w")};
}

DataTable attention_scaling(const Experiment& experiment, Backend&, const DataSelection&, const Cancel&) {
    return {.shape = {1},
            .columns = {"attention_scaling"},
            .values = {lower(experiment.encoding, experiment.shape()).attention_scaling}};
}

/// Returns unrotated rows, with the channels in the order of the pairing.
template <RowSource HeadInputs::*source>
DataTable input_rows(const Experiment& experiment, Backend&, const DataSelection&, const Cancel& cancel) {
    require_entries(std::int64_t{experiment.seq_len} * experiment.head_dim, "choose a shorter seq_len");
    require_affordable_model(experiment);
    const Problem problem = make_problem(experiment, cancel);
    const PairLayout layout{experiment.pairing, experiment.head_dim, problem.lowered.rotary_dim};
    DataTable table{.shape = {experiment.seq_len, experiment.head_dim},
                    .columns = numbered_columns("channel_", experiment.head_dim)};
    table.values.resize(static_cast<std::size_t>(experiment.seq_len) * experiment.head_dim);
    std::vector<double> row(static_cast<std::size_t>(experiment.head_dim));
    for (int token = 0; token < experiment.seq_len; ++token) {
        if (token % 1024 == 0) cancel.check();
        (problem.inputs.*source).read(token, row);
        if constexpr (source == &HeadInputs::q)
            for (int channel = problem.lowered.rotary_dim; channel < experiment.head_dim; ++channel)
                row[static_cast<std::size_t>(channel)] /= problem.unrotated_factor;
        double* out = table.values.data() + static_cast<std::size_t>(token) * row.size();
        for (int pair = 0; pair < layout.head_dim / 2; ++pair)
            out[layout.first(pair)] = row[2 * pair], out[layout.second(pair)] = row[2 * pair + 1];
    }
    return table;
}

DataTable rotation_table(const Experiment& experiment, Backend&, const DataSelection& selection, const Cancel& cancel) {
    const Interval distances = selection.columns.value_or(Interval{0, experiment.seq_len});
    if (!is_part(distances, 1 << 24))
        throw InputError("--columns selects the distances; it must be a:b with 0 ≤ a < b ≤ 2^24");
    const int cells = selection.cells ? selection.cells->second : distances.size();
    if (cells < 1 || cells > distances.size())
        throw InputError(
            fmt::format("--cells is …x{}; it must be from 1 to {}, one cell per distance", cells, distances.size()));
    require_entries(std::int64_t{cells} * (experiment.head_dim / 2),
                    "choose fewer distances with --columns, or pool with --cells");
    require_affordable_model(experiment);
    const Problem problem = make_problem(experiment, cancel);
    return {.shape = {experiment.head_dim / 2, cells},
            .columns =
                numbered_columns(selection.cells ? "cell_" : "distance_", cells, selection.cells ? 0 : distances.begin),
            .values = rotation_heat_map(problem.lowered, problem.step(), distances, cells, cancel),
            .formula = selection.cells ? "" : rotation_formula(experiment, problem.step(), distances)};
}

/// Returns the logits of the next token after each row.
DataTable model_logits(const Experiment& experiment, Backend&, const DataSelection& selection, const Cancel& cancel) {
    const auto learned = learned_head_of(experiment.construction);
    if (!learned) throw InputError("model_logits needs a model; set construction=model_head and construction.model");
    const Interval asked = part(selection.rows, experiment.seq_len, "rows");
    const std::int64_t vocabulary = learned->model->config.vocabulary;
    require_entries(asked.size() * vocabulary, "choose fewer with --rows");
    require_affordable_model(experiment, {TokensQuestion{}});
    std::vector<int> rows(static_cast<std::size_t>(asked.size()));
    std::iota(rows.begin(), rows.end(), asked.begin);
    const auto run = run_of(experiment.construction,
                            {experiment.shape(), lower(experiment.encoding, experiment.shape()), cancel, {}});
    const LargeVector<float> logits = run->next_token_logits(rows, cancel);
    return {.shape = {asked.size(), vocabulary},
            .columns = numbered_columns("token_", static_cast<int>(vocabulary)),
            .values = {logits.begin(), logits.end()},
            .precision = Precision::fp32};
}

/// Keeps the rows within the range of the figure's horizontal axis, if each row belongs to one x.
void keep_rows_in_range(DataTable& table, const Figure& figure) {
    const auto shown = has_row_per_x(figure) ? zoom_of(figure) : std::nullopt;
    if (!shown || shown->x.size() != 2 || table.values.empty()) return;
    const std::size_t columns = table.columns.size();
    const double first = table.values.front(), last = table.values[table.values.size() - columns];
    std::vector<double> kept;
    for (auto row = table.values.begin(); row != table.values.end(); row += static_cast<std::ptrdiff_t>(columns))
        if (*row >= shown->x[0] && *row <= shown->x[1])
            kept.insert(kept.end(), row, row + static_cast<std::ptrdiff_t>(columns));
    if (kept.empty())
        throw InputError(fmt::format("x is {}:{}, which contains no rows; {} must be within {} to {}",
                                     text_of(shown->x[0]), text_of(shown->x[1]), table.columns.front(), text_of(first),
                                     text_of(last)));
    table.shape.front() = static_cast<std::int64_t>(kept.size() / columns);
    table.values = std::move(kept);
    if (!table.formula.empty())
        table.formula +=
            fmt::format("data = data[(data[:, 0] >= {}) & (data[:, 0] <= {})]\n", shown->x[0], shown->x[1]);
}

constexpr PlotPixels every_entry{1 << 24, 1 << 24};

/// Returns the data of a figure, at the resolution of the matrix.
DataTable figure_table(const Experiment& experiment, Backend& backend, const DataSelection& selection,
                       const Cancel& cancel) {
    if (needs_of(*selection.figure, experiment, every_entry).empty()) {  // then no queries and keys are read
        Experiment bare = experiment;
        bare.construction = {};
        return *table_of(*selection.figure, {.request = {experiment, selection.cursor, {}},
                                             .problem = std::make_shared<const Problem>(make_problem(bare))});
    }
    require_affordable(*selection.figure, experiment, backend, every_entry, nullptr, cancel);
    const Needs needs = needs_of(*selection.figure, experiment, every_entry);
    const Problem problem = make_problem(experiment, needs, cancel);
    const AnalysisContext context{experiment, problem, selection.cursor, backend, cancel};
    Results results{.request = {experiment, selection.cursor, needs},
                    .problem = std::make_shared<const Problem>(problem)};
    for (const Question& question : results.request.needs) {
        if (const auto* rotation = std::get_if<RotationQuestion>(&question))
            require_entries(std::int64_t{rotation->cells} * problem.lowered.pairs(), "choose fewer distances");
        results.answers.emplace_back(question, answer(question, context));
    }
    return *table_of(*selection.figure, results);
}

DataTable row(const Experiment& experiment, Backend& backend, const DataSelection& selection, const Cancel& cancel) {
    return figure_table(experiment, backend, {.cursor = selection.cursor, .figure = figure_of("attention_row")},
                        cancel);
}

/// Returns the decay of the logit, whatever the scene's figure shows.
DataTable decay_table(const Experiment& experiment, Backend& backend, const DataSelection&, const Cancel& cancel) {
    return figure_table(experiment, backend, {.figure = figure_of("decay")}, cancel);
}

DataTable usage_table(const Experiment& experiment, Backend& backend, const DataSelection&, const Cancel& cancel) {
    require_entries(std::int64_t{experiment.seq_len} * experiment.head_dim, "choose a shorter seq_len");
    return figure_table(experiment, backend, {.figure = figure_of("frequency_usage")}, cancel);
}

/// Adds the figures with a table to the kinds of data.
std::vector<DataKind> with_figures(std::vector<DataKind> kinds) {
    for (const Figure& figure : alternatives_of<Figure>())
        if (*table_shape(figure))
            kinds.push_back({id_of(figure),
                             table_shape(figure),
                             ConstChoiceRef(figure).in_force().summary,
                             {},
                             true,
                             figure_table});
    return kinds;
}

}  // namespace

const std::vector<DataKind>& data_kinds() {
    static const std::vector<std::string_view> of_matrix{"rows", "columns", "cells", "pooling"};
    static const std::vector<DataKind> kinds = with_figures({
        {"inv_freq", "[d/2]", "frequency of every pair, rad/token", {}, false, inv_freq},
        {"attention_scaling", "[1]", "factor on cosine and sine", {}, false, attention_scaling},
        {"q", "[seq_len, d]", "unrotated queries", {}, false, input_rows<&HeadInputs::q>},
        {"k", "[seq_len, d]", "unrotated keys", {}, false, input_rows<&HeadInputs::k>},
        {"scores", "[rows, columns]", "rotated q·k", of_matrix, false, matrix<MatrixKind::scores>},
        {"logits", "[rows, columns]", "scaled, biased, capped, divided by the temperature; −∞ where masked", of_matrix,
         false, matrix<MatrixKind::logits>},
        {"weights", "[rows, columns]", "softmax of the logits over all keys; 0 where masked", of_matrix, false,
         matrix<MatrixKind::weights>},
        {"decay", "[distances, 3]", "distance, mean logit, population σ over samples", {}, false, decay_table},
        {"row",
         table_shape(figure_of("attention_row")),
         ConstChoiceRef(figure_of("attention_row")).in_force().summary,
         {"query"},
         false,
         row},
        {"model_logits",
         "[rows, vocabulary]",
         "logits of the next token, of the model of model_head",
         {"rows"},
         false,
         model_logits},
        {"rotation_heatmap",
         "[d/2, distances]",
         "cos(distance · inv_freq)",
         {"columns", "cells"},
         false,
         rotation_table},
        {"frequency_usage",
         "[2, seq_len, d/2]",
         "norm of every pair of q and k, for each token",
         {},
         false,
         usage_table},
    });
    return kinds;
}

const DataKind& data_kind(const std::string& what) {
    std::vector<std::string> ids;
    for (const DataKind& kind : data_kinds()) {
        if (what == kind.id) return kind;
        ids.emplace_back(kind.id);
    }
    throw UsageError(fmt::format("unknown data '{}'; {}", what, meant_or(what, ids, "it must be " + one_of(ids))));
}

DataTable make_data(const std::string& what, const Experiment& experiment, Backend& backend,
                    const DataSelection& selection, const Cancel& cancel) {
    const auto make = selection.figure ? figure_table : data_kind(what).make;
    DataTable table = make(experiment, backend, selection, cancel);
    if (selection.figure) keep_rows_in_range(table, *selection.figure);
    table.what = what;
    return table;
}

std::vector<std::string_view> cursor_options(const Figure& figure, const Experiment& experiment) {
    switch (cursor_use(figure, experiment)) {
        case CursorUse::none: break;
        case CursorUse::query: return {"query"};
        case CursorUse::cell: return {"query", "key", "distance"};
    }
    return {};
}

void require_affordable(const Figure& figure, const Experiment& experiment, const Backend& backend, PlotPixels pixels,
                        const Experiment* reference, const Cancel& cancel) {
    require_affordable(work_of(experiment, needs_of(figure, experiment, pixels, reference), backend, cancel),
                       fmt::format("'{}'", id_of(figure)),
                       "choose a smaller value with --option, or a shorter seq_len");
}

}  // namespace ropewalk
