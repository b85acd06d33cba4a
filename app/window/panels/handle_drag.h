// Dragging a line that represents a field of the head or an option of the figure.
#pragma once

#include <optional>
#include <string>

#include "app/window/panels/panel_context.h"

namespace ropewalk {

class HandleDrag {
  public:
    bool is_held() const { return held_.has_value(); }
    /// Drags the line that the mouse was pressed on. `has_moved` says that the press is not a click. Call after the
    /// plot's button. Returns whether there is a line to drag under the pointer.
    bool follow(const PanelContext& panel, const DrawnFigure& drawn, bool has_moved);

  private:
    struct Held {
        std::string path;
        double offset = 0;  // of the pointer from the line, logical pixels
        Frame frame;        // the plot at that time; axes may follow what is dragged
        Rect outer;         // of the whole figure
        Figure before;
    };
    /// A line near the pointer, and the pointer's offset from it.
    struct Near {
        const Handle* handle = nullptr;
        const Frame* plot = nullptr;
        double offset = 0;
    };
    /// Registers the lines. Returns the one that is nearest to the pointer, if it can be reached.
    static Near find_near(const PanelContext& panel, const Frame& frame, const std::vector<Handle>& handles);
    void move(const PanelContext& panel, const Handle& handle) const;

    std::optional<Held> held_;
};

}  // namespace ropewalk
