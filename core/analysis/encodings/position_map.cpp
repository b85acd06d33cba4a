#include "core/analysis/encodings/position_map.h"

namespace ropewalk {
namespace {

double mapped(const PositionMap& map, std::int64_t position) {
    return static_cast<double>(map.group_of(position)) + static_cast<double>(map.offset);
}

}  // namespace

std::vector<double> EffectiveDistanceQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    const LoweredEncoding& lowered = problem.lowered;
    std::vector<double> distances;
    const int last = problem.seq_len - 1;
    const std::int64_t m = problem.position(last);
    for (int key = last; key >= 0; --key) {
        const std::int64_t n = problem.position(key);
        const Regime& maps = lowered.maps_at(m - n);
        distances.push_back(mapped(maps.query, m) - mapped(maps.key, n));
    }
    return distances;
}

}  // namespace ropewalk
