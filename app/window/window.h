// app/window: the window, from the display (surface/) and the controls (widgets/) to its state (session/) and its parts
// (panels/, cards/, lessons/, main_window). Here: the window opened on the display, or drawn once into an image.
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
    std::string scene;  // a file or a bundled scene; empty: the default scene
    Settings settings;
    std::string backend;                      // empty: the fastest available
    int threads = 0;                          // 0: one per core
    std::string shaders;                      // folder whose files replace the embedded ones; empty: none
    std::string theme;                        // "light", "dark", or empty: the saved one (dark in an image)
    std::optional<std::pair<int, int>> size;  // logical pixels
    double scale = 0;                         // 0: the display's own
    std::string lessons;                      // folder whose files replace the embedded lessons; empty: none
    std::string lesson;                       // id of a lesson to open with its scene; empty: none, or as last time
    int step = 0;                             // of that lesson, from 1; 0: the first that is not done
    std::string frame_trace;                  // file for a record of every frame; empty: none
};

/// Opens the window and returns when it is closed. Passes `on_signal` the function that stops the window from another
/// thread, and an empty one before that function becomes invalid. Throws DisplayError if there is no display or no
/// usable OpenGL.
void run_window(const WindowOptions& options, const std::function<void(std::function<void()> stop)>& on_signal);

/// Times this many frames without a display. Throws as `screenshot_png` does, and Cancelled.
WindowTimes time_window(const WindowOptions& options, int frames, const Cancel& cancel);

/// Draws the window without a display until all results are exact. Returns the bytes of a PNG.
std::string screenshot_png(const WindowOptions& options);

}  // namespace ropewalk
