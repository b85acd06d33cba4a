#include "core/experiment.h"

#include <cmath>

#include "core/attention.h"

namespace ropewalk {
namespace {

/// The rules of the alternative in force that go beyond its fields' own ranges.
template <Choice C>
std::optional<std::string> check_choice(const C& choice, const Shape& shape) {
    return std::visit(
        [&](const auto& alternative) -> std::optional<std::string> {
            if constexpr (requires { alternative.check(shape); })
                return alternative.check(shape);
            else
                return std::nullopt;
        },
        choice);
}

}  // namespace

std::optional<std::string> validate(const Experiment& experiment) {
    if (auto sentence = check_fields(experiment)) return sentence;
    if (auto sentence = check_choice(experiment.encoding, experiment.shape())) return sentence;
    return check_choice(experiment.construction, experiment.shape());
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
