#include "app/plot/curve.h"

namespace ropewalk {
namespace {

/// Returns the extent without using blocks.
Extent extent_by_values(const Curve& curve, std::size_t begin, std::size_t end) {
    if (curve.spread.empty()) return extent_of(begin, end, [&](std::size_t i) { return curve.y[i]; });
    return extent_of(begin, end, [&](std::size_t i) { return curve.y_at(i); });
}

Total total_by_values(const Curve& curve, std::size_t begin, std::size_t end) {
    Total total;
    for (std::size_t i = begin; i < end; ++i) total.take(curve.y_at(i));
    return total;
}

}  // namespace

double Curve::mean(std::size_t begin, std::size_t end) const {
    constexpr std::size_t block = CurveExtents::block;
    const std::size_t first_block = (begin + block - 1) / block, past_block = end / block;
    if (first_block >= past_block) return total_by_values(*this, begin, end).mean();
    Total total = total_by_values(*this, begin, first_block * block);
    for (std::size_t i = first_block; i < past_block; ++i)
        total.take(extents ? extents->total_of_block(i) : total_by_values(*this, i * block, (i + 1) * block));
    total.take(total_by_values(*this, past_block * block, end));
    return total.mean();
}

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
    blocks_.reserve(curve.size() / block), totals_.reserve(curve.size() / block);
    for (std::size_t begin = 0; begin + block <= curve.size(); begin += block) {
        blocks_.push_back(extent_by_values(curve, begin, begin + block));
        totals_.push_back(total_by_values(curve, begin, begin + block));
    }
}

Extent CurveExtents::of_blocks(std::size_t begin, std::size_t end) const {
    Extent all;
    for (std::size_t i = begin; i < end; ++i) all.take(blocks_[i]);
    return all;
}

}  // namespace ropewalk
