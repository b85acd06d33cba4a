// OpenGL without a display: a separate EGL context, for rendering the window in memory and for computing.
#pragma once

#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/error.h"

namespace ropewalk {

/// The required version of OpenGL, with words for the error message.
struct OpenGlNeed {
    int major = 3, minor = 3;
    std::string user;     // "the window"
    std::string instead;  // "'ropewalk figure', which needs no OpenGL"
};

/// Returns the error for an OpenGL that is too old; `found` is its version text.
DisplayError opengl_too_old(const OpenGlNeed& need, const std::string& found);

/// Which devices EGL tries first: the surfaceless platform in memory, whose images are the same on all machines without
/// a graphics card; or the graphics cards.
enum class EglOrder { memory_first, cards_first };

struct EglOptions {
    OpenGlNeed need;
    EglOrder order = EglOrder::memory_first;
    bool debug = false;  // ask the driver for KHR_debug messages
};

/// A core-profile context without a surface. Its OpenGL objects are destroyed with it.
class EglContext {
  public:
    /// Creates the context. Throws DisplayError if there is no EGL or no recent enough OpenGL. May leave the calling
    /// thread without a current context.
    explicit EglContext(const EglOptions& options);
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    /// Makes it the calling thread's context. Throws DisplayError if the driver refuses.
    void make_current() const;
    /// Leaves the calling thread without a context.
    void release() const;

  private:
    void* display_ = nullptr;  // EGLDisplay; shared by the whole process, so it is never closed
    void* context_ = nullptr;  // EGLContext
};

/// A context on a thread of its own, so that the callers' threads keep their current contexts, whatever window system
/// these belong to. It stays current there: some drivers take 40 ms to make it so.
class EglThread {
  public:
    /// Starts the thread and creates the context. Throws like EglContext.
    explicit EglThread(const EglOptions& options);
    ~EglThread();
    EglThread(const EglThread&) = delete;
    EglThread& operator=(const EglThread&) = delete;

    /// Calls `work` on the thread, waits for it and rethrows its exceptions.
    void run(const std::function<void()>& work);

  private:
    void end();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::packaged_task<void()> task_;  // next; invalid: none
    bool ends_ = false;
    std::optional<EglContext> context_;
    std::thread thread_;
};

}  // namespace ropewalk
