#include "core/analysis/fit/band_fit.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/analysis/encodings/phasors.h"
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

double weight_at(int distance, FitWeighting weighting) {
    return weighting == FitWeighting::octaves ? 1 / (distance + 1.0) : 1;
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
        for (int r = first; r < end; ++r) all.push_back({r, weight_at(r, weighting)});
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

/// The linear system waves · x ≈ wanted: what the cosines and sines add to the logit at each fitted distance, and the
/// target, both times the root of the distance's weight.
struct FitSystem {
    Eigen::MatrixXd waves;   // [distances, 2 · pairs]: cosine and sine of every pair
    Eigen::VectorXd wanted;  // [distances]
};

FitSystem fit_system(const Problem& problem, const TargetCurve& target, const Interval& pairs,
                     const std::vector<FittedDistance>& distances, const Cancel& cancel) {
    const auto rows = static_cast<Eigen::Index>(distances.size());
    FitSystem system{.waves = Eigen::MatrixXd(rows, 2 * pairs.size()), .wanted = Eigen::VectorXd(rows)};
    const int last = problem.seq_len - 1;
    for (Eigen::Index row = 0; row < rows; ++row) {
        if (row % 256 == 0) cancel.check();
        const auto [r, weight] = distances[row];
        const std::int64_t positions = problem.position(last) - problem.position(last - r);
        const std::vector<Complex> units = unit_phasors(problem, last, last - r);
        const double root = std::sqrt(weight),
                     bias = problem.lowered.bias_slope * static_cast<double>(positions) / problem.temperature;
        for (int pair = pairs.begin; pair < pairs.end; ++pair) {
            const Complex part = root * problem.lowered.left_over(pair, positions) * units[pair];
            system.waves(row, 2 * (pair - pairs.begin)) = part.real();
            system.waves(row, 2 * (pair - pairs.begin) + 1) = part.imag();
        }
        system.wanted[row] = root * (target.at(r) + bias);
    }
    return system;
}

struct LeastSquares {
    Eigen::VectorXd x;  // [2 · pairs]
    int rank = 0;       // of the waves and the ridge
};

/// Returns the x that minimises ‖waves·x − wanted‖² + ridge·‖x‖²; the shortest, if there are several.
LeastSquares solved(const FitSystem& system, double ridge, const Cancel& cancel) {
    const Eigen::Index rows = system.waves.rows(), columns = system.waves.cols();
    Eigen::MatrixXd extended(rows + columns, columns + 1);  // the ridge adds rows, the target is the last column
    extended << system.waves, system.wanted, std::sqrt(ridge) * Eigen::MatrixXd::Identity(columns, columns),
        Eigen::VectorXd::Zero(columns);
    // The decomposition that finds the rank is slow on many rows, so a fast one makes them a triangle first.
    const Eigen::HouseholderQR<Eigen::MatrixXd> reduced(extended);
    cancel.check();
    const Eigen::MatrixXd triangle = reduced.matrixQR().topRows(columns).triangularView<Eigen::Upper>();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposed;
    decomposed.setThreshold(indistinct).compute(triangle.leftCols(columns));
    return {decomposed.solve(triangle.col(columns)), static_cast<int>(decomposed.rank())};
}

/// Returns the logits of the head with constant q and k made of the bands.
Numbers logits_of(const Problem& problem, const std::vector<Band>& bands, const Cancel& cancel) {
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
        const double wanted = target.at(r), left = fit.logits[r] - wanted, weight = weight_at(r, weighting);
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
    const auto [x, rank] = solved(system, rules.ridge, cancel);

    const auto all = static_cast<std::size_t>(lowered.pairs());
    const double per_logit = 1 / problem.logit_factor();
    BandFit fit{.bands = std::vector<Band>(all),
                .cosine = std::vector<double>(all),
                .sine = std::vector<double>(all),
                .logit_amplitude = std::vector<double>(all),
                .share = std::vector<double>(all),
                .first_distance = first,
                .fitted_distances = static_cast<int>(distances.size()),
                .rank = rank};
    double squares = 0;
    for (int pair = pairs.begin; pair < pairs.end; ++pair) {
        const int column = 2 * (pair - pairs.begin);
        const double cosine = x[column], sine = x[column + 1];
        fit.cosine[pair] = per_logit * cosine, fit.sine[pair] = per_logit * sine;
        fit.logit_amplitude[pair] = std::hypot(cosine, sine);
        fit.bands[pair] = {per_logit * fit.logit_amplitude[pair], std::atan2(-sine, cosine)};
        fit.share[pair] = (system.waves.middleCols(column, 2) * x.segment(column, 2)).squaredNorm();
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
    const double columns = 2.0 * fitted_pairs(rules, pairs).size(),
                 rows = std::min(end - first, most_fitted_distances(rules, pairs)) + columns;
    return slowness * 2 * rows * columns * columns + 4.0 * problem.seq_len * pairs;
}

std::optional<BandFitQuestion> BandFitQuestion::coarsened(const Problem& problem) const {
    const auto is_quick = [&](const BandFitQuestion& question) { return question.multiply_adds(problem) <= quick_fit; };
    if (is_quick(*this)) return *this;
    BandFitQuestion quicker = *this;
    quicker.rules.most_distances = 4 * std::max(1, fitted_pairs(rules, problem.lowered.pairs()).size());
    return is_quick(quicker) ? std::optional(quicker) : std::nullopt;
}

}  // namespace ropewalk
