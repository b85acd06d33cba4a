#include "app/figures/parts/curves/area_label.h"

#include <algorithm>
#include <string_view>

namespace ropewalk {

void draw_area_label(std::span<const Rect> taken, const std::function<std::size_t(const Rect&)>& hidden_by,
                     Frame& frame, Canvas& canvas, const Theme& theme) {
    frame.has_areas = true;
    if (theme.is_paper) return;
    constexpr std::string_view text = "line: mean per pixel, band: min–max", omitted = "the names of line and band";
    constexpr double inset = 8, line = 1.3, clear = 4, beside = 10;  // px, lines of text, px
    const double width = canvas.measure(text, theme.tick_size, Weight::regular).width, height = line * theme.tick_size,
                 left = frame.plot.x + inset, right = frame.plot.right() - width - inset, top = frame.plot.y + inset,
                 bottom = frame.plot.bottom() - height - inset;
    if (right < left || bottom < top) return canvas.report_omitted(omitted);
    const double zero = frame.to_pixels(frame.x.low, 0).y;
    const double middle = (left + right) / 2;
    for (const Point& corner : {Point{right, top}, Point{left, bottom}, Point{right, bottom}, Point{left, top},
                                Point{middle, top}, Point{middle, bottom}}) {
        // Areas are wider than the columns that are counted.
        const Rect box{corner.x, corner.y, width, height},
            around{box.x - beside, box.y - clear, width + 2 * beside, height + 2 * clear};
        if (hidden_by(around) > 0 || (zero > around.y && zero < around.bottom()) ||
            std::any_of(taken.begin(), taken.end(), [&](const Rect& other) { return around.overlaps(other); }))
            continue;
        canvas.add_tooltip(box, "Many distances per pixel",
                           "The line shows the mean of the distances that share a pixel, the band their smallest and "
                           "largest values. Zoom in to see each distance.");
        return canvas.text(box.centre(), text,
                           {.size = theme.tick_size, .color = theme.text_dim, .across = Align::middle});
    }
    canvas.report_omitted(omitted);
}

}  // namespace ropewalk
