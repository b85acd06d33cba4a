#include "core/analysis/heads/spearman.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"

namespace ropewalk {

std::vector<double> average_ranks(std::span<const double> values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double rank = static_cast<double>(begin + 1 + end) / 2;  // mean of begin + 1 … end
        for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = rank;
    }
    return ranks;
}

std::optional<double> spearman(std::span<const double> x, std::span<const double> y) {
    ensure(x.size() == y.size(), "a correlation needs equally many values");
    const auto ranks_x = average_ranks(x), ranks_y = average_ranks(y);
    const double mean = (static_cast<double>(x.size()) + 1) / 2;
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = ranks_x[i] - mean, dy = ranks_y[i] - mean;
        xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
    if (xx == 0 || yy == 0) return std::nullopt;
    return xy / std::sqrt(xx * yy);
}

}  // namespace ropewalk
