#include "core/analysis/fit/bands.h"

#include <cmath>
#include <numbers>

namespace ropewalk {
namespace {

/// Returns the same band with an amplitude ≥ 0 and a phase in [−π, π].
Band upright(const Band& band) {
    const double turned = band.amplitude < 0 ? band.phase + std::numbers::pi : band.phase;
    return {std::abs(band.amplitude), std::remainder(turned, 2 * std::numbers::pi)};
}

}  // namespace

std::vector<Band> bands_between(const Problem& problem, int query, int key) {
    const std::vector<double> q = problem.query(query), k = problem.key(key);
    std::vector<Band> bands(q.size() / 2);
    for (std::size_t pair = 0; pair < bands.size(); ++pair) {
        const double across = q[2 * pair + 1] * k[2 * pair] - q[2 * pair] * k[2 * pair + 1],
                     along = q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1];
        bands[pair] = {std::hypot(q[2 * pair], q[2 * pair + 1]) * std::hypot(k[2 * pair], k[2 * pair + 1]),
                       std::atan2(across, along)};
    }
    return bands;
}

std::optional<std::vector<Band>> listed_bands(const Experiment& experiment) {
    const auto lists = bands_of(experiment.construction);
    if (!lists) return std::nullopt;
    std::vector<Band> bands(static_cast<std::size_t>(experiment.head_dim / 2));
    for (int pair = 0; pair < experiment.head_dim / 2; ++pair)
        bands[pair] = upright({at_pair(lists->amplitudes, pair), at_pair(lists->phases, pair)});
    return bands;
}

Experiment with_bands(Experiment experiment, const std::vector<Band>& bands) {
    BandLists lists;
    for (const Band& band : bands) lists.amplitudes.push_back(band.amplitude), lists.phases.push_back(band.phase);
    experiment.construction = construction_of(std::move(lists));
    return experiment;
}

std::vector<Band> BandsQuestion::answer(const AnalysisContext& context) const {
    // Unlike q and k, the lists keep the phase of an amplitude of 0.
    if (auto listed = listed_bands(context.experiment)) return *listed;
    return bands_between(context.problem, context.cursor.query, context.cursor.key);
}

}  // namespace ropewalk
