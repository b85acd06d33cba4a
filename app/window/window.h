// app/window: the window, from the display (surface/) and the controls (widgets/) to its state (session/) and its parts
// (panels/, cards/, lessons/, main_window). Here: the window opened on the display, or drawn once into an image.
#pragma once

#include <functional>
#include <string>

#include "app/window_options.h"
#include "core/cancel.h"
#include "core/experiment/scene_io.h"
#include "core/stage_time.h"

namespace ropewalk {

/// Opens the window and returns when it is closed. Throws Cancelled if a signal stopped it. Passes `on_signal` the
/// function that stops the window from another thread, and an empty one before that function becomes invalid. Throws
/// DisplayError if there is no display or no usable OpenGL.
void run_window(const WindowOptions& options, const std::function<void(std::function<void()> stop)>& on_signal);

/// Times this many frames without a display. Throws as `screenshot_png` does, and Cancelled.
WindowTimes time_window(const WindowOptions& options, int frames, const Cancel& cancel);

/// Draws the window without a display until all results are exact. Returns the bytes of a PNG. Calls `accept` with the
/// scene once it is read; it may throw. Throws Cancelled, and LimitError if the results would take more than a few
/// minutes.
std::string screenshot_png(const WindowOptions& options, const std::function<void(const Scene&)>& accept,
                           const Cancel& cancel = {});

}  // namespace ropewalk
