// The concentration of attention rows.
#pragma once

#include <span>
#include <vector>

#include "core/analysis/heads/entries.h"

namespace ropewalk {

struct RowStatistics {
    int row = 0;
    double entropy = 0;  // −Σ w ln w over the row's keys, nats: 0 for one key, ln n for n equal ones
    double max_weight = 0;
    int max_key = 0;    // the first key with that weight
    double margin = 0;  // gap to the second: largest weight − second largest (0 if there is only one key)
};
RowStatistics row_statistics(int row, std::span<const double> weights);

/// Returns the statistics of at most `most` evenly spread rows of a range (all rows of a smaller one), each over all
/// its keys. Allocates nothing of size N².
std::vector<RowStatistics> row_statistics(const Problem& problem, Interval rows, int most, Backend& backend,
                                          const Cancel& cancel);

/// Asks for the statistics of at most `rows` evenly spread rows, always including the last.
struct RowStatisticsQuestion : QuestionDefaults {
    using Answer = std::vector<RowStatistics>;
    static constexpr auto stage = "rows";
    int rows = 0;

    bool operator==(const RowStatisticsQuestion&) const = default;

    bool is_job(const Problem& problem) const;
    double cost(const Problem& problem, const Backend& backend) const;
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for the statistics of one row.
struct OneRowStatisticsQuestion : QuestionDefaults {
    using Answer = RowStatistics;
    static constexpr auto stage = "row statistics";
    int query = 0;

    bool operator==(const OneRowStatisticsQuestion&) const = default;

    static double cost(const Problem& problem, const Backend&) { return row_work(problem); }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
