#include "core/experiment.h"

namespace ropewalk {

std::optional<std::string> validate(const Experiment& experiment) {
    if (auto sentence = check_fields(experiment)) return sentence;
    if (auto sentence = check(experiment.encoding, experiment.shape())) return sentence;
    return check(experiment.construction, experiment.shape());
}

bool set_if_valid(Experiment& experiment, std::string_view path, double value) {
    Experiment changed = experiment;
    if (!set_number(changed, path, value) || validate(changed)) return false;
    experiment = changed;
    return true;
}

}  // namespace ropewalk
