// Lines in figures that represent a field of the experiment or of the figure, and that can be dragged.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/parts/marks/mark.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// A line that represents a numeric field.
struct Handle {
    enum class Owner { experiment, figure };

    Mark mark;
    std::string path;                 // of the field, as in --set
    Owner owner = Owner::experiment;  // owner of the field
    bool crosses_all = false;         // plots of the figure that share the axis; otherwise the last
    std::function<double(double)> value_at = [](double at) {
        return at;
    };  // the field's value for a position of the line
};

/// Returns the target distance of a construction, on an axis of distances.
std::vector<Handle> distance_handles(const FigureInput& input);
/// Returns the window within which an encoding keeps distances unchanged, on an axis of distances.
std::vector<Handle> window_handles(const FigureInput& input);
/// Returns the encoding's fraction of rotated pairs, or nullopt if it has none, or if its training length decides
/// instead which pairs are slowed.
std::optional<double> rotating_fraction(const Experiment& experiment);
/// Return, on an axis of pairs (the vertical axis if the line is horizontal), the construction's pair, the end of the
/// rotated pairs, and both.
std::vector<Handle> construction_pair_handles(const FigureInput& input, Mark::Way way = Mark::Way::up);
std::vector<Handle> fraction_handles(const FigureInput& input, Mark::Way way = Mark::Way::up);
std::vector<Handle> pair_handles(const FigureInput& input, Mark::Way way = Mark::Way::up);
/// Returns the fraction of the pairs up to `end` on such an axis.
double fraction_ending_at(double end, const Shape& shape);
/// Returns the encoding's thresholds, on an axis of turns over the training length.
std::vector<Handle> threshold_handles(const FigureInput& input);
/// Returns the encoding's training length, on a vertical axis of tokens.
std::vector<Handle> trained_context_handles(const FigureInput& input);
/// Returns a handle for one of the figure's own options.
Handle own_handle(const FigureInput& input, const ConstGroupRef& options, const std::string& path, Mark::Way way,
                  double at);

std::vector<Handle> joined(std::vector<Handle> some, const std::vector<Handle>& others);
std::vector<Mark> marks_of(const std::vector<Handle>& handles);
/// Returns the marks of handles that are shown only for dragging; none if they cannot be dragged.
std::vector<Mark> marks_to_drag(const std::vector<Handle>& handles, const FigureInput& input);

/// Sets the handle's field to its value for `at`, clamped to its range and to values with which the experiment can be
/// computed. Returns false, and changes nothing, if the field has that value already or if its owner (the experiment or
/// `options`) has no such field.
bool move_handle(const Handle& handle, double at, Experiment& experiment, const GroupRef& options);

}  // namespace ropewalk
