#include "core/analysis/bands.h"

#include <cmath>
#include <numbers>

#include "core/scene_io.h"

namespace ropewalk {
namespace {

constexpr auto amplitudes_path = "construction.amplitudes", phases_path = "construction.phases";

}  // namespace

Band upright(const Band& band) {
    const double turned = band.amplitude < 0 ? band.phase + std::numbers::pi : band.phase;
    return {std::abs(band.amplitude), std::remainder(turned, 2 * std::numbers::pi)};
}

std::vector<Band> bands_between(const Problem& problem, int query, int key) {
    std::vector<double> q(static_cast<std::size_t>(problem.head_dim())), k(q.size());
    problem.inputs.q.read(query, q);
    problem.inputs.k.read(key, k);
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
    const std::vector<double>*amplitudes = nullptr, *phases = nullptr;
    walk_fields(experiment, [&](const std::string& path, const Field&, const auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::vector<double>>) {
            if (path == amplitudes_path) amplitudes = &value;
            if (path == phases_path) phases = &value;
        }
    });
    if (!amplitudes || !phases) return std::nullopt;
    std::vector<Band> bands(static_cast<std::size_t>(experiment.head_dim / 2));
    const auto at = [&](const std::vector<double>& list, std::size_t pair) {
        return list[std::min(pair, list.size() - 1)];
    };
    for (std::size_t pair = 0; pair < bands.size(); ++pair)
        bands[pair] = upright({at(*amplitudes, pair), at(*phases, pair)});
    return bands;
}

Experiment with_bands(Experiment experiment, const std::vector<Band>& bands) {
    std::vector<double> amplitudes, phases;
    for (const Band& band : bands) amplitudes.push_back(band.amplitude), phases.push_back(band.phase);
    apply_setting(experiment, "construction=bands", {});
    apply_setting(experiment, std::string(amplitudes_path) + "=" + text_of(amplitudes), {});
    apply_setting(experiment, std::string(phases_path) + "=" + text_of(phases), {});
    return experiment;
}

std::vector<Band> BandsQuestion::answer(const Subject& subject) const {
    // The lists know the phase of an amplitude of 0 as well.
    if (auto listed = listed_bands(subject.experiment)) return *listed;
    return bands_between(subject.problem, subject.cursor.query, subject.cursor.key);
}

}  // namespace ropewalk
