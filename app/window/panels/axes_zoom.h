// The mouse on the axes of curves: the wheel zooms them, a drag moves them, a click zooms to a mark, and a double-click
// shows all.
#pragma once

#include <optional>

#include "app/window/panels/panel_context.h"

namespace ropewalk {

/// Zooms a panel's figure: one step of undo, or part of one until the gesture ends.
void set_zoom(const PanelContext& panel, const Zoom& zoom, Gesture gesture);
/// Return the whole of a plot's axes.
inline Axis whole_x(const Frame& frame) {
    return frame.whole_x.value_or(frame.x);
}
inline Axis whole_y(const Frame& frame) {
    return frame.whole_y.value_or(frame.y);
}

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
    /// Zooms to the mark under the pointer when it is clicked, and locks the cursor on it. Returns whether there is
    /// one.
    static bool click_mark(const PanelContext& panel, const Frame& frame, bool is_dragged);
    /// Leaves the drag to something else.
    void let_go() { grasped_.reset(); }

    /// Zooms a figure about the cursor, by the axes of its frame or by the part of the matrix that it shows. A factor
    /// below 1 enlarges.
    static void zoom_at_cursor(Session& session, int panel, const Frame& frame, double factor);
    /// Moves the cursor by steps to the right and down on a figure's axes, and locks it. Where an axis shows no part of
    /// the cursor, a step to the right is to the next key, and one down to the next query. A zoomed figure follows, so
    /// that the cursor stays in sight.
    static void move_cursor(Document& document, int panel, const Frame& frame, int across, int down);

  private:
    /// Which axes a place belongs to. `y` is the plot whose vertical axis it is.
    struct Axes {
        bool x = false;
        const Frame* y = nullptr;
    };
    struct Grasped {
        Frame frame;
        bool x = false;
        std::optional<Frame> y;
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
