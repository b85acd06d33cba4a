// Questions about a problem without an experiment.
#pragma once

#include "core/analysis/analysis_context.h"
#include "core/attention/reference.h"

namespace ropewalk {

/// The answer to a question that depends on the problem and the cursor alone, by the reference backend.
template <class Q>
typename Q::Answer ask(const Q& question, const Problem& problem, const Cursor& cursor = {}) {
    const Experiment none;
    return question.answer({none, problem, cursor, *make_reference_backend(), Cancel{}});
}

}  // namespace ropewalk
