#include "app/plot/canvas.h"

#include <algorithm>
#include <utility>

#include "app/plot/colormap.h"
#include "app/plot/fonts.h"

namespace ropewalk {
namespace {

/// Draws diagonals from lower left to upper right. They start at the rectangle's corner, so that they do not move
/// within a panel.
void draw_hatch(Canvas& canvas, const Rect& rect, Color color) {
    constexpr double period = 10, thickness = 1.4;
    canvas.push_clip(rect);
    for (double x = rect.x + period / 2; x < rect.right() + rect.height; x += period) {
        // The part inside the rectangle of the diagonal that meets the top edge's line at x.
        const double from = std::max(0.0, x - rect.right()) - thickness;
        const double to = std::min(rect.height, x - rect.x) + thickness;
        canvas.line({x - from, rect.y + from}, {x - to, rect.y + to}, {color, thickness, 0});
    }
    canvas.pop_clip();
}

}  // namespace

Dashes Dashes::fitted(double length) const {
    if (is_solid()) return *this;
    double shorter = 0,
           longer = this->length(0);  // lengths that end with a whole dash, just below and above that of the line
    for (std::size_t nth = 1; longer < length; nth += 2)
        shorter = std::exchange(longer, longer + this->length(nth) + this->length(nth + 1));
    const double times = length * length > shorter * longer ? length / longer : length / shorter;
    Dashes scaled = *this;
    for (double& part : scaled.lengths_) part *= times;
    return scaled;
}

TextExtent Canvas::measure(std::string_view utf8, double size, Weight weight) const {
    return measure_text(utf8, size, in_typeface(weight));
}

void Canvas::fill_masked(const Rect& rect, const HeatMap& map) {
    fill_rect(rect, map.masked);
    draw_hatch(*this, rect, map.hatch);
}

void Canvas::heat_map(const Rect& rect, const HeatMap& map) {
    if (map.rows == 0 || map.columns == 0) return;
    if (has_masked(map)) fill_masked(rect, map);
    image(rect, colored(map));
}

}  // namespace ropewalk
