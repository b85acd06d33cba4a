#include "app/window/cards/keys_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double keys_line = 19, keys_title = 26, after_keys = 10, min_column = 312, between_keys = 30,
                 between_words = 16, around_sheet = 12, beside_columns = 2 * around_sheet + 12, sheet_header = 40,
                 min_action = 90;  // logical pixels

double regular_width(const std::string& text) {
    return measure_text(text, text_size, Weight::regular).width;
}

/// Returns the width of a column in which no line is cut.
double widest_line(const std::vector<KeysGroup>& groups) {
    double widest = min_column;
    for (const KeysGroup& group : groups)
        for (const auto& [what, how] : group.lines)
            widest = std::max(widest, std::ceil(regular_width(what) + between_words + regular_width(how)) + 1);
    return widest;
}

double height_of(const KeysGroup& group) {
    return keys_title + keys_line * static_cast<double>(group.lines.size()) + after_keys;
}

/// Returns the groups of each column, about equally high.
std::vector<std::vector<const KeysGroup*>> columns_of(const std::vector<KeysGroup>& groups, int count) {
    double sum = 0;
    for (const KeysGroup& group : groups) sum += height_of(group);
    std::vector<std::vector<const KeysGroup*>> columns(1);
    double filled = 0;
    for (const KeysGroup& group : groups) {
        const bool is_full = filled + height_of(group) / 2 > sum / count;
        if (is_full && !columns.back().empty() && std::ssize(columns) < count) columns.emplace_back(), filled = 0;
        columns.back().push_back(&group);
        filled += height_of(group);
    }
    return columns;
}

double height_of(const std::vector<std::vector<const KeysGroup*>>& columns) {
    double highest = 0;
    for (const auto& column : columns) {
        double height = 0;
        for (const KeysGroup* group : column) height += height_of(*group);
        highest = std::max(highest, height);
    }
    return highest;
}

/// Draws a group at `at` (device pixels), `column` logical pixels wide.
void draw_group(Ui& ui, const KeysGroup& group, Point at, double column) {
    const Theme& theme = *ui.theme;
    const double width = ui.px(column);
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {at.x, at.y + ui.px(keys_title / 2)}, group.title,
                  {.size = theme.title_size, .color = theme.text, .weight = Weight::semibold, .down = Align::middle});
    double y = at.y + ui.px(keys_title);
    for (const auto& [what, how] : group.lines) {
        const Rect line{at.x, y, width, ui.px(keys_line)};
        const double room = column - std::min(column - min_action, regular_width(how) + between_words);
        const std::string shown = fitted(ui, what, room);
        text_in(ui, line, shown, theme.text_dim, Align::start);
        text_in(ui, line, fitted(ui, how, column - min_action), theme.text, Align::end);
        ui.registry.add({.id = fmt::format("keys/{}", what),
                         .label = shown,
                         .rect = line,
                         .value = how,
                         .visible = middle_is_in_sight(line)});
        y += line.height;
    }
}

}  // namespace

void KeysSheet::open(std::vector<KeysGroup> groups) {
    groups_ = std::move(groups);
    is_open_ = true;
}

void KeysSheet::draw(Ui& ui, const Rect& area) {
    if (!is_open_) return;
    const auto width_with = [](int columns, double column) {
        return columns * column + (columns - 1) * between_keys + beside_columns;
    };
    int count = 4;
    while (count > 1 &&
           (width_with(count, min_column) > area.width / ui.scale ||
            height_of(columns_of(groups_, count - 1)) + sheet_header + 2 * around_sheet <= area.height / ui.scale))
        --count;
    const auto columns = columns_of(groups_, count);
    const double height = height_of(columns), free = (area.width / ui.scale - width_with(count, min_column)) / count,
                 shown_width = std::max(min_column, std::min(widest_line(groups_), min_column + std::floor(free)));
    const Card card(
        ui, "keys",
        in_the_middle(area, ui.px(width_with(count, shown_width)), ui.px(height + sheet_header + 2 * around_sheet)));
    section(ui, "Keys and mouse");
    compat::begin_child("sheet", {0, 0});
    const Point start = compat::point(ImGui::GetCursorScreenPos());
    double x = start.x;
    for (const auto& column : columns) {
        double y = start.y;
        for (const KeysGroup* group : column) {
            draw_group(ui, *group, {x, y}, shown_width);
            y += ui.px(height_of(*group));
        }
        x += ui.px(shown_width + between_keys);
    }
    ImGui::Dummy({ui.px(width_with(count, shown_width) - beside_columns), ui.px(height)});
    ImGui::EndChild();
    if (card.clicked_outside() || ui.take_key(Key::escape)) close();
}

}  // namespace ropewalk
