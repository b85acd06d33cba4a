#include "core/gpu/pieces.h"

#include <algorithm>

namespace ropewalk::gpu {
namespace {

// Enough that the work groups of a few rows keep a large device busy, and few enough for small statistics.
constexpr int most_splits = 256;
constexpr int min_split_keys = 4 * tile;

}  // namespace

Pieces::Pieces(const cpu::CellGeometry& cells, int keys) {
    const int tiles = (keys + tile - 1) / tile;
    split_keys = std::max(min_split_keys, (tiles + most_splits - 1) / most_splits * tile);
    for (int begin = 0; begin < keys; begin += split_keys) begins.push_back(begin);
    for (const Interval& columns : cells.columns) begins.push_back(columns.begin);
    begins.push_back(cells.columns.back().end);
    std::erase_if(begins, [&](int begin) { return begin >= keys; });
    begins.push_back(keys);
    std::sort(begins.begin(), begins.end());
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());

    const auto piece_at = [&](int key) {
        return static_cast<int>(std::lower_bound(begins.begin(), begins.end(), key) - begins.begin());
    };
    for (int begin = 0; begin < keys; begin += split_keys) split_pieces.push_back(piece_at(begin));
    for (const Interval& columns : cells.columns) cell_pieces.push_back(std::min(piece_at(columns.begin), count()));
    cell_pieces.push_back(std::min(piece_at(cells.columns.back().end), count()));
}

}  // namespace ropewalk::gpu
