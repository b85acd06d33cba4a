#include "app/figures/models/model_map.h"

namespace ropewalk {

void draw_selected(const HeadPlace& place, const Frame& frame, const Theme& theme, Canvas& canvas) {
    const Point from = frame.to_pixels(place.head - 0.5, place.layer - 0.5),
                to = frame.to_pixels(place.head + 0.5, place.layer + 0.5);
    const Rect cell{std::min(from.x, to.x), std::min(from.y, to.y), std::abs(to.x - from.x), std::abs(to.y - from.y)};
    canvas.stroke_rect(cell.inset(-1), {.color = theme.plot_background, .width = 4}, 2);
    canvas.stroke_rect(cell.inset(-1), {.color = theme.text, .width = 2}, 2);
}

Frame draw_model_map(const ModelMap& shown, const char* message, const FigureInput& input, Canvas& canvas,
                     const Rect& rect) {
    Frame frame;
    frame.outer = frame.plot = rect;
    if (!shown.map.values) {
        draw_message(message, rect, canvas, input.theme);
        return frame;
    }
    PlotOptions options;
    options.x = shown.x, options.y = shown.y;
    options.color_bar = color_bar_of(input, shown.map, shown.quantity);
    options.grid = false;
    frame = layout(options, canvas, rect, input.theme);
    draw_background(options, frame, canvas, input.theme);
    draw_heat_map(shown.map, frame, canvas);
    draw_axes(options, frame, canvas, input.theme);
    return frame;
}

}  // namespace ropewalk
