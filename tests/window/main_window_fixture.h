// The whole window without a display, on a bundled scene, driven by a robot.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "app/window/main_window/main_window.h"
#include "app/window/surface/egl_surface.h"
#include "tests/window/robot.h"

namespace ropewalk {

/// Returns the scene with five figures, one in each place: those that it lacks are added.
inline Scene with_five_figures(Scene scene) {
    constexpr const char* usual[] = {"attention", "decay", "contributions", "rotation_heatmap", "wavelengths"};
    View view = read_view(scene);
    for (int panel = view.panels(); panel < most_places; ++panel) view.add(figure_of(usual[panel]));
    write_view(view, scene);
    return scene;
}

class MainWindowTest : public testing::Test {
  protected:
    explicit MainWindowTest(const char* scene = "wendler-exp1-alpha10", bool keeps_pixels = false)
        : surface_({.width = 1600, .height = 1000, .scale = 1, .debug = true, .keeps_pixels = keeps_pixels}),
          session_(with_five_figures(open_scene(scene)), {}),
          gui_(surface_, 1.0 / 60),
          main_window_(gui_, session_),
          robot_(gui_, [this] { frame(); }) {
        session_.preferences.folded.clear();
        session_.preferences.reduced_motion = true;
        robot_.settle();
    }

    void frame() {
        main_window_.frame();
        session_.computation.wait();
    }
    const Experiment& experiment() { return session_.document.experiment(); }
    /// Returns the notice that is shown; without one, the readout below the main figure or in the status line, and what
    /// else the status line says.
    std::string status() {
        const RegisteredWidget* readout = gui_.ui().registry.find("readout");
        const bool has_notice = !session_.notices.current().sentence.empty();
        return (readout && !has_notice ? readout->value + "   " : "") + gui_.ui().registry.find("status")->value;
    }

    /// Waits until the preview of a card is drawn.
    void wait_for_preview(const std::string& card = "export") {
        const auto is_drawn = [&] {
            const RegisteredWidget* preview = gui_.ui().registry.find(card + ".preview");
            return preview && preview->value != "drawing …";
        };
        for (int i = 0; i < 1000 && !is_drawn(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            frame();
        }
        ASSERT_TRUE(is_drawn());
    }
    /// The first frame of a window of another size.
    void resize(PixelSize size, double scale = 1) {
        surface_.resize(size, scale);
        robot_.settle();
    }
    /// Chooses from the menu bar, as in choose("File", "scenes").
    void choose(const std::string& menu, const std::string& command) {
        robot_.click("menu." + menu);
        robot_.click("menu/" + command);
    }
    /// Ctrl+click on a slider, a text, Enter.
    void type_into(const char* slider, const char* text) {
        robot_.key_down("Ctrl");
        robot_.click(slider);
        robot_.key_up("Ctrl");
        robot_.key("Ctrl+A");
        robot_.type(text);
        robot_.key("Enter");
    }

    EglSurface surface_;
    Session session_;
    Gui gui_;
    MainWindow main_window_;
    Robot robot_;
};

}  // namespace ropewalk
