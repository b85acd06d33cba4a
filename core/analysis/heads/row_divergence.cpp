#include "core/analysis/heads/row_divergence.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/analysis/heads/sampling.h"
#include "core/attention/make_problem.h"
#include "core/error.h"

namespace ropewalk {
namespace {

std::optional<Problem> problem_of(const Experiment& experiment, const Cancel& cancel) {
    try {
        return make_problem(experiment, cancel);
    } catch (const InputError&) {
        return std::nullopt;  // the reference's own evaluation reports why
    }
}

}  // namespace

double row_divergence(std::span<const double> logits, std::span<const double> of_reference) {
    ensure(!logits.empty() && logits.size() == of_reference.size(), "compared rows must have the same keys");
    const double max = *std::max_element(logits.begin(), logits.end()),
                 other_max = *std::max_element(of_reference.begin(), of_reference.end());
    double sum = 0, other_sum = 0, difference = 0;  // Σ e^(l − max), and the same weighted with the logits' differences
    for (std::size_t key = 0; key < logits.size(); ++key) {
        const double weight = std::exp(logits[key] - max), other = of_reference[key] - other_max;
        other_sum += std::exp(other);
        if (weight == 0) continue;
        sum += weight;
        difference += weight * (logits[key] - max - other);
    }
    const double nats = difference / sum + std::log(other_sum) - std::log(sum);
    return nats < 0 ? 0 : nats;  // negative by rounding only; NaN stays NaN
}

RowDivergencesQuestion RowDivergencesQuestion::affordable(const Experiment& experiment, const Experiment& reference) {
    constexpr int entries = 1 << 21, min = 64;
    return {.reference = reference, .rows = std::min(experiment.seq_len, std::max(min, entries / experiment.seq_len))};
}

bool RowDivergencesQuestion::is_job(const Problem& problem) const {
    return static_cast<double>(rows) * problem.seq_len * problem.head_dim() > 1e8;
}

double RowDivergencesQuestion::cost(const Problem& problem, const Backend&) const {
    constexpr double exponentials = 200;  // of two logits, in scalar code
    return static_cast<double>(std::min(rows, problem.seq_len)) * problem.seq_len * (problem.head_dim() + exponentials);
}

std::vector<RowDivergence> RowDivergencesQuestion::answer(const AnalysisContext& context) const {
    const auto other =
        reference.seq_len == context.problem.seq_len ? problem_of(reference, context.cancel) : std::nullopt;
    std::vector<RowDivergence> divergences;
    if (!other) return divergences;
    for_each_row(context.problem, *other, {0, reference.seq_len}, rows, context.backend, context.cancel,
                 [&](const RowView& row, const RowView& of_reference) {
                     divergences.push_back({row.row, row_divergence(row.logits, of_reference.logits)});
                 });
    return divergences;
}

}  // namespace ropewalk
