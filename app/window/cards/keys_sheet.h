// One page with all keys and mouse actions, in columns.
#pragma once

#include <string>
#include <vector>

#include "app/window/widgets/ui.h"

namespace ropewalk {

/// Keys or mouse actions that belong together.
struct KeysGroup {
    struct Line {
        std::string what, how;
    };
    std::string title;
    std::vector<Line> lines;
};

class KeysSheet {
  public:
    bool is_open() const { return is_open_; }
    void open(std::vector<KeysGroup> groups);
    void close() { is_open_ = false; }
    /// Draws the sheet within `area` (device pixels) while it is open. Escape and a click elsewhere close it.
    void draw(Ui& ui, const Rect& area);

  private:
    std::vector<KeysGroup> groups_;
    bool is_open_ = false;
};

}  // namespace ropewalk
