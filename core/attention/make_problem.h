// From an experiment to the problem that backends compute.
#pragma once

#include "core/attention/attention.h"
#include "core/experiment/experiment.h"
#include "core/memo.h"

namespace ropewalk {

/// Everything that queries and keys depend on; `lowered` is empty if the construction ignores the encoding.
struct InputsKey {
    Construction construction;
    Shape shape;
    LoweredEncoding lowered{};

    bool operator==(const InputsKey&) const = default;
};
using InputsMemo = Memo<InputsKey, HeadInputs>;

/// Returns the head that a valid experiment describes. Queries and keys in `known` are reused as the same row sources.
Problem make_problem(const Experiment& experiment);
Problem make_problem(const Experiment& experiment, InputsMemo& known);

/// Returns whether another seed gives other queries, keys or positions. Tries this on only a few tokens, because
/// windows call it in every frame.
bool depends_on_seed(const Experiment& experiment);

}  // namespace ropewalk
