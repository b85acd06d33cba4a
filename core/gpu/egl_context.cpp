#include "core/gpu/egl_context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace ropewalk {
namespace {

DisplayError unavailable(const OpenGlNeed& need, const char* what) {
    return DisplayError(
        fmt::format("{} (EGL error {:#x}); install the Mesa drivers (libegl1, libgl1-mesa-dri), or use {}", what,
                    eglGetError(), need.instead));
}

/// A display that is not yet initialised.
struct Platform {
    EGLenum kind = 0;
    void* native = nullptr;
};

bool is_card(EGLDeviceEXT device) {
    const char* extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
    return extensions && std::string_view(extensions).find("EGL_MESA_device_software") == std::string_view::npos;
}

std::vector<Platform> platforms(EglOrder order) {
    std::vector<Platform> cards, memory, others;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        memory.push_back({EGL_PLATFORM_SURFACELESS_MESA, nullptr});
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint found = 0;
        if (!eglQueryDevicesEXT(devices.size(), devices.data(), &found)) found = 0;
        for (EGLint i = 0; i < found; ++i)
            (is_card(devices[i]) ? cards : others).push_back({EGL_PLATFORM_DEVICE_EXT, devices[i]});
    }
    std::vector<Platform> all;
    for (const auto* some :
         order == EglOrder::cards_first ? std::array{&cards, &memory, &others} : std::array{&memory, &cards, &others})
        all.insert(all.end(), some->begin(), some->end());
    return all;
}

EGLDisplay start(const Platform& platform) {
    const EGLDisplay display = eglGetPlatformDisplayEXT(platform.kind, platform.native, nullptr);
    return display && eglInitialize(display, nullptr, nullptr) ? display : EGL_NO_DISPLAY;
}

EGLContext make_context(EGLDisplay display, const EglOptions& options) {
    constexpr EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &found) || found == 0)
        throw unavailable(options.need, "EGL does not support OpenGL");
    // Asks for reset notification if possible: without it, some drivers end the process when a context is lost.
    for (const EGLint strategy : {EGL_LOSE_CONTEXT_ON_RESET, EGL_NO_RESET_NOTIFICATION}) {
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     options.need.major,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     options.need.minor,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_CONTEXT_OPENGL_DEBUG,
                                     options.debug ? EGL_TRUE : EGL_FALSE,
                                     EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                     strategy,
                                     EGL_NONE};
        if (EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes)) return context;
    }
    // Any context gives the version for the message.
    EGLContext any = eglCreateContext(display, config, EGL_NO_CONTEXT, nullptr);
    if (!any || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, any))
        throw unavailable(options.need, "EGL cannot create an OpenGL context");
    const std::string version = reinterpret_cast<const char*>(glGetString(GL_VERSION));
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, any);
    throw opengl_too_old(options.need, version);
}

/// Mesa ends the process where it gets no memory: with less than about 700 MB of addresses.
constexpr rlim_t least_memory = rlim_t{1} << 30;

/// Returns how many bytes the process may have; infinite if there is no limit.
rlim_t memory_limit() {
    rlim_t least = RLIM_INFINITY;
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA})
        if (rlimit limit{}; getrlimit(resource, &limit) == 0) least = std::min(least, limit.rlim_cur);
    return least;
}

}  // namespace

DisplayError opengl_too_old(const OpenGlNeed& need, const std::string& found) {
    return DisplayError(
        fmt::format("OpenGL {} was found, but {} needs {}.{} or later; update the graphics driver, or use {}", found,
                    need.user, need.major, need.minor, need.instead));
}

EglContext::EglContext(const EglOptions& options) {
    if (!epoxy_has_egl())
        throw DisplayError(
            fmt::format("the EGL library is missing; install the Mesa drivers (libegl1, libgl1-mesa-dri), or use {}",
                        options.need.instead));
    if (const rlim_t limit = memory_limit(); limit < least_memory)
        throw DisplayError(
            fmt::format("the limit of {} MB of memory (ulimit -v or -d) is too low for OpenGL; raise it to {} MB, or "
                        "use {}",
                        limit >> 20, least_memory >> 20, options.need.instead));
    std::optional<DisplayError> reason;
    for (const Platform& platform : platforms(options.order)) {
        display_ = start(platform);
        if (!display_) continue;
        try {
            context_ = make_context(display_, options);
            return;
        } catch (const DisplayError& error) {
            if (!reason) reason = error;
        }
    }
    throw reason ? *reason : unavailable(options.need, "OpenGL without a display is unavailable");
}

EglContext::~EglContext() {
    eglDestroyContext(display_, context_);
}

void EglContext::make_current() const {
    // The bound API is a setting of each thread.
    if (!eglBindAPI(EGL_OPENGL_API) || !eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
        throw DisplayError(
            fmt::format("the OpenGL context cannot be used without a display (EGL error {:#x})", eglGetError()));
}

void EglContext::release() const {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

EglThread::EglThread(const EglOptions& options) {
    thread_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return ends_ || task_.valid(); });
            if (!task_.valid()) break;
            std::packaged_task<void()> task = std::move(task_);
            lock.unlock();
            task();
            lock.lock();
        }
        if (context_) context_->release();
        context_.reset();
        if (epoxy_has_egl()) eglReleaseThread();
    });
    try {
        run([&] { context_.emplace(options).make_current(); });
    } catch (...) {
        end();
        throw;
    }
}

EglThread::~EglThread() {
    end();
}

void EglThread::end() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void EglThread::run(const std::function<void()>& work) {
    std::packaged_task<void()> task(work);
    std::future<void> done = task.get_future();
    {
        const std::lock_guard lock(mutex_);
        task_ = std::move(task);
    }
    changed_.notify_one();
    done.get();
}

}  // namespace ropewalk
