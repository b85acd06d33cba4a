// Uses the window as nobody would: any widget, key, text, size and file, in any order.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "app/window/surface/egl_surface.h"
#include "app/window/widgets/gui.h"

namespace ropewalk {

class Monkey {
  public:
    /// The same seed does the same to the same windows. `files` are what it drops, singly or two at a time.
    Monkey(unsigned seed, std::vector<std::string> files) : random_(seed), files_(std::move(files)) {}

    /// Puts a few events into the surface's queue, aimed at what the last frame showed. Returns their number.
    int play(Gui& gui, EglSurface& surface);
    /// Returns what it did last, for a report: "click panel0.menu".
    const std::string& last() const { return last_; }

  private:
    struct Aim {
        std::string name;
        double x = 0, y = 0;
    };
    bool in(int chances, int of) { return below(of) < chances; }
    int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    double between(double low, double high);
    Aim aim(Gui& gui);
    int press(Gui& gui, Key key);
    int use_mouse(Gui& gui);
    int type(Gui& gui);
    int resize(EglSurface& surface);
    int drop(Gui& gui);

    std::mt19937 random_;
    std::vector<std::string> files_;
    std::string last_;
};

}  // namespace ropewalk
