#include "core/gpu/row_tiles.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/cpu/by_row/rotated_rows.h"

namespace ropewalk::gpu {
namespace {

constexpr std::size_t staged_bytes = std::size_t{8} << 20;  // of tiles of each regime, computed before each transfer
static_assert(tile % cpu::key_group == 0);

}  // namespace

bool RowTiles::reserve(const Problem& problem, int capacity) {
    const bool has_far = problem.lowered.far.has_value();
    const bool stays = problem.head_dim() == head_dim_ && has_far == has_far_ && (capacity == capacity_ || !has_far);
    head_dim_ = problem.head_dim();
    has_far_ = has_far;
    capacity_ = capacity;
    return buffer_.reserve(sizeof(float) * tile_floats() * capacity * (has_far ? 2 : 1)) && stays;
}

void RowTiles::write(Interval tiles, const Cancel& cancel, const std::function<void(int, float*, float*)>& fill) {
    ensure(tiles.end <= capacity_, "tiles must fit into their buffer");
    const std::size_t tile_bytes = sizeof(float) * tile_floats();
    const int batch = static_cast<int>(std::max<std::size_t>(1, staged_bytes / tile_bytes));
    for (int first = tiles.begin; first < tiles.end; first += batch) {
        const int end = std::min(first + batch, tiles.end);
        const std::size_t bytes = tile_bytes * (end - first);
        upload_.replace(has_far_ ? 2 * bytes : bytes, [&](std::byte* staged) {
            tbb::parallel_for(first, end, [&](int t) {
                cancel.check();
                std::vector<float> near(tile_floats()), far(has_far_ ? tile_floats() : 0);
                fill(t, near.data(), has_far_ ? far.data() : nullptr);
                std::byte* const to = staged + tile_bytes * (t - first);
                std::memcpy(to, near.data(), tile_bytes);
                if (has_far_) std::memcpy(to + bytes, far.data(), tile_bytes);
            });
        });
        buffer_.copy(tile_bytes * first, upload_, 0, bytes);
        if (has_far_) buffer_.copy(tile_bytes * (capacity_ + first), upload_, bytes, bytes);
    }
}

double QueryTiles::load(const Problem& problem, std::span<const int> tokens, const Cancel& cancel) {
    const cpu::RowReader reader(problem, cpu::RowReader::Side::query, problem.logit_factor());
    const int head_dim = problem.head_dim(), rows = static_cast<int>(tokens.size()), tiles = (rows + tile - 1) / tile;
    as_they_come_.prepare(problem.inputs.q, head_dim, tokens);
    tiles_.reserve(problem, tiles);
    std::vector<double> lengths(static_cast<std::size_t>(tiles));
    tiles_.write({0, tiles}, cancel, [&](int t, float* near, float* far) {
        cpu::RowReader::Scratch scratch(head_dim);
        for (int lane = 0; lane < std::min(tile, rows - t * tile); ++lane) {
            const int row = t * tile + lane;
            as_they_come_.read(row, scratch.row);
            lengths[t] = std::max(lengths[t], reader.rotate(tokens[row], scratch));
            for (int channel = 0; channel < head_dim; ++channel) {
                near[channel * tile + lane] = static_cast<float>(scratch.near[channel]);
                if (far) far[channel * tile + lane] = static_cast<float>(scratch.far[channel]);
            }
        }
    });
    return *std::max_element(lengths.begin(), lengths.end());
}

void KeyTiles::prepare(const Problem& problem, int capacity) {
    KeyOrigin origin = KeyOrigin::of(problem);
    if (!tiles_.reserve(problem, capacity) || !(origin == origin_)) loaded_ = {};
    origin_ = std::move(origin);
    if (!reader_) reader_.emplace();
    reader_->prepare(problem);
}

double KeyTiles::load(Interval keys, const Cancel& cancel) {
    const Interval wanted{keys.begin / tile, (keys.end + tile - 1) / tile};
    if (wanted.begin != loaded_.begin) loaded_ = {wanted.begin, wanted.begin};
    if (wanted.end > loaded_.end) {
        const Interval missing{loaded_.end, wanted.end};
        lengths_.resize(static_cast<std::size_t>(wanted.size()));
        tiles_.write({missing.begin - wanted.begin, missing.end - wanted.begin}, cancel,
                     [&](int t, float* near, float* far) {
                         cpu::KeyReader<float>::Scratch scratch(origin_.lowered.head_dim());
                         const int begin = (wanted.begin + t) * tile, end = std::min(begin + tile, origin_.seq_len);
                         lengths_[t] = 0;
                         for (int key = begin; key < end; key += cpu::key_group) {
                             const int lane = key - begin;
                             const double length = reader_->read(key / cpu::key_group, 0, scratch, {near + lane, tile},
                                                                 {far ? far + lane : nullptr, tile});
                             lengths_[t] = std::max(lengths_[t], length);
                         }
                     });
        loaded_.end = wanted.end;
    }
    return *std::max_element(lengths_.begin(), lengths_.begin() + wanted.size());
}

}  // namespace ropewalk::gpu
