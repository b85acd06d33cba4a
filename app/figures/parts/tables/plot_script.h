// Data as a Python script that plots it.
#pragma once

#include <string>

#include "app/figures/parts/tables/data_table.h"

namespace ropewalk {

/// Returns a Python script that defines the table as `data`, a NumPy array with the names `columns`, and plots it with
/// Matplotlib when it is run: a matrix as an image, other tables as curves over their first column. The data alone need
/// only NumPy. They are computed by the table's formula, or listed if it has none.
std::string plot_script(const DataTable& table, const Cancel& cancel);

}  // namespace ropewalk
