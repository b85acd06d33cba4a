// The benchmark: works that people wait for, timed, beside what the machine can do at best.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/machine.h"
#include "core/cancel.h"

namespace ropewalk {

struct BenchOptions {
    int threads = 0;       // 0: every core
    std::string backend;   // empty: the preferred one
    double seconds = 0.5;  // that each work is repeated for, at least
    std::string only;      // works whose name begins so; empty: all
    std::function<WindowTimes(const CommonOptions&, int frames)> window_times{};
};

/// One work, repeated. Times in ms.
struct Timing {
    std::string work;
    double median = 0, min = 0, upper_quartile = 0;
    int repetitions = 0;
    double flop = 0;   // floating-point operations that the work needs, each exponential counted as one; 0: not counted
    double peak = 0;   // FLOP/s of the same threads at best, in the precision of the work
    double floor = 0;  // ms that its products, exponentials and stores would take one after the other, each at best; 0:
                       // not known
    double bar = 0;    // ms that it should stay below; 0: none
    double bar_of_peak = 0;  // that it should reach; 0: none
    double memory = 0;       // bytes that the program held at most while it ran; 0 where the system does not tell

    double gflops() const { return flop / median * 1e-6; }
};

/// Median and quartile of a work that is run again and again, once beforehand unmeasured.
Timing time_work(const std::string& name, double seconds, const Cancel& cancel, const std::function<void()>& run);

/// Throws UsageError if no work's name begins with what alone is wanted.
void ensure_there_is_work(const BenchOptions& options);

/// The works of the speed table and how they grow with length, width and threads. `tell` is called after each.
void run_works(const BenchOptions& options, const Machine& machine, const Cancel& cancel,
               const std::function<void(const Timing&)>& report);

/// What a change recomputes: the times of the stages after a move of each kind of slider, one work a stage.
void run_stages(const BenchOptions& options, const Cancel& cancel, const std::function<void(const Timing&)>& report);

}  // namespace ropewalk
