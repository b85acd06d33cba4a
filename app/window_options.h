// The options of the window, which the command line fills.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {

struct WindowOptions {
    std::string scene;  // a file or a bundled scene; empty: the default scene
    Settings settings;
    BackendOptions backend;
    std::string theme;                        // "light", "dark", or empty: the saved one, or the usual one of an image
    std::optional<std::pair<int, int>> size;  // logical pixels, px at 96 dpi
    double scale = 0;                         // 0: the display's own, or the usual one of an image
    std::string lessons;                      // folder whose files replace the embedded lessons; empty: none
    std::string lesson;                       // id of a lesson to open with its scene; empty: none, or as last time
    std::optional<int> step;                  // of that lesson, from 1; empty: the first that is not done
    std::string frame_trace;                  // file for a record of every frame; empty: none
};

}  // namespace ropewalk
