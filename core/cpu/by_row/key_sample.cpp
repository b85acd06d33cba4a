#include "core/cpu/by_row/key_sample.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/numbers/numbers.h"

namespace ropewalk::cpu {
namespace {

static_assert(drawn_keys % key_group == 0);
static_assert(fewest_keys_to_draw_from >= drawn_keys + 2 * key_group, "every cell must contain a whole run");
constexpr int enough_drawn_keys = 8192;              // half of them outside, if the viewport is a part of the columns
constexpr int most_strata = 64, usual_stratum = 64;  // before the viewport, and after it; keys per stratum
constexpr int exact_share = 16;                      // the first 1/16 of the rows use all keys: 1/256 of all entries

/// Returns uniformly distributed bits for a counter: splitmix64 (Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t counter) {
    std::uint64_t bits = counter * 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

constexpr double usual_share = 1.0 / 16;

bool is_whole(const Problem& problem, Interval columns) {
    return columns == Interval{0, problem.seq_len};
}

double share_of(int keys, int enough, double max) {
    return std::min(max, static_cast<double>(enough) / std::max(keys, 1));
}

/// Returns the share of the viewport's columns that is sampled; for a small part, as much as whole runs contain.
double share_inside(const Problem& problem, Interval columns) {
    return is_whole(problem, columns) ? share_of(columns.size(), enough_drawn_keys, usual_share)
                                      : share_of(columns.size(), enough_drawn_keys / 2, 1);
}

double share_outside(const Problem& problem, Interval columns) {
    return share_of(problem.seq_len - columns.size(), enough_drawn_keys / 2, usual_share);
}

std::vector<Interval> strata_of(Interval keys) {
    const Viewport viewport{.columns = keys,
                            .cells_across = std::min(most_strata, (keys.size() + usual_stratum - 1) / usual_stratum)};
    std::vector<Interval> strata;
    for (int cell = 0; cell < viewport.cells_across; ++cell) strata.push_back(viewport.cell_columns(cell));
    return strata;
}

/// Adds a cell and the runs drawn from it, at least one.
void draw_from(Interval cell, double share, KeySample& sample) {
    // Runs begin at whole groups; the few keys before the first group are never drawn.
    const int first = (cell.begin + key_group - 1) / key_group * key_group;
    const int runs = (cell.end - first) / drawn_keys, drawn = std::max(1, static_cast<int>(runs * share));
    for (int stratum = 0; stratum < drawn; ++stratum) {
        const int begin = runs * stratum / drawn, count = runs * (stratum + 1) / drawn - begin;
        const auto chosen = static_cast<int>(mixed(sample.runs.size() + 1) % static_cast<std::uint64_t>(count));
        sample.runs.push_back(first + (begin + chosen) * drawn_keys);
    }
    sample.boundaries.push_back(cell.end);
    sample.keys_per_drawn.push_back(static_cast<double>(cell.size()) / (drawn * drawn_keys));
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

double drawn_share(const Problem& problem, const Viewport& viewport) {
    const int inside = viewport.columns.size(), outside = problem.seq_len - inside;
    const double drawn_inside = std::max(share_inside(problem, viewport.columns) * inside,
                                         1.0 * drawn_keys * viewport.cells_across);  // one run per cell
    return (drawn_inside + share_outside(problem, viewport.columns) * outside) / problem.seq_len;
}

void hide_unseen_cells(const KeySample& sample, const Problem& problem, const CellGeometry& cells, int first_down,
                       AttentionView& view) {
    for (int down = first_down; down < view.viewport.cells_down; ++down) {
        int& visible = view.visible_cells[static_cast<std::size_t>(down)].end;
        if (visible == 0) continue;
        const int last = visible - 1, keys = problem.seen_keys(view.row_index[static_cast<std::size_t>(down)]).end;
        const Interval cell = cells.columns[static_cast<std::size_t>(last)];
        if (cell.end <= keys || sample.drawn_before(keys) > sample.drawn_before(cell.begin)) continue;
        --visible;
        for (Numbers* values : {&view.logits.mean, &view.logits.min, &view.logits.max})
            if (!values->empty())
                (*values)[static_cast<std::size_t>(down) * view.viewport.cells_across + last] = -infinity;
    }
}

KeySample draw_keys(const Problem& problem, const CellGeometry& cells) {
    KeySample sample;
    sample.boundaries.push_back(0);
    const Interval columns{cells.columns.front().begin, cells.columns.back().end};
    const auto draw = [&](std::span<const Interval> alike, double share) {
        const int first_cell = static_cast<int>(sample.keys_per_drawn.size());
        for (const Interval& cell : alike) draw_from(cell, share, sample);
        if (!alike.empty()) sample.estimated.push_back({first_cell, first_cell + static_cast<int>(alike.size())});
    };
    const auto draw_outside = [&](Interval omitted) { draw(strata_of(omitted), share_outside(problem, columns)); };
    draw_outside({0, columns.begin});
    sample.first_cell = static_cast<int>(sample.keys_per_drawn.size());
    draw(cells.columns, share_inside(problem, columns));
    draw_outside({columns.end, problem.seq_len});
    if (problem.mask == Mask::none) return sample;
    // Every other row must see a sampled key.
    sample.exact_rows = std::max(std::min(problem.seq_len / exact_share, enough_drawn_keys), sample.runs.front());
    return sample;
}

}  // namespace ropewalk::cpu
