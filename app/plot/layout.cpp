#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "app/plot/axes_metrics.h"

namespace ropewalk {
namespace {

/// Below the first size titles give way to the plot, below the second everything else does.
constexpr double good_plot_width = 80, good_plot_height = 36, least_plot_width = 48, least_plot_height = 24;

/// What is given room around the plot.
struct Parts {
    bool x_title = true, y_titles = true, color_bar = true, heading = true, x_labels = true, y_labels = true;

    /// Gives up the next thing that takes room which the plot needs more. False if there is none.
    bool give_up_for(const Rect& plot) {
        return (plot.height < good_plot_height && give_up({&x_title, &heading})) ||
               (plot.width < good_plot_width && give_up({&y_titles})) ||
               (plot.height < least_plot_height && give_up({&x_labels, &y_labels})) ||
               (plot.width < least_plot_width && give_up({&color_bar, &y_labels, &x_labels}));
    }

  private:
    static bool give_up(std::initializer_list<bool*> parts) {
        const auto next = std::find_if(parts.begin(), parts.end(), [](const bool* part) { return *part; });
        if (next == parts.end()) return false;
        **next = false;
        return true;
    }
};

struct Margins {
    double left = 1, right = 1, top = 1, bottom = 1;  // one pixel for the outline
};

enum class Direction { across, upwards };

/// How ticks are spread: at least `spacing` apart, and labels at least `gap`, both along the axis.
struct Spread {
    Direction direction;
    double spacing, gap;
};
constexpr Spread along_x{Direction::across, 36, 16}, along_y{Direction::upwards, 26, 8};
constexpr double short_axis = 100;
constexpr Spread along_color_bar{Direction::upwards, 40, 8};

class Layout {
  public:
    Layout(const PlotOptions& options, const Canvas& canvas, const Rect& outer, const Theme& theme)
        : options_(options), canvas_(canvas), outer_(outer), theme_(theme) {}

    /// For the plot, before it is made square.
    Rect room(const Frame& frame, const Parts& parts) const { return room_inside(margins_of(frame, parts)); }

    Frame arrange(const Parts& parts) const {
        Frame frame{.outer = outer_, .plot = outer_, .x = options_.x, .y = options_.y};
        if (!parts.x_title || !options_.x_labels) frame.x.title = {};
        if (!parts.y_titles) frame.y.title = {};
        if (parts.heading && !options_.title.empty())
            frame.heading = {outer_.x, outer_.y, outer_.width, heading_height()};
        const bool bar = parts.color_bar && options_.color_bar;
        // The room decides on the ticks, their labels on the margins, and these on the room: it settles at once or
        // nearly so.
        for (int pass = 0; pass < 4; ++pass) {
            if (parts.x_labels) frame.x_ticks = fitting(frame.x, frame.plot.width, along_x);
            if (parts.y_labels)
                frame.y_ticks =
                    alike() && parts.x_labels ? frame.x_ticks : fitting(frame.y, frame.plot.height, along_y);
            if (bar)
                frame.color_bar_ticks =
                    fitting(color_axis(options_.color_bar->map.scale), frame.plot.height, along_color_bar);
            place_plot(frame, margins_of(frame, parts));
        }
        if (bar)
            frame.color_bar = {frame.plot.right() + color_bar_gap, frame.plot.y, color_bar_width, frame.plot.height};
        drop_labels_outside(frame);
        return frame;
    }

  private:
    /// Whether rows and columns of a square matrix count the same: then they are labelled the same, too.
    bool alike() const {
        const Axis &x = options_.x, &y = options_.y;
        return options_.square_cells && x.low == y.low && x.high == y.high && x.scale == y.scale && x.whole == y.whole;
    }

    double heading_height() const {
        const TextExtent title = canvas_.measure(options_.title, theme_.title_size, Weight::semibold);
        return std::ceil(title.height() + heading_gap);
    }

    std::vector<Tick> fitting(const Axis& axis, double length, const Spread& spread) const {
        const auto extent = [&](const Tick& tick) {
            return spread.direction == Direction::across ? width_of(tick) : theme_.tick_size;
        };
        const auto crowded = [&](const std::vector<Tick>& candidates) {
            const Tick* before = nullptr;
            for (const Tick& tick : candidates) {
                if (tick.label.empty()) continue;
                if (before) {
                    const double distance = (axis.fraction(tick.value) - axis.fraction(before->value)) * length;
                    if (distance < (extent(*before) + extent(tick)) / 2 + spread.gap) return true;
                }
                before = &tick;
            }
            return false;
        };
        // On a short upright axis labels stand as close as they can: it would else have one or none.
        const bool is_short = spread.direction == Direction::upwards && length < short_axis;
        const double wanted = is_short ? theme_.tick_size + spread.gap : spread.spacing;
        std::vector<Tick> candidates = ticks(axis, length, wanted);
        for (double spacing = wanted; crowded(candidates); candidates = ticks(axis, length, spacing *= 1.25)) {
        }
        return candidates;
    }

    double width_of(const Tick& tick) const {
        return canvas_.measure(tick.label, theme_.tick_size, Weight::regular).width;
    }
    double label_width(const std::vector<Tick>& ticks) const { return widest_label(ticks, canvas_, theme_); }

    Margins around(const Frame& frame, const Parts& parts) const {
        Margins margins;
        const double half_line = theme_.tick_size / 2 + 1;
        if (parts.y_labels) margins.left = label_offset + label_width(frame.y_ticks) + 1;
        if (parts.y_labels || (parts.color_bar && options_.color_bar)) margins.top = half_line;
        if (!frame.y.title.empty())
            margins.left = title_column(label_width(frame.y_ticks), theme_) + title_edge(theme_);
        if (parts.x_labels && options_.x_labels) margins.bottom = label_row(theme_) + half_line + 2;
        if (!frame.x.title.empty()) margins.bottom = title_row(theme_) + title_edge(theme_);
        margins.top = std::max(frame.heading.height, margins.top);
        if (!options_.x_labels) margins.bottom = std::max(margins.bottom, parts.y_labels ? half_line : 0);
        for (const Tick& tick : frame.x_ticks) {
            const double half = width_of(tick) / 2 + 1;
            const double from_left = frame.x.fraction(tick.value) * frame.plot.width;
            margins.left = std::max(margins.left, half - from_left);
            margins.right = std::max(margins.right, half - (frame.plot.width - from_left));
        }
        return margins;
    }

    Margins margins_of(const Frame& frame, const Parts& parts) const {
        Margins margins = around(frame, parts);
        if (parts.color_bar && options_.color_bar) margins.right = right_of_color_bar(frame, parts);
        return margins;
    }

    double right_of_color_bar(const Frame& frame, const Parts& parts) const {
        const double labels = label_width(frame.color_bar_ticks);
        const bool titled = parts.y_titles && !options_.color_bar->title.empty();
        return color_bar_gap + color_bar_width +
               (titled ? title_column(labels, theme_) + title_edge(theme_) : label_offset + labels + 1);
    }

    /// On whole pixels, so that lines and cells are sharp.
    Rect room_inside(const Margins& margins) const {
        const double left = std::ceil(outer_.x + margins.left), top = std::ceil(outer_.y + margins.top);
        return {left, top, std::max(0.0, std::floor(outer_.right() - margins.right) - left),
                std::max(0.0, std::floor(outer_.bottom() - margins.bottom) - top)};
    }

    void place_plot(Frame& frame, const Margins& margins) const {
        Rect& plot = frame.plot;
        plot = room_inside(margins);
        if (options_.square_cells) {
            const double side = std::min(plot.width, plot.height);
            plot.x += std::floor((plot.width - side) / 2);
            plot.width = plot.height = side;
        }
    }

    /// A last safeguard for panels that are smaller than their labels.
    void drop_labels_outside(Frame& frame) const {
        for (Tick& tick : frame.x_ticks) {
            const double half = width_of(tick) / 2;
            const double x = frame.to_pixels(tick.value, frame.y.low).x;
            if (x - half < outer_.x || x + half > outer_.right()) tick.label.clear();
        }
    }

    const PlotOptions& options_;
    const Canvas& canvas_;
    const Rect& outer_;
    const Theme& theme_;
};

}  // namespace

Frame layout(const PlotOptions& options, const Canvas& canvas, const Rect& outer, const Theme& theme) {
    const Layout arranger(options, canvas, outer, theme);
    Parts parts;
    Frame frame;
    do frame = arranger.arrange(parts);
    while (parts.give_up_for(arranger.room(frame, parts)));
    return frame;
}

}  // namespace ropewalk
