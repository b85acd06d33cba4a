#include "core/attention/make_problem.h"

#include <span>
#include <utility>
#include <vector>

namespace ropewalk {
namespace {

/// Returns the rows with channels from `first` on, in pair order, multiplied by a factor.
RowSource with_rest_times(double factor, int first, const RowSource& source) {
    const auto multiply = [factor, first](std::span<double> row) {
        for (double& entry : row.subspan(static_cast<std::size_t>(first))) entry *= factor;
    };
    if (source.is_constant()) {
        std::vector<double> row(source.constant_row().begin(), source.constant_row().end());
        multiply(row);
        return RowSource::constant(std::move(row));
    }
    return RowSource::of([source, multiply](int token, std::span<double> row) {
        source.read(token, row);
        multiply(row);
    });
}

}  // namespace

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
    const LoweredEncoding& lowered = problem.lowered;
    if (lowered.rotates() && lowered.rotary_dim < lowered.head_dim() && lowered.attention_scaling != 1) {
        problem.unrotated_factor = 1 / lowered.score_scaling();
        problem.inputs.q = with_rest_times(problem.unrotated_factor, lowered.rotary_dim, problem.inputs.q);
    }
    problem.positions = experiment.positions;
    problem.mask = experiment.mask;
    if (experiment.mask == Mask::window) problem.window = experiment.window;
    problem.scale = scale_of(experiment);
    problem.softcap = experiment.softcap;
    problem.temperature = experiment.temperature;
    return problem;
}

}  // namespace ropewalk
