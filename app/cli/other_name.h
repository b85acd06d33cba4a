// Keeps commands from overwriting what they read.
#pragma once

#include <string>

#include "core/experiment/scene_io.h"

namespace ropewalk {

/// Throws UsageError if the output would replace a file that the scene or its reference reads. Also throws if the
/// output is the scene's own file, unless `contains_scene` says that the new file will contain the scene. `names`
/// begins the sentence.
void require_other_name(const std::string& output, const Scene& scene, bool contains_scene,
                        const char* names = "-o names");

}  // namespace ropewalk
