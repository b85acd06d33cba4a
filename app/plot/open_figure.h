// Opens a scene, or a figure with an embedded scene.
#pragma once

#include <string>

#include "core/experiment/scene_io.h"

namespace ropewalk {

/// Opens a scene as `open_scene` does, or the scene embedded in a figure. In the latter case, `path` is the figure's,
/// and array files are searched beside it.
Scene open_scene_or_figure(const std::string& file_or_name, const Settings& settings = {});

}  // namespace ropewalk
