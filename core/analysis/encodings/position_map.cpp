#include "core/analysis/encodings/position_map.h"

namespace ropewalk {
namespace {

double mapped(const PositionMap& map, std::int64_t position) {
    return static_cast<double>(map.group_of(position)) + static_cast<double>(map.offset);
}

}  // namespace

std::vector<double> effective_distances(const Problem& problem, int query) {
    const LoweredEncoding& lowered = problem.lowered;
    std::vector<double> distances;
    const std::int64_t m = problem.position(query);
    for (int key = query; key >= 0; --key) {
        const std::int64_t n = problem.position(key);
        const Regime& maps = lowered.maps_at(m - n);
        distances.push_back(mapped(maps.query, m) - mapped(maps.key, n));
    }
    return distances;
}

}  // namespace ropewalk
