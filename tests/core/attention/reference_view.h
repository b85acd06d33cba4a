// What the reference backend says of a whole experiment.
#pragma once

#include <gtest/gtest.h>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// Every entry of a valid experiment's matrix.
inline AttentionView reference_view(const Experiment& experiment) {
    EXPECT_EQ(validate(experiment).value_or(""), "");
    return make_reference_backend()->attend(make_problem(experiment),
                                            Viewport::one_to_one({0, experiment.seq_len}, {0, experiment.seq_len}), {});
}

}  // namespace ropewalk
