#include "core/experiment.h"

#include <cmath>

#include "core/attention.h"

namespace ropewalk {
std::optional<std::string> validate(const Experiment& experiment) {
    if (auto sentence = check_fields(experiment)) return sentence;
    if (auto sentence = check(experiment.encoding, experiment.shape())) return sentence;
    return check(experiment.construction, experiment.shape());
}

Problem make_problem(const Experiment& experiment) {
    InputsMemo none;
    return make_problem(experiment, none);
}

Problem make_problem(const Experiment& experiment, InputsMemo& known) {
    Problem problem;
    problem.seq_len = experiment.seq_len;
    problem.lowered = lower(experiment.encoding, experiment.shape());
    InputsKey key{experiment.construction, experiment.shape(), experiment.seed};
    if (!ignores_encoding(experiment.construction)) key.lowered = problem.lowered;
    problem.inputs = *known.get(key, [&] {
        return build(experiment.construction, {experiment.shape(), problem.lowered, experiment.seed});
    });
    problem.positions = experiment.positions;
    problem.mask = experiment.mask;
    problem.scale = experiment.scale == Scale::sqrt_d ? 1 / std::sqrt(static_cast<double>(experiment.head_dim)) : 1;
    problem.temperature = experiment.temperature;
    return problem;
}

}  // namespace ropewalk
