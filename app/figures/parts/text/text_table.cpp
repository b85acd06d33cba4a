#include "app/figures/parts/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/plot/elide.h"

namespace ropewalk {
namespace {

constexpr double min_text = 0.7;                              // minimum text size, relative to that of labels
constexpr double cell_padding = 2.0 / 3;                      // em
constexpr double min_row = 1.9, max_row = 3, note_row = 1.5;  // heights of rows, in em
constexpr double max_stretch = 2;                             // maximum width of a column, relative to its minimum

/// Returns the height of rows that fill the room, within limits.
double height_of_rows(std::size_t rows, double room, const Theme& theme) {
    return std::clamp(room / static_cast<double>(rows), theme.label_size * min_row, theme.label_size * max_row);
}

double sum(const std::vector<double>& widths) {
    return std::accumulate(widths.begin(), widths.end(), 0.0);
}

/// Returns the width that each column needs for its widest text.
std::vector<double> needed_widths(const TextTable& table, const Theme& theme, const Canvas& canvas) {
    std::vector<double> widths;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        double widest = canvas.measure(table.columns[column], theme.label_size, Weight::semibold).width;
        for (const auto& row : table.rows)
            widest = std::max(widest, canvas.measure(row[column], theme.label_size, Weight::regular).width);
        widths.push_back(widest + 2 * cell_padding * theme.label_size);
    }
    return widths;
}

/// Returns the columns' widths, scaled by one factor to fill the room.
std::vector<double> column_widths(const TextTable& table, const Theme& theme, const Canvas& canvas, double room) {
    std::vector<double> widths = needed_widths(table, theme, canvas);
    const double factor = std::min(room / sum(widths), max_stretch);
    for (double& width : widths) width *= factor;
    return widths;
}

/// Returns the theme with text small enough to show all of the table, down to a limit.
Theme fitting(Theme theme, const TextTable& table, const Canvas& canvas, const Rect& rect) {
    const double across = rect.width / sum(needed_widths(table, theme, canvas)),
                 down = rect.height / table_height(table.rows.size() + 1, theme);
    theme.label_size *= std::clamp(std::min(across, down), min_text, 1.0);
    return theme;
}

/// Draws as many whole notes as fit.
void draw_notes(const TextTable& table, const Theme& theme, Canvas& canvas, const Rect& rect) {
    const double row = theme.label_size * note_row, padding = theme.label_size * cell_padding;
    double middle = rect.y + 1.2 * row;
    for (const std::string& note : table.notes) {
        const auto lines = wrapped(words_of(note), rect.width - 2 * padding, theme.label_size, Weight::regular);
        if (middle + row * static_cast<double>(lines.size()) > rect.bottom())
            return canvas.report_omitted("notes below the table");
        for (const std::string& line : lines) {
            canvas.text({rect.x + padding, middle}, line, {.size = theme.label_size, .color = theme.text_dim});
            middle += row;
        }
        middle += 0.4 * row;
    }
}

}  // namespace

double table_height(std::size_t rows, const Theme& theme) {
    return static_cast<double>(rows) * theme.label_size * min_row + 4;
}

void draw_text_table(const TextTable& table, const Theme& usual, Canvas& canvas, const Rect& rect) {
    const Theme theme = fitting(usual, table, canvas, rect);
    const double padding = theme.label_size * cell_padding;
    const double height = height_of_rows(table.rows.size() + 1, rect.height, theme);
    if (rect.width < 20 || rect.height < height) return canvas.report_omitted("the table");
    const auto widths = column_widths(table, theme, canvas, rect.width);
    const double width = sum(widths);
    canvas.push_clip(rect);
    const auto draw_row = [&](double top, const std::vector<std::string>& cells, Weight weight, Color color) {
        double left = rect.x;
        for (std::size_t column = 0; column < cells.size(); ++column) {
            TextStyle style{.size = theme.label_size, .color = color, .weight = weight};
            const bool is_first = column == 0;
            style.across = is_first ? Align::start : Align::end;
            const double x = is_first ? left + padding : left + widths[column] - padding;
            const std::string text = elided(cells[column], widths[column] - padding, style, canvas);
            if (text != cells[column]) canvas.report_omitted(fmt::format("“{}” in the table", cells[column]));
            canvas.text({x, top + height / 2}, text, style);
            left += widths[column];
        }
    };
    draw_row(rect.y, table.columns, Weight::semibold, theme.text);
    double top = rect.y + height;
    canvas.line({rect.x, top}, {rect.x + width, top}, {.color = theme.axis});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const bool is_out = top + height > rect.bottom() + 1,
                   is_cut = row + 1 < table.rows.size() && top + 2 * height > rect.bottom() + 1;
        if (is_out || is_cut) canvas.report_omitted("rows of the table");
        if (is_out) break;
        draw_row(top, is_cut ? std::vector<std::string>(table.columns.size(), "…") : table.rows[row], Weight::regular,
                 theme.text);
        top += height;
        canvas.line({rect.x, top}, {rect.x + width, top}, {.color = theme.grid});
    }
    draw_notes(table, theme, canvas, {rect.x, top, rect.width, rect.bottom() - top});
    canvas.pop_clip();
}

}  // namespace ropewalk
