#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "app/plot/axes_metrics.h"
#include "app/plot/elide.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

/// Below the first size, titles are dropped in favour of the plot; below the second, everything else.
constexpr double good_plot_width = 80, good_plot_height = 30, min_plot_width = 48, min_plot_height = 24;

/// The parts around the plot that are shown.
struct Parts {
    bool x_title = true, y_titles = true, color_bar = true, x_labels = true, y_labels = true;

    /// Drops the next part whose room the plot needs more. Returns false if there is none.
    bool drop_next_for(const Rect& plot) {
        return (plot.height < good_plot_height && give_up({&x_title})) ||
               (plot.width < good_plot_width && give_up({&y_titles})) ||
               (plot.height < min_plot_height && give_up({&x_labels, &y_labels})) ||
               (plot.width < min_plot_width && give_up({&color_bar, &y_labels, &x_labels}));
    }

  private:
    static bool give_up(std::initializer_list<bool*> parts) {
        const auto next = std::find_if(parts.begin(), parts.end(), [](const bool* part) { return *part; });
        if (next == parts.end()) return false;
        **next = false;
        return true;
    }
};

struct PlotMargins {
    double left = 1, right = 1, top = 1, bottom = 1;  // one pixel for the outline
};

enum class Direction { across, upwards };

/// Spacing of ticks: at least `spacing` between ticks and `gap` between labels, along the axis.
struct Spread {
    Direction direction;
    double spacing, gap;
};
constexpr Spread along_x{Direction::across, 36, 16}, along_y{Direction::upwards, 26, 8};
constexpr double short_axis = 100, min_tick_distance = 3;
constexpr Spread along_color_bar{Direction::upwards, 40, 8};
constexpr double name_gap = 2, short_name = 30, longest_name = 90;
constexpr double narrow = 300;              // width of a narrow panel, logical pixels
constexpr double beyond_plot = 24;          // how much longer than the plot a vertical title may be, both ends together
constexpr double longest_name_share = 0.2;  // maximum length of a name, relative to the whole

class PlotLayout {
  public:
    PlotLayout(const PlotOptions& options, const Canvas& canvas, const Rect& outer, const Theme& theme)
        : options_(options), canvas_(canvas), outer_(outer), theme_(theme) {}

    /// Returns the room for the plot, before it is made square.
    Rect room(const Frame& frame, const Parts& parts) const { return room_inside(margins_of(frame, parts)); }

    Frame arrange(const Parts& parts) const {
        Frame frame{.outer = outer_,
                    .plot = outer_,
                    .x = options_.x,
                    .y = options_.y,
                    .whole_x = options_.whole_x,
                    .whole_y = options_.whole_y};
        if (!parts.x_title || !options_.x_labels) frame.x.title = {};
        if (!parts.y_titles) frame.y.title = {};
        const bool bar = parts.color_bar && options_.color_bar;
        // The room determines the ticks, their labels the margins, and these the room. This converges in a few passes.
        for (int pass = 0; pass < 4; ++pass) {
            if (parts.x_labels) {
                frame.x_ticks = named_or_fitting(frame.x, frame.plot.width, along_x);
                frame.x_label_rotation =
                    frame.x.names && crowded(frame.x, frame.x_ticks, frame.plot.width, {Direction::across, 0, 6})
                        ? Rotation::quarter_left
                        : Rotation::none;
            }
            if (parts.y_labels && alike() && parts.x_labels)
                frame.y_ticks = frame.x_ticks, frame.y.names = frame.x.names;
            else if (parts.y_labels)
                frame.y_ticks = named_or_fitting(frame.y, frame.plot.height, along_y);
            if (bar) {
                frame.color_bar_ticks = color_bar_ticks(*options_.color_bar, frame.plot);
                frame.color_bar_title = parts.y_titles ? title_of(*options_.color_bar, frame) : std::string();
            }
            place_plot(frame, margins_of(frame, parts));
            if (parts.x_title && options_.x_labels) frame.x.title = level_title(frame.plot);
            if (parts.y_titles) frame.y.title = upright_title(frame);
        }
        if (bar) {
            frame.color_bar = place_of(*options_.color_bar, frame.plot);
            if (bar_is_below()) frame.color_bar->y += around(frame, parts).bottom;
        }
        drop_labels_outside(frame);
        return frame;
    }

  private:
    /// Returns a title and its shorter forms: "distance r (tokens)", "distance r".
    static std::vector<std::string> forms_of(const Axis& axis) {
        std::vector<std::string> forms{axis.title, axis.title.substr(0, axis.title.find(" ("))};
        if (!axis.brief.empty()) forms.push_back(axis.brief);
        return forms;
    }
    /// Returns the longest form that fits, or none; a title is never cut.
    template <class Holds>
    static std::string first_form(const Axis& axis, Holds&& holds) {
        const auto forms = forms_of(axis);
        const auto found = std::find_if(forms.begin(), forms.end(), holds);
        return found == forms.end() ? std::string() : *found;
    }

    double title_width(const std::string& title) const {
        return canvas_.measure(title, theme_.label_size, Weight::regular).width;
    }
    /// Returns the longest form that is not longer than the plot, or else the shortest one if it fits at all.
    std::string level_title(const Rect& plot) const {
        const auto fits = [&](double room) {
            return [this, room](const std::string& form) { return title_width(form) <= room; };
        };
        const std::string inside = first_form(options_.x, fits(plot.width));
        if (!inside.empty()) return inside;
        const std::string shortest = forms_of(options_.x).back();
        return fits(outer_.width)(shortest) ? shortest : std::string();
    }
    /// Returns whether a vertical title has at most `most_lines` lines that are no longer than `room`.
    bool fits_upright(const std::string& title, const Frame& frame, std::size_t most_lines, double room) const {
        const auto lines = upright_lines(title, frame.plot.height, canvas_, theme_);
        return lines.size() <= most_lines && std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
                   return title_width(line) <= room;
               });
    }
    /// Returns a vertical title of one line or, if the plot stays wide enough, two. It is about as long as the plot if
    /// any form is, or else as long as fits.
    std::string upright_title(const Frame& frame) const {
        const auto title_within = [&](std::size_t lines, double room) {
            return first_form(options_.y,
                              [&](const std::string& form) { return fits_upright(form, frame, lines, room); });
        };
        const double all = outer_.height, inside = std::min(all, frame.plot.height + beyond_plot);
        std::string title = outer_.width < narrow ? title_within(1, inside) : std::string();
        for (const double room : {inside, all})
            if (title.empty()) title = title_within(2, room);
        return title;
    }
    /// Returns the title of a colour bar, without the part after a comma if it does not fit; empty if neither fits.
    std::string title_of(const ColorBar& bar, const Frame& frame) const {
        if (bar_is_below()) return title_width(bar.title) <= outer_.width ? bar.title : std::string();
        const double room = frame.plot.height + beyond_plot;
        for (std::size_t lines = outer_.width < narrow ? 1 : 2; lines <= 2; ++lines)
            for (const std::string& form : {bar.title, bar.title.substr(0, bar.title.find(", "))})
                if (fits_upright(form, frame, lines, room)) return form;
        return {};
    }

    /// Returns whether rows and columns of a square matrix have the same range; they then get the same labels.
    bool alike() const {
        const Axis &x = options_.x, &y = options_.y;
        return options_.square_cells && x.low == y.low && x.high == y.high && x.scale == y.scale &&
               x.whole == y.whole && x.names == y.names;
    }

    /// Returns whether the colour bar is below a matrix, which is then clearly larger than with the bar beside it. Only
    /// the panel's size decides, so that the bar stays where it is when numbers change.
    bool bar_is_below() const {
        constexpr double clearly = 1.03;
        if (!options_.square_cells || !options_.color_bar) return false;
        const double left = title_column(width_of({.label = "1000"}), theme_) + title_edge(theme_),
                     bottom = title_row(theme_.tick_size, theme_) + title_edge(theme_),
                     bar = color_bar_gap + color_bar_width,
                     right = bar + title_column(usual_label_width(), theme_) + title_edge(theme_);
        const double height = outer_.height - theme_.tick_size / 2 - 1 - bottom;
        const double beside = std::min(outer_.width - left - right, height),
                     below = std::min(outer_.width - left, height - bottom - bar);
        return below > clearly * beside;
    }
    /// Returns the place of the colour bar, whose pointed ends align with the plot; a bar below is next to the plot.
    Rect place_of(const ColorBar& bar, const Rect& plot) const {
        const double above = bar.some_above ? color_bar_point : 0, below = bar.some_below ? color_bar_point : 0;
        if (bar_is_below())
            return {plot.x + below, plot.bottom() + color_bar_gap, std::max(0.0, plot.width - above - below),
                    color_bar_width};
        return {plot.right() + color_bar_gap, plot.y + above, color_bar_width,
                std::max(0.0, plot.height - above - below)};
    }

    std::vector<Tick> color_bar_ticks(const ColorBar& bar, const Rect& plot) const {
        const Rect place = place_of(bar, plot);
        return bar_is_below() ? fitting(color_axis(bar.map.scale), place.width, along_x)
                              : fitting(color_axis(bar.map.scale), place.height, along_color_bar);
    }

    /// Returns whether labels are too close to each other.
    bool crowded(const Axis& axis, const std::vector<Tick>& candidates, double length, const Spread& spread) const {
        const auto extent = [&](const Tick& tick) {
            return spread.direction == Direction::across ? width_of(tick) : theme_.tick_size;
        };
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
    }

    /// Returns the names, one for each whole number. If they do not fit, drops all of them in favour of numbers.
    std::vector<Tick> named_or_fitting(Axis& axis, double length, const Spread& spread) const {
        if (!axis.names) return fitting(axis, length, spread);
        const double first = std::ceil(axis.low), last = std::floor(axis.high);
        if ((theme_.tick_size + name_gap) * (axis.high - axis.low) > length || first < 0 ||
            last >= static_cast<double>(axis.names->size())) {
            axis.names = nullptr;
            return fitting(axis, length, spread);
        }
        const double room =
            std::clamp(longest_name_share * std::min(outer_.width, outer_.height), short_name, longest_name);
        std::vector<Tick> named;
        int cut = 0;
        for (double token = first; token <= last; ++token) {
            const std::string& name = (*axis.names)[static_cast<std::size_t>(token)];
            named.push_back({token, elided(name, room, tick_style(theme_), canvas_)});
            cut += named.back().label != name;
        }
        if (2 * cut <= static_cast<int>(named.size())) return named;
        axis.names = nullptr;  // most of them would be cut to less than a number says
        return fitting(axis, length, spread);
    }

    std::vector<Tick> fitting(const Axis& axis, double length, const Spread& spread) const {
        // A short vertical axis has labels as close as possible, because it would otherwise have one or none.
        const bool is_short = spread.direction == Direction::upwards && length < short_axis;
        const double wanted = is_short ? theme_.tick_size + spread.gap : spread.spacing;
        std::vector<Tick> candidates = ticks(axis, length, wanted);
        // One number alone does not define a scale.
        for (double closer = wanted; labels_of(candidates) < 2 && closer > theme_.tick_size + 2;)
            candidates = ticks(axis, length, closer *= 0.8);
        for (double spacing = wanted; labels_of(candidates) > most_labels || crowded(axis, candidates, length, spread);
             candidates = ticks(axis, length, spacing *= 1.25)) {
        }
        const bool has_room = spread.direction == Direction::upwards && length > 2.5 * theme_.tick_size;
        if (!has_room || axis.whole || labels_of(candidates) >= 2) return candidates;
        Axis even = axis;  // a logarithmic axis of less than a decade has numbers at even steps
        if (axis.high <= 10 * axis.low) even.scale = AxisScale::linear;
        for (double closer = wanted; closer > min_tick_distance; closer *= 0.8)
            if (auto two = two_of(axis, ticks(even, length, closer), length, spread); !two.empty()) return two;
        return with_ends(axis, candidates);
    }

    /// Returns the closest two labelled ticks that fit, nearest to the middle: −0.01 and 0.01 if 0 between them does
    /// not fit. Returns none if there are none.
    std::vector<Tick> two_of(const Axis& axis, std::vector<Tick> candidates, double length,
                             const Spread& spread) const {
        std::erase_if(candidates, [](const Tick& tick) { return tick.label.empty(); });
        std::vector<Tick> best;
        double nearest = infinity;  // distance to the middle
        for (std::size_t apart = 1; apart < candidates.size() && best.empty(); ++apart)
            for (std::size_t i = 0; i + apart < candidates.size(); ++i) {
                std::vector<Tick> two{candidates[i], candidates[i + apart]};
                const double off = std::abs(axis.fraction(two[0].value) + axis.fraction(two[1].value) - 1);
                if (off < nearest && !crowded(axis, two, length, spread)) nearest = off, best = std::move(two);
            }
        return best;
    }

    static std::ptrdiff_t labels_of(const std::vector<Tick>& ticks) {
        return std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); });
    }

    /// Returns both ends of an axis without a round number or, if there is one, the end farther from it.
    static std::vector<Tick> with_ends(const Axis& axis, const std::vector<Tick>& round) {
        if (!(axis.low < axis.high) || !std::isfinite(axis.high - axis.low)) return {};
        const Tick low{axis.low, readable(axis.low, 2)}, high{axis.high, readable(axis.high, 2)};
        const auto labelled =
            std::find_if(round.begin(), round.end(), [](const Tick& tick) { return !tick.label.empty(); });
        if (labelled == round.end()) return {low, high};
        if (axis.fraction(labelled->value) < 0.5) return {*labelled, high};
        return {low, *labelled};
    }

    double width_of(const Tick& tick) const {
        return canvas_.measure(tick.label, theme_.tick_size, Weight::regular).width;
    }
    /// Returns half the width of a label below the plot, after rotation.
    double half_width(const Frame& frame, const Tick& tick) const {
        return (frame.x_label_rotation == Rotation::none ? width_of(tick) : theme_.tick_size) / 2;
    }
    /// Returns the width of most labels of colour bars.
    double usual_label_width() const { return canvas_.measure("−0.005", theme_.tick_size, Weight::regular).width; }
    double label_width(const std::vector<Tick>& ticks) const { return widest_label(ticks, canvas_, theme_); }

    PlotMargins around(const Frame& frame, const Parts& parts) const {
        PlotMargins margins;
        const double half_line = theme_.tick_size / 2 + 1;
        if (parts.y_labels) margins.left = label_offset + label_width(frame.y_ticks) + 1;
        if (parts.y_labels || (parts.color_bar && options_.color_bar)) margins.top = half_line;
        if (!frame.y.title.empty())
            margins.left = title_column(label_width(frame.y_ticks), theme_) + title_edge(theme_) +
                           further_lines(frame.y.title, frame);
        const double depth = label_depth(frame, canvas_, theme_);
        if (parts.x_labels && options_.x_labels) margins.bottom = label_offset + depth + 3;
        if (!frame.x.title.empty()) margins.bottom = title_row(depth, theme_) + title_edge(theme_);
        if (!parts.x_labels || !options_.x_labels)
            margins.bottom = std::max(margins.bottom, parts.y_labels ? half_line : 0);
        for (const Tick& tick : frame.x_ticks) {
            const double half = half_width(frame, tick) + 1;
            const double from_left = frame.x.fraction(tick.value) * frame.plot.width;
            margins.left = std::max(margins.left, half - from_left);
            margins.right = std::max(margins.right, half - (frame.plot.width - from_left));
        }
        return margins;
    }

    PlotMargins margins_of(const Frame& frame, const Parts& parts) const {
        PlotMargins margins = around(frame, parts);
        if (parts.color_bar && bar_is_below()) {
            margins.bottom +=
                color_bar_gap + color_bar_width + title_row(theme_.tick_size, theme_) + title_edge(theme_);
            const ColorBar& bar = *options_.color_bar;
            const double labels =
                std::max(color_bar_label_room(bar, frame), bar.in_turn ? color_bar_label_room(*bar.in_turn, frame) : 0);
            margins.right = std::max(margins.right, std::ceil(labels / 2) + 1);
        } else if (parts.color_bar && options_.color_bar) {
            margins.right = right_of_color_bar(*options_.color_bar, frame.color_bar_title, frame, parts);
        }
        return margins;
    }

    /// Returns the width of the colour bar's labels. Beside a matrix it is the same for most numbers, so that the
    /// matrix does not move when they change; in a narrow panel it is what they need.
    double color_bar_label_room(const ColorBar& bar, const Frame& frame) const {
        constexpr double step = 12;  // logical pixels
        const double needed = label_width(color_bar_ticks(bar, frame.plot));
        if (!options_.square_cells || outer_.width < narrow) return needed;
        const double usual = usual_label_width();
        return needed <= usual ? usual : usual + step * std::ceil((needed - usual) / step);
    }

    double right_of_color_bar(const ColorBar& bar, const std::string& title, const Frame& frame,
                              const Parts& parts) const {
        const double labels = color_bar_label_room(bar, frame);
        const double own =
            color_bar_gap + color_bar_width +
            (title.empty() ? label_offset + labels + 1
                           : title_column(labels, theme_) + title_edge(theme_) + further_lines(title, frame));
        if (!bar.in_turn) return own;
        const std::string in_turn = parts.y_titles ? title_of(*bar.in_turn, frame) : std::string();
        return std::max(own, right_of_color_bar(*bar.in_turn, in_turn, frame, parts));
    }

    /// Returns the width of the additional lines of a vertical title that is longer than the plot is high.
    double further_lines(const std::string& title, const Frame& frame) const {
        return upright_lines(title, frame.plot.height, canvas_, theme_).size() > 1 ? title_line(theme_) : 0;
    }

    /// Returns the room inside the margins, in whole pixels so that lines and cells are sharp.
    Rect room_inside(const PlotMargins& margins) const {
        const double left = std::ceil(outer_.x + margins.left), top = std::ceil(outer_.y + margins.top);
        return {left, top, std::max(0.0, std::floor(outer_.right() - margins.right) - left),
                std::max(0.0, std::floor(outer_.bottom() - margins.bottom) - top)};
    }

    void place_plot(Frame& frame, const PlotMargins& margins) const {
        Rect& plot = frame.plot;
        plot = room_inside(margins);
        if (options_.square_cells) {
            double side = std::min(plot.width, plot.height);
            if (side > good_plot_width) side = std::floor(side / square_step) * square_step;
            plot.x += std::floor((plot.width - side) / 2);
            plot.width = plot.height = side;
        }
    }

    /// Drops labels outside the panel, as a last safeguard for panels smaller than their labels.
    void drop_labels_outside(Frame& frame) const {
        for (Tick& tick : frame.x_ticks) {
            const double half = half_width(frame, tick);
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
    const PlotLayout arranger(options, canvas, outer, theme);
    Parts parts;
    Frame frame;
    do frame = arranger.arrange(parts);
    while (parts.drop_next_for(arranger.room(frame, parts)));
    return frame;
}

}  // namespace ropewalk
