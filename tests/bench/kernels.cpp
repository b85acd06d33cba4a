// The kernels by themselves, for work on them: build/tests/bench_kernels.
#include <benchmark/benchmark.h>
#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cmath>

#include "core/cpu/cpu_backend.h"
#include "core/cpu/kernels/rotation.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/experiment/experiment.h"
#include "core/numbers/random.h"
#include "core/series/sum_by_distance.h"
#include "core/series/vector_math.h"

namespace ropewalk {
namespace {

void scan_of_keys(benchmark::State& state) {
    const int head_dim = static_cast<int>(state.range(0)), keys = 384, rows = cpu::panel_rows<float>();
    const auto queries = hwy::AllocateAligned<float>(static_cast<std::size_t>(head_dim) * rows);
    const auto packed = hwy::AllocateAligned<float>(static_cast<std::size_t>(head_dim) * keys);
    std::fill_n(queries.get(), head_dim * rows, 0.01f);
    std::fill_n(packed.get(), head_dim * keys, 0.02f);
    const cpu::ScanSettings<float> settings{.head_dim = head_dim, .mask = Mask::none, .statistics = cpu::shift + 1};
    const auto statistics = hwy::AllocateAligned<float>(static_cast<std::size_t>(settings.statistics) * rows);
    const int boundaries[] = {0, keys}, row[] = {0};
    cpu::QueryPanel<float> panel;
    panel.near = queries.get();
    panel.statistics = statistics.get();
    cpu::set_rows(panel, row);
    cpu::ScanTime time;
    const cpu::KeyRange<float> range{.begin = 0, .end = keys, .near = packed.get(), .boundaries = boundaries};
    cpu::OpenPiece<float> open(0);
    for (auto _ : state) cpu::scan<float>(settings, range, panel, nullptr, open, time);
    state.counters["FLOP/s"] =
        benchmark::Counter(2.0 * head_dim * keys * rows, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(scan_of_keys)->Arg(64)->Arg(128)->Arg(256);

void turning_of_rows(benchmark::State& state) {
    const int head_dim = static_cast<int>(state.range(0));
    const Experiment experiment{.head_dim = head_dim};
    const LoweredEncoding lowered = lower(experiment.encoding, experiment.shape());
    const cpu::Rotation rotation(lowered, lowered.near.key, 1);
    const cpu::EvenRotation even(rotation, 1);
    const auto numbers = static_cast<std::size_t>(head_dim) * cpu::rotation_lanes;
    const auto rows = hwy::AllocateAligned<float>(numbers), turned = hwy::AllocateAligned<float>(numbers);
    std::fill_n(rows.get(), numbers, 0.5f);
    cpu::Turns turns(head_dim / 2);
    even.begin(rotation, 0, turns);
    for (auto _ : state) even.rotate<float>(turns, rows.get(), {turned.get()});
    state.counters["rows/s"] = benchmark::Counter(cpu::rotation_lanes, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(turning_of_rows)->Arg(64)->Arg(128)->Arg(256);

void exponentials(benchmark::State& state) {
    std::vector<double> values(4096, -1.5), out(values.size());
    for (auto _ : state) exp_minus(values, 0.25, out.data());
    state.counters["exp/s"] =
        benchmark::Counter(static_cast<double>(values.size()), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(exponentials);

void sums_by_distance(benchmark::State& state) {
    std::vector<DistanceTerm> terms;
    for (int t = 0; t < 128; ++t)
        terms.push_back({.cosine = 1.0 / 128, .sine = 0.001, .per_step = phase_of(std::pow(1e4L, -t / 128.0L))});
    const int count = static_cast<int>(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(sum_by_distance(terms, 0, count, {}));
    state.counters["FLOP/s"] = benchmark::Counter(2.0 * 128 * count, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(sums_by_distance)->Arg(1 << 16)->Arg(1 << 20)->UseRealTime();

void gaussian_rows(benchmark::State& state) {
    std::vector<double> row(128);
    std::uint32_t token = 0;
    for (auto _ : state) fill_gaussian({.seed = 1, .token = token++}, row);
    state.counters["numbers/s"] = benchmark::Counter(128, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(gaussian_rows);

}  // namespace
}  // namespace ropewalk

BENCHMARK_MAIN();
