// From an experiment to the problem that backends compute.
#pragma once

#include <functional>

#include "core/attention/attention.h"
#include "core/cancel.h"
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
using InputsBuilder = std::function<HeadInputs(const Construction&, const BuildContext&)>;

/// Returns the head that a valid experiment describes. Throws Cancelled if `cancel` requests it.
Problem make_problem(const Experiment& experiment, const Cancel& cancel = {});
/// Returns the same head, whose queries and keys are those in `known` or what `builder` builds.
Problem make_problem(const Experiment& experiment, InputsMemo& known, const Cancel& cancel = {},
                     const Progress& progress = {}, const InputsBuilder& builder = build);

}  // namespace ropewalk
