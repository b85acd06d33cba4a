#include "app/window/main_window/toolbar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/figures/parts/text/caption.h"
#include "app/plot/fonts.h"
#include "app/window/main_window/menu_bar.h"
#include "app/window/panels/formula_bar.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/icons.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double tool_height = 32, tool_icon_width = 34, tool_label_gap = 12, around_tool_line = 8, tool_text = 13,
                 max_find = 352, min_find = 190, find_icon = 30;  // logical pixels

double width_of(std::string_view text) {
    return std::ceil(measure_text(std::string(text), tool_text, Weight::regular).width);
}

/// Undo and redo are known by their icons.
bool has_label(const Command& command) {
    return !command.is_travel;
}

/// Returns the command that a button runs while it is on: that of *Set reference* clears the reference.
const Command& command_when_on(const Command& command) {
    return command.id == std::string_view("keep_reference") ? *find_command("drop_reference") : command;
}

double width_of(const Command& command, bool shows_labels) {
    if (!shows_labels || !has_label(command)) return tool_icon_width;
    return tool_icon_width + std::max(width_of(command.title), width_of(command_when_on(command).title)) +
           tool_label_gap;
}

/// Returns the commands in the toolbar, in its order.
std::vector<const Command*> toolbar_commands() {
    std::vector<const Command*> all;
    for (const Command& command : commands())
        if (command.toolbar_group > 0) all.push_back(&command);
    std::stable_sort(all.begin(), all.end(), [](const Command* command, const Command* other) {
        return command->toolbar_group < other->toolbar_group;
    });
    return all;
}

Help help_of(const Command& command, const WindowParts& window, const Obstacle& obstacle) {
    Help help = command.help_of_button(obstacle);
    if (&command_when_on(command) == &command || !command.is_on_in(window)) return help;
    const Experiment& reference = *window.session.document.reference();
    help.title = "The reference";
    const bool is_seen = window.session.other_on_shift() == Other::reference;
    help.text = fmt::format("Reference{}: {}. {} Press R to replace it with the current head, or click to clear it.",
                            window.session.document.has_foreign_reference() ? ", from another scene" : "",
                            difference_in_words(window.session.document.experiment(), reference),
                            is_seen ? "Hold Shift to see it." : "Press Esc, then hold Shift to see it.");
    return help;
}

/// Draws a command's button.
void draw_command(Ui& ui, WindowParts& window, const Command& command, const Rect& rect, bool shows_label) {
    const Theme& theme = *ui.theme;
    const Obstacle obstacle = command.obstacle_in(window);
    const bool is_on = command.is_on_in(window), is_enabled = !obstacle;
    const Command& next = is_on ? command_when_on(command) : command;
    ImGui::SetCursorScreenPos(compat::vector({rect.x, rect.y}));
    ImGui::PushID(command.id);
    ImGui::BeginDisabled(!is_enabled);
    const bool is_clicked = compat::invisible_button("button", compat::vector({rect.width, rect.height}));
    const bool is_hovered = ImGui::IsItemHovered(), is_held = ImGui::IsItemActive(),
               is_pointed = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    ImGui::EndDisabled();
    ImGui::PopID();
    if (is_hovered || is_held) fill(ui, rect, is_held ? theme.control_active : theme.control_hovered, 6);
    const Color color = !is_enabled ? theme.text_faint.with_alpha(0.6) : is_on ? theme.accent : theme.text_dim;
    draw_icon(ui, command.icon, {rect.x + ui.px(tool_icon_width / 2), rect.centre().y}, color);
    if (shows_label)
        text_in(ui, {rect.x + ui.px(tool_icon_width - 2), rect.y, ui.px(width_of(next.title)), rect.height}, next.title,
                is_enabled && !is_on ? theme.text : color, Align::middle, Weight::regular, tool_text);
    ui.registry.add({.id = command.id,
                     .label = next.title,
                     .rect = rect,
                     .value = is_on ? "on" : "",
                     .visible = middle_is_in_sight(rect)});
    if (is_hovered && is_held)
        hush_tooltip(ui, command.id);
    else if (is_pointed)
        tooltip(ui, command.id, help_of(command, window, obstacle), rect);
    if (is_clicked) run(next, window);
}

/// Draws the field that opens the palette, `width` logical pixels wide, at the toolbar's right end.
void draw_field(Ui& ui, WindowParts& window, const Rect& bar, double width) {
    const Theme& theme = *ui.theme;
    const Command& command = *find_command("commands");
    const double height = std::round(ui.px(tool_height));
    const Rect rect{bar.right() - std::round(ui.px(width + window_margin + 4)), std::round(bar.centre().y - height / 2),
                    std::round(ui.px(width)), height};
    ImGui::SetCursorScreenPos(compat::vector({rect.x, rect.y}));
    const bool is_clicked = compat::invisible_button("find", compat::vector({rect.width, rect.height}));
    const bool is_hovered = ImGui::IsItemHovered();
    const bool is_wide = width > tool_icon_width;
    if (is_wide) fill(ui, rect, theme.panel, 6);
    if (is_hovered && !is_wide) fill(ui, rect, theme.control_hovered, 6);
    if (is_wide) outline(ui, rect, is_hovered ? theme.control_active : theme.panel_border, 6);
    draw_icon(ui, Icon::search, {rect.x + ui.px(is_wide ? 16 : width / 2), rect.centre().y}, theme.text_dim);
    if (is_wide) {
        const std::string keys = "Ctrl K";
        const double chip = width_of(keys) + 8;
        const Rect place{rect.right() - ui.px(chip + 7), rect.y + ui.px(6), ui.px(chip), rect.height - 2 * ui.px(6)};
        fill(ui, place, theme.control, 4);
        text_in(ui, place, keys, theme.text_dim, Align::middle, Weight::regular, 11);
        text_in(ui, {rect.x + ui.px(find_icon), rect.y, rect.width, rect.height},
                fitted(ui, "Find a command or set a field", width - find_icon - chip - 16), theme.text_faint,
                Align::start);
    }
    ui.registry.add({.id = "find", .label = "Find", .rect = rect, .value = "", .visible = middle_is_in_sight(rect)});
    if (is_hovered)
        tooltip(ui, "find", {.title = command.title, .text = command.help, .range = command.shortcut()}, rect);
    if (is_clicked) run(command, window);
}

}  // namespace

void draw_toolbar(Ui& ui, WindowParts& window, const Rect& rect) {
    const TooltipsBelow below(
        ui, window.session.preferences.formula ? rect.bottom() + ui.px(FormulaBar::height + window_margin) : 0);
    const std::vector<const Command*> shown = toolbar_commands();
    const auto needed = [&](bool shows_labels) {
        double sum = 2 * window_margin;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const bool starts_group = i > 0 && shown[i]->toolbar_group != shown[i - 1]->toolbar_group;
            sum += width_of(*shown[i], shows_labels) + (starts_group ? 2 * around_tool_line : 0);
        }
        return sum;
    };
    const double room = rect.width / ui.scale - 3 * window_margin;
    const bool shows_labels = needed(true) + min_find <= room;
    const double left = room - needed(shows_labels);
    const double field = left >= min_find ? std::min(max_find, left) : tool_icon_width;
    const double height = std::round(ui.px(tool_height)), y = std::round(rect.centre().y - height / 2),
                 end = rect.right() - ui.px(field + 2 * window_margin);
    double x = rect.x + std::round(ui.px(window_margin));
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0 && shown[i]->toolbar_group != shown[i - 1]->toolbar_group) {
            x += std::round(ui.px(around_tool_line));
            fill(ui, {x, y + ui.px(6), std::max(1.0f, std::round(ui.px(1))), height - 2 * ui.px(6)},
                 ui.theme->panel_border, 0);
            x += std::round(ui.px(around_tool_line));
        }
        const double width = std::round(ui.px(width_of(*shown[i], shows_labels)));
        if (x + width > end) break;
        draw_command(ui, window, *shown[i], {x, y, width, height}, shows_labels && has_label(*shown[i]));
        x += width;
    }
    draw_field(ui, window, rect, field);
}

}  // namespace ropewalk
