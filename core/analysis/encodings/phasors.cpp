#include "core/analysis/encodings/phasors.h"

#include "core/analysis/heads/contributions.h"

namespace ropewalk {

std::vector<Complex> unit_phasors(const Problem& problem, int query, int key) {
    const LoweredEncoding& lowered = problem.lowered;
    const std::int64_t m = problem.position(query), n = problem.position(key);
    const Regime& maps = lowered.maps_at(m - n);
    std::vector<Complex> phasors;
    for (const long double w : lowered.inv_freq)
        phasors.push_back(std::polar(1.0, angle_of(rotation_phase(maps.query, w, m) - rotation_phase(maps.key, w, n))));
    return phasors;
}

std::vector<Complex> pair_amplitudes(const Problem& problem, int query, int key) {
    const std::vector<double> q = problem.query(query), k = problem.key(key);
    const double scaling = problem.lowered.score_scaling();
    std::vector<Complex> amplitudes(q.size() / 2);
    for (std::size_t pair = 0; pair < amplitudes.size(); ++pair)
        amplitudes[pair] =
            scaling * Complex(q[2 * pair], q[2 * pair + 1]) * std::conj(Complex(k[2 * pair], k[2 * pair + 1]));
    return amplitudes;
}

std::vector<Complex> tip_to_tail(std::span<const Complex> steps) {
    std::vector<Complex> points{0};
    for (const Complex& step : steps) points.push_back(points.back() + step);
    return points;
}

Phasors PhasorsQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    const int query = context.cursor.query, key = context.cursor.key;
    const LoweredEncoding& lowered = problem.lowered;
    Phasors phasors{.unit = unit_phasors(problem, query, key), .amplitudes = pair_amplitudes(problem, query, key)};
    const std::int64_t distance = problem.position(query) - problem.position(key);
    for (int t = 0; t < lowered.pairs(); ++t) phasors.amplitudes[t] *= lowered.left_over(t, distance);
    if (!lowered.rotates()) {
        const std::vector<double> parts = contributions(problem, query, key);
        for (int t = 0; t < lowered.pairs(); ++t) phasors.amplitudes[t] = parts[t] * std::conj(phasors.unit[t]);
    }
    std::vector<Complex> steps = phasors.unit;
    for (std::size_t t = 0; t < steps.size(); ++t) steps[t] *= phasors.amplitudes[t];
    phasors.unit_walk = tip_to_tail(phasors.unit);
    phasors.weighted_walk = tip_to_tail(steps);
    return phasors;
}

}  // namespace ropewalk
