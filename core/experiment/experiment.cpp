#include "core/experiment/experiment.h"

#include <cmath>

namespace ropewalk {

std::optional<std::string> validate(const Experiment& experiment) {
    if (auto sentence = check_fields(experiment)) return sentence;
    if (auto sentence = check(experiment.encoding, experiment.shape())) return sentence;
    return check(experiment.construction, experiment.shape());
}

double scale_of(const Experiment& experiment) {
    switch (experiment.scale) {
        case Scale::sqrt_d: return 1 / std::sqrt(static_cast<double>(experiment.head_dim));
        case Scale::value: return experiment.scale_value;
        case Scale::none: break;
    }
    return 1;
}

bool depends_on_seed(const Experiment& experiment) {
    return depends_on_seed(experiment.construction) || depends_on_seed(experiment.encoding);
}

bool reads_files(const Experiment& experiment) {
    bool has_files = false;
    walk_fields(experiment, [&](const std::string&, const Field&, const auto& value) {
        if constexpr (FileLeaf<std::remove_cvref_t<decltype(value)>>)
            has_files |= !value.path.empty() && !value.path.starts_with(bundled_prefix);
    });
    return has_files;
}

bool set_if_valid(Experiment& experiment, std::string_view path, double value) {
    Experiment changed = experiment;
    if (!set_number(changed, path, value) || validate(changed)) return false;
    experiment = changed;
    return true;
}

}  // namespace ropewalk
