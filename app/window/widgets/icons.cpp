#include "app/window/widgets/icons.h"

#include <imgui.h>

#include <initializer_list>
#include <numbers>

#include "app/window/surface/compat.h"

namespace ropewalk {
namespace {

/// Draws on the square from −8 to 8 around the icon's middle.
class IconPen {
  public:
    IconPen(const Ui& ui, Point middle, Color color)
        : middle_(middle), scale_(ui.scale), color_(compat::color(color)), width_(ui.px(1.4)) {}

    void line(std::initializer_list<Point> points, ImDrawFlags flags = ImDrawFlags_None) const {
        for (const Point& point : points) list_.PathLineTo(at(point));
        list_.PathStroke(color_, flags, width_);
    }
    /// Draws an arc; angles are in half turns, clockwise from the right.
    void arc(Point centre, double radius, double from, double to) const {
        constexpr auto half_turn = std::numbers::pi_v<float>;
        list_.PathArcTo(at(centre), static_cast<float>(radius * scale_), half_turn * static_cast<float>(from),
                        half_turn * static_cast<float>(to), 16);
        list_.PathStroke(color_, ImDrawFlags_None, width_);
    }
    void dot(Point centre, double radius) const {
        list_.AddCircleFilled(at(centre), static_cast<float>(radius * scale_), color_, 12);
    }

  private:
    ImVec2 at(const Point& point) const {
        return compat::vector({middle_.x + point.x * scale_, middle_.y + point.y * scale_});
    }

    ImDrawList& list_ = *ImGui::GetWindowDrawList();
    Point middle_;
    double scale_;
    ImU32 color_;
    float width_;
};

/// Draws an arrow that turns back to the left (−1) or to the right (1).
void draw_turning_arrow(const IconPen& pen, double side) {
    const double tip = 6 * side;
    pen.line({{tip - 3.5 * side, -6}, {tip, -2.5}, {tip - 3.5 * side, 1}});
    pen.line({{tip, -2.5}, {-1.5 * side, -2.5}});
    side < 0 ? pen.arc({1.5, 1.25}, 3.75, -0.5, 0.5) : pen.arc({-1.5, 1.25}, 3.75, -0.5, -1.5);
    pen.line({{-1.5 * side, 5}, {2.5 * side, 5}});
}

void draw_corners(const IconPen& pen) {
    for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0}) pen.line({{2.5 * x, 6 * y}, {6 * x, 6 * y}, {6 * x, 2.5 * y}});
}

}  // namespace

void draw_icon(const Ui& ui, Icon icon, Point middle, Color color) {
    const IconPen pen(ui, middle, color);
    switch (icon) {
        case Icon::none: break;
        case Icon::undo: draw_turning_arrow(pen, -1); break;
        case Icon::redo: draw_turning_arrow(pen, 1); break;
        case Icon::flag:
            pen.line({{-5, 6.5}, {-5, -6}});
            pen.line({{-5, -6}, {5, -6}, {2.5, -2.5}, {5, 1}, {-5, 1}});
            break;
        case Icon::fit: draw_corners(pen); break;
        case Icon::plus:
            pen.line({{-6, 0}, {6, 0}});
            pen.line({{0, -6}, {0, 6}});
            break;
        case Icon::play: pen.line({{-4, -6}, {6, 0}, {-4, 6}}, ImDrawFlags_Closed); break;
        case Icon::search:
            pen.arc({-1, -1}, 4.75, 0, 2);
            pen.line({{2.5, 2.5}, {6.5, 6.5}});
            break;
        case Icon::dots:
            for (const double x : {-5.0, 0.0, 5.0}) pen.dot({x, 0}, 1.4);
            break;
    }
}

}  // namespace ropewalk
