#include "core/analysis/heads/row_statistics.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/heads/attention_row.h"
#include "core/analysis/heads/sampling.h"

namespace ropewalk {

RowStatistics row_statistics(int row, std::span<const double> weights) {
    RowStatistics result{.row = row};
    double second = 0;
    for (std::size_t key = 0; key < weights.size(); ++key) {
        const double weight = weights[key];
        if (weight > 0) result.entropy -= weight * std::log(weight);
        second = std::max(second, std::min(weight, result.max_weight));
        if (weight > result.max_weight) result.max_weight = weight, result.max_key = static_cast<int>(key);
    }
    result.margin = result.max_weight - second;
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
    constexpr double logarithm = 1000;  // of every weight, in scalar code
    return std::min(rows, problem.seq_len) * (problem.seq_len / 2.0) * (problem.head_dim() + logarithm);
}

std::vector<RowStatistics> RowStatisticsQuestion::answer(const AnalysisContext& context) const {
    const int seq_len = context.problem.seq_len, last = seq_len - 1;
    const int most = rows < seq_len ? rows - 1 : seq_len;  // leaves room for the last
    std::vector<RowStatistics> statistics =
        row_statistics(context.problem, {0, seq_len}, most, context.backend, context.cancel);
    if (statistics.empty() || statistics.back().row != last)
        statistics.push_back(OneRowStatisticsQuestion{.query = last}.answer(context));
    return statistics;
}

RowStatistics OneRowStatisticsQuestion::answer(const AnalysisContext& context) const {
    return row_statistics(query, attention_row(context.problem, query, context.backend, context.cancel).weights);
}

}  // namespace ropewalk
