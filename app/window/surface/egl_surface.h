// A framebuffer without a display, through EGL. Callers such as the robot push the events.
#pragma once

#include <condition_variable>
#include <mutex>

#include "app/window/surface/surface.h"
#include "core/gpu/egl_context.h"

namespace ropewalk {

class EglSurface : public Surface {
  public:
    /// Throws DisplayError if EGL or OpenGL 3.3 is missing.
    explicit EglSurface(const SurfaceOptions& options);
    ~EglSurface() override;
    EglSurface(const EglSurface&) = delete;
    EglSurface& operator=(const EglSurface&) = delete;

    /// Resizes the framebuffer, as when the user drags the window's edge or moves it to another display.
    void resize(PixelSize framebuffer, double scale);

    PixelSize framebuffer_size() const override { return size_; }
    double scale() const override { return scale_; }
    void wait(double seconds) override;
    void wake() override;
    bool close_requested() const override { return close_requested_; }
    void request_close(bool close) override { close_requested_ = close; }
    void begin_frame() override;
    void end_frame() override {}
    void set_title(const std::string&) override {}
    void set_cursor(CursorShape) override {}
    void toggle_full_screen() override {}
    std::string clipboard() override { return clipboard_; }
    void set_clipboard(const std::string& text) override { clipboard_ = text; }

  private:
    void allocate();
    void free();

    EglContext context_;
    unsigned framebuffer_ = 0, pixels_ = 0;
    PixelSize size_;
    double scale_;
    bool keeps_pixels_;
    bool close_requested_ = false;
    std::string clipboard_;
    std::mutex mutex_;
    std::condition_variable woken_;
    bool wake_ = false;
};

}  // namespace ropewalk
