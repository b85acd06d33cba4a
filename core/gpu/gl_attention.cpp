#include "core/gpu/gl_attention.h"

#include <epoxy/gl.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "core/cpu/by_row/rotated_rows.h"
#include "core/numbers/numbers.h"
#include "core/series/vector_math.h"

namespace ropewalk::gpu {
namespace {

constexpr int merge_width = 64;     // invocations of a work group of attention_cells.comp
constexpr int most_rows = 1 << 15;  // of a group; every OpenGL can dispatch this many work groups
constexpr int cell_planes = 6;      // of the buffer Cells in attention.glsl
constexpr std::size_t most_group_bytes = std::size_t{64} << 20;  // of statistics of rows in pieces, in memory at a time
constexpr std::string_view scanning = "products and softmax";    // in one shader
constexpr double min_work_groups = 8;  // of a dispatch, so that the cores of a slow device can share it

int divided_up(int value, int by) {
    return (value + by - 1) / by;
}

/// Appends a list and returns the index where it begins.
std::int32_t append(std::vector<std::int32_t>& lists, std::span<const int> list) {
    const auto begin = static_cast<std::int32_t>(lists.size());
    lists.insert(lists.end(), list.begin(), list.end());
    return begin;
}

}  // namespace

/// The block `Task` of attention.glsl, entry by entry.
struct GlAttention::ShaderTask {
    std::int32_t channels, slices_per_sum, seq_len, causal, window;
    float max_logit;
    std::int32_t regimes, far_tokens;
    std::int32_t rows, row_tiles, first_row_tile, key_tiles, first_key_tile, tiles_per_split, first_split;
    std::int32_t pieces, cells_down, cells_across;
    std::int32_t row_tokens, piece_begins, split_pieces, cell_pieces, cell_rows;
};

/// The context that the steps of one call share.
struct GlAttention::Call {
    Call(const Problem& problem_asked, const Viewport& viewport, const Cancel& cancel_asked)
        : problem(problem_asked),
          cancel(cancel_asked),
          view(empty_view(problem, viewport)),
          cells(viewport),
          pieces(cells, problem.seen_keys(view.row_index.back()).end),
          task{.channels = padded_channels(problem.head_dim()),
               .seq_len = problem.seq_len,
               .causal = problem.mask == Mask::none ? 0 : 1,
               .window = problem.most_seen_keys(),
               .regimes = problem.lowered.far ? 2 : 1,
               .far_tokens = problem.lowered.far ? cpu::far_tokens(problem) : 0,
               .tiles_per_split = pieces.split_keys / tile,
               .pieces = pieces.count(),
               .cells_across = viewport.cells_across} {
        make_room_for_statistics(view);
        if (problem.softcap != 0)
            task.max_logit = std::max(static_cast<float>(problem.max_logit()), std::numeric_limits<float>::min());
        task.slices_per_sum = task.channels <= 256 ? 1 : 2;
    }

    const Problem& problem;
    const Cancel& cancel;
    AttentionView view;
    cpu::CellGeometry cells;
    Pieces pieces;
    ShaderTask task;
    StageClock clock;
};

/// Listed rows whose statistics are on the device together, and their row cells.
struct GlAttention::Group {
    Group(const Call& call, Interval range)
        : listed(range), row_cells{call.cells.cell_of(range.begin), call.cells.cell_of(range.end - 1) + 1} {}

    Interval listed;  // range of row_index
    Interval row_cells;

    std::span<const int> tokens(const Call& call) const {
        return std::span(call.view.row_index).subspan(listed.begin, listed.size());
    }
};

GlAttention::GlAttention(const GlAttentionOptions& options) : memory_(options.memory) {
    const auto compile = [&](const char* name) {
        return compile_compute_program("attention.glsl", name, options.shaders);
    };
    scan_ = compile("attention_scan.comp");
    rows_ = compile("attention_rows.comp");
    cells_ = compile("attention_cells.comp");
    GLint64 block_bytes = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block_bytes);
    const auto most_block_bytes = static_cast<std::size_t>(block_bytes);
    most_key_bytes_ = std::min(most_block_bytes, options.most_key_bytes);
    // The cells of a group take at most 1.5 times as much memory as their statistics.
    most_statistics_bytes_ = std::min(most_block_bytes / 2, most_group_bytes);
    task_buffer_.reserve(sizeof(ShaderTask));
}

std::optional<AttentionView> GlAttention::attend(const Problem& problem, const Viewport& viewport,
                                                 const Cancel& cancel) {
    ensure(knows(problem), "the shaders must support the problem");
    Call call(problem, viewport, cancel);
    const std::size_t split_bytes =
        sizeof(float) * call.task.channels * call.pieces.split_keys * static_cast<std::size_t>(call.task.regimes);
    const int splits =
        static_cast<int>(std::clamp<std::size_t>(most_key_bytes_ / split_bytes, 1, call.pieces.splits()));
    call.task.key_tiles = splits * call.task.tiles_per_split;
    keys_.prepare(problem, call.task.key_tiles);
    for (PooledGrid* grid : {&call.view.logits, &call.view.weights})
        std::fill(grid->min.begin(), grid->min.end(), infinity);
    std::fill(call.view.logits.max.begin(), call.view.logits.max.end(), -infinity);

    const std::size_t row_bytes = 4 * sizeof(float) * call.pieces.count();
    int group_rows = static_cast<int>(std::clamp<std::size_t>(most_statistics_bytes_ / row_bytes, 1, most_rows));
    if (group_rows > tile) group_rows -= group_rows % tile;
    const int all_rows = static_cast<int>(call.view.row_index.size());
    for (int begin = 0; begin < all_rows; begin += group_rows) {
        const Group group(call, {begin, std::min(begin + group_rows, all_rows)});
        if (!scan(call, group)) return std::nullopt;
        merge(call, group);
        call.clock.lap(scanning);
        take_row_sums(call, group);
        if (viewport.is_one_to_one())
            take_entries(call, group);
        else
            take_cells(call, group);
        check_opengl();
        call.clock.lap(attention_stage::cells);
    }
    if (!viewport.is_one_to_one())
        tbb::parallel_for(0, viewport.cells_down, [&](int down) {
            cpu::finish_means(problem, call.cells, down, {0, viewport.cells_across}, call.view);
        });
    call.clock.lap(attention_stage::cells);
    call.view.stages = call.clock.times();
    return std::move(call.view);
}

/// Computes the statistics of the group's rows in all pieces, on the device. Returns false if the products exceed the
/// range of float.
bool GlAttention::scan(Call& call, const Group& group) {
    ShaderTask& task = call.task;
    const std::span<const int> tokens = group.tokens(call);
    task.rows = group.listed.size();
    task.row_tiles = divided_up(task.rows, tile);
    task.cells_down = group.row_cells.size();
    const double max_query = queries_.load(call.problem, tokens, call.cancel);
    prepare(call, group);

    const int window = task.key_tiles / task.tiles_per_split, split_keys = call.pieces.split_keys;
    const int visible_splits = divided_up(call.problem.seen_keys(tokens.back()).end, split_keys);
    for (int first = call.problem.seen_keys(tokens.front()).begin / split_keys; first < visible_splits;
         first += window) {
        const Interval splits{first, std::min(first + window, call.pieces.splits())};
        const double max_key =
            keys_.load({first * split_keys, std::min(splits.end * split_keys, call.pieces.begins.back())}, call.cancel);
        if (!cpu::fits_float(max_query, max_key)) return false;
        call.clock.lap(attention_stage::rotation);
        task.first_key_tile = first * task.tiles_per_split;
        scan_splits(call, group, {first, std::min(splits.end, visible_splits)});
        call.clock.lap(scanning);
    }
    return true;
}

/// Allocates the group's results and sends its description to the device.
void GlAttention::prepare(Call& call, const Group& group) {
    ShaderTask& task = call.task;
    std::vector<int> cell_rows;
    for (int cell = group.row_cells.begin; cell <= group.row_cells.end; ++cell)
        cell_rows.push_back(std::clamp(call.cells.first_row[cell], group.listed.begin, group.listed.end) -
                            group.listed.begin);
    std::vector<std::int32_t> lists;
    task.row_tokens = append(lists, group.tokens(call));
    task.piece_begins = append(lists, call.pieces.begins);
    task.split_pieces = append(lists, call.pieces.split_pieces);
    task.cell_pieces = append(lists, call.pieces.cell_pieces);
    task.cell_rows = append(lists, cell_rows);
    lists_buffer_.reserve(lists.size() * sizeof(lists[0]));
    lists_buffer_.write<std::int32_t>(0, lists);
    statistics_buffer_.reserve(4 * sizeof(float) * task.rows * task.pieces);
    row_sums_buffer_.reserve(2 * sizeof(float) * task.rows);
    cells_buffer_.reserve(cell_planes * sizeof(float) * task.cells_down * task.cells_across);
    if (memory_ == Memory::poisoned)
        for (GlBuffer* buffer : {&statistics_buffer_, &row_sums_buffer_, &cells_buffer_}) buffer->poison();

    task_buffer_.bind_uniform(0);
    const GlBuffer* const in_order[] = {&queries_.buffer(),  &keys_.buffer(),   &lists_buffer_,
                                        &statistics_buffer_, &row_sums_buffer_, &cells_buffer_};
    unsigned index = 0;
    for (const GlBuffer* buffer : in_order) buffer->bind_storage(index++);
}

/// Scans splits whose keys are on the device for the group's rows, in short dispatches.
void GlAttention::scan_splits(Call& call, const Group& group, Interval splits) {
    ShaderTask& task = call.task;
    const std::span<const int> tokens = group.tokens(call);
    glUseProgram(scan_);
    const double group_work = static_cast<double>(tile) * call.pieces.split_keys * task.channels;
    for (int split = splits.begin, count = 0; split < splits.end; split += count) {
        const int work_groups = static_cast<int>(std::clamp(pace_.budget() / group_work, min_work_groups, 1e9));
        count = std::clamp(work_groups / task.row_tiles, 1, splits.end - split);
        const int tiles_at_once = std::min(work_groups, task.row_tiles);
        for (int row_tile = 0; row_tile < task.row_tiles; row_tile += tiles_at_once) {
            const int tiles = std::min(tiles_at_once, task.row_tiles - row_tile);
            const int last_token = tokens[std::min((row_tile + tiles) * tile, task.rows) - 1];
            const int split_keys = call.pieces.split_keys;
            if (call.problem.seen_keys(last_token).end <= split * split_keys ||
                call.problem.seen_keys(tokens[row_tile * tile]).begin >= (split + count) * split_keys)
                continue;
            call.cancel.check();
            task.first_row_tile = row_tile;
            task.first_split = split;
            task_buffer_.write<ShaderTask>(0, {&task, 1});
            pace_.dispatch(group_work * tiles * count, [&] { glDispatchCompute(tiles, count, 1); });
        }
    }
}

/// Computes row sums and cells from the statistics and waits for them.
void GlAttention::merge(Call& call, const Group& group) {
    call.cancel.check();
    const auto dispatch = [&](unsigned program, int across, int down) {
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        glUseProgram(program);
        pace_.dispatch(0, [&] { glDispatchCompute(across, down, 1); });
    };
    dispatch(rows_, group.listed.size(), 1);
    dispatch(cells_, divided_up(call.task.cells_across, merge_width), group.row_cells.size());
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    pace_.finish();
}

void GlAttention::take_row_sums(Call& call, const Group& group) {
    std::vector<float> sums(2 * static_cast<std::size_t>(group.listed.size()));
    row_sums_buffer_.read<float>(0, sums);
    for (int row = 0; row < group.listed.size(); ++row) {
        const double max = static_cast<double>(sums[2 * row]), sum = static_cast<double>(sums[2 * row + 1]);
        call.view.row_max_logit[group.listed.begin + row] = max;
        call.view.row_log_sum[group.listed.begin + row] = max + std::log(sum);
    }
}

/// Fills in a view with one entry per cell: logits, and weights from them.
void GlAttention::take_entries(Call& call, const Group& group) {
    AttentionView& view = call.view;
    const Interval columns = view.viewport.columns;
    const auto across = static_cast<std::size_t>(columns.size());
    std::vector<float> sums(static_cast<std::size_t>(group.listed.size()) * across);
    cells_buffer_.read<float>(0, sums);
    tbb::parallel_for(group.listed.begin, group.listed.end, [&](int listed) {
        const Interval seen = call.problem.seen_keys(view.row_index[listed]);
        const auto column = [&](int key) { return std::clamp(key, columns.begin, columns.end) - columns.begin; };
        const Interval visible{column(seen.begin), column(seen.end)};
        std::vector<double> logits(across, -infinity);
        std::copy_n(sums.begin() + std::ptrdiff_t{listed - group.listed.begin} * columns.size() + visible.begin,
                    visible.size(), logits.begin() + visible.begin);
        const auto begin = static_cast<std::ptrdiff_t>(listed) * columns.size();
        if (!view.logits.mean.empty()) std::copy(logits.begin(), logits.end(), view.logits.mean.begin() + begin);
        if (!view.weights.mean.empty()) exp_minus(logits, view.row_log_sum[listed], view.weights.mean.data() + begin);
    });
}

/// Adds the group's rows to the wanted values of their cells. Until `finish_means`, means are sums.
void GlAttention::take_cells(Call& call, const Group& group) {
    AttentionView& view = call.view;
    const auto cells_across = static_cast<std::size_t>(view.viewport.cells_across);
    const std::size_t count = static_cast<std::size_t>(group.row_cells.size()) * cells_across,
                      begin = static_cast<std::size_t>(group.row_cells.begin) * cells_across;
    std::vector<float> plane(count);
    std::size_t next = 0;
    const auto take = [&](Numbers& values, auto combined) {
        const std::size_t index = next++;
        if (values.empty()) return;
        cells_buffer_.read<float>(index * count * sizeof(float), plane);
        tbb::parallel_for(std::size_t{0}, count, [&](std::size_t cell) {
            values[begin + cell] = combined(values[begin + cell], static_cast<double>(plane[cell]));
        });
    };
    for (PooledGrid* grid : {&view.logits, &view.weights}) {
        take(grid->mean, [](double sum, double more) { return sum + more; });
        take(grid->min, [](double least, double more) { return std::min(least, more); });
        take(grid->max, [](double most, double more) { return std::max(most, more); });
    }
    if (view.weights.min.empty()) return;
    for (int down = group.row_cells.begin; down < group.row_cells.end; ++down)
        for (int across = 0; across < view.viewport.cells_across; ++across) {
            const Interval rows = call.cells.rows[down], columns = call.cells.columns[across];
            if (call.problem.seen_keys(rows.begin).end < columns.end ||
                call.problem.seen_keys(rows.end - 1).begin > columns.begin)
                view.weights.min[down * cells_across + static_cast<std::size_t>(across)] = 0;
        }
}

}  // namespace ropewalk::gpu
