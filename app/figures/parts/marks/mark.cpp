#include "app/figures/parts/marks/mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/plot/legible.h"

namespace ropewalk {
namespace {

/// Returns the places of the first and last line of a bundle: the lines too close to this mark's for a label between
/// them.
std::pair<double, double> bundle_of(const Mark& own, std::span<const Mark> marks, const Frame& frame) {
    constexpr double close = 6;  // logical pixels
    const double place = *place_of(own, frame);
    std::pair<double, double> bundle{place, place};
    for (const Mark& mark : marks)
        if (const auto other = place_of(mark, frame); other && mark.way == own.way && std::abs(*other - place) <= close)
            bundle = {std::min(bundle.first, *other), std::max(bundle.second, *other)};
    return bundle;
}

/// Returns the possible upper left corners of a label of this size beside the lines from `first` to `last`, best first.
std::vector<Point> corners_of_name(Mark::Way way, double first, double last, const Rect& plot, double width,
                                   double height) {
    constexpr double gap_to_line = 2, inset = 4, beside_knob = 8;  // logical pixels
    std::vector<Point> corners;
    if (way == Mark::Way::up) {
        const double top = plot.y + inset, bottom = plot.bottom() - height - inset;
        for (const double y : {bottom, top, (top + bottom) / 2, top + (bottom - top) / 4, bottom - (bottom - top) / 4})
            for (const double left : {last + gap_to_line, first - gap_to_line - width}) corners.push_back({left, y});
        // On the line itself, for a long label that fits on neither side.
        const double left = std::clamp((first + last - width) / 2, plot.x, std::max(plot.x, plot.right() - width));
        for (const double y : {bottom, top}) corners.push_back({left, y});
    } else {
        const double left = plot.x + inset, right = plot.right() - width - beside_knob;
        std::vector<double> places{right, left, (left + right) / 2, left + (right - left) / 4,
                                   right - (right - left) / 4};
        for (double x = right - width / 2; x > left; x -= width / 2) places.push_back(x);  // to find a narrow gap
        for (const double x : places)
            for (const double top : {first - gap_to_line - height, last + gap_to_line}) corners.push_back({x, top});
    }
    return corners;
}

}  // namespace

std::optional<double> place_of(const Mark& mark, const Frame& frame) {
    const bool is_up = mark.way == Mark::Way::up;
    const double share = is_up ? frame.x.fraction(mark.at) : frame.y.fraction(mark.at);
    if (!(share >= 0 && share <= 1)) return std::nullopt;  // NaN if the axis has no such value
    return is_up ? frame.to_pixels(mark.at, frame.y.low).x : frame.to_pixels(frame.x.low, mark.at).y;
}

std::optional<Rect> grip_of(const Mark& mark, const Frame& frame) {
    constexpr double radius = 4, min_extent = 20;  // logical pixels
    const Rect& plot = frame.plot;
    const auto place = place_of(mark, frame);
    if (!place || !mark.grip || std::min(plot.width, plot.height) <= min_extent) return std::nullopt;
    const auto [x, y] = mark.way == Mark::Way::up ? Point{*place, plot.y} : Point{plot.right(), *place};
    const Rect centres = frame.outer.inset(radius);
    return Rect{std::clamp(x, centres.x, centres.right()) - radius, std::clamp(y, centres.y, centres.bottom()) - radius,
                2 * radius, 2 * radius};
}

void draw_mark_lines(std::span<const Mark> marks, const Frame& frame, Canvas& canvas) {
    for (const Mark& mark : marks) {
        const Stroke stroke{.color = mark.color, .width = 1.25, .dash = mark.grip ? Dashes(dash_to_drag) : mark.dash};
        if (mark.way == Mark::Way::up)
            draw_vertical_rule(mark.at, frame, canvas, stroke);
        else
            draw_horizontal_rule(mark.at, frame, canvas, stroke);
    }
}

Extent rows_of(const Curve& curve, const Frame& frame, double column) {
    if (curve.size() == 0) return {};
    const auto last = static_cast<double>(curve.size() - 1);
    const auto index_at = [&](double x) { return (frame.x_at(x) - curve.first) / curve.step; };
    const auto value_at = [&](double index) {  // on the line between two samples
        const auto before = static_cast<std::size_t>(index), after = std::min(before + 1, curve.size() - 1);
        return std::lerp(curve.y_at(before), curve.y_at(after), index - std::floor(index));
    };
    const double begin = index_at(column), end = index_at(column + column_width);
    if (!(end >= 0 && begin <= last)) return {};
    const double from = std::max(begin, 0.0), to = std::min(end, last);
    Extent range;
    range.take(value_at(from)), range.take(value_at(to));
    if (const double first = std::ceil(from), past = std::floor(to) + 1; first < past)
        range.take(curve.extent(static_cast<std::size_t>(first), static_cast<std::size_t>(past)));
    if (range.empty()) return {};
    Extent rows;
    rows.take(frame.to_pixels(frame.x.low, range.min).y), rows.take(frame.to_pixels(frame.x.low, range.max).y);
    return rows;
}

Extent rows_of(std::span<const Point> points, const Frame& frame, double column) {
    Extent rows;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Point at = frame.to_pixels(points[i].x, points[i].y),
                    before = i > 0 ? frame.to_pixels(points[i - 1].x, points[i - 1].y) : at;
        const double left = std::max(std::min(at.x, before.x), column),
                     right = std::min(std::max(at.x, before.x), column + column_width);
        if (!(left <= right)) continue;
        for (const double x : {left, right})
            rows.take(at.x == before.x ? at.y : before.y + (at.y - before.y) * (x - before.x) / (at.x - before.x));
    }
    return rows;
}

std::size_t count_in(const Rect& box, const Curve& curve, const Frame& frame) {
    std::size_t count = 0;
    for (double x = std::max(box.x, frame.plot.x); x < std::min(box.right(), frame.plot.right()); x += column_width) {
        const Extent rows = rows_of(curve, frame, x);
        count += !rows.empty() && rows.min <= box.bottom() && rows.max >= box.y;
    }
    return count;
}

std::size_t count_in(const Rect& box, std::span<const Point> points, const Frame& frame) {
    std::size_t count = 0;
    const double first_x = frame.x_at(box.x), last_x = frame.x_at(box.right());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto [left_x, right_x] = std::minmax(points[i].x, points[i > 0 ? i - 1 : 0].x);
        if (right_x < first_x || left_x > last_x) continue;  // as most of them are
        const Point at = frame.to_pixels(points[i].x, points[i].y),
                    before = i > 0 ? frame.to_pixels(points[i - 1].x, points[i - 1].y) : at;
        // The part of the line segment above or below the box.
        const double left = std::max(std::min(at.x, before.x), box.x),
                     right = std::min(std::max(at.x, before.x), box.right());
        if (!(left <= right)) continue;
        const auto y_at = [&](double x) {
            return at.x == before.x ? at.y : before.y + (at.y - before.y) * (x - before.x) / (at.x - before.x);
        };
        const double one = at.x == before.x ? before.y : y_at(left), other = y_at(right);
        count += std::min(one, other) <= box.bottom() && std::max(one, other) >= box.y;
    }
    return count;
}

std::size_t count_in(const Rect& box, std::span<const Mark> marks, const Frame& frame, const Mark* own) {
    return static_cast<std::size_t>(std::count_if(marks.begin(), marks.end(), [&](const Mark& mark) {
        const auto place = place_of(mark, frame);
        if (&mark == own || !place) return false;
        return mark.way == Mark::Way::up ? *place >= box.x && *place <= box.right()
                                         : *place >= box.y && *place <= box.bottom();
    }));
}

std::vector<Rect> draw_mark_names(std::span<const Mark> marks, const FigureInput& input, Frame& frame, Canvas& canvas,
                                  const std::function<std::size_t(const Rect&)>& hidden_by) {
    const Theme& theme = input.theme;
    const Rect& plot = frame.plot;
    const double height = theme.tick_size * 1.4;
    constexpr double beside = 8, beside_mark = 4;  // between two labels, and where a line is clicked; logical pixels
    std::vector<Rect> taken;
    for (const Mark& mark : marks)
        if (const auto grip = input.has_handles ? grip_of(mark, frame) : std::nullopt) {
            canvas.circle(grip->centre(), grip->width / 2, mark.color, {mark.color, 0, 0});
            taken.push_back(*grip);
        }
    for (const Mark& mark : marks) {
        const auto place = place_of(mark, frame);
        if (place && mark.way == Mark::Way::up && !mark.grip)
            frame.marks.push_back({{*place - beside_mark, plot.y, 2 * beside_mark, plot.height}, mark.at, mark.label});
        if (mark.label.empty() || !place) continue;
        const double width = canvas.measure(mark.label, theme.tick_size, Weight::regular).width + 6;
        std::optional<Rect> best;
        std::size_t min_hidden = too_much;
        const auto [first, last] = bundle_of(mark, marks, frame);
        for (const Point& corner : corners_of_name(mark.way, first, last, plot, width, height)) {
            const Rect box{corner.x, corner.y, width, height};
            const bool is_inside =
                box.x >= plot.x && box.right() <= plot.right() && box.y >= plot.y && box.bottom() <= plot.bottom();
            const Rect with_gap{box.x - beside, box.y, box.width + 2 * beside, box.height};
            if (!is_inside ||
                std::any_of(taken.begin(), taken.end(), [&](const Rect& other) { return with_gap.overlaps(other); }))
                continue;
            const std::size_t of_plot = hidden_by ? hidden_by(box) : 0;
            if (of_plot == too_much) continue;
            const std::size_t hidden = of_plot + line_hidden * count_in(box, marks, frame, &mark);
            if (hidden < min_hidden) best = box, min_hidden = hidden;
            if (hidden == 0) break;
        }
        if (!best || (mark.spares_curves && min_hidden > 0)) {
            canvas.report_omitted(fmt::format("“{}” beside its line", mark.label));
            continue;
        }
        const bool is_on_line = count_in(*best, std::span(&mark, 1), frame) > 0;  // which would strike it through
        if (theme.plot_background.a > 0 || !hidden_by || is_on_line)
            canvas.fill_rect(*best, theme.ground().with_alpha(is_on_line ? 1 : 0.85), 3);
        canvas.text(best->centre(), mark.label,
                    {.size = theme.tick_size, .color = legible(mark.color, theme.ground()), .across = Align::middle});
        taken.push_back(*best);
        if (mark.way == Mark::Way::up) frame.marks.push_back({*best, mark.at, mark.label});
    }
    return taken;
}

}  // namespace ropewalk
