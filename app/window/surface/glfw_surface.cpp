#include "app/window/surface/glfw_surface.h"

#include <epoxy/gl.h>
// After epoxy, which replaces the OpenGL headers.
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/window/surface/window_icon.h"
#include "app/window/surface/x11_clipboard.h"
#include "app/window/surface/x11_guard.h"
#include "core/error.h"
#include "core/text/utf8.h"

// Declared here, because GLFW's header for them needs those of Xlib; GLFW for Wayland lacks them.
extern "C" __attribute__((weak)) unsigned long glfwGetX11Window(GLFWwindow* window);
extern "C" __attribute__((weak)) void* glfwGetX11Display();

namespace ropewalk {
namespace {

constexpr int min_window_width = 320, min_window_height = 240;  // of the window, logical pixels

std::string last_error() {
    const char* reason = nullptr;
    glfwGetError(&reason);
    return reason ? reason : "for an unknown reason";
}

DisplayError no_window(const std::string& reason) {
    return DisplayError(
        fmt::format("cannot open a window ({}); start ropewalk from a desktop session, or use 'ropewalk figure' or "
                    "'ropewalk screenshot', which work without a display",
                    reason));
}

void hint_context(bool debug) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
}

/// Returns the version of the available OpenGL if it is too old; else an empty string.
std::string find_old_opengl() {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    GLFWwindow* window = glfwCreateWindow(16, 16, "", nullptr, nullptr);
    if (!window) return {};
    glfwMakeContextCurrent(window);
    const char* version = epoxy_gl_version() < 33 ? reinterpret_cast<const char*>(glGetString(GL_VERSION)) : nullptr;
    std::string found = version ? version : "";
    glfwDestroyWindow(window);
    return found;
}

/// Returns the key by the letter that the keyboard layout prints, not by its position on an American keyboard.
Key key_of(int key, int scancode) {
    const char* name = key >= GLFW_KEY_A && key <= GLFW_KEY_Z ? glfwGetKeyName(key, scancode) : nullptr;
    if (name && name[0] != '\0' && name[1] == '\0' && std::isalpha(static_cast<unsigned char>(name[0])))
        return static_cast<Key>(std::toupper(static_cast<unsigned char>(name[0])));
    return static_cast<Key>(key);
}

void show_icon(GLFWwindow* window) {
    std::vector<Image> icons = window_icons();
    std::vector<GLFWimage> images;
    for (Image& icon : icons)
        images.push_back({icon.width, icon.height, reinterpret_cast<unsigned char*>(icon.pixels.data())});
    glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

/// Returns the X display; null if there is none.
void* x11_display() {
    return glfwGetX11Display ? glfwGetX11Display() : nullptr;
}

GlfwSurface& surface_of(GLFWwindow* window) {
    return *static_cast<GlfwSurface*>(glfwGetWindowUserPointer(window));
}

}  // namespace

GlfwSurface::Library::Library() {
    if (!glfwInit()) throw no_window(last_error());
    guard_display();
}

GlfwSurface::Library::~Library() {
    glfwTerminate();
}

GlfwSurface::GlfwSurface(const SurfaceOptions& options) : fixed_scale_(options.scale) {
    double scale = options.scale;
    int room_x = 0, room_y = 0, room_width = 1 << 15, room_height = 1 << 15;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        float across = 1, down = 1;
        glfwGetMonitorContentScale(monitor, &across, &down);
        if (scale <= 0) scale = scale_stated(static_cast<double>(across));
        glfwGetMonitorWorkarea(monitor, &room_x, &room_y, &room_width, &room_height);
    }
    const auto size = [&](int logical, int room) {
        return std::max(1, std::min(static_cast<int>(std::lround(logical * std::max(scale, smallest_scale))), room));
    };
    hint_context(options.debug);
    window_ = glfwCreateWindow(size(options.width, room_width), size(options.height, room_height), "Ropewalk", nullptr,
                               nullptr);
    if (!window_) {
        const std::string reason = last_error();
        const std::string found = find_old_opengl();
        throw found.empty() ? no_window(reason) : opengl_too_old(window_opengl(), found);
    }
    put_at(options.place);
    glfwMakeContextCurrent(window_);
    if (epoxy_gl_version() < 33)
        throw opengl_too_old(window_opengl(), reinterpret_cast<const char*>(glGetString(GL_VERSION)));
    glfwSwapInterval(1);
    constexpr std::array<int, 6> shapes = {GLFW_ARROW_CURSOR,   GLFW_IBEAM_CURSOR,   GLFW_HAND_CURSOR,
                                           GLFW_HRESIZE_CURSOR, GLFW_VRESIZE_CURSOR, GLFW_CROSSHAIR_CURSOR};
    std::transform(shapes.begin(), shapes.end(), cursors_.begin(), glfwCreateStandardCursor);
    show_icon(window_);
    set_callbacks();
    glfwSetWindowSizeLimits(window_, size(min_window_width, room_width), size(min_window_height, room_height),
                            GLFW_DONT_CARE, GLFW_DONT_CARE);
    guard_display();
}

GlfwSurface::~GlfwSurface() = default;

void GlfwSurface::put_at(const std::vector<double>& place) {
    if (place.size() != 4 || !(place[2] >= min_window_width && place[3] >= min_window_height)) return;
    const int x = static_cast<int>(place[0]), y = static_cast<int>(place[1]), width = static_cast<int>(place[2]),
              height = static_cast<int>(place[3]);
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {  // the monitor may have been disconnected
        int left = 0, top = 0, room_x = 0, room_y = 0;
        glfwGetMonitorWorkarea(monitors[i], &left, &top, &room_x, &room_y);
        if (x < left || y < top || x + width > left + room_x || y + height > top + room_y) continue;
        glfwSetWindowSize(window_, width, height);
        glfwSetWindowPos(window_, x, y);
        return;
    }
}

std::vector<double> GlfwSurface::place() const {
    if (glfwGetWindowMonitor(window_) || glfwGetWindowAttrib(window_, GLFW_ICONIFIED) ||
        glfwGetWindowAttrib(window_, GLFW_MAXIMIZED))
        return {};
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetWindowPos(window_, &x, &y);
    glfwGetWindowSize(window_, &width, &height);
    return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(width), static_cast<double>(height)};
}

void GlfwSurface::moved(double x, double y) {
    // GLFW uses screen coordinates, which differ from pixels on some systems.
    int width = 1, height = 1;
    glfwGetWindowSize(window_, &width, &height);
    const PixelSize pixels = framebuffer_size();
    events().push(MouseMoved{x * pixels.width / std::max(1, width), y * pixels.height / std::max(1, height)});
}

void GlfwSurface::set_callbacks() {
    glfwSetWindowUserPointer(window_, this);
    glfwSetCursorPosCallback(window_, [](GLFWwindow* window, double x, double y) { surface_of(window).moved(x, y); });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* window, int entered) {
        if (!entered) surface_of(window).events().push(MouseLeft{});
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* window, int button, int action, int) {
        if (button < 3) surface_of(window).events().push(MouseButton{button, action == GLFW_PRESS});
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* window, double x, double y) {
        surface_of(window).events().push(MouseWheel{x, y});
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* window, int key, int scancode, int action, int) {
        if (key != GLFW_KEY_UNKNOWN)
            surface_of(window).events().push(
                KeyChanged{key_of(key, scancode), action != GLFW_RELEASE, action == GLFW_REPEAT});
    });
    glfwSetCharCallback(window_, [](GLFWwindow* window, unsigned character) {
        surface_of(window).events().push(CharacterTyped{static_cast<char32_t>(character)});
    });
    glfwSetWindowFocusCallback(
        window_, [](GLFWwindow* window, int focused) { surface_of(window).events().push(FocusChanged{focused != 0}); });
    glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
        surface_of(window).events().push(FilesDropped{{paths, paths + count}});
    });
    glfwSetFramebufferSizeCallback(
        window_, [](GLFWwindow* window, int, int) { surface_of(window).events().push(WindowChanged{}); });
    glfwSetWindowContentScaleCallback(
        window_, [](GLFWwindow* window, float, float) { surface_of(window).events().push(WindowChanged{}); });
    glfwSetWindowRefreshCallback(window_,
                                 [](GLFWwindow* window) { surface_of(window).events().push(WindowChanged{}); });
}

PixelSize GlfwSurface::framebuffer_size() const {
    PixelSize size;
    glfwGetFramebufferSize(window_, &size.width, &size.height);
    return size;
}

double GlfwSurface::scale() const {
    if (fixed_scale_ > 0) return fixed_scale_;
    float across = 1, down = 1;
    glfwGetWindowContentScale(window_, &across, &down);
    return scale_stated(static_cast<double>(across));
}

void GlfwSurface::wait(double seconds) {
    if (seconds <= 0 || events().pending())
        glfwPollEvents();
    else if (std::isinf(seconds))
        glfwWaitEvents();
    else
        glfwWaitEventsTimeout(seconds);
}

void GlfwSurface::wake() {
    glfwPostEmptyEvent();
}

bool GlfwSurface::close_requested() const {
    return glfwWindowShouldClose(window_);
}

void GlfwSurface::request_close(bool close) {
    glfwSetWindowShouldClose(window_, close);
}

void GlfwSurface::begin_frame() {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

void GlfwSurface::end_frame() {
    glfwSwapBuffers(window_);
}

void GlfwSurface::set_title(const std::string& title) {
    constexpr std::size_t longest = 200;  // bytes; more is not seen, and costs time with every change
    glfwSetWindowTitle(window_, brief(title, longest).c_str());
}

void GlfwSurface::set_cursor(CursorShape shape) {
    if (shape == shape_) return;
    shape_ = shape;
    const bool hidden = shape == CursorShape::hidden;
    glfwSetInputMode(window_, GLFW_CURSOR, hidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
    if (!hidden) glfwSetCursor(window_, cursors_.at(static_cast<std::size_t>(shape)));
}

void GlfwSurface::toggle_full_screen() {
    auto& [x, y, width, height] = windowed_;
    if (glfwGetWindowMonitor(window_)) {
        glfwSetWindowMonitor(window_, nullptr, x, y, width, height, GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return;
    glfwGetWindowPos(window_, &x, &y);
    glfwGetWindowSize(window_, &width, &height);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

std::string GlfwSurface::clipboard() try {
    void* const display = x11_display();
    // GLFW knows without asking what it has put there itself.
    if (display && x11_clipboard_owner(display) != own_clipboard_) return x11_clipboard_text(display);
    const char* text = glfwGetClipboardString(window_);
    return text ? text : "";
} catch (const IoError& error) {
    clipboard_failure_ = error.what();
    return {};
}

void GlfwSurface::set_clipboard(const std::string& text) {
    void* const display = x11_display();
    const unsigned long before = display ? x11_clipboard_owner(display) : 0;
    glfwSetClipboardString(window_, text.c_str());
    const unsigned long now = display ? x11_clipboard_owner(display) : 0;
    if (now != before) own_clipboard_ = now;
}

std::unique_ptr<FileDialog> GlfwSurface::ask_for_file(FileDialogRequest request) {
    if (glfwGetX11Window) request.parent = fmt::format("x11:{:x}", glfwGetX11Window(window_));
    return open_portal_dialog(std::move(request), [this] { wake(); });
}

}  // namespace ropewalk
