#include "core/cpu/key_sample.h"

#include <algorithm>
#include <cstdint>

#include "core/numbers.h"

namespace ropewalk::cpu {
namespace {

static_assert(drawn_keys % key_group == 0);
constexpr int fewest_cell_keys = 8 * drawn_keys;
constexpr int exact_share = 16;  // of the rows all keys are looked at in the first one in so many: 1/256 of all entries

/// Evenly distributed bits of a counter: splitmix64 (Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t counter) {
    std::uint64_t bits = counter * 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

}  // namespace

int KeySample::keys_before(int end) const {
    return static_cast<int>(std::lower_bound(runs.begin(), runs.end(), end) - runs.begin()) * drawn_keys;
}

int KeySample::drawn_before(int end) const {
    const int begun = keys_before(end);
    return begun == 0 ? 0
                      : begun - std::max(0, runs[static_cast<std::size_t>(begun / drawn_keys) - 1] + drawn_keys - end);
}

std::vector<int> KeySample::groups_before(int end) const {
    std::vector<int> groups;
    const int keys = keys_before(end);
    for (int key = 0; key < keys; key += key_group)
        groups.push_back((runs[key / drawn_keys] + key % drawn_keys) / key_group);
    return groups;
}

bool draws_keys(const Problem& problem, const Viewport& viewport) {
    const Lowered& lowered = problem.lowered;
    const bool has_sampled_rows = viewport.row_sampling == RowSampling::one_per_cell;
    return viewport.key_sampling == KeySampling::some && (!viewport.content.logits || has_sampled_rows) &&
           !lowered.far && lowered.damping.empty() && viewport.columns == Interval{0, problem.seq_len} &&
           viewport.columns.size() / viewport.cells_across >= fewest_cell_keys;
}

void hide_unseen_cells(const KeySample& sample, const Problem& problem, const CellGeometry& cells, int first_down,
                       AttentionView& view) {
    for (int down = first_down; down < view.viewport.cells_down; ++down) {
        int& visible = view.visible_cells[static_cast<std::size_t>(down)];
        const int last = visible - 1, keys = problem.visible_keys(view.row_index[static_cast<std::size_t>(down)]);
        const Interval cell = cells.columns[static_cast<std::size_t>(last)];
        if (cell.end <= keys || sample.drawn_before(keys) > sample.drawn_before(cell.begin)) continue;
        --visible;
        for (std::vector<double>* values : {&view.logits.mean, &view.logits.least, &view.logits.greatest})
            if (!values->empty())
                (*values)[static_cast<std::size_t>(down) * view.viewport.cells_across + last] = -infinity;
    }
}

KeySample draw_keys(const Problem& problem, const CellGeometry& cells) {
    KeySample sample{
        .runs = {},
        .keys_per_drawn = {},
        .exact_rows = problem.mask == Mask::causal ? std::min(problem.seq_len / exact_share, enough_drawn_keys) : 0};
    const double share = drawn_share(problem.seq_len);
    for (const Interval& cell : cells.columns) {
        // Runs begin at whole groups; the few keys before the first are never drawn.
        const int first = (cell.begin + key_group - 1) / key_group * key_group;
        const int runs = (cell.end - first) / drawn_keys, drawn = std::max(1, static_cast<int>(runs * share));
        for (int stratum = 0; stratum < drawn; ++stratum) {
            const int begin = runs * stratum / drawn, count = runs * (stratum + 1) / drawn - begin;
            const auto chosen = static_cast<int>(mixed(sample.runs.size() + 1) % static_cast<std::uint64_t>(count));
            sample.runs.push_back(first + (begin + chosen) * drawn_keys);
        }
        sample.keys_per_drawn.push_back(static_cast<double>(cell.size()) / (drawn * drawn_keys));
    }
    // Every other row is to see a key that was drawn.
    if (problem.mask == Mask::causal) sample.exact_rows = std::max(sample.exact_rows, sample.runs.front());
    return sample;
}

}  // namespace ropewalk::cpu
