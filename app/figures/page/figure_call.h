// The command line that draws a figure as it stands in the window.
#pragma once

#include <optional>
#include <string>

#include "app/figures/page/view.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {

/// All that a figure shows.
struct ShownFigure {
    Experiment experiment;
    std::optional<Experiment> reference{};  // that it is compared with
    Cursor cursor{};
    Figure figure;
};

/// "ropewalk figure million decay --set encoding.base=500000 --option axis=linear -o decay.svg", quoted for a shell:
/// the scene's file or bundled name, and what differs from it. Of a scene that has no file everything is said. IoError
/// or InputError if that file can no longer be read.
std::string figure_call(const Scene& scene, const ShownFigure& shown);

}  // namespace ropewalk
