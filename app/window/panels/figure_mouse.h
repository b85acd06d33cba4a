// The mouse on a panel's figure: it points, locks a cell, draws, drags lines and the cursor, pans and zooms.
#pragma once

#include <optional>
#include <span>

#include "app/window/panels/axes_zoom.h"
#include "app/window/panels/brush_stroke.h"
#include "app/window/panels/handle_drag.h"
#include "app/window/surface/imgui_canvas.h"

namespace ropewalk {

class FigureMouse {
  public:
    /// Takes the mouse on the figure that was just drawn. `explanations` are the tooltips of its parts.
    void follow(PanelContext& panel, const DrawnFigure& drawn, std::span<const Explanation> explanations,
                BrushStroke& stroke);

  private:
    /// Explains the chip of a pinned curve under the pointer, and removes it if it is clicked. Returns whether the
    /// mouse is taken by that.
    bool follow_chips(const PanelContext& panel, const DrawnFigure& drawn);
    void press(const PanelContext& panel, const Frame& frame, BrushStroke& stroke);
    /// Shows the part that was grasped, moved by the distance from the press.
    void pan(const PanelContext& panel, const DrawnFigure& drawn) const;
    /// Enlarges or shrinks the shown part about the pointer, or shows everything.
    static void zoom(const PanelContext& panel, const DrawnFigure& drawn);
    /// Moves, locks or releases the cursor. It is dragged unless something else is (`is_free`). Returns whether there
    /// is an entry under the pointer.
    bool choose(const PanelContext& panel, const DrawnFigure& drawn, bool points);
    bool move_cursor(const PanelContext& panel, const DrawnFigure& drawn, bool is_free, bool points);
    /// Returns the pointer, limited to the pressed plot if there is one.
    Point within_plot(const Frame& frame, Point pointer) const;

    bool is_dragged_ = false;
    Point pressed_;  // place of the last press; logical pixels of the panel
    Cursor cursor_at_press_;
    std::optional<Part> grasped_;              // the shown part when the mouse was pressed
    std::optional<std::size_t> pressed_chip_;  // the chip the mouse was pressed on
    HandleDrag handle_;
    AxesZoom axes_;
};

}  // namespace ropewalk
