#include <algorithm>
#include <cmath>
#include <limits>

#include "app/plot/elide.h"
#include "app/plot/marks.h"

namespace ropewalk {
namespace {

constexpr double margin = 8;  // from the edges of the plot, and inside the box
constexpr double row_height = 17;
constexpr double swatch_width = 16, swatch_gap = 8, line_height = 2, band_height = 8;
constexpr double corner_radius = 4;
constexpr double greatest_share = 0.2;  // of the plot that a legend may take from points
constexpr double cursor_distance = 12;  // of a chip from its anchor

TextStyle text_style(const Theme& theme) {
    return {.size = theme.tick_size, .color = theme.text};
}

void draw_box(const Rect& box, Canvas& canvas, const Theme& theme) {
    canvas.fill_rect(box, theme.panel.with_alpha(0.92), corner_radius);
    canvas.stroke_rect(box.inset(0.5), {theme.panel_border, 1, 0}, corner_radius);
}

double widest(std::span<const std::string> lines, const TextStyle& style, const Canvas& canvas) {
    double width = 0;
    for (const std::string& line : lines) width = std::max(width, canvas.measure(line, style.size, style.weight).width);
    return width;
}

double box_height(std::size_t lines) {
    return static_cast<double>(lines) * row_height + margin;
}

struct Corner {
    Rect box;
    std::ptrdiff_t covered = 0;  // points that the box would hide
};

/// Which corner covers fewest points; the earlier of equals.
Corner freest_corner(double width, double height, std::span<const Point> occupied, const Frame& frame) {
    const Rect room = frame.plot.inset(margin);
    const double right = room.right() - width, below = room.bottom() - height;
    const Point corners[] = {{right, room.y}, {room.x, room.y}, {right, below}, {room.x, below}};
    Corner best{.covered = std::numeric_limits<std::ptrdiff_t>::max()};
    for (const Point& corner : corners) {
        const Rect candidate{std::floor(corner.x), std::floor(corner.y), width, height};
        const Rect kept_free = candidate.inset(-margin / 2);
        const auto covered = std::count_if(occupied.begin(), occupied.end(), [&](const Point& point) {
            return kept_free.contains(frame.to_pixels(point.x, point.y));
        });
        if (covered < best.covered) best = {candidate, covered};
    }
    return best;
}

}  // namespace

Rect draw_legend(std::span<const LegendEntry> entries, std::span<const Point> occupied, const Frame& frame,
                 Canvas& canvas, const Theme& theme) {
    const TextStyle style = text_style(theme);
    constexpr double before_text = margin + swatch_width + swatch_gap;
    const Rect room = frame.plot.inset(margin);
    const double height = box_height(entries.size()), text_room = room.width - before_text - margin;
    if (entries.empty() || height > room.height || text_room <= 0) return {};
    std::vector<std::string> labels;
    for (const LegendEntry& entry : entries) labels.push_back(elided(entry.label, text_room, style, canvas));
    const double width = std::ceil(before_text + widest(labels, style, canvas) + margin);

    const auto [box, covered] = freest_corner(width, height, occupied, frame);
    if (covered > 0 && width * height > greatest_share * frame.plot.width * frame.plot.height) return {};
    draw_box(box, canvas, theme);
    double middle = box.y + margin / 2 + row_height / 2;
    for (std::size_t i = 0; i < entries.size(); ++i, middle += row_height) {
        const double thickness = entries[i].band ? band_height : line_height;
        const Rect swatch{box.x + margin, std::round(middle - thickness / 2), swatch_width, thickness};
        if (entries[i].dashed)
            for (const double share : {0.0, 0.6})
                canvas.fill_rect({swatch.x + share * swatch.width, swatch.y, swatch.width * 0.4, thickness},
                                 entries[i].color);
        else
            canvas.fill_rect(swatch, entries[i].color);
        if (!labels[i].empty()) canvas.text({box.x + before_text, middle}, labels[i], style);
    }
    return box;
}

void draw_chip(Point anchor, std::span<const std::string> lines, const Rect& bounds, Canvas& canvas,
               const Theme& theme) {
    if (lines.empty()) return;
    const TextStyle style = text_style(theme);
    const double width = std::ceil(widest(lines, style, canvas) + 2 * margin), height = box_height(lines.size());
    // To the right and below where that fits, else on the other side, in any case inside.
    const auto placed = [](double at, double size, double low, double high) {
        const double preferred =
            at + cursor_distance + size <= high ? at + cursor_distance : at - cursor_distance - size;
        return std::round(std::max(low, std::min(preferred, high - size)));
    };
    const Rect box{placed(anchor.x, width, bounds.x, bounds.right()),
                   placed(anchor.y, height, bounds.y, bounds.bottom()), width, height};
    canvas.push_clip(bounds);
    draw_box(box, canvas, theme);
    double middle = box.y + margin / 2 + row_height / 2;
    for (const std::string& line : lines) {
        canvas.text({box.x + margin, middle}, line, style);
        middle += row_height;
    }
    canvas.pop_clip();
}

}  // namespace ropewalk
