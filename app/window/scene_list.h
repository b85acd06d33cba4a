// The card with the bundled scenes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/window/ui.h"

namespace ropewalk {

/// A bundled scene.
struct SceneEntry {
    std::string name, title, about;
};

class SceneList {
  public:
    bool is_open() const { return open_; }
    void close() { open_ = false; }
    /// Opens it, with the entry called `present` (or none) in front.
    void open(std::span<const SceneEntry> entries, const std::string& present);

    /// Draws it at the upper left of `area` (device pixels) while it is open; arrow keys and Enter or the mouse choose.
    /// The name of the chosen scene, once there is one.
    std::optional<std::string> draw(Ui& ui, const Rect& area);

  private:
    void take_keys(Ui& ui);
    /// True if it was clicked.
    bool draw_entry(Ui& ui, int index);

    std::vector<SceneEntry> entries_;
    std::string present_;
    int at_ = 0;  // the entry that Enter opens
    bool open_ = false, scrolls_to_it_ = false;
};

}  // namespace ropewalk
