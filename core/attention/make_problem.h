// From an experiment to the problem that backends compute.
#pragma once

#include "core/attention/attention.h"
#include "core/experiment/experiment.h"
#include "core/memo.h"

namespace ropewalk {

/// What queries and keys follow from; `lowered` is left out where the construction ignores the encoding.
struct InputsKey {
    Construction construction;
    Shape shape;
    LoweredEncoding lowered{};

    bool operator==(const InputsKey&) const = default;
};
using InputsMemo = Memo<InputsKey, HeadInputs>;

/// The head that a valid experiment describes. Queries and keys that `known` remembers are the same source of rows
/// again.
Problem make_problem(const Experiment& experiment);
Problem make_problem(const Experiment& experiment, InputsMemo& known);

/// Whether another seed gives other queries, keys or positions: by trying, on a few tokens, since windows ask it in
/// every frame.
bool depends_on_seed(const Experiment& experiment);

}  // namespace ropewalk
