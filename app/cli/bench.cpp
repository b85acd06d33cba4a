#include "app/cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/random_model.h"
#include "core/analysis/encodings/base_bound.h"
#include "core/analysis/encodings/phasor_bound.h"
#include "core/attention/make_problem.h"
#include "core/cpu/cpu_backend.h"
#include "core/evaluation/evaluate.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "core/machine/parallel.h"
#include "core/series/sum_by_distance.h"
#include "core/training/trainer.h"

namespace ropewalk {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Timing summary(const std::string& name, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return {.work = name,
            .median = times[times.size() / 2],
            .min = times.front(),
            .upper_quartile = times[times.size() * 3 / 4],
            .repetitions = static_cast<int>(times.size())};
}

constexpr int view_cells = 900;

/// Returns the whole matrix, with the mean weights alone, as an image of the weights needs them.
Viewport whole(int seq_len) {
    const int cells = std::min(view_cells, seq_len);
    return {.rows = {0, seq_len},
            .columns = {0, seq_len},
            .cells_down = cells,
            .cells_across = cells,
            .row_sampling = RowSampling::one_per_cell,
            .content = {.logits = false, .min = false, .max = false}};
}

Experiment gaussian(int seq_len, int head_dim) {
    return changed({.head_dim = head_dim, .seq_len = seq_len}, "construction=gaussian");
}

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

/// Returns the multiply-adds, doubled, of a step of training: three passes over the weights that multiply tokens, and
/// over the visible entries of all heads, forward once and backward twice.
double step_flop(const Recipe& recipe) {
    const double layers = recipe.layers, width = recipe.width, channels = recipe.heads * recipe.head_dim,
                 tokens = recipe.context;
    const double weights =
        layers * (4 * width * channels + 3 * width * recipe.feed_forward) + width * recipe.vocabulary;
    const double entries = layers * channels * tokens * (tokens + 1) / 2;
    return recipe.batch * (6 * weights * tokens + 12 * entries);
}

/// Runs the tasks that are wanted, one after the other.
class Works {
  public:
    Works(const BenchOptions& options, const Machine& machine, const Cancel& cancel,
          const std::function<void(const Timing&)>& report)
        : options_(options), machine_(machine), cancel_(cancel), report_(report) {}

    /// Returns the names of all tasks without running them.
    std::vector<std::string> names() {
        std::vector<std::string> all;
        names_ = &all;
        run();
        names_ = nullptr;
        return all;
    }

    void run() {
        windows();  // before other tasks leave memory allocated
        full_matrices();
        viewports();
        constant_heads();
        curves();
        models();
        trainings();
        dropping_stale_work();
    }

  private:
    bool wanted(const std::string& name) const {
        if (names_) names_->push_back(name);
        return !names_ && name.starts_with(options_.only);
    }

    struct Bars {
        double milliseconds = 0, of_peak = 0;  // 0: none
    };
    struct Cost {
        double flop = 0;
        double Machine::*peak = nullptr;
        Bars bars{};
        double exponentials = 0, stored_bytes = 0;  // exponentials: included in flop; stored_bytes: written to memory
        int fewest_repetitions = 5;
    };
    void work(const std::string& name, const Cost& cost, const std::function<void()>& run) const {
        if (!wanted(name)) return;
        reset_peak_memory();
        Timing timing = time_work(name, options_.seconds, cost.fewest_repetitions, cancel_, run);
        timing.memory = peak_memory();
        timing.flop = cost.flop, timing.bar = cost.bars.milliseconds, timing.bar_of_peak = cost.bars.of_peak;
        if (cost.peak) {
            constexpr int few = 4;
            raise_peaks(machine_, few, cancel_);
            timing.peak = machine_.*cost.peak;
        }
        if (cost.exponentials > 0)
            timing.floor =
                1e3 * ((cost.flop - cost.exponentials) / timing.peak + cost.exponentials / machine_.exponentials +
                       cost.stored_bytes / machine_.write_bandwidth);
        report_(timing);
    }

    /// Calls run(problem) with three bases in turn, as when a slider moves. Backends cache the last two problems, so
    /// nothing that depends on the base can be reused.
    template <class Run>
    static std::function<void()> as_the_base_moves(const Experiment& experiment, Run run) {
        InputsMemo inputs;
        std::vector<Problem> problems;
        for (const char* base : {"10000", "10001", "10002"})
            problems.push_back(make_problem(changed(experiment, fmt::format("encoding.base={}", base)), inputs));
        return [problems = std::move(problems), next = std::size_t{0}, run = std::move(run)]() mutable {
            run(problems[next++ % problems.size()]);
        };
    }

    void view(const std::string& name, const Experiment& experiment, const Viewport& viewport, const Bars& bars) const {
        if (!wanted(name)) return;
        const auto backend = options_.backend.open();
        const Problem problem = make_problem(experiment);
        const bool uses_all_keys = !problem.inputs.is_constant() && viewport.key_sampling == KeySampling::all;
        work(name,
             {.flop = uses_all_keys ? flop_of(problem, viewport) : 0,
              .peak = uses_all_keys ? &Machine::fp32 : nullptr,
              .bars = bars,
              .exponentials = uses_all_keys ? seen_keys(problem, viewport) : 0},
             as_the_base_moves(experiment, [&](const Problem& one) { backend->attend(one, viewport, cancel_); }));
    }

    std::function<void()> in_threads(std::function<void()> run) const {
        return [threads = options_.backend.threads, run = std::move(run)] { run_with_threads(threads, run); };
    }

    void full_matrices() const {
        for (const auto& [head_dim, share] : {std::pair{64, 0.62}, {128, 0.76}, {256, 0.83}})
            for (const int seq_len : {512, 1024, 2048, 4096, 8192}) {
                const std::string name = fmt::format("matrix N={} d={}", seq_len, head_dim);
                if (!wanted(name)) continue;
                const auto backend = options_.backend.open();
                const Experiment experiment = gaussian(seq_len, head_dim);
                const Viewport all = Viewport::one_to_one({0, seq_len}, {0, seq_len});
                WholeMatrix matrix;
                const Problem problem = make_problem(experiment);
                const double entries = seen_keys(problem, all);
                work(name,
                     {.flop = flop_of(problem, all),
                      .peak = &Machine::fp32,
                      .bars = {.of_peak = seq_len >= 2048 ? share : 0},
                      .exponentials = entries,
                      .stored_bytes = sizeof(float) * entries},
                     as_the_base_moves(experiment, [&](const Problem& moved) {
                         backend->fill(matrix, moved, MatrixEntries::weights, cancel_);
                     }));
            }
    }

    void viewports() const {
        for (const auto& [seq_len, bars] :
             {std::pair{8192, Bars{1000.0 / 60}}, {32768, Bars{}}, {131072, Bars{100, 0.78}}})
            view(fmt::format("view {0}x{0} N={1} d=128", view_cells, seq_len), gaussian(seq_len, 128), whole(seq_len),
                 bars);
        for (const auto& [seq_len, bars] : {std::pair{131072, Bars{10}}, {1 << 20, Bars{}}}) {
            const Experiment experiment = gaussian(seq_len, 128);
            const Viewport coarse =
                ViewQuestion{.viewport = whole(seq_len)}.coarsened(make_problem(experiment)).viewport;
            view(fmt::format("view coarse N={} d=128", seq_len), experiment, coarse, bars);
        }
    }

    void constant_heads() const {
        const Experiment experiment{.head_dim = 256, .seq_len = 1 << 20};
        view("constant view N=1048576 d=256", experiment, whole(1 << 20), {6});
        Viewport all_rows = whole(1 << 20);
        all_rows.row_sampling = RowSampling::all;
        view("constant view all rows N=1048576 d=256", experiment, all_rows, {});
        view("constant view Self-Extend N=1048576 d=256", changed(experiment, "encoding=self_extend"), whole(1 << 20),
             {});
        std::vector<DistanceTerm> terms;
        for (const long double w : make_problem(experiment).lowered.inv_freq)
            terms.push_back({.cosine = 1.0 / 128, .sine = 0.001, .per_step = phase_of(w)});
        work("constant curve N=1048576 d=256", {.flop = 2.0 * (1 << 20) * 128, .peak = &Machine::fp64},
             in_threads([&] { sum_by_distance(terms, 0, 1 << 20, cancel_); }));
    }

    void curves() const {
        const Problem problem = make_problem({.head_dim = 128, .seq_len = 131072});
        work("mean |S_j| to 131072 d=128", {.bars = {3.3}},
             in_threads([&] { mean_partial_sums(problem, 131072, cancel_); }));
        std::vector<double> margins(1 << 20);
        work("B_m to 1048576 d=128", {.bars = {2}},
             in_threads([&] { similarity_margins(1e4, 128, 0, margins, cancel_); }));
    }

    /// Times runs of models of known shapes, and the time until the first layer's heads are known. The longest run
    /// takes minutes, so that it must be asked for.
    void models() const {
        for (const ModelShape& shape : {smollm_135m, llama_1b})
            for (const int tokens : {128, 512, 2048}) {
                const std::string all = fmt::format("model {} prefill N={}", shape.name, tokens),
                                  first = fmt::format("model {} first head N={}", shape.name, tokens);
                const bool is_large = shape.width >= 2048, is_long = is_large && tokens > 512;
                if (is_long && !names_ && options_.only.empty()) continue;
                const bool wants_first = wanted(first), wants_all = wanted(all);
                if (!wants_first && !wants_all) continue;
                const auto model = random_model(shape);
                const RunRequest request = prefill_request(*model, tokens);
                work(first, {.bars = {.milliseconds = 300}, .fewest_repetitions = 3},
                     in_threads([&] { ModelRun(model, request).layer(0, cancel_); }));
                work(all,
                     {.flop = prefill_flop(*model, tokens),
                      .peak = &Machine::fp32,
                      .bars = {.of_peak = is_large && tokens == 512 ? 0.6 : 0},
                      .fewest_repetitions = 3},
                     in_threads([&] { ModelRun(model, request).outputs(cancel_); }));
            }
    }

    /// Times a step of training of four sizes, from a lesson's to the largest that is still shown live.
    void trainings() const {
        struct Size {
            int layers, heads, head_dim, width, context, batch, vocabulary;
            double of_peak;  // the least share for AVX2
        };
        for (const Size& size : {Size{1, 1, 32, 64, 64, 32, 32, 0.65},
                                 {2, 2, 32, 64, 64, 32, 32, 0.65},
                                 {4, 4, 32, 128, 128, 16, 32, 0.65},
                                 {6, 6, 64, 384, 256, 8, 96, 0.7}}) {
            const std::string name = fmt::format("train {} layer{} width {} N={}", size.layers,
                                                 size.layers > 1 ? "s" : "", size.width, size.context);
            if (!wanted(name)) continue;
            Recipe recipe;
            recipe.layers = size.layers, recipe.heads = size.heads, recipe.head_dim = size.head_dim;
            recipe.width = size.width, recipe.feed_forward = 4 * size.width, recipe.vocabulary = size.vocabulary;
            recipe.context = size.context, recipe.batch = size.batch;
            Trainer trainer(recipe, options_.backend.threads);
            work(name,
                 {.flop = step_flop(recipe),
                  .peak = &Machine::fp32,
                  .bars = {.of_peak = size.of_peak},
                  .fewest_repetitions = 5},
                 [&] { trainer.step(cancel_); });
        }
    }

    /// Times the delay from a new value to the moment when the old one's work has stopped.
    void dropping_stale_work() const {
        const std::string name = "dropping stale work N=131072 d=128";
        if (!wanted(name)) return;
        const auto backend = options_.backend.open();
        const Problem problem = make_problem(gaussian(131072, 128));
        const Viewport viewport = whole(131072);
        backend->attend(problem, viewport, cancel_);
        std::vector<double> times;
        for (int repetition = 0; repetition < 15; ++repetition) {
            cancel_.check();
            std::atomic<std::uint64_t> generation{0};
            std::optional<Clock::time_point> stopped;
            std::jthread worker([&] {
                try {
                    backend->attend(problem, viewport, Cancel(generation, 0));
                } catch (const Cancelled&) {
                    stopped = Clock::now();
                }
            });
            std::this_thread::sleep_for(std::chrono::milliseconds(1 + repetition));
            const auto start = Clock::now();
            ++generation;
            worker.join();
            if (stopped) times.push_back(std::chrono::duration<double, std::milli>(*stopped - start).count());
        }
        if (times.empty()) return;  // all work was done before it could be dropped
        Timing timing = summary(name, times);
        timing.bar = 0.5;
        report_(timing);
    }

    /// Times the window without a display, with the scene of the first start and one with a million tokens. The limit
    /// of the first frame is that of a cold start; later ones find fonts and driver loaded.
    void windows() const {
        if (!options_.window_times) return;
        constexpr int frames = 40;
        for (const auto& [scene, first_bar] : {std::pair{"barbero-prop31", 300.0}, {"million", 0.0}}) {
            const std::string name = fmt::format("window {}: ", scene);
            const std::pair<const char*, double> parts[] = {
                {"first frame", first_bar}, {"built", 2}, {"unchanged", 1}, {"redrawn", 25}};
            std::array<bool, std::size(parts)> are_wanted{};
            for (std::size_t i = 0; i < are_wanted.size(); ++i) are_wanted[i] = wanted(name + parts[i].first);
            if (std::none_of(are_wanted.begin(), are_wanted.end(), [](bool is_wanted) { return is_wanted; })) continue;
            reset_peak_memory();
            WindowTimes times;
            try {
                times = options_.window_times(
                    {.scene = scene, .backend = options_.backend, .size = std::pair{1600, 1000}}, frames);
            } catch (const DisplayError& error) {
                if (!options_.only.empty()) throw;
                return say(fmt::format("skipping the window: {}", error.what()));
            }
            const std::vector<double> of_parts[] = {{times.first_frame}, times.built, times.unchanged, times.redrawn};
            for (std::size_t i = 0; i < are_wanted.size(); ++i) {
                if (!are_wanted[i]) continue;
                Timing timing = summary(name + parts[i].first, of_parts[i]);
                timing.bar = parts[i].second, timing.memory = peak_memory();
                report_(timing);
            }
        }
    }

    const BenchOptions& options_;
    mutable Machine machine_;  // the highest peaks so far
    const Cancel& cancel_;
    const std::function<void(const Timing&)>& report_;
    std::vector<std::string>* names_ = nullptr;
};

}  // namespace

Timing time_work(const std::string& name, double seconds, int fewest, const Cancel& cancel,
                 const std::function<void()>& run) {
    run();
    std::vector<double> times;
    for (const auto start = Clock::now(); std::ssize(times) < fewest || milliseconds_since(start) < 1e3 * seconds;) {
        cancel.check();
        const auto begin = Clock::now();
        run();
        times.push_back(milliseconds_since(begin));
    }
    return summary(name, std::move(times));
}

void run_works(const BenchOptions& options, const Machine& machine, const Cancel& cancel,
               const std::function<void(const Timing&)>& report) {
    Works(options, machine, cancel, report).run();
}

void ensure_there_is_work(const BenchOptions& options) {
    const Machine machine{.threads = core_count()};
    const std::vector<std::string> names = Works(options, machine, {}, {}).names();
    if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return name.starts_with(options.only); }))
        throw UsageError(fmt::format("no task's name begins with '{}'; omit --only to run all tasks", options.only));
}

void run_stages(const BenchOptions& options, const Cancel& cancel, const std::function<void(const Timing&)>& report) {
    struct Move {
        const char *name, *path;  // path: of the field that moves; null for the view
        double first = 0, step = 1;
    };
    const auto apply = [](const Move& move, int step, Request& request) {
        if (move.path)
            return apply_setting(request.experiment,
                                 fmt::format("{}={}", move.path, text_of(move.first + step * move.step)), {});
        auto& viewport = std::get<ViewQuestion>(request.needs.front()).viewport;
        viewport.columns.begin = step;
        viewport.cells_across = std::min(view_cells, viewport.columns.size());
    };
    const std::vector<Move> moves{
        {"temperature", "temperature", 1, 0.01}, {"base", "encoding.base", 10000}, {"seed", "seed"}, {"view", nullptr}};
    const Move of_alpha{"α", "construction.alpha", 10, 0.01};
    const std::pair<Experiment, std::vector<Move>> heads[] = {
        {gaussian(8192, 128), {}},
        {changed({.head_dim = 256, .seq_len = 1 << 20}, "construction=previous_token"), {of_alpha}}};
    for (const auto& [experiment, own_moves] : heads) {
        const char* head = id_of(experiment.construction);
        std::vector<Move> all_moves = moves;
        all_moves.insert(all_moves.end(), own_moves.begin(), own_moves.end());
        for (const Move& move : all_moves) {
            Evaluator evaluator(options.backend.open());
            Request request{
                .experiment = experiment,
                .cursor = {},
                .needs = {ViewQuestion{.viewport = whole(experiment.seq_len)}, DecayQuestion{}, ContributionsQuestion{},
                          RotationQuestion{.distances = {0, experiment.seq_len}, .cells = view_cells}}};
            evaluator.evaluate(request, Detail::exact, cancel);
            std::map<std::string, std::vector<double>> stages;
            constexpr int steps = 9;
            for (int step = 1; step <= steps; ++step) {
                apply(move, step, request);
                const auto start = Clock::now();
                const auto results = evaluator.evaluate(request, Detail::exact, cancel);
                stages["all"].push_back(milliseconds_since(start));
                for (const StageTime& time : results->times) {
                    stages[time.stage].push_back(time.milliseconds);
                    for (const StageTime& part : time.parts)
                        stages[time.stage + ", " + part.stage].push_back(part.milliseconds);
                }
            }
            for (auto& [stage, times] : stages) {
                times.resize(steps);  // stages that were not computed took no time
                report(
                    summary(fmt::format("{} N={}, {} moves: {}", head, experiment.seq_len, move.name, stage), times));
            }
        }
    }
}

}  // namespace ropewalk
