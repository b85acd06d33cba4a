#include "app/figures/page/sweep.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

std::optional<std::string> Sweep::check() const {
    if (!std::isfinite(from) || !std::isfinite(to)) return "The ends of a sweep must be finite numbers";
    if (spacing == Spacing::logarithmic && !(from > 0 && to > 0))
        return "The ends of a logarithmic sweep must be positive; choose linear spacing or other ends";
    if (from == to) return "From and To must differ. Change one of them";
    return std::nullopt;
}

double Sweep::value(int step) const {
    const double share = static_cast<double>(step) / std::max(1, steps - 1);
    if (share == 1) return to;
    return spacing == Spacing::linear ? from + share * (to - from) : from * std::pow(to / from, share);
}

ValueRange slider_range(const Field& field, NumberKind kind, const Shape& shape) {
    ValueRange range{std::isnan(field.slider_min) ? field.min : field.slider_min,
                     std::isnan(field.slider_max) ? field.max : field.slider_max};
    if (std::string_view(field.unit) == "tokens" && !field.logarithmic && range.max < shape.seq_len)
        range.max = std::min<double>(field.max, shape.seq_len);
    if (kind == NumberKind::whole && field.of_pairs) range.max = field.step * (shape.pairs() - 1);
    return range;
}

std::optional<Sweep> sweep_over(const ConstGroupRef& s, const Shape& shape, const std::string& path) {
    std::optional<Sweep> sweep;
    walk_fields(s, [&](const std::string& field_path, const Field& field, const auto& number) {
        using T = std::remove_cvref_t<decltype(number)>;
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
            if (field_path != path) return;
            const bool is_whole = std::is_same_v<T, int>, is_fraction = !is_whole && field.of_pairs;
            const ValueRange range = slider_range(field, is_whole ? NumberKind::whole : NumberKind::real, shape);
            sweep = Sweep{.path = path, .from = range.min, .to = range.max};
            if (*field.min_means && sweep->from == field.min)
                sweep->from += is_fraction ? 1.0 / shape.pairs() : is_whole ? field.step : 1;
            if (field.logarithmic && sweep->from > 0) sweep->spacing = Spacing::logarithmic;
        }
    });
    return sweep;
}

namespace {

/// Returns the sweep's value at a step. A fraction of the pairs is rounded to whole pairs.
double fitting_value(const ConstGroupRef& s, const Shape& shape, const Sweep& sweep, int step) {
    double value = sweep.value(step);
    walk_fields(s, [&](const std::string& path, const Field& field, const auto& number) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(number)>, double>)
            if (path == sweep.path && field.of_pairs) value = shape.snapped(value);
    });
    return value;
}

}  // namespace

Experiment experiment_at(const Experiment& experiment, const Sweep& sweep, int step) {
    Experiment at = experiment;
    set_if_valid(at, sweep.path, fitting_value(experiment, experiment.shape(), sweep, step));
    return at;
}

Figure figure_at(const Figure& figure, const Experiment& experiment, const Sweep& sweep, int step) {
    Figure at = figure;
    set_number(ChoiceRef(at).fields(), sweep.path,
               fitting_value(ConstChoiceRef(figure).fields(), experiment.shape(), sweep, step));
    return check(at) ? figure : at;
}

}  // namespace ropewalk
