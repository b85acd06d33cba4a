// Finished training runs that the test programs of one `tests/run` share.
#pragma once

#include <cstdlib>
#include <string>

#include "core/training/training_run.h"

namespace ropewalk {

/// Returns the folder for `keep_training_in`; empty if every test is to train for itself.
inline std::string shared_runs() {
    const char* folder = std::getenv("ROPEWALK_SHARED_RUNS");
    return folder ? folder : "";
}

}  // namespace ropewalk
