#include "core/experiment.h"

namespace ropewalk {

std::optional<std::string> validate(const Experiment& experiment) {
    if (auto sentence = check_fields(experiment)) return sentence;
    if (auto sentence = check(experiment.encoding, experiment.shape())) return sentence;
    return check(experiment.construction, experiment.shape());
}

}  // namespace ropewalk
