#include "app/figures/parts/marks/handle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/figures/parts/text/value_in_words.h"
#include "core/error.h"

namespace ropewalk {
namespace {

/// Returns "p = 0.75" for the label "Fraction p", which ends in a symbol, or else the whole label and the value.
std::string label_of(const Field& field, const std::string& value) {
    const std::string symbol = symbol_of(field);
    return symbol.empty() ? fmt::format("{} {}", field.label, value) : fmt::format("{} = {}", symbol, value);
}

/// Returns a handle at `at`, labelled with its field.
template <class T>
Handle handle_of(const std::string& path, const Field& field, const T& value, Mark::Way way, double at,
                 const Theme& theme) {
    return {.mark = {.way = way,
                     .at = at,
                     .label = label_of(field, value_in_words(field, value, Units::omitted)),
                     .color = theme.warning,
                     .grip = true},
            .path = path};
}

/// Returns a handle at place_of(value, step) for every number of the experiment with this meaning. Dragging it to a
/// place sets value_at(place, step).
template <class PlaceOf, class ValueAt>
std::vector<Handle> handles_at(const FigureInput& input, Meaning meaning, Mark::Way way, PlaceOf&& place_of,
                               ValueAt value_at) {
    std::vector<Handle> handles;
    walk_fields(input.experiment(), [&](const std::string& path, const Field& field, const auto& value) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
            if (field.meaning != meaning) return;
            const double place = place_of(static_cast<double>(value), field.step);
            handles.push_back(handle_of(path, field, value, way, place, input.theme));
            handles.back().value_at = [value_at, step = field.step](double at) { return value_at(at, step); };
        }
    });
    return handles;
}

/// Returns handles on an axis in the field's own unit.
std::vector<Handle> handles_at_values(const FigureInput& input, Meaning meaning, Mark::Way way) {
    const auto same = [](double value, double) { return value; };
    return handles_at(input, meaning, way, same, same);
}

/// Returns handles on an axis of distances, limited to the largest distance in the sequence.
std::vector<Handle> handles_at_distances(const FigureInput& input, Meaning meaning) {
    std::vector<Handle> handles = handles_at_values(input, meaning, Mark::Way::up);
    for (Handle& handle : handles)
        handle.value_at = [last = std::max(input.experiment().seq_len - 1.0, handle.mark.at)](double at) {
            return std::min(at, last);
        };
    return handles;
}

/// Moves a number towards an invalid value as far as it stays valid, such as up to the other of two thresholds. Returns
/// false if it is there already.
bool set_as_far_as_valid(Experiment& experiment, const std::string& path, double beyond) {
    constexpr int halvings = 24;
    const auto current = number_at(experiment, path);
    if (!current) return false;
    Experiment valid = experiment;
    double reached = *current;
    for (int i = 0; i < halvings; ++i) {
        const double middle = std::midpoint(reached, beyond);
        if (set_if_valid(valid, path, middle))
            reached = middle;
        else
            beyond = middle;
    }
    return !(std::exchange(experiment, valid) == valid);
}

}  // namespace

std::vector<Handle> distance_handles(const FigureInput& input) {
    return handles_at_distances(input, Meaning::distance);
}

std::vector<Handle> window_handles(const FigureInput& input) {
    return handles_at_distances(input, Meaning::window);
}

std::vector<Handle> threshold_handles(const FigureInput& input) {
    return handles_at_values(input, Meaning::turns_threshold, Mark::Way::up);
}

std::vector<Handle> trained_context_handles(const FigureInput& input) {
    std::vector<Handle> handles = handles_at_values(input, Meaning::trained_context, Mark::Way::across);
    std::erase_if(handles, [](const Handle& handle) { return handle.mark.at <= 0; });  // 0 means none
    for (Handle& handle : handles) handle.value_at = [](double length) { return std::max(length, 1.0); };
    return handles;
}

double fraction_ending_at(double end, const Shape& shape) {
    return shape.fraction_of(static_cast<int>(std::lround(std::clamp<double>(end + 0.5, 0, shape.pairs()))));
}

std::optional<double> rotating_fraction(const Experiment& experiment) {
    if (number_meaning(experiment, Meaning::trained_context).value_or(0) > 0) return std::nullopt;
    return number_meaning(experiment, Meaning::rotating_fraction);
}

std::vector<Handle> construction_pair_handles(const FigureInput& input, Mark::Way way) {
    const double last = input.experiment().shape().pairs() - 1.0;
    return handles_at(
        input, Meaning::pair, way, [](double value, double step) { return value / step; },
        [last](double pair, double step) { return step * std::clamp(std::round(pair), 0.0, last); });
}

std::vector<Handle> fraction_handles(const FigureInput& input, Mark::Way way) {
    const Shape shape = input.experiment().shape();
    if (!rotating_fraction(input.experiment())) return {};
    return handles_at(
        input, Meaning::rotating_fraction, way, [&](double fraction, double) { return shape.pairs_in(fraction) - 0.5; },
        [shape](double end, double) { return fraction_ending_at(end, shape); });
}

std::vector<Handle> pair_handles(const FigureInput& input, Mark::Way way) {
    return joined(construction_pair_handles(input, way), fraction_handles(input, way));
}

std::vector<Handle> joined(std::vector<Handle> some, const std::vector<Handle>& others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
}

Handle own_handle(const FigureInput& input, const ConstGroupRef& options, const std::string& path, Mark::Way way,
                  double at) {
    Handle handle;
    walk_fields(options, [&](const std::string& field_path, const Field& field, const auto& value) {
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
            if (field_path == path) handle = handle_of(path, field, value, way, at, input.theme);
    });
    ensure(handle.path == path, "a figure's handle represents a number among its options");
    handle.owner = Handle::Owner::figure;
    return handle;
}

std::vector<Mark> marks_of(const std::vector<Handle>& handles) {
    std::vector<Mark> marks;
    for (const Handle& handle : handles) marks.push_back(handle.mark);
    return marks;
}

std::vector<Mark> marks_to_drag(const std::vector<Handle>& handles, const FigureInput& input) {
    return input.has_handles ? marks_of(handles) : std::vector<Mark>{};
}

bool move_handle(const Handle& handle, double at, Experiment& experiment, const GroupRef& options) {
    const double value = handle.value_at(at);
    if (!std::isfinite(value)) return false;
    if (handle.owner == Handle::Owner::figure) return set_number(options, handle.path, value);
    return set_if_valid(experiment, handle.path, value) || set_as_far_as_valid(experiment, handle.path, value);
}

}  // namespace ropewalk
