// Lines in figures that stand for a field of the experiment, or of the figure itself, and may be dragged.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/parts/mark.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// A line that stands for a number.
struct Handle {
    enum class Owner { experiment, figure };

    Mark mark;
    std::string path;                                                       // of the field, as behind --set
    Owner owner = Owner::experiment;                                        // whose field it is
    std::function<double(double)> value_at = [](double at) { return at; };  // the field's, where the line is put
};

/// Where the queries look back to, on an axis of distances.
std::vector<Handle> distance_handles(const FigureInput& input);
/// How far distances are left alone, on such an axis.
std::vector<Handle> window_handles(const FigureInput& input);
/// The fraction of the pairs that rotate, as the encoding says; nothing where it says none, or one that does not count
/// since its trained context says which pairs are slowed.
std::optional<double> rotating_fraction(const Experiment& experiment);
/// On an axis of pairs, which goes up where the line goes across: the pair that a construction is about; where the
/// rotating pairs end; and both.
std::vector<Handle> construction_pair_handles(const FigureInput& input, Mark::Way way = Mark::Way::up);
std::vector<Handle> fraction_handles(const FigureInput& input, Mark::Way way = Mark::Way::up);
std::vector<Handle> pair_handles(const FigureInput& input, Mark::Way way = Mark::Way::up);
/// The fraction of the pairs that end there on such an axis.
double fraction_ending_at(double end, const Shape& shape);
/// The thresholds of the encoding on an axis of turns over the trained context.
std::vector<Handle> threshold_handles(const FigureInput& input);
/// The length of the context that the encoding was trained on, on an upright axis of tokens.
std::vector<Handle> trained_context_handles(const FigureInput& input);
/// A field of the figure's own options.
Handle own_handle(const FigureInput& input, const ConstGroupRef& options, const std::string& path, Mark::Way way,
                  double at);

std::vector<Mark> marks_of(const std::vector<Handle>& handles);
/// The marks of handles that a figure shows only to have them dragged: none where they cannot be.
std::vector<Mark> marks_to_drag(const std::vector<Handle>& handles, const FigureInput& input);

/// Sets the handle's field to what it stands for at `at`, kept in its range and, on the way there, to where the
/// experiment can still be computed with it. False if it is there already, or if its owner, the experiment or
/// `options`, has no such number: then all stays as it was.
bool move_handle(const Handle& handle, double at, Experiment& experiment, const GroupRef& options);

}  // namespace ropewalk
