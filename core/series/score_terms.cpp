#include "core/series/score_terms.h"

#include <cmath>

namespace ropewalk {

std::vector<DistanceTerm> score_terms(const LoweredEncoding& lowered, const Regime& regime, std::span<const double> q,
                                      std::span<const double> k, std::int64_t step) {
    std::vector<DistanceTerm> terms(static_cast<std::size_t>(lowered.pairs()));
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double a = q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1];
        const double b = q[2 * pair] * k[2 * pair + 1] - q[2 * pair + 1] * k[2 * pair];
        // Offsets of the position maps rotate by the same angle at every distance.
        const long double w = lowered.inv_freq[pair];
        const double turn = angle_of(rotation_phase(regime.query, w, 0) - rotation_phase(regime.key, w, 0));
        terms[pair] = {.cosine = a * std::cos(turn) + b * std::sin(turn),
                       .sine = b * std::cos(turn) - a * std::sin(turn),
                       .per_step = phase_at(step, phase_of(w)),
                       .damping = lowered.nepers_over(pair, step)};
    }
    return terms;
}

double max_possible(std::span<const DistanceTerm> terms) {
    double sum = 0;
    for (const DistanceTerm& term : terms) sum += std::hypot(term.cosine, term.sine);
    return sum;
}

}  // namespace ropewalk
