#include "app/window/surface/egl_surface.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ropewalk {

EglSurface::EglSurface(const SurfaceOptions& options)
    : context_({.need = window_opengl(), .debug = options.debug}),
      scale_(options.scale > 0 ? options.scale : 1),
      keeps_pixels_(options.keeps_pixels) {
    size_ = {static_cast<int>(std::lround(options.width * scale_)),
             static_cast<int>(std::lround(options.height * scale_))};
    context_.make_current();
    allocate();
}

EglSurface::~EglSurface() {
    free();
    context_.release();
}

void EglSurface::allocate() {
    // What lies outside the framebuffer is clipped before it is rasterised.
    const auto [width, height] = keeps_pixels_ ? size_ : PixelSize{};
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &pixels_);
    glBindRenderbuffer(GL_RENDERBUFFER, pixels_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, std::max(1, width), std::max(1, height));
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, pixels_);
}

void EglSurface::free() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &pixels_);
}

void EglSurface::resize(PixelSize framebuffer, double scale) {
    free();
    size_ = framebuffer;
    scale_ = scale;
    allocate();
    events().push(WindowChanged{});
}

void EglSurface::wait(double seconds) {
    if (events().pending()) return;
    std::unique_lock lock(mutex_);
    const auto woken = [&] { return wake_; };
    if (std::isinf(seconds))
        woken_.wait(lock, woken);
    else
        woken_.wait_for(lock, std::chrono::duration<double>(seconds), woken);
    wake_ = false;
}

void EglSurface::wake() {
    const std::lock_guard lock(mutex_);
    wake_ = true;
    woken_.notify_one();
}

void EglSurface::begin_frame() {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
}

}  // namespace ropewalk
