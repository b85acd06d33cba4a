// Something to draw the window on: a real one (GlfwSurface), or memory without any display (EglSurface).
#pragma once

#include <string>

#include "app/plot/canvas.h"
#include "app/window/surface/event_queue.h"
#include "core/gpu/egl_context.h"

namespace ropewalk {

struct SurfaceOptions {
    int width = 1600, height = 1000;  // logical pixels
    double scale = 0;                 // device pixels per logical pixel; 0 takes the display's own
    std::string title = "Ropewalk";
    bool debug = false;  // ask the driver for KHR_debug messages
};

struct PixelSize {
    int width = 0, height = 0;

    bool operator==(const PixelSize&) const = default;
};

enum class CursorShape { arrow, text, hand, resize_across, resize_down, crosshair, hidden };

/// Belongs to the thread that opened it, whose current OpenGL context (core profile, 3.3 or later) is this surface's;
/// only `wake` may be called from others.
class Surface {
  public:
    virtual ~Surface() = default;

    EventQueue& events() { return events_; }

    /// Device pixels; 0 × 0 while minimised.
    virtual PixelSize framebuffer_size() const = 0;
    /// Device pixels per logical pixel.
    virtual double scale() const = 0;

    /// Collects events; returns at once if some are pending, else when one arrives, `wake` is called or `seconds` have
    /// passed (infinity waits for ever).
    virtual void wait(double seconds) = 0;
    /// Ends a wait; from any thread.
    virtual void wake() = 0;
    virtual bool close_requested() const = 0;
    /// Withdraws or makes the request to close.
    virtual void request_close(bool close) = 0;

    /// Makes the framebuffer current for drawing.
    virtual void begin_frame() = 0;
    /// Shows what was drawn.
    virtual void end_frame() = 0;
    /// What was drawn since begin_frame, top row first; call before end_frame.
    Image read_pixels() const;

    virtual void set_title(const std::string& title) = 0;
    virtual void set_cursor(CursorShape shape) = 0;
    virtual void toggle_full_screen() = 0;
    virtual std::string clipboard() const = 0;
    virtual void set_clipboard(const std::string& text) = 0;

  private:
    EventQueue events_;
};

/// The OpenGL that the window is drawn with.
OpenGlNeed window_opengl();

}  // namespace ropewalk
