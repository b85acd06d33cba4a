#include "core/analysis/heads/attention_view.h"

namespace ropewalk {
namespace {

constexpr double live_cost = 1.5e10;  // multiply-adds; a fraction of a second on two cores
constexpr int coarse_cells = 128, enough_coarse_rows = 64, fewest_coarse_rows = 8, fewest_part_cells = 16,
              most_part_cells = 512;
constexpr int fewest_sampled_keys = 1 << 16;

}  // namespace

AttentionView ViewQuestion::answer(const AnalysisContext& context) const {
    AttentionView view = context.backend.attend(of_scores ? scores_only(context.problem) : context.problem,
                                                affordable(context.problem), context.cancel);
    // For a million rows they take 12 MB.
    view.row_index = {};
    view.row_max_logit = {};
    return view;
}

std::optional<ViewQuestion> ViewQuestion::widened(const ViewQuestion& other) const {
    ViewQuestion both = *this;
    both.viewport.content = viewport.content | other.viewport.content;
    ViewQuestion expected = other;
    expected.viewport.content = both.viewport.content;
    return both == expected ? std::optional(both) : std::nullopt;
}

ViewQuestion ViewQuestion::coarsened(const Problem& problem) const {
    ViewQuestion coarse = *this;
    coarse.viewport.row_sampling = problem.has_quick_sums() ? RowSampling::one_sum_per_cell : RowSampling::one_per_cell;
    if (problem.has_quick_sums()) return coarse;
    // The rows that can be scanned over all their keys within a frame.
    const double row_cost = static_cast<double>(problem.most_seen_keys()) * problem.head_dim();
    const int rows = static_cast<int>(std::clamp(frame_cost / row_cost, 1.0 * fewest_coarse_rows, 1.0 * coarse_cells));
    // Fewer cells show logits better than fewer keys, and a part of the matrix has few keys to sample from.
    const bool is_whole = viewport.columns == Interval{0, problem.seq_len};
    const bool prefers_cells = of_scores || viewport.content.logits || !is_whole;
    ViewQuestion drawn = coarse;
    drawn.viewport.key_sampling = KeySampling::some;
    if (!is_whole)
        drawn.viewport.cells_across = std::min(
            {viewport.cells_across, most_part_cells, std::max(1, viewport.columns.size() / fewest_keys_to_draw_from)});
    if (problem.seq_len >= fewest_sampled_keys && !(prefers_cells && rows >= enough_coarse_rows) &&
        (is_whole || drawn.viewport.cells_across >= fewest_part_cells) && can_draw_keys(problem, drawn.viewport))
        return drawn;
    coarse.viewport.cells_down = std::min(viewport.cells_down, rows);
    coarse.viewport.cells_across = std::min(viewport.cells_across, coarse_cells);
    return coarse;
}

Viewport ViewQuestion::affordable(const Problem& problem) const {
    Viewport live = viewport;
    const double cost = static_cast<double>(viewport.rows.size()) * problem.most_seen_keys() * problem.head_dim();
    if (viewport.cells_down < viewport.rows.size() && cost > live_cost && !problem.has_quick_sums())
        live.row_sampling = RowSampling::one_per_cell;
    return live;
}

}  // namespace ropewalk
