#include "core/analysis/heads/decay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/analysis/training/training_answers.h"
#include "core/attention/make_problem.h"
#include "core/error.h"
#include "core/experiment/settings.h"
#include "core/machine/parallel.h"
#include "core/series/score_terms.h"
#include "core/series/sum_by_distance.h"
#include "core/series/vector_math.h"

namespace ropewalk {
namespace {

/// Returns the terms of (q + p_m)·(k + p_(m−r)): every wave of the key's position as a wave of the distance r from m,
/// and a constant term.
std::vector<DistanceTerm> wave_terms(const LoweredEncoding& lowered, std::span<const double> q,
                                     std::span<const double> k, std::int64_t m, std::int64_t step) {
    std::vector<DistanceTerm> terms(static_cast<std::size_t>(lowered.pairs()) + 1);
    for (int pair = 0; pair < lowered.pairs(); ++pair)
        terms[pair].per_step = phase_at(step, phase_of(lowered.inv_freq[pair]));
    for (std::size_t channel = 0; channel < lowered.added_waves.size(); ++channel) {
        const int wave = lowered.added_waves[channel];
        const double at_query = q[channel] + wave_at(lowered, wave, m);
        // sin(m − r) = sin m cos r − cos m sin r,  cos(m − r) = cos m cos r + sin m sin r
        terms[wave / 2].cosine += at_query * wave_at(lowered, wave, m);
        terms[wave / 2].sine += (wave % 2 == 0 ? -at_query : at_query) * wave_at(lowered, wave ^ 1, m);
        terms.back().cosine += at_query * k[channel];
    }
    return terms;
}

/// Returns the score of a key r · step positions before the last token as a sum over pairs; with two regimes, that of
/// the near one.
std::vector<DistanceTerm> distance_terms(const Problem& problem, std::span<const double> q, std::span<const double> k,
                                         std::int64_t step) {
    const LoweredEncoding& lowered = problem.lowered;
    return lowered.rotates() ? score_terms(lowered, lowered.near, q, k, step)
                             : wave_terms(lowered, q, k, problem.position(problem.seq_len - 1), step);
}

double sum_at(std::span<const DistanceTerm> terms, std::int64_t distance) {
    double sum = 0;
    for (const DistanceTerm& term : terms) {
        const double angle = angle_of(phase_at(distance, term.per_step));
        sum += term.cosine * std::cos(angle) + term.sine * std::sin(angle);
    }
    return sum;
}

/// Returns scores for listed token positions. Where these are dense, all distances of a block are summed and those that
/// occur are picked.
Numbers scores_at_positions(const Problem& problem, std::span<const DistanceTerm> terms, int count,
                            const Cancel& cancel) {
    constexpr int block = 4096, close = 48;  // tokens per block; mean step up to which the whole block is faster
    const auto distance = [&](int r) {
        return problem.position(problem.seq_len - 1) - problem.position(problem.seq_len - 1 - r);
    };
    Numbers scores;
    while (static_cast<int>(scores.size()) < count) {
        cancel.check();
        const int begin = static_cast<int>(scores.size());
        const std::int64_t first = distance(begin);
        int end = begin + 1;
        while (end < count && distance(end) < first + block) ++end;
        const auto sums = end - begin < close ? Numbers{} : sum_by_distance(terms, first, block, cancel);
        for (int r = begin; r < end; ++r)
            scores.push_back(sums.empty() ? sum_at(terms, distance(r))
                                          : sums[static_cast<std::size_t>(distance(r) - first)]);
    }
    return scores;
}

/// Fills in scores from `far->window` on, where positions are counted in groups and many distances share one effective
/// distance.
void fill_far_scores(const Problem& problem, std::span<const double> q, std::span<const double> k, Numbers& scores,
                     const Cancel& cancel) {
    const auto& [window, maps] = *problem.lowered.far;
    const auto terms = score_terms(problem.lowered, maps, q, k, 1);
    const std::int64_t query = problem.position(problem.seq_len - 1);
    std::int64_t known = -1;
    double score = 0;
    for (std::size_t r = 0; r < scores.size(); ++r) {
        const std::int64_t distance = problem.positions.stride * static_cast<std::int64_t>(r);
        if (distance < window) continue;
        if (r % 4096 == 0) cancel.check();
        const std::int64_t effective = maps.query.group_of(query) - maps.key.group_of(query - distance);
        if (effective != known) score = sum_at(terms, effective);
        known = effective;
        scores[r] = score;
    }
}

/// Returns Σ terms at `target` minus Σ terms at r. A wave's values at a and b differ by 2 sin((b − a)/2) times its
/// slope halfway between.
double fall_between(std::span<const DistanceTerm> terms, std::int64_t target, std::int64_t r) {
    double sum = 0;
    for (const DistanceTerm& term : terms) {
        if (term.cosine == 0 && term.sine == 0) continue;
        const double there = angle_of(phase_at(target, term.per_step)),
                     half = angle_of(phase_at(r - target, term.per_step)) / 2;
        sum += 2 * std::sin(half) * (term.cosine * std::sin(there + half) - term.sine * std::cos(there + half));
    }
    return sum;
}

}  // namespace

Numbers logits_by_distance(const Problem& problem, std::span<const double> q, std::span<const double> k, int count,
                           const Cancel& cancel) {
    const LoweredEncoding& lowered = problem.lowered;
    const auto terms = distance_terms(problem, q, k, problem.step());
    Numbers logits = lowered.positions ? scores_at_positions(problem, terms, count, cancel)
                                       : sum_by_distance(terms, 0, count, cancel);
    if (lowered.far) fill_far_scores(problem, q, k, logits, cancel);
    add_line(logits, {.factor = problem.logit_factor(), .slope = problem.bias_per_token()}, logits.data());
    return logits;
}

Numbers logit_falls(const Problem& problem, std::span<const double> q, std::span<const double> k, int target, int count,
                    const Cancel& cancel) {
    constexpr double near = 0.05;  // of Σ|amplitude|; a larger difference keeps its digits anyway
    const LoweredEncoding& lowered = problem.lowered;
    ensure(lowered.rotates(), "logit falls need an encoding that rotates");
    const auto terms = distance_terms(problem, q, k, problem.positions.stride);
    const double factor = problem.logit_factor(), bias = problem.bias_per_token(), amplitudes = max_possible(terms);
    Numbers falls = logits_by_distance(problem, q, k, count, cancel);
    const double highest = falls[target];
    const std::int64_t ends = !lowered.damping.empty() || lowered.positions ? 0
                              : lowered.far                                 ? problem.first_far()
                                            : count;  // range of one sum of undamped waves
    for (int r = 0; r < count; ++r) {
        if (r % 4096 == 0) cancel.check();
        falls[r] = highest - falls[r];
        if (target < ends && r < ends && std::abs(falls[r]) < near * factor * amplitudes)
            falls[r] = factor * fall_between(terms, target, r) + bias * (r - target);
    }
    return falls;
}

namespace {

/// Applies the softcap to logits before it.
void cap(const Problem& problem, Numbers& logits) {
    if (problem.softcap != 0) add_line(logits, {.cap = problem.max_logit()}, logits.data());
}

/// Returns the logits of one of the head's samples, by distance, or its margins.
Numbers logits_of_sample(const Problem& problem, int sample, const Cancel& cancel) {
    const HeadInputs& inputs = problem.inputs;
    std::vector<double> q(static_cast<std::size_t>(problem.head_dim())), k(q.size());
    inputs.sample(sample, q, k);
    auto logits = logits_by_distance(problem, q, k, problem.seq_len, cancel);
    if (inputs.sample_of != SampleOf::margin) cap(problem, logits);
    if (inputs.sample_of == SampleOf::margin && (!problem.lowered.rotates() || problem.lowered.bias_slope != 0)) {
        std::fill(k.begin(), k.end(), 0.0);
        const auto common = logits_by_distance(problem, q, k, problem.seq_len, cancel);
        for (std::size_t r = 0; r < logits.size(); ++r) logits[r] -= common[r];
    }
    return logits;
}

/// Returns the expected logits of a sample, in closed form: 2·E[q_c·k_c] · Σ cos(r·w_t) (Men et al. 2024, Theorem 1).
/// Empty if they are unknown, as after a softcap.
Numbers expected_logits(const Problem& problem, const Cancel& cancel) {
    if (problem.softcap != 0 && problem.inputs.sample_of != SampleOf::margin) return {};
    if (!problem.inputs.expected_product || !problem.lowered.rotates() || problem.lowered.bias_slope != 0) return {};
    std::vector<double> q(static_cast<std::size_t>(problem.head_dim())), k(q.size());
    for (std::size_t channel = 0; channel < q.size(); channel += 2)
        q[channel] = 1, k[channel] = 2 * *problem.inputs.expected_product;
    return logits_by_distance(problem, q, k, problem.seq_len, cancel);
}

/// Fills in mean and σ over the head's samples by Welford's update, in the order of the samples. Computes several
/// samples at a time if one alone does not occupy all cores.
void fill_from_samples(const Problem& problem, Decay& result, const Cancel& cancel) {
    constexpr int most_together = 8, task_distances = 4096, most_logits = 1 << 21;  // in memory at a time
    const int count = problem.seq_len;
    result.samples = problem.inputs.samples;
    result.mean.assign(static_cast<std::size_t>(count), 0);
    Numbers squares(result.mean.size());
    const int samples_together = std::clamp(most_logits / count, 1, most_together);
    std::array<Numbers, most_together> logits;
    for (int first = 0; first < result.samples; first += samples_together) {
        const int together = std::min(samples_together, result.samples - first);
        for_each_in_parallel(together, [&](int i) { logits[i] = logits_of_sample(problem, first + i, cancel); });
        for_each_in_parallel((count + task_distances - 1) / task_distances, [&](int task) {
            const int begin = task * task_distances, end = std::min(begin + task_distances, count);
            for (int i = 0; i < together; ++i) {
                for (int r = begin; r < end; ++r) {
                    const double deviation = logits[i][r] - result.mean[r];
                    result.mean[r] += deviation / (first + i + 1);
                    squares[r] += deviation * (logits[i][r] - result.mean[r]);
                }
            }
        });
    }
    if (result.samples == 1) return;
    for (double& square : squares) square = std::sqrt(square / result.samples);
    result.sigma = std::move(squares);
}

/// Returns the experiment with settings; nothing if they are invalid, which the answer explains.
std::optional<Experiment> with_settings(const Experiment& experiment, const std::string& settings) try {
    return changed(experiment, settings);
} catch (const Error&) {
    return std::nullopt;
}

/// Estimates the work of a curve in multiply-adds, without building queries and keys.
double curve_work(const Experiment& experiment) {
    return DecayQuestion::work(static_cast<int>(number_at(experiment, "construction.samples").value_or(0)),
                               experiment.seq_len, experiment.head_dim);
}

}  // namespace

Decay decay(const Problem& problem, Backend& backend, const Cancel& cancel) {
    const HeadInputs& inputs = problem.inputs;
    const int count = problem.seq_len;
    const Interval seen = problem.seen_keys(count - 1);
    Decay result{.first_distance = std::min(inputs.first_distance, count - 1)};
    if (inputs.is_constant()) {
        result.mean = logits_by_distance(problem, inputs.q.constant_row(), inputs.k.constant_row(), count, cancel);
        cap(problem, result.mean);
    } else if (inputs.samples > 0) {
        result.of = DecayOf::samples;
        fill_from_samples(problem, result, cancel);
        result.expected = expected_logits(problem, cancel);
    } else {
        result.of = DecayOf::row;
        const AttentionView row = backend.attend(problem, Viewport::one_to_one({count - 1, count}, seen), cancel);
        result.mean.assign(row.logits.mean.rbegin(), row.logits.mean.rend());
    }
    for (Numbers* numbers : {&result.mean, &result.sigma, &result.expected})
        if (!numbers->empty()) numbers->erase(numbers->begin(), numbers->begin() + result.first_distance);
    return result;
}

namespace {

/// Returns the curve of a head other than the context's.
Decay decay_of(const Experiment& experiment, const AnalysisContext& context) {
    InputsMemo none;
    return decay(make_problem(experiment, none, context.cancel, context.progress), context.backend, context.cancel);
}

}  // namespace

Decay DecayQuestion::answer(const AnalysisContext& context) const {
    if (settings.empty()) {
        Decay curve = decay(context.problem, context.backend, context.cancel);
        if (curve.of != DecayOf::row) curve.verdict = decay_verdict(curve);
        return curve;
    }
    try {
        return decay_of(changed(context.experiment, settings), context);
    } catch (const Error& error) {
        return {.complaint = error.what()};
    }
}

double DecayQuestion::model_work(const Experiment& experiment) const {
    const auto other = settings.empty() ? std::nullopt : with_settings(experiment, settings);
    return other ? further_model_work(experiment, *other) + curve_work(*other) : 0;
}

bool DecayQuestion::is_about_long_head(const Experiment& experiment) const {
    constexpr double long_model_work = 2e9, long_curve_work = 4e10;  // multiply-adds of about 0.1 s and 1 s
    const auto other = settings.empty() ? std::nullopt : with_settings(experiment, settings);
    return other && (curve_work(*other) > long_curve_work || further_model_work(experiment, *other) > long_model_work);
}

double PinnedDecayQuestion::cost(const Problem&, const Backend&) const {
    const auto pinned = with_settings({}, settings);
    return pinned ? curve_work(*pinned) : 1;
}

double PinnedDecayQuestion::model_work(const Experiment& experiment) const {
    const auto pinned = with_settings({}, settings);
    return pinned ? further_model_work(experiment, *pinned) : 0;
}

PinnedDecay PinnedDecayQuestion::answer(const AnalysisContext& context) const {
    PinnedDecay pinned;
    try {
        pinned.experiment = changed({}, settings);
        pinned.curve = decay_of(pinned.experiment, context);
    } catch (const Error& error) {
        pinned.curve.complaint = error.what();
    }
    return pinned;
}

}  // namespace ropewalk
