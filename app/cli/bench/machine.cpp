#include "app/cli/bench/machine.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/cpu/peak.h"
#include "core/machine/large_array.h"
#include "core/machine/parallel.h"

namespace ropewalk {
namespace {

/// Returns the peak rate of `run(thread)`, which returns its number of operations, on this many threads [operations/s].
/// There are many repetitions, because other programs may slow down most of them, and a peak that is too low makes
/// tasks look fast.
template <class Run>
double rate(int threads, Run run, int repetitions, const Cancel& cancel) {
    double best = 0;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        cancel.check();
        std::vector<double> work(static_cast<std::size_t>(threads));
        std::vector<std::jthread> running;
        const auto start = std::chrono::steady_clock::now();
        for (int thread = 0; thread < threads; ++thread)
            running.emplace_back([&, thread] { work[static_cast<std::size_t>(thread)] = run(thread); });
        running.clear();
        double sum = 0;
        for (const double own : work) sum += own;
        best = std::max(best, sum / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

/// Returns a value from a file of the system, such as "1234 kB" from the line "VmHWM:   1234 kB".
std::string value_from_system(const char* file, std::string_view name) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name))
            if (const auto value = line.find_first_not_of(" \t:", name.size()); value != std::string::npos)
                return line.substr(value);
    return {};
}

}  // namespace

void raise_peaks(Machine& machine, int repetitions, const Cancel& cancel) {
    const auto raise = [&](double& peak, auto work, std::size_t rounds) {
        peak = std::max(peak, rate(
                                  machine.threads, [&](int) { return work(rounds); }, repetitions, cancel));
    };
    constexpr std::size_t products = 4'000'000, blocks = 20'000;
    raise(machine.fp32, cpu::run_fused_products_in_float, products);
    raise(machine.fp64, cpu::run_fused_products_in_double, products);
    raise(machine.exponentials, cpu::run_exponentials, blocks);
}

Machine measure_machine(int threads, const Cancel& cancel) {
    Machine machine;
    const auto backend = make_cpu_backend(threads);
    machine.description = backend->description();
    machine.processor = value_from_system("/proc/cpuinfo", "model name");
    machine.threads = threads > 0 ? threads : core_count();
    constexpr int many = 40;
    raise_peaks(machine, many, cancel);
    constexpr std::size_t values = std::size_t{1} << 24, together = cpu::widest_vector / sizeof(double);
    const LargeArray<double> memory = large_array<double>(values);
    const std::size_t part = values / static_cast<std::size_t>(machine.threads) / together * together;
    const auto of_memory = [&](auto pass) {
        return rate(
            machine.threads,
            [&](int thread) {
                pass(memory.get() + static_cast<std::size_t>(thread) * part, part);
                return static_cast<double>(part) * sizeof(double);
            },
            many, cancel);
    };
    machine.write_bandwidth = of_memory(cpu::write_through);
    machine.bandwidth = of_memory([](const double* from, std::size_t count) {
        volatile double sum = cpu::read_through(from, count);
        static_cast<void>(sum);
    });
    return machine;
}

void reset_peak_memory() {
    std::ofstream("/proc/self/clear_refs") << 5;
}

double peak_memory() {
    double kilobytes = 0;
    const std::string value = value_from_system("/proc/self/status", "VmHWM");
    std::from_chars(value.data(), value.data() + value.size(), kilobytes);
    return kilobytes * 1024;
}

}  // namespace ropewalk
