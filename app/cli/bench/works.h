// What the groups of benchmark tasks share: which tasks are wanted, how one is timed, and the heads they use.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/bench/bench.h"
#include "core/attention/make_problem.h"
#include "core/experiment/settings.h"

namespace ropewalk {

using BenchClock = std::chrono::steady_clock;
double milliseconds_since(BenchClock::time_point start);
/// Returns median, minimum and upper quartile of times in ms, at least one.
Timing summary(const std::string& name, std::vector<double> times);

inline constexpr int bench_cells = 900;
/// Returns a viewport of the whole matrix with mean weights only, which is all that an image needs.
Viewport whole_matrix_of(int seq_len);
Experiment gaussian_head(int seq_len, int head_dim);

/// Goals of a task; 0: none.
struct Goals {
    double milliseconds = 0, of_peak = 0;
};
struct Cost {
    double flop = 0;
    double Machine::*peak = nullptr;
    Goals goals{};
    double exponentials = 0, stored_bytes = 0;  // exponentials: included in flop; stored_bytes: written to memory
    int fewest_repetitions = 5;
};

/// Runs tasks that are wanted, or notes the names of all.
class Works {
  public:
    Works(const BenchOptions& own_options, const Machine& machine, const Cancel& own_cancel,
          std::function<void(const Timing&)> own_report)
        : options(own_options), cancel(own_cancel), report(std::move(own_report)), machine_(machine) {}

    /// Returns the names of all tasks without running them.
    std::vector<std::string> names();
    void run();

    bool lists_names() const { return names_ != nullptr; }
    bool wanted(const std::string& name) const;
    void work(const std::string& name, const Cost& cost, const std::function<void()>& run) const;
    std::function<void()> in_threads(std::function<void()> run) const;

    const BenchOptions& options;
    const Cancel& cancel;
    const std::function<void(const Timing&)> report;

  private:
    mutable Machine machine_;  // the highest peaks so far
    std::vector<std::string>* names_ = nullptr;
};

void attention_works(const Works& works);
void learned_works(const Works& works);
void window_works(const Works& works);

/// Calls run(problem) with three bases in turn, as when a slider moves. Backends cache the last two problems, so
/// nothing that depends on the base can be reused.
template <class Run>
std::function<void()> as_the_base_moves(const Experiment& experiment, Run run) {
    InputsMemo inputs;
    std::vector<Problem> problems;
    for (const char* base : {"10000", "10001", "10002"})
        problems.push_back(make_problem(changed(experiment, fmt::format("encoding.base={}", base)), inputs));
    return [problems = std::move(problems), next = std::size_t{0}, run = std::move(run)]() mutable {
        run(problems[next++ % problems.size()]);
    };
}

}  // namespace ropewalk
