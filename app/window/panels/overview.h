// A thin strip below a zoomed curve: the whole curve, with the shown range as a window that can be dragged.
#pragma once

#include <optional>

#include "app/window/panels/panel_context.h"
#include "app/window/surface/imgui_canvas.h"

namespace ropewalk {

/// Returns the figure as drawn in the strip: with all of its horizontal axis, and room for dots at the plot's edges.
Figure figure_in_strip(const Figure& figure, const FigureInput& input, const Rect& strip);

class Overview {
  public:
    /// Returns the height to reserve below the figure (logical pixels): none unless it shows a part of curves and the
    /// body is high enough.
    static double height(const Figure& figure, const Rect& body);
    /// Draws the strip at the lower end of the body, below the figure in `drawn`, and follows the mouse on it.
    void draw(PanelContext& panel, const DrawnFigure& drawn, const Rect& body, ImGuiCanvas& canvas);

  private:
    std::optional<double> held_;  // from the window's beginning to the pointer that drags it, as a share of the axis
};

}  // namespace ropewalk
