#include "core/cpu/by_distance/toeplitz.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/cpu/by_row/rotated_rows.h"
#include "core/cpu/log_weights.h"
#include "core/numbers/numbers.h"
#include "core/series/score_terms.h"
#include "core/series/sum_by_distance.h"

namespace ropewalk::cpu {
namespace {

/// Computes the scores at all distances.
void make_scores(CachedScores& cached, const Problem& problem, const ScoreOrigin& origin, const Cancel& cancel) {
    const LoweredEncoding& lowered = problem.lowered;
    const auto terms =
        score_terms(lowered, lowered.near, origin.q.constant_row(), origin.k.constant_row(), problem.positions.stride);
    cached.max_possible = lowered.damping.empty() ? max_possible(terms) : infinity;
    cached.first = problem.mask == Mask::causal ? 0 : 1 - std::int64_t{problem.seq_len};
    cached.scores.resize(static_cast<std::size_t>(problem.seq_len - cached.first));
    sum_by_distance(terms, cached.first, cached.scores, cancel);
}

/// Returns the scores at all distances. They are reused if only the length of q or k, the scale or the temperature
/// changes.
const CachedScores& scores_of(ToeplitzState& state, const Problem& problem, const Cancel& cancel, StageClock& clock) {
    const ScoreOrigin origin = ScoreOrigin::of_directions(problem);
    CachedScores& cached = state.cached.of(origin);
    if (origin == cached.origin) return cached;
    constexpr std::int64_t most_distances = 1 << 20;  // up to this many, the scores of two heads are cached
    if (problem.mask == Mask::none && 2 * std::int64_t{problem.seq_len} > most_distances) state.cached.forget_other();
    cached.origin = {};
    make_scores(cached, problem, origin, cancel);
    cached.origin = origin;
    clock.lap(attention_stage::products);
    return cached;
}

/// Returns the logits that the viewport's rows see.
LogitSeries logits_seen(const CachedScores& cached, const Problem& problem, Interval rows) {
    const LogitSeries all{
        .scores = cached.scores,
        .line = {.factor = problem.logit_factor() * problem.inputs.q.factor() * problem.inputs.k.factor(),
                 .slope = problem.bias_per_token(),
                 .first = cached.first,
                 .cap = problem.max_logit()}};
    const std::int64_t first = problem.mask == Mask::causal ? 0 : rows.begin - (std::int64_t{problem.seq_len} - 1);
    return all.range(first, std::int64_t{rows.end} - 1);
}

/// The offset subtracted from all logits during the computation, because with large logits the logarithm of a row's sum
/// would be lost to rounding; and one reference for the exponentials of the remainders, unless their spread is too
/// large.
struct Origin {
    double offset = 0;
    std::optional<double> reference;
};

Origin origin_of(const CachedScores& cached, const LogitSeries& logits, const Cancel& cancel) {
    const double max_possible = std::abs(logits.line.factor) * cached.max_possible;
    if (2 * max_possible <= reference_slack && logits.line.slope == 0) return {.reference = max_possible};
    std::vector<Extremes> extremes((logits.scores.size() + piece_size - 1) / piece_size);
    for_each_piece(logits, cancel, [&](std::size_t piece, const LogitSeries& part) {
        double values[piece_size];
        extremes[piece] = part.write(values);
    });
    Extremes all;
    for (const Extremes& some : extremes)
        all = {.min = std::min(all.min, some.min), .max = std::max(all.max, some.max)};
    // Subtracting and adding it is exact if all logits are between its half and its double.
    const double size = std::abs(all.max), spread = all.max - all.min;
    Origin origin{.offset = size > large_logit && spread <= size / 2 ? all.max : 0};
    if (spread <= reference_slack) origin.reference = all.max - origin.offset;
    return origin;
}

/// Computes max logit and log-sum-exp of every listed row, over all its keys: those up to the query, and those after
/// it. `take` receives the exponentials of the former, if one reference is enough for them.
void fill_row_statistics(const ToeplitzTask& task, const TakeExponentials& take, AttentionView& view) {
    const Problem& problem = task.problem;
    const LogitSeries& logits = task.logits;
    const LargeVector<int>& rows = view.row_index;
    PrefixLogSums past = prefix_log_sums(logits.range(0, logits.last()), task.reference, rows, task.cancel, take);
    view.row_max_logit = std::move(past.max);
    view.row_log_sum = std::move(past.log_sum);
    if (problem.mask == Mask::causal || logits.first() == 0) return;

    const Workspace::Array<double> reversed = task.workspace.take<double>(static_cast<std::size_t>(-logits.first()));
    for (std::int64_t r = 1; r <= -logits.first(); ++r) reversed[static_cast<std::size_t>(r - 1)] = logits.at(-r);
    std::vector<int> lasts;  // last row first, because it has the fewest keys after it
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        if (const int after = problem.seq_len - 1 - *row; after > 0) lasts.push_back(after - 1);
    const PrefixLogSums future = prefix_log_sums({.scores = reversed, .line = {}}, task.reference, lasts, task.cancel);
    for (std::size_t place = 0; place < lasts.size(); ++place) {
        const std::size_t i = lasts.size() - 1 - place;  // only the very last row has none after it
        view.row_max_logit[i] = std::max(view.row_max_logit[i], future.max[place]);
        const double greater = std::max(view.row_log_sum[i], future.log_sum[place]);
        const double smaller = std::min(view.row_log_sum[i], future.log_sum[place]);
        view.row_log_sum[i] = greater + std::log1p(std::exp(smaller - greater));
    }
}

/// Fills in a view with one entry per cell: each of its rows is a reversed range of the logits.
void fill_entries(const ToeplitzTask& task, AttentionView& view) {
    const Interval rows = view.viewport.rows, columns = view.viewport.columns;
    tbb::parallel_for(tbb::blocked_range<int>(rows.begin, rows.end, 16), [&](const tbb::blocked_range<int>& block) {
        task.cancel.check();
        Numbers unwanted(view.viewport.content.logits ? 0 : static_cast<std::size_t>(columns.size()));
        for (int row = block.begin(); row < block.end(); ++row) {
            const std::size_t index = static_cast<std::size_t>(row - rows.begin), begin = index * columns.size();
            const int visible = std::clamp(task.problem.seen_keys(row).end, columns.begin, columns.end);
            double* const logit = unwanted.empty() ? view.logits.mean.data() + begin : unwanted.data();
            for (int key = columns.begin; key < visible; ++key)
                logit[key - columns.begin] = task.logits.at(std::int64_t{row} - key);
            std::fill(logit + (visible - columns.begin), logit + columns.size(), -infinity);
            if (view.viewport.content.weights)
                exp_minus({logit, static_cast<std::size_t>(columns.size())}, view.row_log_sum[index],
                          view.weights.mean.data() + begin);
        }
    });
}

void fill_view(const ToeplitzTask& task, AttentionView& view) {
    const Problem& problem = task.problem;
    const Viewport& viewport = view.viewport;
    if (viewport.is_one_to_one()) {
        fill_row_statistics(task, {}, view);
        task.clock.lap(attention_stage::softmax);
        fill_entries(task, view);
        return;
    }
    std::optional<DistanceWindows> windows;
    TakeExponentials take;
    if (viewport.content.weights && task.reference && problem.mask == Mask::causal) {
        windows.emplace(exponential_windows(task, viewport, viewport.rows));
        take = [&](std::size_t piece, std::span<const double> exponentials) {
            windows->take(static_cast<std::int64_t>(piece * piece_size), exponentials);
        };
    }
    fill_row_statistics(task, take, view);
    task.clock.lap(attention_stage::softmax);
    if (viewport.content.logits) pool_logits(task, view);
    if (viewport.content.weights) pool_weights(task, windows, view);
}

/// Adds the offset to the logits again.
void add_offset(double offset, AttentionView& view) {
    for (Numbers* values :
         {&view.row_max_logit, &view.row_log_sum, &view.logits.mean, &view.logits.min, &view.logits.max})
        for (double& value : *values) value += offset;
}

}  // namespace

AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, ToeplitzState& state,
                                 const Cancel& cancel) {
    StageClock clock;
    AttentionView view = empty_view(problem, viewport);
    clock.lap(attention_stage::cells);
    const CachedScores& cached = scores_of(state, problem, cancel, clock);
    LogitSeries logits = logits_seen(cached, problem, viewport.rows);
    const CellGeometry cells(viewport);
    const Origin origin = origin_of(cached, logits, cancel);
    logits.line.offset = origin.offset;
    fill_view({problem, logits, cells, state.workspace, cancel, clock, origin.reference}, view);
    if (origin.offset != 0) add_offset(origin.offset, view);
    clock.lap(attention_stage::cells);
    view.stages = clock.times();
    return view;
}

}  // namespace ropewalk::cpu
