// The mouse on the axes of curves: the wheel zooms them, a drag moves them, and a double-click shows all.
#pragma once

#include <optional>

#include "app/window/panels/panel_context.h"

namespace ropewalk {

class AxesZoom {
  public:
    /// Follows the mouse on the panel's figure, if its axes can be zoomed. On a plot, the wheel zooms the horizontal
    /// axis, or with Ctrl the vertical one; on the labels of an axis, that axis. `points` says whether the pointer is
    /// on the figure, and `is_dragged` whether the held mouse has moved. A series of turns, and a drag, are each one
    /// step.
    void follow(const PanelContext& panel, const DrawnFigure& drawn, bool points, bool is_dragged);
    /// Grasps the axes where the mouse was pressed, if they are zoomed.
    void press(const PanelContext& panel, const Frame& frame);
    /// Returns whether a drag moves the axes.
    bool is_held() const { return grasped_.has_value(); }
    /// Leaves the drag to something else.
    void let_go() { grasped_.reset(); }

    /// Zooms a figure about the cursor, by the axes of its frame or by the part of the matrix that it shows. A factor
    /// below 1 enlarges.
    static void zoom_at_cursor(Session& session, int panel, const Frame& frame, double factor);

  private:
    /// Which axes a place belongs to.
    struct Axes {
        bool x = false, y = false;
    };
    struct Grasped {
        Frame frame;
        Axes axes;
        Point from;  // logical pixels of the panel
    };
    static Axes axes_at(const Frame& frame, Point at);
    void turn_wheel(const PanelContext& panel, const Frame& frame);
    void drag(const PanelContext& panel) const;
    /// Ends the step of the wheel after a rest.
    void rest(const PanelContext& panel, bool points);

    std::optional<Grasped> grasped_;
    std::optional<double> turned_;  // when the wheel was turned last
};

}  // namespace ropewalk
