// A page with all drawing operations of figures, and the decoding of its PNG.
#pragma once

#include <png.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/plot/axes.h"
#include "app/plot/export.h"
#include "app/plot/marks.h"

namespace ropewalk {

inline const std::string carried = "{\"title\": \"Δ & <b> 'x' (y) \\\\ \\n\"}\n";

inline ExportOptions options() {
    return {.width = 400, .height = 300, .background = {255, 255, 255}, .title = "A figure <&>\"'", .scene = carried};
}

/// Draws one example of every operation.
inline void draw_sample(Canvas& canvas) {
    const Theme& theme = light_theme();
    std::vector<double> cells(16 * 16), y(5000);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = i == 32 ? NAN : static_cast<double>(i) / 256;
    std::vector<Interval> visible;
    for (int row = 0; row < 16; ++row) visible.push_back({0, row + 1});
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(static_cast<double>(i * i) * 1e-5);
    HeatMap map{.values = SharedNumbers::of(cells),
                .visible = std::make_shared<std::vector<Interval>>(visible),
                .rows = 16,
                .columns = 16};
    map.masked = theme.masked;
    map.hatch = theme.hatch;
    const PlotOptions plot{.x = {.title = "key ⟨j⟩", .high = 16},
                           .y = {.title = "query i", .high = 16, .downwards = true},
                           .color_bar = ColorBar{map, "weight"},
                           .grid = false};
    canvas.text({0, 9}, "Attention", {.size = theme.title_size, .color = theme.text, .weight = Weight::semibold});
    canvas.text({394, 150}, "upright",
                {.size = theme.tick_size, .across = Align::middle, .rotation = Rotation::quarter_left});
    const Frame left = layout(plot, canvas, {0, 26, 200, 274}, theme);
    draw_background(plot, left, canvas, theme);
    draw_heat_map(map, left, canvas);
    draw_axes(plot, left, canvas, theme);
    const PlotOptions curves{.x = {.low = 1, .high = 5000, .scale = AxisScale::logarithmic},
                             .y = {.low = -1, .high = 1}};
    const Frame right = layout(curves, canvas, {200, 0, 200, 300}, theme);
    draw_background(curves, right, canvas, theme);
    draw_band({y, 1, 1}, {y, 1, 1}, theme.series[1].with_alpha(0.3), right, canvas);
    draw_curve({y, 1, 1}, {theme.series[0], 1.5, 0}, right, canvas);
    draw_point({100, 0}, 4, theme.series[2], right, canvas, theme);
    draw_vertical_rule(100, right, canvas, {theme.cursor, 1, 4});
    draw_axes(curves, right, canvas, theme);
    const LegendEntry entries[] = {{"<rope> & \"co\"\x01", theme.series[0]}};
    draw_legend(entries, {210, 4, 180, 296}, {210, 27, 180, 273}, right, canvas, theme);
}

inline Image decode(const std::string& file) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&png, file.data(), file.size())) throw std::runtime_error(png.message);
    png.format = PNG_FORMAT_RGBA;
    Image image{static_cast<int>(png.width), static_cast<int>(png.height), std::vector<Color>(png.width * png.height)};
    if (!png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr)) throw std::runtime_error(png.message);
    return image;
}

inline Color at(const Image& image, int x, int y) {
    return image.pixels[static_cast<std::size_t>(y * image.width + x)];
}

}  // namespace ropewalk
