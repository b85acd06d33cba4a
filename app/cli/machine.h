// What the machine can do at best, and how much memory the program holds.
#pragma once

#include <string>

namespace ropewalk {

/// The machine at best, by all threads of `threads`.
struct Machine {
    std::string description;  // instruction set and threads
    std::string processor;    // its name, where the system tells
    int threads = 0;
    double fp32 = 0, fp64 = 0;                  // FLOP/s
    double exponentials = 0;                    // of floats, each second
    double bandwidth = 0, write_bandwidth = 0;  // bytes/s read from memory, and written past the caches
};
Machine measure_machine(int threads);
/// Finds the peaks once more, and takes those that are higher: who else uses the machine comes and goes.
void raise_peaks(Machine& machine, int repetitions);

/// Forgets how much memory was held before.
void reset_peak_memory();
/// Bytes that were held at most since then; 0 where the system does not tell.
double peak_memory();

}  // namespace ropewalk
