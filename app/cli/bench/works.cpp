#include "app/cli/bench/works.h"

#include <algorithm>
#include <utility>

#include "core/machine/parallel.h"

namespace ropewalk {

double milliseconds_since(BenchClock::time_point start) {
    return std::chrono::duration<double, std::milli>(BenchClock::now() - start).count();
}

Timing summary(const std::string& name, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return {.work = name,
            .median = times[times.size() / 2],
            .min = times.front(),
            .upper_quartile = times[times.size() * 3 / 4],
            .repetitions = static_cast<int>(times.size())};
}

Viewport whole_matrix_of(int seq_len) {
    const int cells = std::min(bench_cells, seq_len);
    return {.rows = {0, seq_len},
            .columns = {0, seq_len},
            .cells_down = cells,
            .cells_across = cells,
            .row_sampling = RowSampling::one_per_cell,
            .content = {.logits = false, .min = false, .max = false}};
}

Experiment gaussian_head(int seq_len, int head_dim) {
    return changed({.head_dim = head_dim, .seq_len = seq_len}, "construction=gaussian");
}

std::vector<std::string> Works::names() {
    std::vector<std::string> all;
    names_ = &all;
    run();
    names_ = nullptr;
    return all;
}

void Works::run() {
    window_works(*this);  // before other tasks leave memory allocated
    attention_works(*this);
    learned_works(*this);
}

bool Works::wanted(const std::string& name) const {
    if (names_) names_->push_back(name);
    const auto is_its_beginning = [&](const std::string& beginning) { return name.starts_with(beginning); };
    return !names_ && (options.only.empty() || std::any_of(options.only.begin(), options.only.end(), is_its_beginning));
}

void Works::work(const std::string& name, const Cost& cost, const std::function<void()>& run) const {
    if (!wanted(name)) return;
    reset_peak_memory();
    Timing timing = time_work(name, options.seconds, cost.fewest_repetitions, cancel, run);
    timing.memory = peak_memory();
    timing.flop = cost.flop, timing.bar = cost.goals.milliseconds, timing.bar_of_peak = cost.goals.of_peak;
    if (cost.peak) {
        constexpr int few = 4;
        raise_peaks(machine_, few, cancel);
        timing.peak = machine_.*cost.peak;
    }
    if (cost.exponentials > 0)
        timing.floor = 1e3 * ((cost.flop - cost.exponentials) / timing.peak +
                              cost.exponentials / machine_.exponentials + cost.stored_bytes / machine_.write_bandwidth);
    report(timing);
}

std::function<void()> Works::in_threads(std::function<void()> run) const {
    return [threads = options.backend.threads, run = std::move(run)] { run_with_threads(threads, run); };
}

Timing time_work(const std::string& name, double seconds, int fewest, const Cancel& cancel,
                 const std::function<void()>& run) {
    run();
    std::vector<double> times;
    for (const auto start = BenchClock::now();
         std::ssize(times) < fewest || milliseconds_since(start) < 1e3 * seconds;) {
        cancel.check();
        const auto begin = BenchClock::now();
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
    const auto begins_none = [&](const std::string& beginning) {
        return std::none_of(names.begin(), names.end(), [&](const auto& name) { return name.starts_with(beginning); });
    };
    const auto unknown = std::find_if(options.only.begin(), options.only.end(), begins_none);
    if (unknown == options.only.end()) return;
    std::vector<std::string> beginnings;
    for (const std::string& name : names)
        if (std::string first = name.substr(0, name.find(' '));
            std::find(beginnings.begin(), beginnings.end(), first) == beginnings.end())
            beginnings.push_back(std::move(first));
    throw UsageError(
        fmt::format("no task's name begins with '{}'; it must begin with {}, or omit --only to run all tasks", *unknown,
                    one_of(beginnings)));
}

}  // namespace ropewalk
