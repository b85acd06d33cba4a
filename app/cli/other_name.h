// Refuses to replace what a command reads by what it writes.
#pragma once

#include <string>

#include "core/experiment/scene_io.h"

namespace ropewalk {

/// Throws UsageError if the output would replace a file that the scene or its reference reads, or the scene, unless it
/// `contains_scene`.
void require_other_name(const std::string& output, const Scene& scene, bool contains_scene);

}  // namespace ropewalk
