#include "app/figures/handle.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

bool move_handle(Experiment& experiment, const std::string& path, double value) {
    if (!std::isfinite(value)) return false;
    Experiment moved = experiment;
    bool found = false;
    walk_fields(moved, [&](const std::string& field_path, const Field& field, auto& number) {
        using T = std::remove_cvref_t<decltype(number)>;
        if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>) {
            if (field_path != path) return;
            found = true;
            const double kept = std::clamp(value, field.least, field.greatest);
            const double first = field.step > 1 ? field.least : 0, steps = std::round((kept - first) / field.step);
            if constexpr (std::is_same_v<T, int>)
                number = static_cast<int>(first + field.step * steps);
            else
                number = kept;
        }
    });
    if (!found || validate(moved)) return false;
    experiment = moved;
    return true;
}

}  // namespace ropewalk
