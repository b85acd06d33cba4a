// Lines in figures that stand for a field of the experiment and may be dragged.
#pragma once

#include <string>

#include "core/experiment.h"

namespace ropewalk {

/// An upright line at the value of a field.
struct Handle {
    std::string path;  // as behind --set
    double at = 0;     // x in the figure
};

/// Sets the field at `path` to the value, rounded and kept in its range. False if there is no such number, or if the
/// experiment could not be computed with it: then it stays as it was.
bool move_handle(Experiment& experiment, const std::string& path, double value);

}  // namespace ropewalk
