#include "app/window/lessons/demonstration.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

Demonstration::Demonstration(const PointedHead& from, const PointedHead& to) : from_(from), to_(to) {
    const Experiment &before = from.experiment, &after = to.experiment;
    walk_fields(before, [&](const std::string& path, const Field&, const auto&) {
        const auto begin = number_at(before, path), end = number_at(after, path);
        auto sweep = sweep_over(before, before.shape(), path);
        if (!begin || !end || !sweep || *begin == *end) return;
        sweep->from = *begin, sweep->to = *end, sweep->steps = Sweep::most_steps;
        if (!(*begin > 0 && *end > 0)) sweep->spacing = Spacing::linear;
        if (!sweep->check()) sweeps_.push_back(*sweep);
    });
}

PointedHead Demonstration::now() const {
    if (is_over()) return to_;
    const double share = std::clamp(elapsed_ / seconds, 0.0, 1.0),
                 eased = share * share * (3 - 2 * share);  // starts and ends slowly
    PointedHead head = from_;
    for (const Sweep& sweep : sweeps_)
        head.experiment =
            experiment_at(head.experiment, sweep, static_cast<int>(std::lround(eased * (sweep.steps - 1))));
    for (int Cursor::*const place : {&Cursor::query, &Cursor::key, &Cursor::pair})
        head.cursor.*place += static_cast<int>(std::lround(eased * (to_.cursor.*place - from_.cursor.*place)));
    return head;
}

}  // namespace ropewalk
