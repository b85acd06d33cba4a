#include "core/cpu/by_row/key_plan.h"

#include <algorithm>

#include "core/error.h"
#include "core/machine/cache.h"

namespace ropewalk::cpu {
namespace {

constexpr int fewest_block_keys = 128;  // so that a panel of queries is reused in the first-level cache
constexpr int usual_blocks = 32;        // if keys are few: enough for some threads
constexpr int most_blocks = 768;        // each has a separate piece in every row
static_assert(fewest_block_keys % drawn_keys == 0);

int block_keys_for(int keys, std::size_t key_bytes) {
    const int cached = second_level_cache_bytes() / 8 / static_cast<int>(key_bytes);
    const int shared = std::max(fewest_block_keys, std::min(keys / usual_blocks, cached));
    return (std::max(shared, keys / most_blocks) + drawn_keys - 1) / drawn_keys * drawn_keys;
}

/// Returns the number of keys over which the most damped pair stays in the range of double.
int stretch_of(const Problem& problem) {
    double most = 0;
    for (int pair = 0; pair < problem.lowered.pairs(); ++pair)
        most = std::max(most, problem.lowered.nepers_over(pair, problem.positions.stride));
    if (most * problem.seq_len <= most_nepers) return problem.seq_len;
    const int stretch = static_cast<int>(most_nepers / most) / key_group * key_group;
    ensure(stretch > 0, "damping over a few tokens must stay in the range of double");
    return stretch;
}

}  // namespace

template <class FirstColumn>
void KeyPlan::cut(std::span<const int> cells, int end, FirstColumn first_column) {
    auto next_cell = cells.begin();  // the next boundary
    const auto add_piece = [&](int begin) {
        pieces.push_back(begin);
        const auto before = std::upper_bound(cells.begin(), cells.end(), begin) - cells.begin();
        cell.push_back(before == std::ssize(cells) ? -1 : static_cast<int>(before) - 1);
    };
    for (int block = 0; block < block_count(); ++block) {
        const int begin = first_column(block), block_end = block + 1 < block_count() ? first_column(block + 1) : end;
        first_piece.push_back(piece_count());
        add_piece(begin);
        next_cell = std::upper_bound(next_cell, cells.end(), begin);
        for (; next_cell != cells.end() && *next_cell < block_end; ++next_cell) add_piece(*next_cell);
    }
    first_piece.push_back(piece_count());
    pieces.push_back(end);
}

KeyPlan KeyPlan::all(const Problem& problem, std::span<const int> cells, std::size_t key_bytes) {
    KeyPlan plan{.block_keys = block_keys_for(problem.seq_len, key_bytes), .stretch = stretch_of(problem)};
    for (int begin = 0; begin < problem.seq_len; begin += plan.block_keys) plan.blocks.push_back(begin);
    plan.blocks.push_back(problem.seq_len);
    plan.cut(cells, problem.seq_len, [&](int block) { return plan.blocks[block]; });
    return plan;
}

KeyPlan KeyPlan::drawn(const KeySample& sample, std::size_t key_bytes) {
    const int keys = static_cast<int>(sample.runs.size()) * drawn_keys;
    KeyPlan plan{.block_keys = block_keys_for(keys, key_bytes), .stretch = keys};
    for (int begin = 0; begin < keys; begin += plan.block_keys) plan.blocks.push_back(begin);
    plan.blocks.push_back(keys);
    // Columns before the first run belong to the first block, like all omitted ones.
    plan.cut(sample.boundaries, sample.boundaries.back(), [&](int block) {
        return block == 0 ? sample.boundaries.front() : sample.runs[plan.blocks[block] / drawn_keys];
    });
    return plan;
}

}  // namespace ropewalk::cpu
