// How concentrated rows of attention are.
#pragma once

#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

struct RowStatistics {
    int row = 0;
    double entropy = 0;  // −Σ w ln w over the row's keys, nats: 0 for one key, ln n for n equal ones
    double max_weight = 0;
    int max_key = 0;    // the first key that has it
    double margin = 0;  // greatest weight − second greatest, 0 being that of a key that is not there
};
RowStatistics row_statistics(int row, std::span<const double> weights);

/// Of at most `most` rows of a range, evenly spread (all of a smaller one), each over all its keys. Nothing of size N²
/// is held.
std::vector<RowStatistics> row_statistics(const Problem& problem, Interval rows, int most, Backend& backend,
                                          const Cancel& cancel);

/// Of at most `rows` rows, evenly spread over all, but for the last, which is always among them.
struct RowStatisticsQuestion {
    using Answer = std::vector<RowStatistics>;
    static constexpr auto stage = "rows";
    static constexpr auto dependence = Dependence::experiment;
    int rows = 0;

    bool operator==(const RowStatisticsQuestion&) const = default;

    bool is_job(const Problem& problem) const;
    double cost(const Problem& problem, const Backend& backend) const;
    Answer answer(const AnalysisContext& context) const;
};

/// Of one row.
struct OneRowStatisticsQuestion {
    using Answer = RowStatistics;
    static constexpr auto stage = "row statistics";
    static constexpr auto dependence = Dependence::experiment;
    int query = 0;

    bool operator==(const OneRowStatisticsQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
