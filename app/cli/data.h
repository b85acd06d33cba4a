// The numbers behind the pictures, for `ropewalk data`.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/figures.h"

namespace ropewalk {

/// Which part is asked for; what is left out is everything, at one entry a cell.
struct DataSelection {
    std::optional<Interval> rows, columns;
    std::optional<std::pair<int, int>> cells;  // down, across
    std::optional<Pooling> pooling;            // the mean, if it is not said
    Cursor cursor;
    std::optional<Figure> figure;  // with its options, where the data are a figure's
};

/// Something that `ropewalk data` can write.
struct DataKind {
    const char* id;
    const char* shape;
    const char* summary;
    std::vector<std::string_view> options;  // that select and that it takes; of a figure `cursor_options` says which
    bool of_figure;                         // the numbers that the figure of the same name shows
    DataTable (*make)(const Experiment& experiment, Backend& backend, const DataSelection& selection,
                      const Cancel& cancel);
};

const std::vector<DataKind>& data_kinds();

/// Throws UsageError for an unknown kind, InputError for a selection outside the matrix, LimitError if more than 2²⁶
/// entries or too much work is asked for.
DataTable make_data(const std::string& what, const Experiment& experiment, Backend& backend,
                    const DataSelection& selection, const Cancel& cancel);

/// Those of --query, --key and --distance that change the figure's numbers.
std::vector<std::string_view> cursor_options(const Figure& figure, const Experiment& experiment);

/// LimitError if what the figure asks for, beside the reference if there is one, would take more than some minutes.
void require_affordable(const Figure& figure, const Experiment& experiment, const Backend& backend, PlotPixels pixels,
                        const Experiment* reference);

/// The kind of that name. UsageError if there is none.
const DataKind& data_kind(const std::string& what);

}  // namespace ropewalk
