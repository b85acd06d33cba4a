#include "app/window/lessons/demonstration.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

Demonstration::Demonstration(const Experiment& from, const Experiment& to) : from_(from), to_(to) {
    walk_fields(from, [&](const std::string& path, const Field&, const auto&) {
        const auto begin = number_at(from, path), end = number_at(to, path);
        auto sweep = sweep_over(from, from.shape(), path);
        if (!begin || !end || !sweep || *begin == *end) return;
        sweep->from = *begin, sweep->to = *end, sweep->steps = Sweep::most_steps;
        if (!(*begin > 0 && *end > 0)) sweep->spacing = Spacing::linear;
        if (!sweep->check()) sweeps_.push_back(*sweep);
    });
}

Experiment Demonstration::now() const {
    if (is_over()) return to_;
    const double share = std::clamp(elapsed_ / seconds, 0.0, 1.0),
                 eased = share * share * (3 - 2 * share);  // starts and ends slowly
    Experiment experiment = from_;
    for (const Sweep& sweep : sweeps_)
        experiment = experiment_at(experiment, sweep, static_cast<int>(std::lround(eased * (sweep.steps - 1))));
    return experiment;
}

}  // namespace ropewalk
