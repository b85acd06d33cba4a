#include "core/analysis/row_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/sampling.h"

namespace ropewalk {
namespace {

RowStatistics statistics_of(int row, std::span<const double> weights) {
    RowStatistics result{.row = row};
    double second = 0;
    for (const double weight : weights) {
        if (weight > 0) result.entropy -= weight * std::log(weight);
        second = std::max(second, std::min(weight, result.greatest_weight));
        result.greatest_weight = std::max(result.greatest_weight, weight);
    }
    result.margin = result.greatest_weight - second;
    return result;
}

}  // namespace

std::vector<RowStatistics> row_statistics(const Problem& problem, Interval rows, int most, Backend& backend,
                                          const Cancel& cancel) {
    std::vector<RowStatistics> statistics;
    for_each_row(problem, rows, most, backend, cancel,
                 [&](const RowView& row) { statistics.push_back(statistics_of(row.row, row.weights)); });
    return statistics;
}

bool RowStatisticsQuestion::is_job(const Problem& problem) const {
    return static_cast<double>(rows) * problem.seq_len * problem.head_dim() > 1e8;
}

double RowStatisticsQuestion::cost(const Problem& problem, const Backend&) const {
    constexpr double logarithm = 1000;  // of every weight, taken one by one
    return std::min(rows, problem.seq_len) * (problem.seq_len / 2.0) * (problem.head_dim() + logarithm);
}

std::vector<RowStatistics> RowStatisticsQuestion::answer(const Subject& subject) const {
    return row_statistics(subject.problem, {0, subject.problem.seq_len}, rows, subject.backend, subject.cancel);
}

}  // namespace ropewalk
