#include "app/plot/marks.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/plot/dense_curve.h"
#include "core/error.h"

namespace ropewalk {
namespace {

/// Returns the pixel of y. Values that a logarithmic axis cannot show are below it.
double pixel_of_y(double y, const Frame& frame) {
    const bool below = frame.y.scale == AxisScale::logarithmic && y <= 0;
    const double up = below ? -far_away : std::clamp(frame.y.fraction(y) * frame.plot.height, -far_away, far_away);
    return frame.y.downwards ? frame.plot.y + up : frame.plot.bottom() - up;
}

/// Collects the points of successive lines; a gap ends a line.
class Pen {
  public:
    Pen(const Stroke& stroke, Canvas& canvas) : stroke_(stroke), canvas_(canvas) {}

    void to(Point point) { points_.push_back(point); }

    /// Adds a vertical stroke, starting at the end nearer to the current point.
    void through(double x, double y, double other_y) {
        if (!points_.empty() && std::abs(points_.back().y - other_y) < std::abs(points_.back().y - y))
            std::swap(y, other_y);
        to({x, y});
        if (other_y != y) to({x, other_y});
    }

    void lift() {
        if (points_.size() == 1) canvas_.circle(points_[0], std::max(stroke_.width, 1.5), stroke_.color, {{}, 0, 0});
        if (points_.size() > 1) canvas_.polyline(points_, stroke_);
        points_.clear();
    }

  private:
    const Stroke& stroke_;
    Canvas& canvas_;
    std::vector<Point> points_;
};

/// Collects the edges of successive areas; a gap ends an area. An area with a single point is one pixel wide. Its edges
/// are drawn, too, if they have a colour.
class Area {
  public:
    Area(Color color, Canvas& canvas, Color of_edges = {0, 0, 0, 0})
        : color_(color), of_edges_(of_edges), canvas_(canvas) {}

    void to(double x, double low, double high) { lower_.push_back({x, low}), upper_.push_back({x, high}); }

    void lift() {
        if (upper_.size() == 1)
            for (std::vector<Point>* edge : {&upper_, &lower_}) {
                const auto [x, y] = edge->front();
                *edge = {{x - 0.5, y}, {x + 0.5, y}};
            }
        if (!upper_.empty()) canvas_.fill_between(upper_, lower_, color_);
        for (std::vector<Point>* edge : {&upper_, &lower_}) {
            if (of_edges_.a > 0 && !edge->empty()) canvas_.polyline(*edge, {.color = of_edges_, .width = 1});
            edge->clear();
        }
    }

  private:
    Color color_, of_edges_;
    Canvas& canvas_;
    std::vector<Point> upper_, lower_;
};

/// Returns whether a curve that begins with this value begins at a peak, which the mean of many samples would hide.
bool is_extreme(double value, const Extent& range) {
    return value == range.min || value == range.max;
}

/// Adds a column's samples to a line: all of a few, otherwise the first and the last.
void trace(const Curve& curve, const Column& column, const Frame& frame, Pen& pen) {
    const std::size_t step = column.count() > few_samples ? column.count() - 1 : 1;
    for (std::size_t i = column.first; i < column.past_last; i += step)
        if (std::isnan(curve.y_at(i)))
            pen.lift();
        else
            pen.to({pixel_of_x(curve.x_at(i), frame), pixel_of_y(curve.y_at(i), frame)});
}

}  // namespace

void draw_curve(const Curve& curve, const Stroke& wanted, const Frame& frame, Canvas& canvas, CurvePart part) {
    const std::shared_ptr<const DenseCurve> kept = DenseCurve::of(curve, frame);
    const DenseCurve& dense = *kept;
    Stroke stroke = wanted;
    if (dense.has_area()) stroke.dash = {};
    Pen pen(stroke, canvas);
    Area area(stroke.color.with_alpha(area_alpha), canvas, stroke.color.with_alpha(2 * area_alpha));
    canvas.push_clip(frame.plot);
    for (std::size_t i = 0; part != CurvePart::line && i < dense.columns.size(); ++i) {
        if (dense.kinds[i] != Dense::area) {
            area.lift();
            continue;
        }
        const Extent& range = dense.parts[i].range;
        area.to(dense.columns[i].middle, pixel_of_y(range.min, frame), pixel_of_y(range.max, frame));
    }
    area.lift();
    for (std::size_t i = 0; part != CurvePart::area && i < dense.columns.size(); ++i) {
        const Column& column = dense.columns[i];
        if (dense.kinds[i] == Dense::no) {
            trace(curve, column, frame, pen);
        } else if (dense.kinds[i] == Dense::peak) {
            const Extent range = column.extent(curve);
            pen.through(column.middle, pixel_of_y(range.min, frame), pixel_of_y(range.max, frame));
        } else {
            const auto& [range, mean] = dense.parts[i];
            if (const double start = curve.y_at(0); column.first == 0 && is_extreme(start, range))
                pen.to({pixel_of_x(curve.x_at(0), frame), pixel_of_y(start, frame)});
            pen.to({column.middle, pixel_of_y(mean, frame)});
        }
    }
    pen.lift();
    canvas.pop_clip();
}

void draw_path(std::span<const Point> points, const Stroke& stroke, const Frame& frame, Canvas& canvas) {
    Pen pen(stroke, canvas);
    canvas.push_clip(frame.plot);
    for (const Point& point : points) {
        const bool exists = !std::isnan(point.y) && !std::isnan(frame.x.fraction(point.x));
        if (exists)
            pen.to({pixel_of_x(point.x, frame), pixel_of_y(point.y, frame)});
        else
            pen.lift();
    }
    pen.lift();
    canvas.pop_clip();
}

void draw_band(std::span<const Point> low, std::span<const Point> high, Color color, const Frame& frame,
               Canvas& canvas) {
    const auto in_pixels = [&](std::span<const Point> points) {
        std::vector<Point> pixels;
        for (const Point& point : points) pixels.push_back({pixel_of_x(point.x, frame), pixel_of_y(point.y, frame)});
        return pixels;
    };
    if (low.size() < 2) return;
    canvas.push_clip(frame.plot);
    canvas.fill_between(in_pixels(high), in_pixels(low), color);
    canvas.pop_clip();
}

void draw_band(const Curve& low, const Curve& high, Color color, const Frame& frame, Canvas& canvas) {
    ensure(low.size() == high.size() && low.first == high.first && low.step == high.step,
           "the two edges of a band have the same x values");
    Area area(color, canvas);
    const auto add = [&](double x, double min, double max) {
        if (!(min <= max)) return area.lift();
        area.to(x, pixel_of_y(min, frame), pixel_of_y(max, frame));
    };
    canvas.push_clip(frame.plot);
    for_each_column(low, frame, [&](const Column& column) {
        if (column.count() > few_samples) return add(column.middle, column.extent(low).min, column.extent(high).max);
        for (std::size_t i = column.first; i < column.past_last; ++i)
            add(pixel_of_x(low.x_at(i), frame), low.y_at(i), high.y_at(i));
    });
    area.lift();
    canvas.pop_clip();
}

void draw_bars(const Curve& bars, double width_fraction, Color positive, Color negative, const Frame& frame,
               Canvas& canvas) {
    const double base = pixel_of_y(0, frame), half = bars.step * width_fraction / 2;
    const double pitch = frame.plot.width * bars.step / (frame.x.high - frame.x.low);
    const bool is_wide = has_room_for_bars(bars, frame);
    const auto bar = [&](double left, double right, double value, Color color) {
        const double end = pixel_of_y(value, frame);
        canvas.fill_rect({left, std::min(base, end), right - left, std::abs(end - base)}, color);
    };
    canvas.push_clip(frame.plot);
    for_each_column(bars, frame, [&](const Column& column) {
        double left = std::floor(column.middle), right = left + 1;
        if (column.count() == 1) {
            const double x = bars.x_at(column.first);
            if (is_wide) left = pixel_of_x(std::max(x - half, frame.x.low), frame);
            // Narrow bars are whole pixels wide and leave at least one free, so that they do not merge.
            const double width = std::max(1.0, std::floor(pitch) - 1), rounding = 1e-6;
            if (!is_wide) left = std::floor(pixel_of_x(x, frame) - width / 2 + 0.5 + rounding);
            right = is_wide ? std::max(left + 1, pixel_of_x(x + half, frame)) : left + width;
        }
        const Extent range = column.extent(bars);
        if (range.max > 0) bar(left, right, range.max, positive);
        if (range.min < 0) bar(left, right, range.min, negative);
    });
    canvas.pop_clip();
}

bool has_room_for_bars(const Curve& bars, const Frame& frame) {
    constexpr double min = 4;  // pixels from one to the next
    return frame.plot.width * bars.step > min * (frame.x.high - frame.x.low);
}

void draw_steps(const Curve& bars, const Stroke& stroke, const Frame& frame, Canvas& canvas) {
    if (!has_room_for_bars(bars, frame)) return draw_curve(bars, stroke, frame, canvas);
    const double base = pixel_of_y(0, frame), half = bars.step / 2;
    Pen pen(stroke, canvas);
    std::optional<double> end;  // of the previous step
    const auto go_down = [&] {
        if (end) pen.to({*end, base});
        pen.lift();
        end.reset();
    };
    canvas.push_clip(frame.plot);
    for_each_column(bars, frame, [&](const Column& column) {
        for (std::size_t i = column.first; i < column.past_last; ++i) {
            if (std::isnan(bars.y_at(i))) {
                go_down();
                continue;
            }
            const double y = pixel_of_y(bars.y_at(i), frame), left = pixel_of_x(bars.x_at(i) - half, frame);
            if (!end) pen.to({left, base});
            pen.to({left, y});
            end = pixel_of_x(bars.x_at(i) + half, frame);
            pen.to({*end, y});
        }
    });
    go_down();
    canvas.pop_clip();
}

void draw_dots(std::span<const Point> points, double radius, Color color, const Frame& frame, Canvas& canvas) {
    canvas.push_clip(frame.plot);
    for (const Point& point : points) {
        const Point at = frame.to_pixels(point.x, point.y);
        if (frame.plot.contains(at)) canvas.circle(at, radius, color, {color, 0, 0});
    }
    canvas.pop_clip();
}

void draw_point(Point data, double radius, Color color, const Frame& frame, Canvas& canvas, const Theme& theme) {
    const Point at = frame.to_pixels(data.x, data.y);
    if (!frame.plot.inset(-1).contains(at)) return;
    canvas.push_clip(frame.outer);  // do not cut points at the edge of the plot
    constexpr double gap = 1.5;     // half of it inside
    const double hidden = theme.plot_background.a > 0 ? 0 : gap / 2;
    canvas.circle(at, radius - hidden, color, {theme.plot_background, gap, 0});
    canvas.pop_clip();
}

void draw_vertical_rule(double x, const Frame& frame, Canvas& canvas, const Stroke& stroke) {
    const double share = frame.x.fraction(x);
    if (!(share >= 0 && share <= 1)) return;
    const double column = std::floor(std::min(frame.plot.x + share * frame.plot.width, frame.plot.right() - 1)) + 0.5;
    canvas.line({column, frame.plot.y}, {column, frame.plot.bottom()}, stroke);
}

void draw_horizontal_rule(double y, const Frame& frame, Canvas& canvas, const Stroke& stroke) {
    const double share = frame.y.fraction(y);
    if (!(share >= 0 && share <= 1)) return;
    const double row = std::floor(std::min(pixel_of_y(y, frame), frame.plot.bottom() - 1)) + 0.5;
    canvas.line({frame.plot.x, row}, {frame.plot.right(), row}, stroke);
}

void draw_cursor_band(double x, const Frame& frame, Canvas& canvas, const Theme& theme) {
    const double share = frame.x.fraction(x);
    if (!(share >= 0 && share <= 1)) return;
    const double left = std::round(frame.plot.x + share * frame.plot.width - cursor_band / 2);
    canvas.push_clip(frame.plot);
    canvas.fill_rect({left, frame.plot.y, cursor_band, frame.plot.height}, theme.cursor.with_alpha(0.16));
    canvas.pop_clip();
}

void draw_heat_map(const HeatMap& map, const Frame& frame, Canvas& canvas) {
    if (!frame.empty()) canvas.heat_map(frame.plot, map);
}

}  // namespace ropewalk
