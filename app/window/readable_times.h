// What the status line says of how long the shown results took.
#pragma once

#include <string>

#include "core/evaluation/worker.h"

namespace ropewalk {

/// Stages alone, or each with the parts it consists of.
enum class TimeDetail { stages, parts };

/// Of a first look, for as long as nothing else is there: "attention 12.3 ms (rotation 2.1 + products 10.2), decay 3
/// ms".
std::string readable_times(const WorkerState& state, TimeDetail detail);

}  // namespace ropewalk
