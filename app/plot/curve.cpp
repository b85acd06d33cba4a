#include "app/plot/curve.h"

#include <algorithm>
#include <array>

namespace ropewalk {
namespace {

/// Several running extents hide the latency of one.
template <class ValueAt>
Extent extent_of(std::size_t begin, std::size_t end, ValueAt value_at) {
    constexpr std::size_t lanes = 4;
    std::array<Extent, lanes> extents;
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) extents[lane].take(value_at(i + lane));
    for (; i < end; ++i) extents[0].take(value_at(i));
    for (const Extent& extent : extents) extents[0].take(extent);
    return extents[0];
}

/// Looked at one by one.
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
