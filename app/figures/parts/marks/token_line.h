// The tokens as a line with two marks to drag: the cursor's query and key.
#pragma once

#include <optional>

#include "app/figures/figure.h"

namespace ropewalk {

/// Colours of what belongs to the query and to the key.
inline Color query_color(const Theme& theme) {
    return theme.series[0];
}
inline Color key_color(const Theme& theme) {
    return theme.series[1];
}

/// A line of all tokens at the bottom of a figure. Dragging a mark moves it; dragging between the marks moves both and
/// keeps their distance.
class TokenLine {
  public:
    static constexpr double height = 58;  // logical pixels

    /// Places the line at the bottom of a rect, or nowhere if that is too low.
    TokenLine(const FigureInput& input, const Rect& rect);

    bool is_shown() const { return rect_.height > 0; }
    /// Returns the rest of the figure.
    Rect above() const { return {figure_.x, figure_.y, figure_.width, figure_.height - rect_.height}; }
    bool contains(Point at) const { return is_shown() && at.y >= rect_.y && at.y <= rect_.bottom(); }
    /// Returns the cursor after a drag on the line. Keys after their query stay unreachable under a causal mask.
    Cursor dragged(const Scrub& scrub) const;
    /// Draws the line; returns its frame.
    Frame draw(Canvas& canvas) const;

  private:
    enum class Part { query, key, both };

    double x_of(double token) const { return frame_.to_pixels(token, 0).x; }
    int token_at(double x) const;
    /// Returns where the marks are drawn, centres on the line. Those at the same token are side by side, in the order
    /// in which they can be dragged apart.
    struct Marks {
        double query = 0, key = 0;
    };
    Marks marks_of(const Cursor& cursor) const;
    Part grasped(double x, const Cursor& cursor) const;
    void draw_tokens(Canvas& canvas) const;
    void draw_names(Canvas& canvas) const;

    const FigureInput& input_;
    Rect figure_, rect_;
    Frame frame_;
    double y_ = 0;  // of the line
};

}  // namespace ropewalk
