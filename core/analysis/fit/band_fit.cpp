#include "core/analysis/fit/band_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/analysis/encodings/phasors.h"
#include "core/analysis/fit/least_squares.h"
#include "core/analysis/heads/decay.h"

namespace ropewalk {
namespace {

// Columns that differ by less are distinguished only by amplitudes whose sum cancels to six digits of a double.
constexpr double indistinct = 1e-10;
constexpr double quick_fit = 5e8;  // multiply-adds of a kernel; a few milliseconds

/// Returns the fitted pairs [begin, end).
Interval fitted_pairs(const FitRules& rules, int pairs) {
    const int end = rules.last_pair < 0 ? pairs : std::min(rules.last_pair + 1, pairs);
    return {std::min(rules.first_pair, end), end};
}

int most_fitted_distances(const FitRules& rules, int pairs) {
    return rules.most_distances > 0 ? rules.most_distances : std::max(1024, 4 * pairs);
}

/// Returns the number of starting points: few if a step of Newton's method is slow.
int beginnings_of(const FitRules& rules, int pairs) {
    constexpr double affordable = 5e6;  // multiply-adds of one step from all of them
    return static_cast<int>(
        std::clamp(affordable / std::pow(pairs, 3), 2.0, static_cast<double>(std::max(2, rules.beginnings))));
}

/// A fitted distance and its weight; the weights add up to 1.
struct FittedDistance {
    int distance = 0;
    double weight = 0;
};

/// Returns all distances, or at most `most`, one from each of equally weighted parts. Multiples of the golden ratio
/// place them within the parts, so that they do not resonate with any wave.
std::vector<FittedDistance> fitted_distances(int first, int end, int most, FitWeighting weighting) {
    const bool octaves = weighting == FitWeighting::octaves;
    std::vector<FittedDistance> all;
    if (end - first <= most) {
        for (int r = first; r < end; ++r) all.push_back({r, octaves ? 1 / (r + 1.0) : 1});
    } else {
        const double low = octaves ? std::log(first + 1.0) : first, high = octaves ? std::log(end + 1.0) : end;
        for (int i = 0; i < most; ++i) {
            const double within = std::fmod((i + 0.5) * (std::numbers::phi - 1), 1.0),
                         at = low + (i + within) * (high - low) / most;
            all.push_back({std::clamp(static_cast<int>(octaves ? std::exp(at) - 1 : at), first, end - 1), 1});
        }
    }
    double sum = 0;
    for (const FittedDistance& each : all) sum += each.weight;
    for (FittedDistance& each : all) each.weight /= sum;
    return all;
}

/// The linear system: what the cosines and sines [2 · pairs] add to the logit at each fitted distance, and the target,
/// both times the root of the distance's weight.
struct FitSystem {
    ColumnMatrix columns;
    std::vector<double> wanted;
};

FitSystem fit_system(const Problem& problem, const TargetCurve& target, const Interval& pairs,
                     const std::vector<FittedDistance>& distances, const Cancel& cancel) {
    FitSystem system{.columns = ColumnMatrix(static_cast<int>(distances.size()), 2 * pairs.size()), .wanted = {}};
    const int last = problem.seq_len - 1;
    for (std::size_t row = 0; row < distances.size(); ++row) {
        if (row % 256 == 0) cancel.check();
        const auto [r, weight] = distances[row];
        const std::int64_t positions = problem.position(last) - problem.position(last - r);
        const std::vector<Complex> units = unit_phasors(problem, last, last - r);
        const double root = std::sqrt(weight),
                     bias = problem.lowered.bias_slope * static_cast<double>(positions) / problem.temperature;
        for (int pair = pairs.begin; pair < pairs.end; ++pair) {
            const Complex part = root * problem.lowered.left_over(pair, positions) * units[pair];
            system.columns.column(2 * (pair - pairs.begin))[row] = part.real();
            system.columns.column(2 * (pair - pairs.begin) + 1)[row] = part.imag();
        }
        system.wanted.push_back(root * (target.at(r) + bias));
    }
    return system;
}

/// The fit with one amplitude for all pairs, which minimises x'·gram·x − 2·moments·x + ridge·‖x‖², x = a·(cos φ, −sin
/// φ).
class EqualBands {
  public:
    EqualBands(const FitSystem& system, double ridge)
        : size_(system.columns.columns()), ridge_(ridge), gram_(size_, size_) {
        for (int i = 0; i < size_; ++i) {
            moments_.push_back(product(system.columns.column(i), system.wanted));
            for (int j = 0; j <= i; ++j)
                gram_.column(i)[j] = gram_.column(j)[i] = product(system.columns.column(i), system.columns.column(j));
        }
        square_ = product(system.wanted, system.wanted);
    }

    /// Returns the best point found, starting from the phases of `x` [2 · pairs], from those of the moments, and from
    /// some spread over the circle. At a stationary point that is not a minimum, small steps aside continue the search.
    std::vector<double> best(const std::vector<double>& x, int beginnings, const Cancel& cancel) const {
        constexpr double aside = 0.1;  // rad
        constexpr int most_steps_aside = 4;
        Place found = refined(phases_of(x), cancel);
        const auto take_better = [&](Place other) {
            const bool is_better = value_at(other) < value_at(found) - 1e-12 * square_;
            if (is_better) found = std::move(other);
            return is_better;
        };
        take_better(refined(phases_of(moments_), cancel));
        for (int start = 2; start < beginnings; ++start) {
            std::vector<double> phases;
            for (int pair = 0; pair < pairs(); ++pair) phases.push_back(2 * std::numbers::pi * scattered(start, pair));
            take_better(refined(std::move(phases), cancel));
        }
        for (int step = 0; step < most_steps_aside; ++step) {
            std::vector<double> phases = found.phases;
            for (int pair = 0; pair < pairs(); ++pair) phases[pair] += aside * (scattered(step + 1, pair) - 0.5);
            if (!take_better(refined(std::move(phases), cancel))) break;
        }
        return entries_of(found);
    }

  private:
    struct Place {
        double amplitude = 0;
        std::vector<double> phases;
    };

    /// Returns a quasi-random number in [0, 1) without a pattern over pairs or starting points: multiples of the golden
    /// ratio and of the plastic number.
    static double scattered(int start, int pair) {
        constexpr double plastic = 1.32471795724474602596;  // x³ = x + 1
        const double at =
            (start * (std::numbers::phi - 1) + 1) * (pair + 1) * (plastic - 1) + start * std::numbers::phi;
        return at - std::floor(at);
    }

    std::vector<double> phases_of(const std::vector<double>& x) const {
        std::vector<double> phases;
        for (int pair = 0; pair < pairs(); ++pair) phases.push_back(std::atan2(-x[2 * pair + 1], x[2 * pair]));
        return phases;
    }

    /// Returns the stationary point reached from these phases.
    Place refined(std::vector<double> phases, const Cancel& cancel) const {
        constexpr int most_steps = 1000;
        Place place{.phases = std::move(phases)};
        const std::vector<double> ones = entries_of({1, place.phases}), image = times_gram(ones);
        place.amplitude = product(moments_, ones) / (product(ones, image) + ridge_ * pairs());
        double damping = 1e-3, value = value_at(place);
        for (int step = 0; step < most_steps && damping < 1e12; ++step) {
            cancel.check();
            auto [slope, curvature] = derivatives(place);
            const double steepest = std::abs(*std::max_element(
                slope.begin(), slope.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
            if (steepest <= 1e-13 * square_) break;
            double max = 0;
            for (int i = 0; i <= pairs(); ++i) max = std::max(max, std::abs(curvature.column(i)[i]));
            for (int i = 0; i <= pairs(); ++i) curvature.column(i)[i] += damping * max;
            const std::vector<double> move = solve_definite(std::move(curvature), slope);
            Place next = place;
            if (!move.empty()) {
                next.amplitude -= move.back();
                for (int pair = 0; pair < pairs(); ++pair) next.phases[pair] -= move[pair];
            }
            const double better = move.empty() ? value : value_at(next);
            if (better < value) {
                place = std::move(next), value = better;
                damping = damping < 1e-14 ? 0 : damping / 10;
            } else {
                damping = std::max(damping * 10, 1e-12);
            }
        }
        return place;
    }

    double value_of(const std::vector<double>& x) const {
        return product(x, times_gram(x)) - 2 * product(moments_, x) + ridge_ * product(x, x);
    }

    static double product(std::span<const double> a, std::span<const double> b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    }
    int pairs() const { return size_ / 2; }
    double value_at(const Place& place) const { return value_of(entries_of(place)); }
    std::vector<double> entries_of(const Place& place) const {
        std::vector<double> x;
        for (const double phase : place.phases) {
            x.push_back(place.amplitude * std::cos(phase));
            x.push_back(-place.amplitude * std::sin(phase));
        }
        return x;
    }
    std::vector<double> times_gram(const std::vector<double>& x) const {
        std::vector<double> image;
        for (int i = 0; i < size_; ++i) image.push_back(product(gram_.column(i), x));
        return image;
    }

    /// Returns gradient and Hessian of half the value, by every phase and then by the amplitude.
    std::pair<std::vector<double>, ColumnMatrix> derivatives(const Place& place) const {
        const int n = pairs();
        const std::vector<double> x = entries_of(place), ones = entries_of({1, place.phases}), image = times_gram(x),
                                  image_of_ones = times_gram(ones);
        std::vector<double> slope(static_cast<std::size_t>(n) + 1);
        ColumnMatrix curvature(n + 1, n + 1);
        for (int t = 0; t < n; ++t) {
            // the derivative of x_t by its phase is (x_s, −x_c)
            const double turned_cosine = x[2 * t + 1], turned_sine = -x[2 * t];
            const double rest_cosine = image[2 * t] - moments_[2 * t],
                         rest_sine = image[2 * t + 1] - moments_[2 * t + 1];
            slope[t] = turned_cosine * rest_cosine + turned_sine * rest_sine;
            slope[n] += ones[2 * t] * rest_cosine + ones[2 * t + 1] * rest_sine;
            for (int u = t; u < n; ++u) {
                const std::span<const double> cosine = gram_.column(2 * u), sine = gram_.column(2 * u + 1);
                curvature.column(t)[u] =
                    x[2 * u + 1] * (turned_cosine * cosine[2 * t] + turned_sine * cosine[2 * t + 1]) -
                    x[2 * u] * (turned_cosine * sine[2 * t] + turned_sine * sine[2 * t + 1]);
            }
            curvature.column(t)[t] -= x[2 * t] * rest_cosine + x[2 * t + 1] * rest_sine;
            curvature.column(t)[n] = turned_cosine * image_of_ones[2 * t] + turned_sine * image_of_ones[2 * t + 1] +
                                     ones[2 * t + 1] * rest_cosine - ones[2 * t] * rest_sine;
        }
        slope[n] += ridge_ * n * place.amplitude;
        curvature.column(n)[n] = product(ones, image_of_ones) + ridge_ * n;
        return {std::move(slope), std::move(curvature)};
    }

    int size_;
    double ridge_;
    ColumnMatrix gram_;
    std::vector<double> moments_;
    double square_ = 0;
};

/// Returns the logits of the head with constant q and k made of the bands.
std::vector<double> logits_of(const Problem& problem, const std::vector<Band>& bands, const Cancel& cancel) {
    std::vector<double> q, k;
    for (const auto& [amplitude, phase] : bands) {
        const double root = std::sqrt(amplitude);
        q.insert(q.end(), {root * std::cos(phase), root * std::sin(phase)});
        k.insert(k.end(), {root, 0});
    }
    return logits_by_distance(problem, q, k, problem.seq_len, cancel);
}

/// Fills in the residual at every distance of the target.
void measure(BandFit& fit, const TargetCurve& target, int end, FitWeighting weighting) {
    double sum = 0, weights = 0;
    fit.min_logit = fit.max_logit = fit.logits[fit.first_distance];
    for (int r = fit.first_distance; r < end; ++r) {
        fit.min_logit = std::min(fit.min_logit, fit.logits[r]);
        fit.max_logit = std::max(fit.max_logit, fit.logits[r]);
        const double wanted = target.at(r), left = fit.logits[r] - wanted,
                     weight = weighting == FitWeighting::octaves ? 1 / (r + 1.0) : 1;
        fit.target.push_back(wanted), fit.left_over.push_back(left);
        sum += weight * left * left, weights += weight;
        if (std::abs(left) > fit.max) fit.max = std::abs(left), fit.max_at = r;
    }
    fit.rms = std::sqrt(sum / weights);
}

}  // namespace

BandFit band_fit(const Problem& problem, const TargetCurve& target, const FitRules& rules, const Cancel& cancel) {
    const LoweredEncoding& lowered = problem.lowered;
    const Interval pairs = fitted_pairs(rules, lowered.pairs());
    const auto [first, end] = target.whole_distances(problem.seq_len);
    if (!lowered.rotates())
        return {.complaint =
                    "This encoding adds waves to queries and keys, so the logit is not a sum over pairs. Choose an "
                    "encoding that rotates."};
    if (target.is_empty()) return {.complaint = "Drag across the plot to draw the logit you want."};
    if (first == end)
        return {.complaint = fmt::format("The target is outside this head's distances, 0 to {}. Draw it there.",
                                         problem.seq_len - 1)};
    if (pairs.size() < 1)
        return {.complaint = fmt::format("None of this head's {} pairs is between {} and {}. Include more pairs.",
                                         lowered.pairs(), rules.first_pair,
                                         rules.last_pair < 0 ? "the last" : std::to_string(rules.last_pair))};
    const auto distances = fitted_distances(first, end, most_fitted_distances(rules, lowered.pairs()), rules.weighting);
    const FitSystem system = fit_system(problem, target, pairs, distances, cancel);
    const LeastSquares solved = least_squares(system.columns, system.wanted, rules.ridge, cancel, indistinct);
    const std::vector<double> x =
        rules.amplitudes == FitAmplitudes::equal
            ? EqualBands(system, rules.ridge).best(solved.x, beginnings_of(rules, pairs.size()), cancel)
            : solved.x;

    const auto all = static_cast<std::size_t>(lowered.pairs());
    const double per_logit = 1 / problem.logit_factor();
    BandFit fit{.bands = std::vector<Band>(all),
                .cosine = std::vector<double>(all),
                .sine = std::vector<double>(all),
                .logit_amplitude = std::vector<double>(all),
                .share = std::vector<double>(all),
                .first_distance = first,
                .fitted_distances = static_cast<int>(distances.size()),
                .rank = solved.rank};
    double squares = 0;
    for (int pair = pairs.begin; pair < pairs.end; ++pair) {
        const int column = 2 * (pair - pairs.begin);
        const double cosine = x[column], sine = x[column + 1];
        fit.cosine[pair] = per_logit * cosine, fit.sine[pair] = per_logit * sine;
        fit.logit_amplitude[pair] = std::hypot(cosine, sine);
        fit.bands[pair] = {per_logit * fit.logit_amplitude[pair], std::atan2(-sine, cosine)};
        const std::span<const double> cosines = system.columns.column(column),
                                      sines = system.columns.column(column + 1);
        for (std::size_t row = 0; row < cosines.size(); ++row)
            fit.share[pair] += std::pow(cosine * cosines[row] + sine * sines[row], 2);
        squares += fit.share[pair];
    }
    const auto largest = std::max_element(fit.bands.begin(), fit.bands.end(),
                                          [](const Band& a, const Band& b) { return a.amplitude < b.amplitude; });
    if (!(largest->amplitude <= max_amplitude))
        return {.complaint =
                    fmt::format("The fit needs an amplitude of {:.3g}, but the maximum is {:.0g}. Use a larger ridge.",
                                largest->amplitude, max_amplitude)};
    for (double& share : fit.share) share = squares > 0 ? share / squares : 0;
    fit.logits = logits_of(problem, fit.bands, cancel);
    measure(fit, target, end, rules.weighting);
    return fit;
}

double BandFitQuestion::multiply_adds(const Problem& problem) const {
    constexpr double slowness = 30;  // of sequential columns, compared with a kernel
    const int pairs = problem.lowered.pairs();
    const auto [first, end] = target.whole_distances(problem.seq_len);
    constexpr double steps = 2;  // of Newton's method from one starting point, in cubes of the columns
    const int fitted = fitted_pairs(rules, pairs).size();
    const double columns = 2.0 * fitted,
                 rows = std::min(end - first, most_fitted_distances(rules, pairs)) + (rules.ridge > 0 ? columns : 0),
                 equal = rules.amplitudes == FitAmplitudes::equal
                             ? (beginnings_of(rules, fitted) + 1) * steps * columns * columns * columns
                             : 0;
    return slowness * (2 * rows * columns * columns + equal) + 4.0 * problem.seq_len * pairs;
}

std::optional<BandFitQuestion> BandFitQuestion::coarsened(const Problem& problem) const {
    BandFitQuestion quicker = *this;
    const auto is_quick = [&] { return quicker.multiply_adds(problem) <= quick_fit; };
    if (is_quick()) return quicker;
    if (rules.amplitudes == FitAmplitudes::equal) quicker.rules.beginnings = 2;
    if (is_quick()) return quicker;
    quicker.rules.most_distances = 4 * std::max(1, fitted_pairs(rules, problem.lowered.pairs()).size());
    return is_quick() ? std::optional(quicker) : std::nullopt;
}

}  // namespace ropewalk
