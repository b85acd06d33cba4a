// Opening what may be a scene or a figure that carries one.
#pragma once

#include <string>

#include "core/experiment/scene_io.h"

namespace ropewalk {

/// open_scene, or the scene inside a figure; `path` is then the figure's, and its arrays are looked for beside it.
Scene open_scene_or_figure(const std::string& file_or_name, const Settings& settings = {});

}  // namespace ropewalk
