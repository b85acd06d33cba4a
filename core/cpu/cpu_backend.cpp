#include "core/cpu/cpu_backend.h"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <optional>

#include "core/cpu/by_distance/toeplitz.h"
#include "core/cpu/by_distance/two_regimes.h"
#include "core/cpu/by_row/general.h"
#include "core/cpu/by_row/key_sample.h"
#include "core/cpu/whole_matrix/matrix.h"
#include "core/machine/targets.h"
// After targets.h, which selects the instruction sets.
#include <hwy/highway.h>

namespace ropewalk {
namespace {

/// Returns the usual name of the best instruction set that is compiled for and that the processor has.
std::string instruction_set() {
    const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS,
                       best = targets & -targets;  // the least significant bit
    const std::string name = hwy::TargetName(best);
    return name.starts_with("AVX3") ? "AVX-512" : name;  // AVX3_DL is AVX-512 of Ice Lake and later
}

class CpuBackend : public Backend {
  public:
    explicit CpuBackend(int threads) : arena_(threads > 0 ? threads : tbb::task_arena::automatic) {
        // By default, TBB starts no more threads than there are cores.
        if (threads > tbb::info::default_concurrency())
            more_threads_.emplace(tbb::global_control::max_allowed_parallelism, threads);
        const int count = arena_.max_concurrency();
        description_ = fmt::format("{}, {} thread{}", instruction_set(), count, count == 1 ? "" : "s");
    }

    std::string_view id() const override { return "cpu"; }
    std::string_view description() const override { return description_; }
    Precision precision() const override { return Precision::fp32; }

    double cost(const Problem& problem, const Viewport& viewport) const override {
        constexpr double cost_of_pooling = 16;  // of one row in one cell, without products
        const double rows = viewport.computed_row_count(),
                     products = static_cast<double>(keys_scanned(problem, viewport)) * problem.head_dim();
        const double cells = rows * viewport.cells_across;
        if (problem.has_quick_sums()) return products + cells * cost_of_pooling;
        if (cpu::is_by_group(problem, viewport)) return products + cells * cpu::cost_of_regime_cell;
        return rows * products * (cpu::draws_keys(problem, viewport) ? cpu::drawn_share(problem, viewport) : 1);
    }

    AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) override {
        workspace_.forget_unused();
        return arena_.execute([&] {
            const bool by_group = !problem.has_quick_sums() && cpu::is_by_group(problem, viewport);
            if (!by_group && !problem.has_quick_sums())
                return cpu::attend_generally(problem, viewport, general_, cancel);
            general_.release<float>();
            general_.release<double>();
            return by_group ? cpu::attend_by_group(problem, viewport, workspace_, cancel)
                            : cpu::attend_by_distance(problem, viewport, toeplitz_, cancel);
        });
    }

    void fill(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, const Cancel& cancel) override {
        if (!arena_.execute([&] { return cpu::fill_matrix(matrix, problem, entries, matrix_, cancel); }))
            Backend::fill(matrix, problem, entries, cancel);
    }

  private:
    /// Returns the number of keys multiplied with a row: what the rows of its panel see together.
    static int keys_scanned(const Problem& problem, const Viewport& viewport) {
        const std::int64_t apart = viewport.rows.size() / std::max(1, viewport.computed_row_count());
        return static_cast<int>(
            std::min<std::int64_t>(problem.seq_len, problem.most_seen_keys() + cpu::most_panel_rows * apart));
    }

    std::optional<tbb::global_control> more_threads_;
    tbb::task_arena arena_;
    Workspace workspace_;
    cpu::GeneralState general_{workspace_};
    cpu::ToeplitzState toeplitz_{workspace_};
    cpu::MatrixState matrix_;
    std::string description_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) {
    return std::make_unique<CpuBackend>(threads);
}

}  // namespace ropewalk
