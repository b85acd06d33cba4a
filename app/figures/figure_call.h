// The command line that draws a figure as it stands in the window.
#pragma once

#include <string>

#include "app/figures/view.h"
#include "core/scene_io.h"

namespace ropewalk {

/// "ropewalk figure million decay --set encoding.base=500000 --option axis=linear -o decay.svg", quoted for a shell:
/// the scene's file or bundled name, and what differs from it; the reference is the file's own. Of a scene that has no
/// file everything is said. IoError or InputError if that file can no longer be read.
std::string figure_call(const Scene& scene, const Experiment& experiment, const Figure& figure);

}  // namespace ropewalk
