#include "core/analysis/row_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/attention_row.h"
#include "core/analysis/sampling.h"

namespace ropewalk {

RowStatistics row_statistics(int row, std::span<const double> weights) {
    RowStatistics result{.row = row};
    double second = 0;
    for (std::size_t key = 0; key < weights.size(); ++key) {
        const double weight = weights[key];
        if (weight > 0) result.entropy -= weight * std::log(weight);
        second = std::max(second, std::min(weight, result.greatest_weight));
        if (weight > result.greatest_weight)
            result.greatest_weight = weight, result.greatest_key = static_cast<int>(key);
    }
    result.margin = result.greatest_weight - second;
    return result;
}

std::vector<RowStatistics> row_statistics(const Problem& problem, Interval rows, int most, Backend& backend,
                                          const Cancel& cancel) {
    std::vector<RowStatistics> statistics;
    for_each_row(problem, rows, most, backend, cancel,
                 [&](const RowView& row) { statistics.push_back(row_statistics(row.row, row.weights)); });
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
    const int seq_len = subject.problem.seq_len, last = seq_len - 1;
    const int most = rows < seq_len ? rows - 1 : seq_len;  // room for the last
    std::vector<RowStatistics> statistics;
    if (most > 0) statistics = row_statistics(subject.problem, {0, seq_len}, most, subject.backend, subject.cancel);
    if (statistics.empty() || statistics.back().row != last)
        statistics.push_back(OneRowStatisticsQuestion{last}.answer(subject));
    return statistics;
}

RowStatistics OneRowStatisticsQuestion::answer(const Subject& subject) const {
    return row_statistics(query, attention_row(subject.problem, query, subject.backend, subject.cancel).weights);
}

}  // namespace ropewalk
