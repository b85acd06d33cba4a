#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "app/cli/accuracy.h"
#include "app/cli/bench.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/attention/backend.h"
#include "core/evaluation/open_backend.h"
#include "core/version.h"

namespace ropewalk {
namespace {

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

void run_bench(const BenchRequest& request, const Cancel& cancel) {
    const BenchOptions& options = request.options;
    if (!request.stages) ensure_there_is_work(options);
    const bool as_text = request.format == ListFormat::text;
    const Machine machine = measure_machine(options.backend.threads);
    constexpr std::int64_t far_position = 1'000'000;
    const double phase_error = phase_error_at(far_position), curve_error = curve_error_up_to(256, 1 << 20);
    const auto backend = options.backend.open();
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
    if (request.stages)
        run_stages(options, cancel, report);
    else
        run_works(options, machine, cancel, report);
    if (!as_text) write_output("-", json_text(document));
}

}  // namespace ropewalk
