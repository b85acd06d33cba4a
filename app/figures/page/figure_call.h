// The command line that reproduces a figure of the window.
#pragma once

#include <optional>
#include <string>

#include "app/figures/page/view.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {

/// The bundled scene that settings start from where a scene has no name of its own.
inline constexpr const char* fallback_scene = "barbero-fig2a";

/// Everything that determines a figure.
struct ShownFigure {
    Experiment experiment;
    std::optional<Experiment> reference{};  // the experiment to compare with
    Cursor cursor{};
    Figure figure;
};

/// Returns "ropewalk figure million decay --set encoding.base=500000 --option axis=linear -o decay.svg", quoted for a
/// shell: the scene's file or bundled name, and the settings that differ from it. A scene without a file is written out
/// in full. Throws IoError or InputError if the file can no longer be read.
std::string figure_call(const Scene& scene, const ShownFigure& shown);

}  // namespace ropewalk
