#include "core/attention/attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace ropewalk {

void ensure_valid(const Problem& problem, const Viewport& viewport) {
    const auto inside = [&](Interval range, int cells) {
        return range.begin >= 0 && range.end <= problem.seq_len && range.size() > 0 && cells > 0 &&
               cells <= range.size();
    };
    ensure(inside(viewport.rows, viewport.cells_down) && inside(viewport.columns, viewport.cells_across),
           "a viewport must be inside the matrix, with at least one cell and at most one cell per entry");
    ensure(viewport.row_sampling != RowSampling::one_sum_per_cell || problem.depends_on_distance_only(),
           "one softmax sum for all rows of a cell needs logits that depend on the distance alone");
    const LoweredEncoding& lowered = problem.lowered;
    ensure(!lowered.positions || (lowered.positions.size() >= problem.seq_len && !lowered.far &&
                                  lowered.bias_slope == 0 && lowered.damping.empty()),
           "an encoding with listed positions needs one per token and may only rotate or add waves");
    ensure(!lowered.far || (lowered.damping.empty() && lowered.rotates()),
           "an encoding with two regimes may only rotate");
    ensure(lowered.damping.empty() || lowered.rotates(), "added waves cannot be damped");
    ensure(problem.mask != Mask::window || problem.window >= 1, "every query must see a key");
    ensure(problem.softcap >= 0, "a softcap must not be negative");
}

AttentionView empty_view(const Problem& problem, const Viewport& viewport) {
    ensure_valid(problem, viewport);
    AttentionView view;
    view.viewport = viewport;
    const std::size_t cells = static_cast<std::size_t>(viewport.cells_down) * viewport.cells_across;
    const CellContent& content = viewport.content;
    const bool is_pooled = !viewport.is_one_to_one();
    for (const auto& [grid, wanted] : {std::pair{&view.logits, content.logits}, {&view.weights, content.weights}}) {
        grid->rows = viewport.cells_down;
        grid->columns = viewport.cells_across;
        if (wanted && (content.mean || !is_pooled)) grid->mean.resize(cells);
        if (wanted && content.min && is_pooled) grid->min.resize(cells);
        if (wanted && content.max && is_pooled) grid->max.resize(cells);
    }
    view.row_index.reserve(static_cast<std::size_t>(viewport.computed_row_count()));
    for (int cell = 0; cell < viewport.cells_down; ++cell) {
        const Interval rows = viewport.computed_rows(cell);
        for (int row = rows.begin; row < rows.end; ++row) view.row_index.push_back(row);
        const Interval shown = viewport.shown_rows(cell);
        const int first = std::max(problem.seen_keys(shown.begin).begin, viewport.columns.begin),
                  end = std::min(problem.seen_keys(shown.end - 1).end, viewport.columns.end);
        view.visible_cells.push_back(
            first < end ? Interval{viewport.column_cell(first), viewport.column_cell(end - 1) + 1} : Interval{});
    }
    return view;
}

void make_room_for_statistics(AttentionView& view) {
    view.row_max_logit.resize(view.row_index.size());
    view.row_log_sum.resize(view.row_index.size());
}

bool can_draw_keys(const Problem& problem, const Viewport& viewport) {
    constexpr int fewest_in_cells_of_all = 64;
    const Interval columns = viewport.columns;
    const bool is_whole = columns == Interval{0, problem.seq_len};
    const auto is_enough = [](int omitted) { return omitted == 0 || omitted >= fewest_keys_to_draw_from; };
    return !problem.lowered.far && problem.lowered.damping.empty() && problem.mask != Mask::window &&
           (!viewport.content.logits || viewport.row_sampling == RowSampling::one_per_cell) &&
           columns.size() / viewport.cells_across >= (is_whole ? fewest_in_cells_of_all : fewest_keys_to_draw_from) &&
           is_enough(columns.begin) && is_enough(problem.seq_len - columns.end);
}

Problem scores_only(Problem problem) {
    problem.mask = Mask::none;
    problem.window = 0;
    problem.scale = 1;
    problem.softcap = 0;
    problem.temperature = 1;
    problem.lowered.bias_slope = 0;
    return problem;
}

}  // namespace ropewalk
