#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/plot/legible.h"
#include "app/plot/marks.h"

namespace ropewalk {
namespace {

constexpr double row_height = 19;
constexpr double swatch_width = 22, after_swatch = 8, before_text = swatch_width + after_swatch, line_height = 2,
                 band_height = 8, dot_radius = 1.6;
constexpr double entry_gap = 16, strip_gap = 6;  // between entries in a strip, and from the strip to the plot
// Minimum height of a plot with its labels and title, below several rows of names or below one row.
constexpr double min_plot = 92, min_named = 46;
constexpr double around_plot = 46;  // for its labels with a title

/// Returns the minimum share of the height for the plot alone: more in a narrow panel, where labels leave little.
double min_share(double width) {
    constexpr double narrow_plot = 380;  // logical pixels
    return width < narrow_plot ? 0.5 : 0.4;
}

TextStyle text_style(const Theme& theme) {
    return {.size = theme.tick_size, .color = theme.text};
}

/// Draws a line, dashes, dots or a band as in the plot.
void draw_swatch(const LegendEntry& entry, Point left_middle, double width, Canvas& canvas, const Theme& theme) {
    if (theme.is_paper && !entry.band && !entry.dots)  // lines are thinner on paper, and so are their keys
        return canvas.line(left_middle, {left_middle.x + width, left_middle.y},
                           {.color = entry.color,
                            .width = entry.width,
                            .dash = entry.dash.is_solid() ? entry.dash : entry.dash.fitted(width)});
    const double thickness = entry.band ? band_height : line_height;
    const Rect swatch{left_middle.x, std::round(left_middle.y - thickness / 2), width, thickness};
    if (entry.dots) {
        for (const double share : {0.2, 0.5, 0.8})
            canvas.circle({swatch.x + share * swatch.width, left_middle.y}, dot_radius, entry.color,
                          {entry.color, 0, 0});
    } else if (!entry.dash.is_solid()) {
        const Dashes dash = entry.dash.fitted(width);
        double x = swatch.x;
        for (std::size_t nth = 0; x < swatch.right(); x += dash.length(nth++))
            if (nth % 2 == 0) canvas.fill_rect({x, swatch.y, dash.length(nth), thickness}, entry.color);
    } else {
        canvas.fill_rect(swatch, entry.color);
    }
}

/// Draws a swatch with its label at the right.
void draw_entry(const LegendEntry& entry, const std::string& label, Point left_middle, Canvas& canvas,
                const Theme& theme) {
    draw_swatch(entry, left_middle, swatch_width, canvas, theme);
    if (!label.empty()) canvas.text({left_middle.x + before_text, left_middle.y}, label, text_style(theme));
}

/// Returns a description of the swatch.
std::string_view look_of(const LegendEntry& entry) {
    return entry.band   ? "The band of this colour."
           : entry.dots ? "The dots of this colour."
           : entry.dash.is_solid()
               ? "The line of this colour. Where one pixel covers many points that go up and down, the line shows "
                 "their mean. The pale band shows their range."
               : "The line of this colour and these dashes.";
}

/// The place of an entry, and its label cut to the length of a row.
struct Placed {
    double x = 0;
    int row = 0;
    std::string label;
};

std::vector<Placed> placed_in_rows(std::span<const LegendEntry> entries, double width, const Canvas& canvas,
                                   const Theme& theme) {
    const TextStyle style = text_style(theme);
    std::vector<Placed> placed;
    double x = 0;
    int row = 0;
    for (const LegendEntry& entry : entries) {
        const std::string label = elided(entry.label, width - before_text, style, canvas);
        const double needed = before_text + canvas.measure(label, style.size, style.weight).width;
        if (x > 0 && x + needed > width) x = 0, ++row;
        placed.push_back({x, row, label});
        x += std::ceil(needed) + entry_gap;  // whole pixels, so that dashes of two pixels stay sharp
    }
    return placed;
}

std::string more_text(std::size_t count) {
    return fmt::format("+ {} more", count);
}

constexpr double beside_end = 8;       // from the plot to the labels beside it
constexpr double most_beside = 0.28;   // width of these labels, relative to the whole
constexpr double min_wide = 400;       // width of a plot with labels beside it
constexpr double line_of_label = 1.3;  // line height, relative to the text
constexpr double short_swatch = 14;    // beside the plot
constexpr std::size_t most_lines = 2;  // of a label beside the plot
constexpr double label_gap = 0.5;      // between labels if any has several lines, relative to the text

/// A label beside the end of its line.
struct EndLabel {
    std::vector<std::string> lines;
    double width = 0, height = 0, y = 0;  // y: its middle
};

/// Returns the width of the swatch before a label beside the plot, with the gap after it. The label has its line's
/// colour on a screen, but is black on paper.
double before_end_label(const Theme& theme) {
    return theme.is_paper ? short_swatch + after_swatch / 2 : 0;
}

/// Returns the labels beside the ends of the lines, without places; none if they do not fit or a line has no end.
std::vector<EndLabel> labels_beside(std::span<const LegendEntry> entries, const Rect& rect, const Theme& theme) {
    std::vector<EndLabel> labels;
    const double most = most_beside * rect.width - before_end_label(theme);
    double height = 0;
    for (const LegendEntry& entry : entries) {
        if (!std::isfinite(entry.end)) return {};
        EndLabel label{.lines = wrapped(clauses_of(entry.label), most, theme.tick_size, Weight::semibold)};
        if (label.lines.size() > most_lines)
            label.lines = wrapped(words_of(entry.label), most, theme.tick_size, Weight::semibold);
        for (std::string& line : label.lines) {
            if (line.starts_with("· ")) line.erase(0, std::string_view("· ").size());
            label.width = std::max(label.width, measure_text(line, theme.tick_size, Weight::semibold).width);
        }
        if (label.width > most || label.lines.size() > most_lines) return {};
        label.width += before_end_label(theme);
        labels.push_back(std::move(label));
    }
    const bool is_spaced = labels.size() > 1 && std::any_of(labels.begin(), labels.end(), [](const EndLabel& label) {
                               return label.lines.size() > 1;
                           });
    for (EndLabel& label : labels) {
        const auto lines = static_cast<double>(label.lines.size());
        label.height = theme.tick_size * (lines * line_of_label + (is_spaced ? label_gap : 0));
        height += label.height;
    }
    constexpr double axis_below = 60;  // logical pixels
    return (theme.is_paper || rect.width >= min_wide) && height <= rect.height - axis_below ? labels
                                                                                            : std::vector<EndLabel>{};
}

/// Moves the labels up or down, in the order of their lines' ends, until none overlap and all are beside the plot.
void spread_out(std::vector<EndLabel*> labels, const Rect& plot) {
    std::sort(labels.begin(), labels.end(), [](const EndLabel* a, const EndLabel* b) { return a->y < b->y; });
    double free = plot.y;
    for (EndLabel* label : labels) {
        label->y = std::max(label->y, free + label->height / 2);
        free = label->y + label->height / 2;
    }
    free = plot.bottom();
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        (*label)->y = std::min((*label)->y, free - (*label)->height / 2);
        free = (*label)->y - (*label)->height / 2;
    }
}

std::vector<Rect> draw_beside(std::span<const LegendEntry> entries, std::vector<EndLabel> labels, const Frame& frame,
                              Canvas& canvas, const Theme& theme) {
    const Rect& plot = frame.plot;
    std::vector<EndLabel*> all;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const double end = frame.to_pixels(frame.x.low, entries[i].end).y;  // NaN below a logarithmic axis
        labels[i].y = std::isnan(end) ? plot.bottom() : std::clamp(end, plot.y, plot.bottom());
        all.push_back(&labels[i]);
    }
    spread_out(all, plot);
    std::vector<Rect> drawn;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const EndLabel& label = labels[i];
        const double x = plot.right() + beside_end, line = theme.tick_size * line_of_label;
        double y = label.y - line * (static_cast<double>(label.lines.size()) - 1) / 2;
        if (theme.is_paper) draw_swatch(entries[i], {x, label.y}, short_swatch, canvas, theme);
        for (std::size_t nth = 0; nth < label.lines.size(); ++nth, y += line)
            canvas.text({x + before_end_label(theme), y}, label.lines[nth],
                        {.size = theme.tick_size,
                         .color = entries[i].band || entries[i].is_faint || theme.is_paper
                                      ? theme.text_dim
                                      : legible(entries[i].color, theme.ground()),
                         .weight = entries[i].color == theme.series[0] ? Weight::semibold : Weight::regular});
        drawn.push_back({x, label.y - label.height / 2, label.width, label.height});
        canvas.add_tooltip(drawn.back(), entries[i].label, look_of(entries[i]));
    }
    return drawn;
}

}  // namespace

double end_of(const Curve& curve, double last_x) {
    constexpr std::size_t part = 64;
    const double fitting = std::floor((last_x - curve.first) / curve.step) + 1;
    const auto size = static_cast<std::size_t>(std::clamp(fitting, 0.0, static_cast<double>(curve.size()))),
               count = size / part + 1;
    return size == 0 ? std::nan("") : curve.mean(size - std::min(count, size), size);
}

Rect without_legend(std::span<const LegendEntry> entries, const Rect& rect, const Canvas& canvas, const Theme& theme) {
    if (const auto labels = labels_beside(entries, rect, theme); !labels.empty()) {
        double width = 0;
        for (const EndLabel& label : labels) width = std::max(width, label.width);
        return {rect.x, rect.y, rect.width - std::ceil(width + beside_end + 1), rect.height};
    }
    const auto placed = placed_in_rows(entries, rect.width, canvas, theme);
    if (placed.empty() || placed.front().label.empty()) return rect;
    const double plot = std::max(min_plot, min_share(rect.width) * rect.height + around_plot);
    const auto room = static_cast<int>((rect.height - strip_gap - plot) / row_height);
    const int first = rect.height - strip_gap - row_height >= min_named ? 1 : 0;
    const int rows = std::min(placed.back().row + 1, std::max(room, first));
    const double used = rows < 1 ? 0 : rows * row_height + strip_gap;
    return {rect.x, rect.y + used, rect.width, rect.height - used};
}

std::vector<Rect> draw_legend(std::span<const LegendEntry> entries, const Rect& rect, const Rect& room,
                              const Frame& frame, Canvas& canvas, const Theme& theme) {
    if (frame.empty()) return {};
    if (auto labels = labels_beside(entries, rect, theme); !labels.empty())
        return draw_beside(entries, std::move(labels), frame, canvas, theme);
    const double bottom = room.y - strip_gap;
    if (bottom <= rect.y) {
        if (!entries.empty()) canvas.report_omitted("the legend");
        return {};
    }
    auto placed = placed_in_rows(entries, rect.width, canvas, theme);
    const int rows = static_cast<int>((bottom - rect.y) / row_height + 0.5);
    if (const double indent = frame.plot.x - rect.x; theme.is_paper && indent > 0) {  // begins where the plot does
        auto indented = placed_in_rows(entries, rect.width - indent, canvas, theme);
        const bool fits_too = !indented.empty() && indented.back().row < rows &&
                              std::equal(indented.begin(), indented.end(), placed.begin(),
                                         [](const Placed& a, const Placed& b) { return a.label == b.label; });
        if (fits_too) placed = std::move(indented);
        for (Placed& one : placed) one.x += fits_too ? indent : 0;
    }
    const auto fits = [&](std::size_t count) {  // including the note about omitted entries
        if (count == placed.size()) return placed.back().row < rows;
        if (placed[count - 1].row >= rows) return false;
        const std::string more = more_text(placed.size() - count);
        const double end = placed[count - 1].x + before_text + entry_gap +
                           canvas.measure(placed[count - 1].label + more, theme.tick_size, Weight::regular).width;
        return placed[count - 1].row + 1 < rows || end <= rect.width;
    };
    std::size_t count = placed.size();
    while (count > 1 && !fits(count)) --count;
    if (!fits(count) && count < placed.size()) {  // the only name makes room for the note
        const std::string more = more_text(placed.size() - count);
        Placed& only = placed[count - 1];
        const double note = entry_gap + canvas.measure(more, theme.tick_size, Weight::regular).width;
        only.label =
            elided(entries[count - 1].label, rect.width - only.x - before_text - note, text_style(theme), canvas);
        if (only.label.empty()) count = 0;
    }
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (i >= count || placed[i].label != entries[i].label)
            canvas.report_omitted(fmt::format("“{}” in the legend", entries[i].label));
    std::vector<Rect> drawn;
    for (std::size_t i = 0; i < count; ++i) {
        const Point corner{rect.x + placed[i].x, rect.y + placed[i].row * row_height};
        draw_entry(entries[i], placed[i].label, {corner.x, corner.y + row_height / 2}, canvas, theme);
        const double text = canvas.measure(placed[i].label, theme.tick_size, Weight::regular).width;
        drawn.push_back({corner.x, corner.y, before_text + text, row_height});
        canvas.add_tooltip(drawn.back(), entries[i].label, look_of(entries[i]));
    }
    if (count == placed.size()) return drawn;
    const std::string more = more_text(placed.size() - count);
    const double more_width = canvas.measure(more, theme.tick_size, Weight::regular).width;
    double left = 0, top = rect.y;
    if (count > 0 && placed[count - 1].row + 1 < rows)
        top += (placed[count - 1].row + 1) * row_height;
    else if (count > 0)
        left = drawn.back().right() - rect.x + entry_gap, top = drawn.back().y;
    else if (more_width > rect.width)
        return drawn;
    canvas.text({rect.x + left, top + row_height / 2}, more, {.size = theme.tick_size, .color = theme.text_dim});
    std::string names;
    for (std::size_t i = count; i < placed.size(); ++i) names += (names.empty() ? "" : "\n") + entries[i].label;
    canvas.add_tooltip({rect.x + left, top, more_width, row_height}, "Entries that do not fit", names);
    return drawn;
}

}  // namespace ropewalk
