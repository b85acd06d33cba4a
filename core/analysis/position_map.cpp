#include "core/analysis/position_map.h"

namespace ropewalk {
namespace {

double mapped(const PositionMap& map, std::int64_t position) {
    const std::int64_t remainder = ((position % map.group) + map.group) % map.group;
    return static_cast<double>((position - remainder) / map.group) + static_cast<double>(map.offset);
}

}  // namespace

std::vector<double> effective_distances(const Problem& problem, int query) {
    const Lowered& lowered = problem.lowered;
    std::vector<double> distances;
    const std::int64_t m = problem.position(query);
    for (int key = query; key >= 0; --key) {
        const std::int64_t n = problem.position(key);
        const Regime& maps = lowered.far && m - n >= lowered.far->window ? lowered.far->maps : lowered.near;
        distances.push_back(mapped(maps.query, m) - mapped(maps.key, n));
    }
    return distances;
}

}  // namespace ropewalk
