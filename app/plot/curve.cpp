#include "app/plot/curve.h"

namespace ropewalk {
namespace {

/// Returns the extent without using blocks.
Extent extent_by_values(const Curve& curve, std::size_t begin, std::size_t end) {
    if (curve.spread.empty()) return extent_of(begin, end, [&](std::size_t i) { return curve.y[i]; });
    return extent_of(begin, end, [&](std::size_t i) { return curve.y_at(i); });
}

}  // namespace

Extent Curve::extent(std::size_t begin, std::size_t end) const {
    constexpr std::size_t block = CurveExtents::block;
    const std::size_t first_block = (begin + block - 1) / block, past_block = end / block;
    if (!extents || first_block >= past_block) return extent_by_values(*this, begin, end);
    Extent all = extents->of_blocks(first_block, past_block);
    all.take(extent_by_values(*this, begin, first_block * block));
    all.take(extent_by_values(*this, past_block * block, end));
    return all;
}

CurveExtents::CurveExtents(const Curve& curve) {
    blocks_.reserve(curve.size() / block);
    for (std::size_t begin = 0; begin + block <= curve.size(); begin += block)
        blocks_.push_back(extent_by_values(curve, begin, begin + block));
}

Extent CurveExtents::of_blocks(std::size_t begin, std::size_t end) const {
    Extent all;
    for (std::size_t i = begin; i < end; ++i) all.take(blocks_[i]);
    return all;
}

}  // namespace ropewalk
