#include "app/window/egl_surface.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ropewalk {
namespace {

[[noreturn]] void unavailable(const char* what) {
    throw DisplayError(fmt::format(
        "{} (EGL error {:#x}); install the Mesa drivers (libegl1, libgl1-mesa-dri), or use 'ropewalk figure', "
        "which needs no OpenGL",
        what, eglGetError()));
}

EGLDisplay open_display() {
    const auto try_platform = [](EGLenum platform, void* native) {
        EGLDisplay display = eglGetPlatformDisplayEXT(platform, native, nullptr);
        return display && eglInitialize(display, nullptr, nullptr) ? display : EGL_NO_DISPLAY;
    };
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        if (EGLDisplay display = try_platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY)) return display;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
        EGLDeviceEXT device = nullptr;
        EGLint found = 0;
        if (eglQueryDevicesEXT(1, &device, &found) && found > 0)
            if (EGLDisplay display = try_platform(EGL_PLATFORM_DEVICE_EXT, device)) return display;
    }
    unavailable("no OpenGL without a display is to be had");
}

EGLContext make_context(EGLDisplay display, bool debug) {
    constexpr EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &found) || found == 0)
        unavailable("EGL offers no OpenGL");
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 3,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 debug ? EGL_TRUE : EGL_FALSE,
                                 EGL_NONE};
    if (EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes)) return context;

    // Whatever there is says what was found.
    EGLContext any = eglCreateContext(display, config, EGL_NO_CONTEXT, nullptr);
    if (!any || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, any))
        unavailable("EGL makes no OpenGL context");
    const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, any);
    throw opengl_too_old(version);
}

}  // namespace

EglSurface::EglSurface(const SurfaceOptions& options) : scale_(options.scale > 0 ? options.scale : 1) {
    size_ = {static_cast<int>(std::lround(options.width * scale_)),
             static_cast<int>(std::lround(options.height * scale_))};
    display_ = open_display();
    context_ = make_context(display_, options.debug);
    if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
        eglDestroyContext(display_, context_);
        unavailable("the OpenGL context cannot be used without a display");
    }
    allocate();
}

EglSurface::~EglSurface() {
    free();
    // The display is the whole process': others may still use it.
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
}

void EglSurface::allocate() {
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &pixels_);
    glBindRenderbuffer(GL_RENDERBUFFER, pixels_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, std::max(1, size_.width), std::max(1, size_.height));
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
