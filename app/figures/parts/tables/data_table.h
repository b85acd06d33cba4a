// Arrays with column names: the data of a figure, as `ropewalk data` writes it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/backend.h"
#include "core/cancel.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

/// An array with a name for each column of its last axis.
struct DataTable {
    std::string what;
    std::vector<std::int64_t> shape;
    std::vector<std::string> columns;
    std::vector<double> values;
    Precision precision = Precision::fp64;
    std::shared_ptr<const WholeMatrix> matrix{};  // replaces `values` for a whole matrix in float
    std::string rows_are{};                       // meaning of `row_labels`
    std::vector<int> row_labels{};                // first column of a CSV; or empty
    std::string formula{};                        // NumPy code that computes them as `data`; or empty

    std::size_t size() const { return matrix ? matrix->entries().size() : values.size(); }
    double value(std::size_t i) const { return matrix ? static_cast<double>(matrix->entries()[i]) : values[i]; }
};

inline std::vector<double> copied(std::span<const double> values) {
    return {values.begin(), values.end()};
}

/// Returns a [rows, columns] table. Shorter columns are padded with NaN.
inline DataTable table_of_columns(const std::vector<std::pair<std::string, std::vector<double>>>& columns) {
    std::size_t rows = 0;
    DataTable table;
    for (const auto& [name, values] : columns) {
        table.columns.push_back(name);
        rows = std::max(rows, values.size());
    }
    table.shape = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns.size())};
    for (std::size_t row = 0; row < rows; ++row)
        for (const auto& [name, values] : columns) table.values.push_back(row < values.size() ? values[row] : nan);
    return table;
}

/// Returns one value per row, read by `value_of` (a member or a function); NaN where it is empty.
template <class Rows, class ValueOf>
std::vector<double> column_of(const Rows& rows, ValueOf value_of) {
    std::vector<double> values;
    for (const auto& row : rows) {
        const auto& value = std::invoke(value_of, row);
        if constexpr (requires { value.has_value(); })
            values.push_back(value.value_or(nan));
        else
            values.push_back(static_cast<double>(value));
    }
    return values;
}

/// Returns "key_0", "key_1", …
inline std::vector<std::string> numbered_columns(const char* name, int count, int first = 0) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", name, first + i));
    return names;
}

/// Returns a [cells_down, cells_across] table. Each column is named after its first key, each row after its first
/// query.
DataTable table_of_cells(const Viewport& viewport, std::vector<double> values);

/// Returns first, first + 1, …, first + count − 1.
inline std::vector<double> counted(std::size_t count, double first = 0) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<double>(i);
    return values;
}

/// Returns a number of the table at full precision, as in CSV files and scripts.
std::string number_text(const DataTable& table, std::size_t i);

/// Returns whether `encode` supports the format.
bool is_data_format(const std::string& format);
/// Throws UsageError unless it does.
void require_data_format(const std::string& format);

/// Returns the table as a file: "npy", "csv" with a header line, "json", or "py" (a script that plots it). Throws
/// UsageError for another format.
std::string encode(const DataTable& table, const std::string& format, const Cancel& cancel);
/// Returns the approximate size of that file, extrapolated from a sample of its numbers.
double estimated_bytes(const DataTable& table, const std::string& format);

}  // namespace ropewalk
