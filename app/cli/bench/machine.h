// The machine's peak performance, and the memory that the program holds.
#pragma once

#include <string>

#include "core/cancel.h"

namespace ropewalk {

/// Peak rates of the machine with all threads of `threads`.
struct Machine {
    std::string description;  // instruction set and threads
    std::string processor;    // its name, if the system tells
    int threads = 0;
    double fp32 = 0, fp64 = 0;                  // FLOP/s
    double exponentials = 0;                    // of floats, per second
    double bandwidth = 0, write_bandwidth = 0;  // bytes/s read from memory, and written bypassing the caches
};
/// Throws Cancelled.
Machine measure_machine(int threads, const Cancel& cancel);
/// Measures the peaks again and takes the higher values, because other programs may have slowed down the first
/// measurement.
void raise_peaks(Machine& machine, int repetitions, const Cancel& cancel);

void reset_peak_memory();
/// Returns the most bytes held since `reset_peak_memory`; 0 if the system does not tell.
double peak_memory();

}  // namespace ropewalk
