// A window on the display.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "app/window/surface/surface.h"

struct GLFWcursor;
struct GLFWwindow;

namespace ropewalk {

/// A window on the display. There is at most one, opened and used by the main thread.
class GlfwSurface : public Surface {
  public:
    /// Throws DisplayError with the system's reason if there is no display, no OpenGL 3.3, or the window cannot be
    /// created.
    explicit GlfwSurface(const SurfaceOptions& options);
    ~GlfwSurface() override;
    GlfwSurface(const GlfwSurface&) = delete;
    GlfwSurface& operator=(const GlfwSurface&) = delete;

    /// Returns left, top, width and height in screen coordinates; empty if the system chose them.
    std::vector<double> place() const;
    PixelSize framebuffer_size() const override;
    double scale() const override;
    void wait(double seconds) override;
    void wake() override;
    bool close_requested() const override;
    void request_close(bool close) override;
    void begin_frame() override;
    void end_frame() override;
    void set_title(const std::string& title) override;
    void set_cursor(CursorShape shape) override;
    void toggle_full_screen() override;
    std::string clipboard() override;
    std::string take_clipboard_failure() override { return std::exchange(clipboard_failure_, {}); }
    void set_clipboard(const std::string& text) override;
    std::unique_ptr<FileDialog> ask_for_file(FileDialogRequest request) override;

  private:
    /// Keeps GLFW initialised for the lifetime of the window.
    struct Library {
        Library();
        ~Library();
        Library(const Library&) = delete;
        Library& operator=(const Library&) = delete;
    };
    void set_callbacks();
    /// Moves the window to a former place, if a monitor still has it.
    void put_at(const std::vector<double>& place);
    void moved(double x, double y);

    Library library_;
    GLFWwindow* window_ = nullptr;
    double fixed_scale_;  // 0: the display's scale
    std::array<GLFWcursor*, 6> cursors_{};
    unsigned long own_clipboard_ = 0;  // owner of what `set_clipboard` has put there; 0: nothing yet
    std::string clipboard_failure_;
    CursorShape shape_ = CursorShape::arrow;
    std::array<int, 4> windowed_{};  // x, y, width, height to restore after full screen
};

}  // namespace ropewalk
