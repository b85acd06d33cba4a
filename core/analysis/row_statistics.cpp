#include "core/analysis/row_statistics.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

constexpr std::int64_t most_weights = 1 << 21;  // of a block of rows

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

std::vector<RowStatistics> row_statistics(const Problem& problem, std::span<const int> rows, Backend& backend,
                                          const Cancel& cancel) {
    const std::size_t columns = static_cast<std::size_t>(problem.seq_len);
    const auto most_rows = static_cast<std::size_t>(std::max<std::int64_t>(1, most_weights / problem.seq_len));
    std::vector<RowStatistics> statistics;
    for (std::size_t first = 0, end = 0; first < rows.size(); first = end) {
        for (end = first + 1; end < rows.size() && rows[end] == rows[end - 1] + 1 && end - first < most_rows;) ++end;
        const Interval block{rows[first], rows[end - 1] + 1};
        const AttentionView view = backend.attend(problem, Viewport::one_to_one(block, {0, problem.seq_len}), cancel);
        for (std::size_t i = 0; i < end - first; ++i)
            statistics.push_back(
                statistics_of(rows[first + i], std::span(view.weights.mean).subspan(i * columns, columns)));
    }
    return statistics;
}

bool RowStatisticsQuestion::is_job(const Problem& problem) const {
    return static_cast<double>(rows) * problem.seq_len * problem.head_dim() > 1e8;
}

std::vector<RowStatistics> RowStatisticsQuestion::answer(const Subject& subject) const {
    std::vector<int> listed;
    for (std::int64_t i = 0; i < rows; ++i)
        listed.push_back(rows == 1 ? 0 : static_cast<int>(i * (subject.problem.seq_len - 1) / (rows - 1)));
    return row_statistics(subject.problem, listed, subject.backend, subject.cancel);
}

}  // namespace ropewalk
