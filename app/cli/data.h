// The data behind the figures, for `ropewalk data`.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figures.h"

namespace ropewalk {

/// The requested part of the data. By default it is all of it, one entry per cell.
struct DataSelection {
    std::optional<Interval> rows, columns;
    std::optional<std::pair<int, int>> cells;  // down, across
    std::optional<Pooling> pooling;            // default: mean
    Cursor cursor;
    std::optional<Figure> figure;  // with its options, if the data belong to a figure
};

/// A kind of data that `ropewalk data` can write.
struct DataKind {
    const char* id;
    const char* shape;
    const char* summary;
    std::vector<std::string_view>
        options;     // options for the selection that it accepts; for a figure see `cursor_options`
    bool of_figure;  // the data are those that the figure of the same name shows
    DataTable (*make)(const Experiment& experiment, Backend& backend, const DataSelection& selection,
                      const Cancel& cancel);
};

const std::vector<DataKind>& data_kinds();

/// Throws UsageError for an unknown kind, InputError for a selection outside the matrix, and LimitError for more than
/// 2²⁶ entries or too much work.
DataTable make_data(const std::string& what, const Experiment& experiment, Backend& backend,
                    const DataSelection& selection, const Cancel& cancel);

/// Returns those of --query, --key and --distance that change the figure's data.
std::vector<std::string_view> cursor_options(const Figure& figure, const Experiment& experiment);

/// Throws LimitError if the figure's results, including those of the reference, would take more than a few minutes.
void require_affordable(const Figure& figure, const Experiment& experiment, const Backend& backend, PlotPixels pixels,
                        const Experiment* reference, const Cancel& cancel);

/// Returns the kind with this name. Throws UsageError if there is none.
const DataKind& data_kind(const std::string& what);

}  // namespace ropewalk
