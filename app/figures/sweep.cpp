#include "app/figures/sweep.h"

#include <cmath>

namespace ropewalk {

std::optional<std::string> Sweep::check() const {
    if (!std::isfinite(from) || !std::isfinite(to)) return "A sweep runs between two finite numbers";
    if (spacing == Spacing::logarithmic && !(from > 0 && to > 0))
        return "A logarithmic sweep runs between positive values; choose linear spacing or other ends";
    return std::nullopt;
}

double Sweep::value(int step) const {
    const double share = static_cast<double>(step) / std::max(1, steps - 1);
    if (share == 1) return to;
    return spacing == Spacing::linear ? from + share * (to - from) : from * std::pow(to / from, share);
}

std::optional<Sweep> sweep_over(const Experiment& experiment, const std::string& path) {
    std::optional<Sweep> sweep;
    walk_fields(experiment, [&](const std::string& field_path, const Field& field, const auto& number) {
        using T = std::remove_cvref_t<decltype(number)>;
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
            if (field_path != path) return;
            sweep = Sweep{.path = path,
                          .from = std::isnan(field.slider_least) ? field.least : field.slider_least,
                          .to = std::isnan(field.slider_greatest) ? field.greatest : field.slider_greatest};
            if (field.of_pairs && std::is_same_v<T, int>) sweep->to = field.step * (experiment.shape().pairs() - 1);
            if (field.logarithmic && sweep->from > 0) sweep->spacing = Spacing::logarithmic;
        }
    });
    return sweep;
}

Experiment experiment_at(const Experiment& experiment, const Sweep& sweep, int step) {
    Experiment at = experiment;
    double value = sweep.value(step);
    walk_fields(experiment, [&](const std::string& path, const Field& field, const auto& number) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(number)>, double>)
            if (path == sweep.path && field.of_pairs) value = experiment.shape().snapped(value);
    });
    set_if_valid(at, sweep.path, value);
    return at;
}

}  // namespace ropewalk
