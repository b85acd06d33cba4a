#include "core/cpu/whole_matrix/matrix.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "core/cpu/by_row/rotated_rows.h"
#include "core/cpu/whole_matrix/matrix_rows.h"
#include "core/machine/cache.h"
#include "core/machine/parallel.h"

namespace ropewalk::cpu {
namespace {

constexpr int most_block_groups = 12;  // of queries
constexpr int rotated_panels = 2;      // whose keys are rotated together
constexpr std::size_t cached_bytes = std::size_t{8} << 20;
constexpr int skew = 32;  // floats between two rows of logits, so that they do not share cache lines

/// Returns whether rows are only rotated, by one regime, and logits are their products, at most masked after the query.
bool is_plain(const Problem& problem) {
    const LoweredEncoding& lowered = problem.lowered;
    return lowered.rotates() && !lowered.far && lowered.bias_slope == 0 && lowered.damping.empty() &&
           problem.softcap == 0 && problem.mask != Mask::window && !problem.depends_on_distance_only();
}

/// The context that the steps of one call share.
struct MatrixTask {
    const Problem& problem;
    MatrixState& state;
    const Cancel& cancel;
    int width = panel_rows<float>();

    int panels(int keys) const { return (keys + width - 1) / width; }
};

/// Rotates all keys into panels. Returns the length of the longest.
double rotate_keys(const MatrixTask& task) {
    const Problem& problem = task.problem;
    const int head_dim = problem.head_dim(), panels = task.panels(problem.seq_len),
              panel_groups = task.width / key_group;
    const GroupRotator rotator(problem, problem.lowered.near.key, 1);
    const std::size_t panel_entries = static_cast<std::size_t>(head_dim) * task.width;
    CachedNumbers<float>& rotated = task.state.rotated_keys;
    rotated.resize(panels * panel_entries);
    std::vector<double> lengths(static_cast<std::size_t>(panels));
    tbb::parallel_for(0, (panels + rotated_panels - 1) / rotated_panels, [&](int part) {
        task.cancel.check();
        GroupedRows<float>::Scratch scratch(head_dim);
        GroupRotator::Run run(head_dim);
        for (int panel = part * rotated_panels; panel < std::min(panels, (part + 1) * rotated_panels); ++panel) {
            float* const to = rotated.values.get() + panel * panel_entries;
            for (int i = 0; i < panel_groups; ++i) {
                // Groups after the last repeat it: finite numbers that are not used.
                const int group = std::min(panel * panel_groups + i, task.state.keys.groups() - 1);
                const auto rows = task.state.keys.read(group, scratch);
                lengths[panel] = std::max(lengths[panel], rows.max_length);
                rotator.rotate<float>(group, rows.rows, {to + i * key_group, task.width}, run);
            }
        }
    });
    return *std::max_element(lengths.begin(), lengths.end());
}

/// Returns the first groups of the blocks, from the matrix's top to its bottom, and the end of the last. A block's
/// logits take half of a large second-level cache, but at least 512 KB: smaller blocks were slower, even if that is all
/// of it.
std::vector<int> block_boundaries(const Problem& problem, int groups) {
    const int most_block_bytes = std::max(512 << 10, second_level_cache_bytes() / 2);
    std::vector<int> boundaries{0};
    while (boundaries.back() < groups) {
        const int begin = boundaries.back();
        // Rows get longer downwards by at most the block's height.
        const int row =
            problem.seen_keys(std::min(problem.seq_len - 1, (begin + most_block_groups) * key_group - 1)).end;
        const int bytes = key_group * row * static_cast<int>(sizeof(float));
        boundaries.push_back(std::min(groups, begin + std::clamp(most_block_bytes / bytes, 1, most_block_groups)));
    }
    return boundaries;
}

/// A thread's memory for one block.
struct BlockScratch {
    explicit BlockScratch(int head_dim) : rows(head_dim), run(head_dim) {}
    GroupedRows<float>::Scratch rows;
    GroupRotator::Run run;
    CachedNumbers<float> queries;
    std::array<RowMax, most_block_groups * key_group> max;
};

/// Writes blocks of rows into the matrix.
struct BlockWriter {
    const MatrixTask& task;
    WholeMatrix& matrix;
    MatrixEntries entries;
    float masked;            // value of a masked entry
    bool is_masked_already;  // the matrix already has it there
    double key_length;       // of the longest key
    GroupRotator rotator{task.problem, task.problem.lowered.near.query, task.problem.logit_factor()};
    Stores stores = matrix.entries().size_bytes() > cached_bytes ? Stores::streaming : Stores::cached;

    /// Returns false, and writes nothing, if a product may exceed the range of float.
    bool write(Interval groups, BlockScratch& scratch) const {
        if (!turn_queries(groups, scratch)) return false;
        const Problem& problem = task.problem;
        const Interval rows{groups.begin * key_group, std::min(groups.end * key_group, problem.seq_len)};
        const int panels = task.panels(problem.seen_keys(rows.end - 1).end);
        const std::ptrdiff_t stride = std::ptrdiff_t{panels} * task.width + skew;
        const std::size_t room = static_cast<std::size_t>(groups.size() * key_group * stride);
        CachedNumbers<float>& logits = task.state.logits.local();
        if (logits.size < room) logits.resize(room);
        const RowBlock block{.head_dim = problem.head_dim(),
                             .queries = scratch.queries.values.get(),
                             .groups = groups.size(),
                             .keys = task.state.rotated_keys.values.get(),
                             .panels = panels,
                             .first_row = problem.mask == Mask::causal ? rows.begin : problem.seq_len,
                             .logits = logits.values.get(),
                             .stride = stride,
                             .max = scratch.max.data()};
        multiply(block);
        std::array<RowOut, most_block_groups * key_group> outs;
        for (int row = rows.begin; row < rows.end; ++row) {
            const std::span<float> out = matrix.row(row);
            const int visible = problem.seen_keys(row).end;
            outs[static_cast<std::size_t>(row - rows.begin)] = {
                .entries = out.data(), .visible = visible, .length = problem.seq_len};
            if (!is_masked_already) std::fill(out.begin() + visible, out.end(), masked);
        }
        write_rows(block, std::span(outs).first(static_cast<std::size_t>(rows.size())), entries, stores);
        return true;
    }

  private:
    bool turn_queries(Interval groups, BlockScratch& scratch) const {
        const std::size_t group_entries = static_cast<std::size_t>(task.problem.head_dim()) * key_group;
        scratch.queries.resize(most_block_groups * group_entries);
        const double factor = std::abs(task.problem.logit_factor());
        scratch.run =
            GroupRotator::Run(task.problem.head_dim());  // results must not depend on the thread's previous block
        for (int group = groups.begin; group < groups.end; ++group) {
            const auto as_they_come = task.state.queries.read(group, scratch.rows);
            if (factor > 1e30 || !fits_float(factor * as_they_come.max_length, key_length)) return false;
            rotator.rotate<float>(group, as_they_come.rows,
                                  {scratch.queries.values.get() + (group - groups.begin) * group_entries}, scratch.run);
        }
        return true;
    }
};

}  // namespace

bool fill_matrix(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, MatrixState& state,
                 const Cancel& cancel) {
    if (!is_plain(problem)) return false;
    const MatrixTask task{problem, state, cancel};
    using Keeping = GroupedRows<float>::Keeping;
    state.queries.prepare(problem.inputs.q, problem.seq_len, problem.head_dim(), Keeping::while_there_is_room);
    state.keys.prepare(problem.inputs.k, problem.seq_len, problem.head_dim(), Keeping::while_there_is_room);
    const double key_length = rotate_keys(task);

    matrix.resize(problem.seq_len);
    const float masked = entries == MatrixEntries::weights ? 0 : -std::numeric_limits<float>::infinity();
    const bool is_masked_already = problem.mask == Mask::causal && matrix.above_diagonal == masked;
    matrix.above_diagonal.reset();
    const BlockWriter writer{.task = task,
                             .matrix = matrix,
                             .entries = entries,
                             .masked = masked,
                             .is_masked_already = is_masked_already,
                             .key_length = key_length};
    const std::vector<int> boundaries = block_boundaries(problem, state.queries.groups());
    const int blocks = static_cast<int>(boundaries.size()) - 1;
    tbb::enumerable_thread_specific<BlockScratch> all_scratch(problem.head_dim());
    std::atomic<bool> fits{true};
    for_each_in_order(blocks, [&](int reversed) {
        cancel.check();
        const int index = blocks - 1 - reversed;  // the last blocks see the most keys, so they are first
        if (fits && !writer.write({boundaries[index], boundaries[index + 1]}, all_scratch.local())) fits = false;
    });
    if (fits && problem.mask == Mask::causal) matrix.above_diagonal = masked;
    return fits;
}

}  // namespace ropewalk::cpu
