// ImGui on a surface: its context, fonts, style, renderer, and what a frame consists of.
//
//     while (!surface.close_requested()) {
//         surface.wait(gui.timeout());
//         Ui& ui = gui.begin_frame({.theme = &dark_theme()});
//         …widgets…
//         gui.end_frame();
//     }
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "app/window/surface/renderer.h"
#include "app/window/surface/surface.h"
#include "app/window/widgets/ui.h"

struct ImGuiContext;

namespace ropewalk {

namespace compat {
struct Clipboard;
}

struct FrameOptions {
    const Theme* theme = &dark_theme();
    double zoom = 1;  // of text and controls, on top of the surface's scale
};

/// The start of a frame, and the times to build and to draw it (0 if nothing changed).
struct FrameTimes {
    std::chrono::steady_clock::time_point begin{};
    double build_ms = 0, draw_ms = 0;
};

class Gui {
  public:
    /// The surface outlives it. `time_step` fixes the time between two frames, for tests; by default it is measured.
    explicit Gui(Surface& surface, std::optional<double> time_step = std::nullopt);
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    /// Feeds one frame's events and begins it. Theme and zoom may change between frames. Throws if the fonts for
    /// the zoom cannot be built; if fonts of another zoom exist, it throws only once and keeps those.
    Ui& begin_frame(const FrameOptions& options = {});
    /// Draws the frame if something changed; while further events are pending, only every 100 ms. Returns whether it
    /// was drawn.
    bool end_frame();
    /// Ends a frame that an exception interrupted, without drawing it. Does nothing if the frame had not begun.
    void abandon_frame();
    /// Draws the last built frame unconditionally and returns its pixels.
    Image screenshot();

    /// Returns how long the surface may wait: 0 while things settle, 1/30 s while a button is held, 0.5 s while a text
    /// is edited, else infinity.
    double timeout() const;
    /// Makes further frames follow this one at once, for example after a change of layout.
    void settle() { settle_frames_ = 3; }

    /// Returns the times of the last frame.
    const FrameTimes& times() const { return times_; }

    Surface& surface() { return surface_; }
    Renderer& renderer() { return renderer_; }
    TextureCache& textures() { return textures_; }
    Ui& ui() { return ui_; }

  private:
    void set_scale(double scale);
    void apply_style(const Theme& theme, double scale);
    float elapsed();

    Surface& surface_;
    std::unique_ptr<ImGuiContext, void (*)(ImGuiContext*)> context_;
    Renderer renderer_;
    TextureCache textures_;
    Ui ui_;
    std::unique_ptr<compat::Clipboard> clipboard_;
    std::optional<double> time_step_;
    std::chrono::steady_clock::time_point last_frame_;
    FrameTimes times_;
    std::optional<std::chrono::steady_clock::time_point> undrawn_since_;  // when the first frame not drawn began
    double tried_scale_ = 0;  // for which fonts were last built, or could not be built
    int settle_frames_ = 3;
    bool redraw_ = true;
};

}  // namespace ropewalk
