#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include "app/cli/bench/works.h"
#include "core/analysis/encodings/base_bound.h"
#include "core/analysis/encodings/phasor_bound.h"
#include "core/cpu/cpu_backend.h"
#include "core/evaluation/evaluate.h"
#include "core/evaluation/open_backend.h"
#include "core/series/sum_by_distance.h"

namespace ropewalk {
namespace {

/// Returns the number of visible keys over all computed rows.
double seen_keys(const Problem& problem, const Viewport& viewport) {
    double keys = 0;
    for (int cell = 0; cell < viewport.cells_down; ++cell) {
        const Interval rows = viewport.computed_rows(cell);
        for (int row = rows.begin; row < rows.end; ++row) keys += problem.seen_keys(row).size();
    }
    return keys;
}

/// Returns the multiply-adds and exponentials of the viewport's rows with all their keys.
double flop_of(const Problem& problem, const Viewport& viewport) {
    return seen_keys(problem, viewport) * (2.0 * problem.head_dim() + 1);
}

void view(const Works& works, const std::string& name, const Experiment& experiment, const Viewport& viewport,
          const Goals& goals) {
    if (!works.wanted(name)) return;
    const auto backend = works.options.backend.open();
    const Problem problem = make_problem(experiment);
    const bool uses_all_keys = !problem.inputs.is_constant() && viewport.key_sampling == KeySampling::all;
    works.work(
        name,
        {.flop = uses_all_keys ? flop_of(problem, viewport) : 0,
         .peak = uses_all_keys ? &Machine::fp32 : nullptr,
         .goals = goals,
         .exponentials = uses_all_keys ? seen_keys(problem, viewport) : 0},
        as_the_base_moves(experiment, [&](const Problem& one) { backend->attend(one, viewport, works.cancel); }));
}

void full_matrices(const Works& works) {
    for (const auto& [head_dim, share] : {std::pair{64, 0.62}, {128, 0.76}, {256, 0.83}})
        for (const int seq_len : {512, 1024, 2048, 4096, 8192}) {
            const std::string name = fmt::format("matrix N={} d={}", seq_len, head_dim);
            if (!works.wanted(name)) continue;
            const auto backend = works.options.backend.open();
            const Experiment experiment = gaussian_head(seq_len, head_dim);
            const Viewport all = Viewport::one_to_one({0, seq_len}, {0, seq_len});
            WholeMatrix matrix;
            const Problem problem = make_problem(experiment);
            const double entries = seen_keys(problem, all);
            works.work(name,
                       {.flop = flop_of(problem, all),
                        .peak = &Machine::fp32,
                        .goals = {.of_peak = seq_len >= 2048 ? share : 0},
                        .exponentials = entries,
                        .stored_bytes = sizeof(float) * entries},
                       as_the_base_moves(experiment, [&](const Problem& moved) {
                           backend->fill(matrix, moved, MatrixEntries::weights, works.cancel);
                       }));
        }
}

void viewports(const Works& works) {
    for (const auto& [seq_len, goals] :
         {std::pair{8192, Goals{1000.0 / 60}}, {32768, Goals{}}, {131072, Goals{100, 0.78}}})
        view(works, fmt::format("view {0}x{0} N={1} d=128", bench_cells, seq_len), gaussian_head(seq_len, 128),
             whole_matrix_of(seq_len), goals);
    for (const auto& [seq_len, goals] : {std::pair{131072, Goals{10}}, {1 << 20, Goals{}}}) {
        const Experiment experiment = gaussian_head(seq_len, 128);
        const Viewport coarse =
            ViewQuestion{.viewport = whole_matrix_of(seq_len)}.coarsened(make_problem(experiment)).viewport;
        view(works, fmt::format("view coarse N={} d=128", seq_len), experiment, coarse, goals);
    }
}

void constant_heads(const Works& works) {
    const Experiment experiment{.head_dim = 256, .seq_len = 1 << 20};
    view(works, "constant view N=1048576 d=256", experiment, whole_matrix_of(1 << 20), {6});
    Viewport all_rows = whole_matrix_of(1 << 20);
    all_rows.row_sampling = RowSampling::all;
    view(works, "constant view all rows N=1048576 d=256", experiment, all_rows, {});
    view(works, "constant view Self-Extend N=1048576 d=256", changed(experiment, "encoding=self_extend"),
         whole_matrix_of(1 << 20), {});
    std::vector<DistanceTerm> terms;
    for (const long double w : make_problem(experiment).lowered.inv_freq)
        terms.push_back({.cosine = 1.0 / 128, .sine = 0.001, .per_step = phase_of(w)});
    works.work("constant curve N=1048576 d=256", {.flop = 2.0 * (1 << 20) * 128, .peak = &Machine::fp64},
               works.in_threads([&] { sum_by_distance(terms, 0, 1 << 20, works.cancel); }));
}

void curves(const Works& works) {
    const Problem problem = make_problem({.head_dim = 128, .seq_len = 131072});
    works.work("mean |S_j| to 131072 d=128", {.goals = {3.3}},
               works.in_threads([&] { mean_partial_sums(problem, 131072, works.cancel); }));
    std::vector<double> margins(1 << 20);
    works.work("B_m to 1048576 d=128", {.goals = {2}},
               works.in_threads([&] { similarity_margins(1e4, 128, 0, margins, works.cancel); }));
}

/// Times the delay from a new value to the moment when the old one's work has stopped.
void dropping_stale_work(const Works& works) {
    const std::string name = "dropping stale work N=131072 d=128";
    if (!works.wanted(name)) return;
    const auto backend = works.options.backend.open();
    const Problem problem = make_problem(gaussian_head(131072, 128));
    const Viewport viewport = whole_matrix_of(131072);
    backend->attend(problem, viewport, works.cancel);
    std::vector<double> times;
    for (int repetition = 0; repetition < 15; ++repetition) {
        works.cancel.check();
        std::atomic<std::uint64_t> generation{0};
        std::optional<BenchClock::time_point> stopped;
        std::jthread worker([&] {
            try {
                backend->attend(problem, viewport, Cancel(generation, 0));
            } catch (const Cancelled&) {
                stopped = BenchClock::now();
            }
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(1 + repetition));
        const auto start = BenchClock::now();
        ++generation;
        worker.join();
        if (stopped) times.push_back(std::chrono::duration<double, std::milli>(*stopped - start).count());
    }
    if (times.empty()) return;  // all work was done before it could be dropped
    Timing timing = summary(name, times);
    timing.bar = 0.5;
    works.report(timing);
}

}  // namespace

void attention_works(const Works& works) {
    full_matrices(works);
    viewports(works);
    constant_heads(works);
    curves(works);
    dropping_stale_work(works);
}

}  // namespace ropewalk
