#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>
#include <vector>

#include "app/cli/bench/bench.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/attention/backend.h"
#include "core/attention/make_problem.h"
#include "core/evaluation/open_backend.h"
#include "core/series/sum_by_distance.h"
#include "core/version.h"

namespace ropewalk {
namespace {

/// Returns the largest error of a pair's phase at this position [rad], over the frequencies of a head of 256 channels,
/// against the same angle in long double, reduced by a turn in two parts.
double phase_error_at(std::int64_t position) {
    // A turn is the sum of both parts: at position 10⁶ the first one alone would overstate the error by a tenth.
    constexpr long double turn = 2 * std::numbers::pi_v<long double>, rest_of_turn = -1.0033115225336175e-19L;
    double max = 0;
    for (const long double w : make_problem({.head_dim = 256, .seq_len = 1}).lowered.inv_freq) {
        const auto tokens = static_cast<long double>(position);
        const long double angle = tokens * w, rounding = std::fma(tokens, w, -angle),
                          expected =
                              std::remainder(angle, turn) - std::nearbyint(angle / turn) * rest_of_turn + rounding,
                          found = angle_of(phase_at(position, phase_of(w)));
        max = std::max(max, static_cast<double>(std::abs(std::remainder(found - expected, turn))));
    }
    return max;
}

/// Returns the largest error of the logits of a head of ones, which depend on distance alone, at 4096 distances up to
/// `seq_len`, against sums of cosines in long double. The error is relative to the sum of their amplitudes.
double curve_error_up_to(int head_dim, int seq_len) {
    const Problem problem = make_problem({.head_dim = head_dim, .seq_len = seq_len});
    std::vector<DistanceTerm> terms;
    for (const long double w : problem.lowered.inv_freq) terms.push_back({.cosine = 1, .per_step = phase_of(w)});
    const Numbers found = sum_by_distance(terms, 0, seq_len, {});
    const int step = std::max(1, seq_len / 4096);
    double max = 0;
    for (int distance = seq_len - 1; distance >= 0; distance -= step) {
        long double expected = 0;
        for (const long double w : problem.lowered.inv_freq) expected += std::cos(distance * w);
        max = std::max(max, static_cast<double>(std::abs(found[distance] - expected)));
    }
    return max / static_cast<double>(terms.size());
}

nlohmann::json to_json(const Timing& timing) {
    nlohmann::json entry{{"work", timing.work},
                         {"median_ms", timing.median},
                         {"least_ms", timing.min},
                         {"upper_quartile_ms", timing.upper_quartile},
                         {"repetitions", timing.repetitions}};
    if (timing.flop > 0) entry["gflop_per_s"] = timing.gflops();
    if (timing.flop > 0 && timing.peak > 0) entry["of_peak"] = timing.gflops() * 1e9 / timing.peak;
    if (timing.floor > 0) entry["of_floor"] = timing.floor / timing.median;
    if (timing.bar > 0) entry["bar_ms"] = timing.bar;
    if (timing.bar_of_peak > 0) entry["bar_of_peak"] = timing.bar_of_peak;
    if (timing.memory > 0) entry["peak_memory_mb"] = timing.memory * 1e-6;
    return entry;
}

std::string line_of(const Timing& timing) {
    std::string line =
        fmt::format("{:<44}{:>10.2f}{:>10.2f}{:>10.2f}", timing.work, timing.median, timing.min, timing.upper_quartile);
    line += timing.flop > 0 ? fmt::format("{:>10.1f}", timing.gflops()) : fmt::format("{:>10}", "");
    line += timing.flop > 0 && timing.peak > 0 ? fmt::format("{:>7.0f} %", timing.gflops() * 1e11 / timing.peak)
                                               : fmt::format("{:>9}", "");
    line +=
        timing.floor > 0 ? fmt::format("{:>8.0f} %", 100 * timing.floor / timing.median) : fmt::format("{:>10}", "");
    line += timing.memory > 0 ? fmt::format("{:>8.0f}", timing.memory * 1e-6) : fmt::format("{:>8}", "");
    std::string bar = timing.bar > 0 ? fmt::format("{:.3g} ms", timing.bar) : "";
    if (timing.bar_of_peak > 0) bar += fmt::format("{}{:.0f} %", bar.empty() ? "" : ", ", 100 * timing.bar_of_peak);
    return bar.empty() ? line : line + fmt::format("{:>14}", bar);
}

}  // namespace

void run_bench(const Arguments& arguments, const WindowProgram& window, const Cancel& cancel) {
    const BenchOptions options{.backend = arguments.backend,
                               .seconds = arguments.seconds,
                               .only = arguments.only,
                               .window_times = window.times};
    if (!arguments.stages) ensure_there_is_work(options);
    const bool as_text = !arguments.json;
    const auto backend = options.backend.open();
    const Machine machine = measure_machine(options.backend.threads, cancel);
    constexpr std::int64_t far_position = 1'000'000;
    const double phase_error = phase_error_at(far_position), curve_error = curve_error_up_to(256, 1 << 20);
    nlohmann::json document{{"version", version()},
                            {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
                            {"backend", {{"id", backend->id()}, {"description", backend->description()}}},
                            {"phase_error_rad", {{"position", far_position}, {"error", phase_error}}},
                            {"curve_error", {{"head_dim", 256}, {"seq_len", 1 << 20}, {"of_amplitudes", curve_error}}},
                            {"machine",
                             {{"description", machine.description},
                              {"processor", machine.processor},
                              {"threads", machine.threads},
                              {"fp32_gflop_per_s", machine.fp32 * 1e-9},
                              {"fp64_gflop_per_s", machine.fp64 * 1e-9},
                              {"gexp_per_s", machine.exponentials * 1e-9},
                              {"read_gb_per_s", machine.bandwidth * 1e-9},
                              {"write_gb_per_s", machine.write_bandwidth * 1e-9}}},
                            {"works", nlohmann::json::array()}};
    if (as_text)
        write_output(
            "-", fmt::format("{}: {:.0f} GFLOP/s fp32, {:.0f} fp64, {:.1f} Gexp/s, {:.1f} GB/s read, {:.1f} written\n"
                             "phase error at position {}: {:.2g} rad (limit 2e-13); error of a constant head's logits, "
                             "relative to Σ amplitudes: "
                             "{:.2g} (limit 5e-13)\n\n{:<44}{:>10}{:>10}{:>10}{:>10}{:>9}{:>10}{:>8}{:>14}\n",
                             machine.description, machine.fp32 * 1e-9, machine.fp64 * 1e-9, machine.exponentials * 1e-9,
                             machine.bandwidth * 1e-9, machine.write_bandwidth * 1e-9, far_position, phase_error,
                             curve_error, "task", "median ms", "min", "quartile", "GFLOP/s", "of peak", "of floor",
                             "MB", "limit"));
    const auto report = [&](const Timing& timing) {
        if (as_text)
            write_output("-", line_of(timing) + "\n");
        else
            document["works"].push_back(to_json(timing));
    };
    if (arguments.stages)
        run_stages(options, cancel, report);
    else
        run_works(options, machine, cancel, report);
    if (!as_text) print_json(document);
}

}  // namespace ropewalk
