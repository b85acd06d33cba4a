#include "core/analysis/encodings/phasor_bound.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/encodings/phasors.h"
#include "core/machine/parallel.h"
#include "core/series/phasor_sums.h"

namespace ropewalk {
namespace {

constexpr int block_size = phasor_lanes;  // distances whose partial sums fit in the cache together

/// The sums at one distance.
struct Sums {
    double mean = 0, weighted = 0, magnitude = 0;
};

std::vector<Sums> partial_sums(const PhasorRun& run, int count, std::span<const Complex> amplitudes,
                               std::span<const double> weights, const Cancel& cancel) {
    std::vector<Sums> sums(static_cast<std::size_t>(count));
    for_each_in_parallel((count + block_size - 1) / block_size, [&](int index) {
        cancel.check();
        const int first = index * block_size;
        PhasorSums some;
        run.sum(first, amplitudes, weights, some);
        for (int b = 0; b < std::min(block_size, count - first); ++b)
            sums[first + b] = {some.lengths[b] / static_cast<double>(run.pairs()), some.weighted[b], some.total[b]};
    });
    return sums;
}

/// Returns the angles between the last token and those before it, for mapped positions `step` apart.
PhasorRun angles(const LoweredEncoding& lowered, const Regime& maps, std::int64_t step) {
    std::vector<Phase> start, per_step;
    for (const long double w : lowered.inv_freq) {
        start.push_back(phase_of((maps.query.offset - maps.key.offset) * w));
        per_step.push_back(phase_at(step, phase_of(w)));
    }
    return {std::move(start), std::move(per_step)};
}

Sums sums_of(std::span<const Complex> phasors, std::span<const Complex> amplitudes, std::span<const double> weights) {
    Complex point, total;
    Sums sums;
    for (std::size_t pair = 0; pair < phasors.size(); ++pair) {
        point += phasors[pair];
        const double length = std::abs(point);
        sums.mean += length / static_cast<double>(phasors.size());
        if (amplitudes.empty()) continue;
        sums.weighted += weights[pair] * length;
        total += amplitudes[pair] * phasors[pair];
    }
    sums.magnitude = std::abs(total);
    return sums;
}

/// Replaces the sums at every distance [tokens] from `first` on, computing each from exact phases. Used if effective
/// distances are not evenly spaced.
void replace_sums(const Problem& problem, std::span<const Complex> amplitudes, std::span<const double> weights,
                  int first, std::vector<Sums>& sums, const Cancel& cancel) {
    const int last = problem.seq_len - 1;
    std::vector<Complex> known;
    Sums found;
    for (int r = first; r < static_cast<int>(sums.size()); ++r) {
        if (r % 256 == 0) cancel.check();
        std::vector<Complex> phasors = unit_phasors(problem, last, last - r);
        if (phasors != known) {  // equal if tokens are counted in groups
            found = sums_of(phasors, amplitudes, weights);
            known = std::move(phasors);
        }
        sums[r] = found;
    }
}

std::vector<Sums> sums_by_distance(const Problem& problem, std::span<const Complex> amplitudes,
                                   std::span<const double> weights, int count, const Cancel& cancel) {
    const LoweredEncoding& lowered = problem.lowered;
    if (lowered.positions) {
        std::vector<Sums> sums(static_cast<std::size_t>(count));
        replace_sums(problem, amplitudes, weights, 0, sums, cancel);
        return sums;
    }
    const PhasorRun run = angles(lowered, lowered.near, problem.positions.stride);
    std::vector<Sums> sums = partial_sums(run, count, amplitudes, weights, cancel);
    if (lowered.far)
        replace_sums(problem, amplitudes, weights, static_cast<int>(std::min<std::int64_t>(problem.first_far(), count)),
                     sums, cancel);
    return sums;
}

/// Returns the work of `sums_by_distance` in multiply-adds.
double work_of_sums(const Problem& problem, int count) {
    constexpr double in_vectors = 15, exact = 5e3;  // multiply-adds per pair and distance, in SIMD or not
    const LoweredEncoding& lowered = problem.lowered;
    const std::int64_t first_exact = lowered.positions ? 0 : lowered.far ? problem.first_far() : count;
    const double from_phases = static_cast<double>(std::max<std::int64_t>(0, count - first_exact));
    return lowered.pairs() * (in_vectors * count + exact * from_phases);
}

/// Returns |h_{t+1} − h_t| [pairs], with h = 0 after the last.
std::vector<double> changes_of(std::span<const Complex> h) {
    std::vector<double> changes(h.size());
    for (std::size_t pair = 0; pair < h.size(); ++pair)
        changes[pair] = std::abs((pair + 1 < h.size() ? h[pair + 1] : 0) - h[pair]);
    return changes;
}

/// Returns the bounds for amplitudes that depend on the distance through damping.
AbelBounds damped_bounds(const Problem& problem, std::span<const Complex> h, int count, const Cancel& cancel) {
    const int last = problem.seq_len - 1;
    AbelBounds bounds;
    for (auto* row : {&bounds.magnitude, &bounds.weighted, &bounds.max}) row->resize(static_cast<std::size_t>(count));
    for_each_in_parallel((count + block_size - 1) / block_size, [&](int index) {
        cancel.check();
        std::vector<Complex> damped(h.size());
        for (int r = index * block_size; r < std::min(count, (index + 1) * block_size); ++r) {
            const std::int64_t distance = problem.position(last) - problem.position(last - r);
            for (std::size_t pair = 0; pair < h.size(); ++pair)
                damped[pair] = h[pair] * problem.lowered.left_over(static_cast<int>(pair), distance);
            const std::vector<double> changes = changes_of(damped);
            const Sums sums = sums_of(unit_phasors(problem, last, last - r), damped, changes);
            bounds.magnitude[r] = sums.magnitude, bounds.weighted[r] = sums.weighted;
            bounds.max[r] =
                sums.mean * static_cast<double>(h.size()) * *std::max_element(changes.begin(), changes.end());
        }
    });
    return bounds;
}

}  // namespace

std::vector<double> mean_partial_sums(const Problem& problem, int count, const Cancel& cancel) {
    std::vector<double> means;
    for (const Sums& sums : sums_by_distance(problem, {}, {}, count, cancel)) means.push_back(sums.mean);
    return means;
}

double PartialSumsQuestion::cost(const Problem& problem, const Backend&) const {
    return is_job(problem) ? work_of_sums(problem, count) : 0;
}

double AbelQuestion::cost(const Problem& problem, const Backend&) const {
    constexpr double damped = 2.5e3;  // multiply-adds per pair and distance, in scalar code
    if (!is_job(problem) || !problem.lowered.rotates()) return 0;
    if (problem.lowered.damping.empty()) return work_of_sums(problem, count);
    return damped * problem.lowered.pairs() * count;
}

std::optional<AbelBounds> AbelQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    if (!problem.lowered.rotates()) return std::nullopt;
    const std::vector<Complex> h = pair_amplitudes(problem, context.cursor.query, context.cursor.key);
    if (!problem.lowered.damping.empty()) return damped_bounds(problem, h, count, context.cancel);
    const std::vector<double> changes = changes_of(h);
    const double max_change = *std::max_element(changes.begin(), changes.end());
    AbelBounds bounds;
    for (const Sums& sums : sums_by_distance(problem, h, changes, count, context.cancel)) {
        bounds.magnitude.push_back(sums.magnitude);
        bounds.weighted.push_back(sums.weighted);
        bounds.max.push_back(sums.mean * (max_change * static_cast<double>(h.size())));
    }
    return bounds;
}

}  // namespace ropewalk
