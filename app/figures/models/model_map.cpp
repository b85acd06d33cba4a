#include "app/figures/models/model_map.h"

namespace ropewalk {

Rect cell_of(const HeadPlace& place, const Frame& frame) {
    const Point from = frame.to_pixels(place.head - 0.5, place.layer - 0.5),
                to = frame.to_pixels(place.head + 0.5, place.layer + 0.5);
    return {std::min(from.x, to.x), std::min(from.y, to.y), std::abs(to.x - from.x), std::abs(to.y - from.y)};
}

void draw_selected(const Rect& cell, const Theme& theme, Canvas& canvas) {
    canvas.stroke_rect(cell.inset(-1), {.color = theme.plot_background, .width = 4}, 2);
    canvas.stroke_rect(cell.inset(-1), {.color = theme.text, .width = 2}, 2);
}

MapPart MapPart::around(int selected, int all, double room) {
    constexpr double smallest = 14, readable = 22;  // logical pixels of a cell: among all, and in a part
    if (room >= smallest * all) return {.count = all, .all = all};
    const int fitting = std::max(1, static_cast<int>(room / readable)), parts = (all + fitting - 1) / fitting,
              size = (all + parts - 1) / parts, first = std::clamp(selected, 0, all - 1) / size * size;
    return {.first = first, .count = std::min(size, all - first), .all = all};
}

Axis MapPart::on(Axis axis) const {
    if (is_whole()) return axis;
    axis.brief = axis.title;
    axis.title = fmt::format("{}s {}–{} of {}", axis.title, first, first + count - 1, all);
    axis.low = first - 0.5, axis.high = first + count - 0.5;
    return axis;
}

void draw_part_track(const MapPart& part, const Rect& track, const Theme& theme, Canvas& canvas) {
    const double from = static_cast<double>(part.first) / part.all, share = static_cast<double>(part.count) / part.all;
    const Rect thumb = track.width > track.height
                           ? Rect{track.x + from * track.width, track.y, share * track.width, track.height}
                           : Rect{track.x, track.y + from * track.height, track.width, share * track.height};
    canvas.fill_rect(track, theme.control_active, 2);
    canvas.fill_rect(thumb, theme.text_faint, 2);
}

Frame draw_model_map(const ModelMap& shown, const char* message, const FigureInput& input, Canvas& canvas,
                     const Rect& rect) {
    if (!shown.map.values) return draw_message(message, rect, canvas, input.theme);
    PlotOptions options;
    options.x = shown.x, options.y = shown.y;
    options.color_bar = color_bar_of(input, shown.map, shown.quantity);
    options.grid = false;
    Frame frame = layout(options, canvas, rect, input.theme);
    draw_background(options, frame, canvas, input.theme);
    draw_heat_map(shown.map, frame, canvas);
    draw_axes(options, frame, canvas, input.theme);
    return frame;
}

}  // namespace ropewalk
