#include "core/attention/make_problem.h"

namespace ropewalk {

Problem make_problem(const Experiment& experiment, const Cancel& cancel) {
    InputsMemo none;
    return make_problem(experiment, none, cancel);
}

Problem make_problem(const Experiment& experiment, InputsMemo& known, const Cancel& cancel, const Progress& progress,
                     const InputsBuilder& builder) {
    cancel.check();
    Problem problem;
    problem.seq_len = experiment.seq_len;
    problem.lowered = lower(experiment.encoding, experiment.shape());
    InputsKey key{experiment.construction, experiment.shape()};
    if (!ignores_encoding(experiment.construction)) key.lowered = problem.lowered;
    problem.inputs = *known.get(key, [&] {
        return builder(experiment.construction, {experiment.shape(), problem.lowered, cancel, progress});
    });
    problem.positions = experiment.positions;
    problem.mask = experiment.mask;
    if (experiment.mask == Mask::window) problem.window = experiment.window;
    problem.scale = scale_of(experiment);
    problem.softcap = experiment.softcap;
    problem.temperature = experiment.temperature;
    return problem;
}

}  // namespace ropewalk
