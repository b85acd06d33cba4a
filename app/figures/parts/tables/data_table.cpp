#include "app/figures/parts/tables/data_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <span>

#include "app/figures/parts/tables/plot_script.h"
#include "core/error.h"
#include "core/fields/fields.h"
#include "core/io/npy.h"

namespace ropewalk {
namespace {

std::string json_number(const DataTable& table, std::size_t i) {
    const std::string text = number_text(table, i);
    return std::isfinite(table.value(i)) ? text : '"' + text + '"';
}

/// Appends nested lists along `shape`, starting at `axis`.
void append_json(std::string& text, const DataTable& table, std::size_t axis, std::size_t& next, const Cancel& cancel) {
    cancel.check();
    text += '[';
    for (std::int64_t i = 0; i < table.shape[axis]; ++i) {
        if (i > 0) text += ',';
        if (axis + 1 < table.shape.size())
            append_json(text, table, axis + 1, next, cancel);
        else
            text += json_number(table, next++);
    }
    text += ']';
}

/// Returns a text as a field of a CSV file (RFC 4180).
std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csv_of(const DataTable& table, const Cancel& cancel) {
    const bool is_matrix = table.shape.size() > 1;
    const auto width = static_cast<std::size_t>(is_matrix ? table.shape.back() : 1);
    const bool is_stack = table.shape.size() == 3;  // its two outer axes become the first two columns
    const bool is_labelled = !table.row_labels.empty();
    std::string text = is_stack ? "array,token," : is_labelled ? table.rows_are + "," : "";
    for (std::size_t i = 0; i < width; ++i) text += (i > 0 ? "," : "") + csv_field(table.columns[i]);
    text += '\n';
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::size_t line = i / width;
        if (i % width == 0) cancel.check();
        if (is_stack && i % width == 0)
            text += fmt::format("{},{},", line / static_cast<std::size_t>(table.shape[1]),
                                line % static_cast<std::size_t>(table.shape[1]));
        if (is_labelled && i % width == 0) text += fmt::format("{},", table.row_labels[line]);
        text += number_text(table, i);
        text += i % width + 1 == width ? '\n' : ',';
    }
    return text;
}

}  // namespace

std::string number_text(const DataTable& table, std::size_t i) {
    const double value = table.value(i);
    return table.matrix && std::isfinite(value) ? fmt::format("{}", static_cast<float>(value)) : text_of(value);
}

DataTable table_of_cells(const Viewport& viewport, std::vector<double> values) {
    DataTable table{
        .shape = {viewport.cells_down, viewport.cells_across}, .values = std::move(values), .rows_are = "query"};
    for (int column = 0; column < viewport.cells_across; ++column)
        table.columns.push_back(fmt::format("key_{}", viewport.cell_columns(column).begin));
    for (int row = 0; row < viewport.cells_down; ++row) table.row_labels.push_back(viewport.cell_rows(row).begin);
    return table;
}

bool is_data_format(const std::string& format) {
    return format == "npy" || format == "csv" || format == "json" || format == "py";
}

void require_data_format(const std::string& format) {
    if (!is_data_format(format))
        throw UsageError(fmt::format("unknown data format '{}'; use 'npy', 'csv', 'json' or 'py'", format));
}

double estimated_bytes(const DataTable& table, const std::string& format) {
    constexpr std::size_t samples = 1000;
    const auto count = static_cast<double>(table.size());
    if (format == "npy") return count * (table.matrix || table.precision == Precision::fp32 ? 4 : 8);
    const std::size_t step = std::max<std::size_t>(1, table.size() / samples);
    double length = 0, seen = 0;
    for (std::size_t i = 0; i < table.size(); i += step, ++seen)
        length += static_cast<double>(number_text(table, i).size()) + 1;
    return seen == 0 ? 0 : length / seen * count;
}

std::string encode(const DataTable& table, const std::string& format, const Cancel& cancel) {
    require_data_format(format);
    if (format == "csv") return csv_of(table, cancel);
    if (format == "py") return plot_script(table, cancel);
    if (format == "npy" && table.matrix) return npy_bytes(table.shape, table.matrix->entries());
    const bool fits_float = std::none_of(table.values.begin(), table.values.end(), [](double value) {
        return std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max();
    });
    if (format == "npy" && (table.precision == Precision::fp64 || !fits_float))
        return npy_bytes(table.shape, std::span<const double>(table.values));
    if (format == "npy") {
        const std::vector<float> values(table.values.begin(), table.values.end());
        return npy_bytes(table.shape, std::span<const float>(values));
    }
    std::string text =
        fmt::format("{{\"what\":\"{}\",\"shape\":[{}],\"values\":", table.what, fmt::join(table.shape, ","));
    std::size_t next = 0;
    append_json(text, table, 0, next, cancel);
    return text + "}\n";
}

}  // namespace ropewalk
