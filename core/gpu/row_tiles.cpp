#include "core/gpu/row_tiles.h"

#include <tbb/parallel_for.h>

#include <algorithm>

namespace ropewalk::gpu {
namespace {

constexpr std::size_t staged_bytes = std::size_t{8} << 20;  // of tiles that are read before they are handed over

}  // namespace

RowTiles::RowTiles(const Problem& problem, cpu::RowReader::Side side, double factor, int capacity, GlBuffer& buffer)
    : reader_(problem, side, factor), head_dim_(problem.head_dim()), capacity_(capacity), buffer_(buffer) {
    const std::size_t tile_bytes = sizeof(float) * tile * padded_channels(head_dim_);
    buffer_.reserve(tile_bytes * capacity * (reader_.has_far() ? 2 : 1));
}

void RowTiles::load(std::span<const int> tokens, const Cancel& cancel) {
    const std::size_t tile_floats = static_cast<std::size_t>(tile) * padded_channels(head_dim_);
    const int tiles = static_cast<int>((tokens.size() + tile - 1) / tile);
    ensure(tiles <= capacity_, "tiles that are loaded fit into their buffer");
    const int batch = static_cast<int>(std::max<std::size_t>(1, staged_bytes / (sizeof(float) * tile_floats)));
    std::vector<float> near, far;
    std::vector<double> greatest_lengths(static_cast<std::size_t>(tiles));
    for (int first = 0; first < tiles; first += batch) {
        const int end = std::min(first + batch, tiles);
        near.assign((end - first) * tile_floats, 0);
        if (reader_.has_far()) far.assign(near.size(), 0);
        tbb::parallel_for(first, end, [&](int t) {
            cancel.check();
            cpu::RowReader::Scratch scratch(head_dim_);
            const auto own =
                tokens.subspan(static_cast<std::size_t>(t) * tile)
                    .first(std::min<std::size_t>(tile, tokens.size() - static_cast<std::size_t>(t) * tile));
            for (std::size_t lane = 0; lane < own.size(); ++lane) {
                greatest_lengths[t] = std::max(greatest_lengths[t], reader_.read(own[lane], scratch));
                for (int channel = 0; channel < head_dim_; ++channel) {
                    const std::size_t at = (t - first) * tile_floats + static_cast<std::size_t>(channel) * tile + lane;
                    near[at] = static_cast<float>(scratch.near[channel]);
                    if (reader_.has_far()) far[at] = static_cast<float>(scratch.far[channel]);
                }
            }
        });
        buffer_.write<float>(first * tile_floats * sizeof(float), near);
        if (reader_.has_far()) buffer_.write<float>((capacity_ + first) * tile_floats * sizeof(float), far);
    }
    for (const double length : greatest_lengths) greatest_length_ = std::max(greatest_length_, length);
}

}  // namespace ropewalk::gpu
