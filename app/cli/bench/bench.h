// The benchmark: times the slow operations and compares them with the machine's limits.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/bench/machine.h"
#include "app/cli/command_line.h"
#include "core/cancel.h"

namespace ropewalk {

struct BenchOptions {
    BackendOptions backend;
    double seconds = 0.5;           // minimum time for repeating each task
    std::vector<std::string> only;  // tasks whose name begins with one of these; empty: all
    std::function<WindowTimes(const WindowOptions&, int frames)> window_times{};
};

/// One task, repeated. Times in ms.
struct Timing {
    std::string work;
    double median = 0, min = 0, upper_quartile = 0;
    int repetitions = 0;
    double flop = 0;         // floating-point operations needed, counting each exponential as one; 0: not counted
    double peak = 0;         // peak FLOP/s of the same threads, in the task's precision
    double floor = 0;        // ms that its products, exponentials and stores would take in sequence, each at peak
                             // speed; 0: not known
    double bar = 0;          // ms that it should stay below; 0: no limit
    double bar_of_peak = 0;  // fraction of the peak that it should reach; 0: none
    double memory = 0;       // most bytes held while it ran; 0 if the system does not tell

    double gflops() const { return flop / median * 1e-6; }
};

/// Times a task that is run repeatedly, at least `fewest` times, after one unmeasured run. Returns median, minimum and
/// upper quartile.
Timing time_work(const std::string& name, double seconds, int fewest, const Cancel& cancel,
                 const std::function<void()>& run);

/// Throws UsageError if no task's name begins with an entry of `options.only`.
void ensure_there_is_work(const BenchOptions& options);

/// Times the tasks of the speed table. Calls `report` after each.
void run_works(const BenchOptions& options, const Machine& machine, const Cancel& cancel,
               const std::function<void(const Timing&)>& report);

/// Times what a change recomputes: the stages after a move of each kind of slider, one task per stage.
void run_stages(const BenchOptions& options, const Cancel& cancel, const std::function<void(const Timing&)>& report);

}  // namespace ropewalk
