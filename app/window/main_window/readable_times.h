// The status line's text about how long the shown results took.
#pragma once

#include <string>

#include "core/evaluation/worker.h"

namespace ropewalk {

/// Stages alone, or each stage with its parts.
enum class TimeDetail { stages, parts };

/// Returns, for example, "attention 12.3 ms (rotation 2.1 + products 10.2), decay 3 ms". While only a preview is there,
/// returns its times after "preview: ".
std::string readable_times(const WorkerState& state, TimeDetail detail);

}  // namespace ropewalk
