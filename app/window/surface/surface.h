// app/window/surface: input, rendering, fonts and textures, with GLFW, OpenGL and Dear ImGui. Here: what the window is
// drawn on, a display (GlfwSurface) or memory without a display (EglSurface).
#pragma once

#include <string>
#include <vector>

#include "app/plot/canvas.h"
#include "app/window/surface/event_queue.h"
#include "app/window/surface/file_dialog.h"
#include "core/gpu/egl_context.h"

namespace ropewalk {

struct SurfaceOptions {
    int width = 1600, height = 1000;  // logical pixels
    std::vector<double> place{};      // where a window was when it was closed; empty: anywhere
    double scale = 0;                 // device pixels per logical pixel; 0: the display's scale
    bool debug = false;               // ask the driver for KHR_debug messages
    bool keeps_pixels = true;         // false: without a display nothing is rasterised, for tests that read no pixels
};

struct PixelSize {
    int width = 0, height = 0;

    bool operator==(const PixelSize&) const = default;
};

enum class CursorShape { arrow, text, hand, resize_across, resize_down, crosshair, hidden };

/// A surface belongs to the thread that opened it, and its OpenGL context (core profile, 3.3 or later) is current
/// there. Other threads may only call `wake`.
class Surface {
  public:
    virtual ~Surface() = default;

    EventQueue& events() { return events_; }

    /// Returns the size in device pixels; 0 × 0 while minimised.
    virtual PixelSize framebuffer_size() const = 0;
    /// Returns the device pixels per logical pixel.
    virtual double scale() const = 0;

    /// Collects events. Returns at once if some are pending, else when one arrives, when `wake` is called or after
    /// `seconds` (infinity waits for ever).
    virtual void wait(double seconds) = 0;
    /// Ends a wait; may be called from any thread.
    virtual void wake() = 0;
    virtual bool close_requested() const = 0;
    /// Makes the request to close, or withdraws it.
    virtual void request_close(bool close) = 0;

    /// Makes the framebuffer current for drawing.
    virtual void begin_frame() = 0;
    /// Shows what was drawn.
    virtual void end_frame() = 0;
    /// Returns what was drawn since begin_frame, top row first. Call before end_frame.
    Image read_pixels() const;

    virtual void set_title(const std::string& title) = 0;
    virtual void set_cursor(CursorShape shape) = 0;
    virtual void toggle_full_screen() = 0;
    /// Returns the text on the clipboard; empty if it has none or cannot be read.
    virtual std::string clipboard() = 0;
    /// Returns why the clipboard could not be read, once; else an empty text.
    virtual std::string take_clipboard_failure() { return {}; }
    virtual void set_clipboard(const std::string& text) = 0;
    /// Opens the desktop's dialog for choosing a file; returns null if the surface is on no desktop.
    virtual std::unique_ptr<FileDialog> ask_for_file(FileDialogRequest) { return nullptr; }

  private:
    EventQueue events_;
};

/// Returns the display's scale, clamped to the range of `--scale`; 1 if it is not a positive number.
double scale_stated(double by_display);

/// Returns the OpenGL version that the window needs.
OpenGlNeed window_opengl();

}  // namespace ropewalk
