// OpenGL without a display: a context of its own by EGL, for the window's pictures in memory and for computing.
#pragma once

#include <functional>
#include <string>

#include "core/error.h"

namespace ropewalk {

/// The least OpenGL that will do, in words for whoever has less.
struct OpenGlNeed {
    int major = 3, minor = 3;
    std::string user;     // "the window"
    std::string instead;  // "'ropewalk figure', which needs no OpenGL"
};

/// The error for an OpenGL that is too old; `found` is its version text.
DisplayError opengl_too_old(const OpenGlNeed& need, const std::string& found);

/// Where EGL looks first: in memory, as the platform without surfaces does, whose pictures are the same on all machines
/// without a graphics card; or at the graphics cards.
enum class EglOrder { memory_first, cards_first };

struct EglOptions {
    OpenGlNeed need;
    EglOrder order = EglOrder::memory_first;
    bool debug = false;  // ask the driver for KHR_debug messages
};

/// A core-profile context with nothing to draw on. Its OpenGL objects go with it.
class EglContext {
  public:
    /// Throws DisplayError if there is no EGL, or no OpenGL as new as needed. May change the calling thread's current
    /// context to none.
    explicit EglContext(const EglOptions& options);
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    /// Makes it the calling thread's. Throws DisplayError if the driver refuses.
    void make_current() const;
    /// Leaves the calling thread without a context.
    void release() const;

  private:
    void* display_ = nullptr;  // EGLDisplay; the whole process', so it is never closed
    void* context_ = nullptr;  // EGLContext
};

/// Calls `work` on a thread of its own and waits for it; passes on what it throws. The calling thread's current
/// context, of whatever window system, is thus left alone.
void on_own_thread(const std::function<void()>& work);

}  // namespace ropewalk
