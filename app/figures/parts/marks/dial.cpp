#include "app/figures/parts/marks/dial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "app/figures/parts/marks/arrow.h"
#include "app/figures/parts/marks/token_line.h"

namespace ropewalk {
namespace {

constexpr double max_radius = 170, min_sector = 12, to_label = 13, to_sector = 7;  // logical pixels

double radius_of_sector(const Dial& dial) {
    return std::max(min_sector, 0.34 * dial.radius);
}

/// Places labels where they cover no other.
class Labels {
  public:
    Labels(const Dial& dial, Canvas& canvas) : bounds_(dial.bounds), canvas_(canvas) {}

    /// Draws the text centred on the first free place. Returns false if none is free.
    bool place(const std::string& text, TextStyle style, std::span<const Point> places) {
        style.across = Align::middle;
        const TextExtent extent = canvas_.measure(text, style.size, style.weight);
        for (const Point& at : places) {
            const Rect box{at.x - extent.width / 2, at.y - style.size / 2, extent.width, style.size};
            const bool is_inside = box.x >= bounds_.x && box.right() <= bounds_.right() && box.y >= bounds_.y &&
                                   box.bottom() <= bounds_.bottom();
            const bool is_free =
                std::none_of(taken_.begin(), taken_.end(), [&](const Rect& other) { return box.overlaps(other); });
            if (!is_inside || !is_free) continue;
            canvas_.text(at, text, style);
            taken_.push_back(box);
            return true;
        }
        return false;
    }

  private:
    Rect bounds_;
    Canvas& canvas_;
    std::vector<Rect> taken_;
};

}  // namespace

Dial Dial::within(const Rect& bounds, double longest, double for_labels) {
    const double radius = std::min({bounds.width / 2 - for_labels, bounds.height / 2 - for_labels, max_radius});
    return {.bounds = bounds, .centre = bounds.centre(), .radius = radius, .longest = longest > 0 ? longest : 1};
}

void draw_circles(const Arrows& arrows, const Dial& dial, const Stroke& stroke, Canvas& canvas) {
    constexpr double visible = 1;  // logical pixels between circles
    const double q = dial.length_of(arrows.q), k = dial.length_of(arrows.k);
    canvas.circle(dial.centre, std::max({q, k, 2.0}), {0, 0, 0, 0}, stroke);
    if (std::abs(q - k) > visible && std::min(q, k) > visible)
        canvas.circle(dial.centre, std::min(q, k), {0, 0, 0, 0}, stroke);
}

void draw_pale_arrows(const Arrows& arrows, const Dial& dial, const Stroke& stroke, Canvas& canvas) {
    for (const std::complex<double>& arrow : {arrows.k, arrows.q}) {
        const double length = std::abs(arrow);
        if (length > dial.longest)
            canvas.line(dial.centre, dial.tip(arrow * (dial.longest / length)), stroke);
        else
            draw_arrow(dial.centre, dial.tip(arrow), stroke, canvas);
    }
}

void draw_arrows(const Arrows& arrows, const Dial& dial, const Theme& theme, Canvas& canvas) {
    const double width = std::clamp(dial.radius * 0.045, 2.0, 4.0);
    // The key is wider, so that both are visible where they coincide.
    draw_arrow(dial.centre, dial.tip(arrows.k), {.color = key_color(theme), .width = width * 1.6}, canvas);
    draw_arrow(dial.centre, dial.tip(arrows.q), {.color = query_color(theme), .width = width}, canvas);
    canvas.circle(dial.centre, width, theme.text_dim, no_outline);
}

void draw_sector(const Arrows& arrows, const Dial& dial, const Theme& theme, Canvas& canvas) {
    const double angle = arrows.angle();
    if (std::isnan(angle)) return;
    draw_angle(dial.centre, radius_of_sector(dial), std::arg(arrows.k), angle, key_color(theme),
               theme.faded(key_color(theme), 0.18), canvas);
}

void label_arrows(const Arrows& arrows, const Dial& dial, const Theme& theme, Canvas& canvas, Angle its_angle) {
    Labels labels(dial, canvas);
    const double size = dial.radius >= 90 ? theme.title_size + 2 : theme.label_size;
    const struct {
        const char* name;
        std::complex<double> arrow;
        Color color;
    } named[] = {{"$q$", arrows.q, query_color(theme)}, {"$k$", arrows.k, key_color(theme)}};
    for (const auto& [name, arrow, color] : named) {
        if (arrow == 0.0) continue;
        const double length = dial.length_of(arrow), angle = std::arg(arrow);
        std::vector<Point> places;
        for (const double further : {0.0, 3.0, 14.0})
            for (const double aside : {0.0, 0.5, -0.5, 1.0, -1.0}) {
                const double distance = length + to_label + further - 2 * std::abs(aside);
                places.push_back(at_angle(dial.centre, distance, angle + aside * size * 1.6 / distance));
            }
        if (!labels.place(name, {.size = size, .color = color, .weight = Weight::semibold}, places))
            canvas.report_omitted(fmt::format("the name of {}", name));
    }
    const double angle = arrows.angle();
    if (its_angle == Angle::unnamed || std::isnan(angle)) return;
    const double middle = std::arg(arrows.k) + angle / 2,
                 half = canvas.measure(degrees(angle), size, Weight::semibold).width / 2;
    const double reach = std::abs(std::cos(middle)) * half + std::abs(std::sin(middle)) * size / 2;  // of the text
    const double beside = radius_of_sector(dial) + to_sector + reach;
    const Point places[] = {at_angle(dial.centre, beside, middle), at_angle(dial.centre, beside + 12, middle),
                            at_angle(dial.centre, to_label + 6, middle + std::numbers::pi),
                            at_angle(dial.centre, dial.radius / 2 + to_label, middle + std::numbers::pi)};
    // A narrow angle leaves no room between the arrows.
    const bool is_narrow = std::abs(angle) * beside < 34;
    if (!labels.place(degrees(angle), {.size = size, .color = theme.text, .weight = Weight::semibold},
                      std::span(places).subspan(is_narrow ? 2 : 0)))
        canvas.report_omitted("the angle in degrees");
}

std::string degrees(double radians) {
    return fmt::format("{}°", std::lround(std::abs(radians) * 180 / std::numbers::pi));
}

}  // namespace ropewalk
