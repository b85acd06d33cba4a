#include "core/cpu/by_distance/two_regimes.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/cpu/by_row/rotated_rows.h"
#include "core/cpu/view.h"
#include "core/numbers/numbers.h"
#include "core/series/score_terms.h"
#include "core/series/series.h"
#include "core/series/sum_by_distance.h"
#include "core/series/window_table.h"

namespace ropewalk::cpu {
namespace {

/// Whether a window is part of a cell or of a whole row.
enum class Reach { cell, row };

/// Statistics of some entries of one row.
struct EntryStatistics {
    double logit_sum = 0, min = infinity, max = -infinity;
    double exp_sum = 0;  // relative to the common reference

    /// Adds entries, each of which occurs `times` times.
    void add(const EntryStatistics& more, double times = 1) {
        logit_sum += times * more.logit_sum;
        exp_sum += times * more.exp_sum;
        min = std::min(min, more.min);
        max = std::max(max, more.max);
    }
};

std::vector<DistanceTerm> terms_of(const Problem& problem, const Regime& regime) {
    return score_terms(problem.lowered, regime, problem.inputs.q.constant_row(), problem.inputs.k.constant_row(), 1);
}

/// Returns an upper bound on the logits' magnitude.
double max_possible_logit(const Problem& problem) {
    return problem.logit_factor() * std::max(max_possible(terms_of(problem, problem.lowered.near)),
                                             max_possible(terms_of(problem, problem.lowered.far->maps)));
}

/// Logits of one regime at the arguments 0, 1, …, and statistics of their windows.
class RegimeLogits {
  public:
    struct Task {
        const Problem& problem;
        double reference = 0;
        CellContent wanted;  // of the logits in cells; sums of exponentials are always available
        Workspace& workspace;
        const Cancel& cancel;
        StageClock& clock;
    };
    /// Cells are windows of at least `narrowest` arguments, apart from those that are added one by one.
    RegimeLogits(const Task& task, const Regime& regime, int count, int narrowest)
        : logits_(task.workspace.take<double>(static_cast<std::size_t>(count))),
          exponentials_(task.workspace.take<double>(logits_.size())),
          logits_of_cells_(0, count - 1, task.wanted, narrowest, {}, task.workspace),
          exponentials_of_cells_(0, count - 1, sums, narrowest, {}, task.workspace),
          logits_of_rows_(0, count - 1, max_values, WindowTable<Sum>::longest_block, {}, task.workspace),
          exponentials_of_rows_(0, count - 1, sums, WindowTable<Sum>::longest_block, {}, task.workspace) {
        sum_by_distance(terms_of(task.problem, regime), 0, logits_, task.cancel);
        task.clock.lap(attention_stage::products);
        const LogitSeries series{.scores = logits_, .line = {.factor = task.problem.logit_factor()}};
        for_each_piece(series, task.cancel, [&](std::size_t, const LogitSeries& part) {
            const auto begin = static_cast<std::size_t>(part.first());
            const std::span<double> logits(logits_.data() + begin, part.scores.size()),
                exponentials(exponentials_.data() + begin, part.scores.size());
            part.write(logits.data());
            exp_minus(logits, task.reference, exponentials.data());
            for (DistanceWindows* windows : {&logits_of_cells_, &logits_of_rows_}) windows->take(part.first(), logits);
            for (DistanceWindows* windows : {&exponentials_of_cells_, &exponentials_of_rows_})
                windows->take(part.first(), exponentials);
        });
        task.clock.lap(attention_stage::softmax);
    }

    EntryStatistics at(std::int64_t argument) const {
        const auto i = static_cast<std::size_t>(argument);
        return {.logit_sum = logits_[i], .min = logits_[i], .max = logits_[i], .exp_sum = exponentials_[i]};
    }
    /// Returns the statistics of the arguments from … to. Of the logits, only what is `wanted`: what cells need, or the
    /// max of a whole row.
    EntryStatistics over(std::int64_t from, std::int64_t to, const CellContent& wanted, Reach reach) const {
        const bool is_row = reach == Reach::row;
        const DistanceWindows& logits = is_row ? logits_of_rows_ : logits_of_cells_;
        const DistanceWindows& exponentials = is_row ? exponentials_of_rows_ : exponentials_of_cells_;
        EntryStatistics all;
        if (to - from + 1 >= exponentials.shortest()) {
            if (wanted.mean) all.logit_sum = logits.sum(from, to);
            if (wanted.min) all.min = logits.min(from, to);
            if (wanted.max) all.max = logits.max(from, to);
            all.exp_sum = exponentials.sum(from, to);
            return all;
        }
        for (std::int64_t argument = from; argument <= to; ++argument) all.add(at(argument));
        return all;
    }

    static constexpr CellContent sums{.mean = true, .min = false, .max = false};
    static constexpr CellContent max_values{.mean = false, .min = false, .max = true};

  private:
    Workspace::Array<double> logits_, exponentials_;
    DistanceWindows logits_of_cells_, exponentials_of_cells_;
    DistanceWindows logits_of_rows_, exponentials_of_rows_;  // for long windows
};

/// Row statistics of a problem that `has_grouped_far_keys`.
class TwoRegimes {
  public:
    TwoRegimes(const RegimeLogits::Task& task, int narrowest)
        : start_(task.problem.positions.start),
          group_(task.problem.lowered.far->maps.key.group),
          window_(std::max(0, far_tokens(task.problem))),
          near_(task, task.problem.lowered.near, std::max(window_, 1), narrowest),
          // Between the groups where a cell begins and ends.
          far_(task, task.problem.lowered.far->maps,
               static_cast<int>(group_of(task.problem.seq_len - 1) - group_of(0)) + 1,
               std::max(1, narrowest / group_ - 2)) {}

    /// Returns the statistics of a row's keys from … to, none of which is masked, as `RegimeLogits::over`.
    EntryStatistics row(std::int64_t query, std::int64_t from, std::int64_t to, const CellContent& wanted,
                        Reach reach) const {
        EntryStatistics all;
        const std::int64_t first_near = std::max(from, query - window_ + 1), last_far = std::min(to, query - window_);
        if (first_near <= to) all.add(near_.over(query - to, query - first_near, wanted, reach));
        if (from > last_far) return all;
        const std::int64_t own = group_of(query), first = group_of(from), last = group_of(last_far);
        const auto begin_of = [&](std::int64_t group) { return group * group_ - start_; };
        if (first == last) {
            all.add(far_.at(own - first), static_cast<double>(last_far - from + 1));
            return all;
        }
        all.add(far_.at(own - first), static_cast<double>(begin_of(first + 1) - from));
        all.add(far_.at(own - last), static_cast<double>(last_far - begin_of(last) + 1));
        if (last - first > 1) all.add(far_.over(own - last + 1, own - first - 1, wanted, reach), group_);
        return all;
    }

  private:
    std::int64_t group_of(std::int64_t token) const { return (start_ + token) / group_; }

    std::int64_t start_ = 0;
    int group_ = 1, window_ = 0;  // tokens
    RegimeLogits near_, far_;
};

/// Returns what cells need of their logits.
CellContent wanted_logits(const CellContent& content, bool is_one_to_one) {
    return {.mean = content.logits && (content.mean || is_one_to_one),
            .min = content.min && !is_one_to_one,
            .max = content.max && !is_one_to_one};
}

/// Fills in one row of cells.
void fill_cells(const Problem& problem, const CellGeometry& cells, const TwoRegimes& regimes, double reference,
                int down, AttentionView& view) {
    const CellContent wanted = wanted_logits(view.viewport.content, view.viewport.is_one_to_one());
    const auto fold = [&](Numbers& grid, int across, auto&& combine) {
        if (grid.empty()) return;
        double& value = grid[static_cast<std::size_t>(down) * view.viewport.cells_across + across];
        value = combine(value);
    };
    for (int listed = cells.first_row[down]; listed < cells.first_row[down + 1]; ++listed) {
        const int row = view.row_index[listed];
        const EntryStatistics whole = regimes.row(row, 0, row, RegimeLogits::max_values, Reach::row);
        const double log_sum = std::max(whole.max, reference + std::log(whole.exp_sum));
        view.row_max_logit[listed] = whole.max;
        view.row_log_sum[listed] = log_sum;
        const double per_exponential = std::exp(reference - log_sum);
        for (int across = 0; across < view.viewport.cells_across; ++across) {
            const Interval columns = cells.columns[across];
            if (columns.end - 1 > row) fold(view.weights.min, across, [](double) { return 0.0; });
            if (columns.begin > row) continue;
            const EntryStatistics some =
                regimes.row(row, columns.begin, std::min(columns.end - 1, row), wanted, Reach::cell);
            fold(view.logits.mean, across, [&](double sum) { return sum + some.logit_sum; });
            fold(view.logits.min, across, [&](double min) { return std::min(min, some.min); });
            fold(view.logits.max, across, [&](double most) { return std::max(most, some.max); });
            fold(view.weights.mean, across,
                 [&](double sum) { return sum + std::min(some.exp_sum * per_exponential, 1.0); });
            fold(view.weights.min, across, [&](double min) { return std::min(min, std::exp(some.min - log_sum)); });
            fold(view.weights.max, across, [&](double most) { return std::max(most, std::exp(some.max - log_sum)); });
        }
    }
    finish_means(problem, cells, down, {0, view.viewport.cells_across}, view);
}

}  // namespace

bool has_grouped_far_keys(const Problem& problem) {
    const LoweredEncoding& lowered = problem.lowered;
    const auto is_plain = [](const PositionMap& map) { return map.group == 1; };
    return problem.inputs.is_constant() && problem.mask == Mask::causal && problem.positions.stride == 1 &&
           problem.positions.start >= 0 && lowered.far && lowered.rotates() && !lowered.positions &&
           lowered.damping.empty() && lowered.bias_slope == 0 && problem.softcap == 0 && is_plain(lowered.near.query) &&
           is_plain(lowered.near.key) && lowered.far->maps.query.group == lowered.far->maps.key.group &&
           2 * max_possible_logit(problem) <= reference_slack;
}

bool is_by_group(const Problem& problem, const Viewport& viewport) {
    const double products = static_cast<double>(problem.seq_len) * problem.head_dim();
    return viewport.cells_across * cost_of_regime_cell <= products && has_grouped_far_keys(problem);
}

AttentionView attend_by_group(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                              const Cancel& cancel) {
    StageClock clock;
    AttentionView view = empty_view(problem, viewport);
    make_room_for_statistics(view);
    clock.lap(attention_stage::cells);
    const CellGeometry cells(viewport);
    const double reference = max_possible_logit(problem);
    const TwoRegimes regimes({.problem = problem,
                              .reference = reference,
                              .wanted = wanted_logits(viewport.content, viewport.is_one_to_one()),
                              .workspace = workspace,
                              .cancel = cancel,
                              .clock = clock},
                             cells.narrowest);
    for (PooledGrid* grid : {&view.logits, &view.weights}) {
        std::fill(grid->min.begin(), grid->min.end(), infinity);
        std::fill(grid->max.begin(), grid->max.end(), grid == &view.logits ? -infinity : 0);
    }
    tbb::parallel_for(0, viewport.cells_down, [&](int down) {
        cancel.check();
        fill_cells(problem, cells, regimes, reference, down, view);
    });
    clock.lap(attention_stage::cells);
    view.stages = clock.times();
    return view;
}

}  // namespace ropewalk::cpu
