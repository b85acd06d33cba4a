// The window as a whole: opened for a person, or drawn once into a picture.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "core/cancel.h"
#include "core/experiment/scene_io.h"
#include "core/stage_time.h"

namespace ropewalk {

struct WindowOptions {
    std::string scene;  // a file or a bundled scene; empty opens a living one
    Settings settings;
    std::string backend;                      // empty: the fastest there is
    int threads = 0;                          // 0: one for every core
    std::string shaders;                      // folder whose files replace the embedded ones; empty: none do
    std::string theme;                        // "light", "dark", or empty: the one kept, or dark in a picture
    std::optional<std::pair<int, int>> size;  // logical pixels
    double scale = 0;                         // 0: the display's own
    std::string lessons;                      // folder whose files replace the lessons in the program; empty: none do
    std::string lesson;                       // its id, to be opened beside its scene; empty: none, or as it was left
    int step = 0;                             // of that lesson, from 1; 0: the first that is not done
    std::string frame_trace;                  // a file that is told of every frame, or empty
};

/// Opens the window and returns when it is closed. `on_signal` is told what stops the window from another thread, and
/// told nothing once that is no longer to be called. Throws DisplayError if there is no display or no usable OpenGL.
void run_window(const WindowOptions& options, const std::function<void(std::function<void()> stop)>& on_signal);

/// Times so many frames, without a display. Throws as `screenshot_png`, and Cancelled.
WindowTimes time_window(const WindowOptions& options, int frames, const Cancel& cancel);

/// The window once everything in it is exact, drawn without a display, as the bytes of a PNG.
std::string screenshot_png(const WindowOptions& options);

}  // namespace ropewalk
