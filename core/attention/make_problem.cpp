#include "core/attention/make_problem.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

Problem make_problem(const Experiment& experiment) {
    InputsMemo none;
    return make_problem(experiment, none);
}

Problem make_problem(const Experiment& experiment, InputsMemo& known) {
    Problem problem;
    problem.seq_len = experiment.seq_len;
    problem.lowered = lower(experiment.encoding, experiment.shape());
    InputsKey key{experiment.construction, experiment.shape()};
    if (!ignores_encoding(experiment.construction)) key.lowered = problem.lowered;
    problem.inputs = *known.get(key, [&] {
        return build(experiment.construction, {experiment.shape(), problem.lowered});
    });
    problem.positions = experiment.positions;
    problem.mask = experiment.mask;
    problem.scale = experiment.scale == Scale::sqrt_d ? 1 / std::sqrt(static_cast<double>(experiment.head_dim)) : 1;
    problem.temperature = experiment.temperature;
    return problem;
}

bool depends_on_seed(const Experiment& experiment) {
    Experiment few = experiment;
    few.seq_len = std::min(experiment.seq_len, 8);
    if (validate(few)) return true;
    const auto numbers_with = [&](std::int64_t seed) {
        few.seed = seed;
        const Problem problem = make_problem(few);
        const auto width = static_cast<std::size_t>(few.head_dim);
        std::vector<double> numbers;
        for (int token = 0; token < few.seq_len; ++token) {
            numbers.push_back(static_cast<double>(problem.position(token)));
            for (const RowSource* source : {&problem.inputs.q, &problem.inputs.k}) {
                numbers.resize(numbers.size() + width);
                source->read(token, std::span(numbers).last(width));
            }
        }
        return numbers;
    };
    return numbers_with(experiment.seed) != numbers_with(experiment.seed + 1);
}

}  // namespace ropewalk
