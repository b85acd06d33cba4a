#include "app/figures/parts/marks/arrow.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ropewalk {

void fill_convex(std::span<const Point> corners, Color color, Canvas& canvas) {
    std::vector<double> across;
    for (const Point& corner : corners) across.push_back(corner.x);
    std::sort(across.begin(), across.end());
    across.erase(std::unique(across.begin(), across.end()), across.end());
    std::vector<Point> upper, lower;
    for (const double x : across) {
        double top = corners[0].y, bottom = top;
        bool is_first = true;
        const auto reach = [&](double y) {
            top = is_first ? y : std::min(top, y), bottom = is_first ? y : std::max(bottom, y), is_first = false;
        };
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Point &from = corners[i], &to = corners[(i + 1) % corners.size()];
            if (from.x == x) reach(from.y);
            if ((from.x < x && x < to.x) || (to.x < x && x < from.x))
                reach(from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x));
        }
        upper.push_back({x, top}), lower.push_back({x, bottom});
    }
    if (upper.size() > 1) canvas.fill_between(upper, lower, color);
}

void draw_arrow(Point from, Point to, const Stroke& stroke, Canvas& canvas) {
    const double length = std::hypot(to.x - from.x, to.y - from.y), head = 3.2 * stroke.width + 2;
    if (length == 0) return;
    if (length < head) return canvas.circle(from, std::max(stroke.width, 1.5), stroke.color, no_outline);
    const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
    const Point neck{to.x - head * along.x, to.y - head * along.y};
    const double half = 0.42 * head;
    canvas.line(from, {neck.x + along.x, neck.y + along.y}, stroke);
    const Point corners[] = {
        to, {neck.x - half * along.y, neck.y + half * along.x}, {neck.x + half * along.y, neck.y - half * along.x}};
    fill_convex(corners, stroke.color, canvas);
    const Point outline[] = {corners[0], corners[1], corners[2], corners[0]};
    canvas.polyline(outline, {.color = stroke.color, .width = 1});  // smooths the edges
}

Point at_angle(Point centre, double distance, double angle) {
    return {centre.x + distance * std::cos(angle), centre.y - distance * std::sin(angle)};
}

void draw_angle(Point centre, double radius, double begin, double turned, Color line, Color inside, Canvas& canvas) {
    constexpr int pieces = 48;
    std::vector<Point> arc;
    for (int i = 0; i <= pieces; ++i) arc.push_back(at_angle(centre, radius, begin + turned * i / pieces));
    std::vector<Point> sector(arc);
    sector.push_back(centre);
    fill_convex(sector, inside, canvas);
    canvas.polyline(arc, {.color = line, .width = 2});
}

}  // namespace ropewalk
