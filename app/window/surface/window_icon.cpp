#include "app/window/surface/window_icon.h"

#include <array>
#include <cmath>

#include "app/plot/export.h"

namespace ropewalk {
namespace {

constexpr double icon_side = 128;  // side of the coordinate system
constexpr Color night{0x15, 0x17, 0x1d}, ring{0x4a, 0x52, 0x64}, hand{0xff, 0xa2, 0x44};
constexpr std::array<Color, 7> by_distance{{{0xfd, 0xe7, 0x25},
                                            {0xb4, 0xde, 0x2c},
                                            {0x30, 0xb1, 0x7d},
                                            {0x27, 0x7f, 0x8e},
                                            {0x2c, 0x73, 0x8e},
                                            {0x26, 0x82, 0x8e},
                                            {0x24, 0x8a, 0x8d}}};

/// The level of detail at a size; squares of small icons are on whole pixels.
struct IconDetail {
    int size;
    double around;  // margin
    int rows;       // of the matrix
    double left, pitch, square, corner;
    double line_width;  // relative to the usual width
};
constexpr IconDetail details[] = {{16, 0, 4, 16, 24, 16, 0, 2},
                                  {32, 0, 5, 16, 20, 16, 2, 1.4},
                                  {48, 4, 7, 17.9, 13.43, 11.63, 2.6, 1},
                                  {128, 4, 7, 17.9, 13.43, 11.63, 2.6, 1}};

/// Draws a causal matrix whose weights fall with distance.
void draw_matrix(Canvas& canvas, const IconDetail& detail) {
    for (int row = 0; row < detail.rows; ++row)
        for (int column = 0; column <= row; ++column)
            canvas.fill_rect(
                {detail.left + column * detail.pitch, detail.left + row * detail.pitch, detail.square, detail.square},
                by_distance.at(static_cast<std::size_t>(row - column)), detail.corner);
}

/// Draws a pair of channels that was rotated by an angle.
void draw_dial(Canvas& canvas, double line_width) {
    constexpr Point middle{89, 39};
    constexpr double radius = 21, angle = 0.908;
    canvas.circle(middle, radius, night, {.color = ring, .width = 3 * line_width});
    std::vector<Point> arc;
    for (int i = 0; i <= 24; ++i) {
        const double part = -angle * i / 24;
        arc.push_back({middle.x + radius * std::cos(part), middle.y + radius * std::sin(part)});
    }
    const Stroke stroke{.color = hand, .width = 4 * line_width};
    canvas.polyline(arc, stroke);
    canvas.line(middle, arc.back(), stroke);
    canvas.circle(middle, 3.4 * line_width, hand, {.color = hand, .width = 0});
}

}  // namespace

std::vector<Image> window_icons() {
    std::vector<Image> icons;
    for (const IconDetail& detail : details)
        icons.push_back(draw_image(
            {.width = icon_side, .height = icon_side, .scale = detail.size / icon_side, .background = {0, 0, 0, 0}},
            [&](Canvas& canvas) {
                const double side = icon_side - 2 * detail.around;
                canvas.fill_rect({detail.around, detail.around, side, side}, night, 0.2 * side);
                draw_matrix(canvas, detail);
                draw_dial(canvas, detail.line_width);
            }));
    return icons;
}

}  // namespace ropewalk
