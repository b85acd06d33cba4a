#include "app/window/widgets/popup_menu.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/plot/fonts.h"
#include "app/window/widgets/find_words.h"
#include "app/window/widgets/row.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr double menu_entry_height = 28, menu_group_gap = 9, menu_padding = 6, menu_inset = 10, menu_mark_width = 18,
                 menu_keys_gap = 32, min_menu_width = 200, menu_radius = 8, menu_text_size = 13,
                 menu_keys_size = 12;  // logical pixels

/// Returns the size of the menu in device pixels.
std::pair<double, double> size_of(const Ui& ui, std::span<const MenuEntry> entries) {
    double width = min_menu_width, height = 2 * menu_padding;
    for (const MenuEntry& entry : entries) {
        const double keys = measure_text(entry.keys, menu_keys_size, Weight::regular).width;
        width = std::max(width, measure_text(entry.title, menu_text_size, Weight::regular).width + menu_mark_width +
                                    2 * menu_inset + (keys > 0 ? keys + menu_keys_gap : 0));
        height += menu_entry_height + (entry.starts_group ? menu_group_gap : 0);
    }
    return {std::round(ui.px(width + 2 * menu_padding)), std::round(ui.px(height))};
}

/// Returns the index of the next entry after `selected` that begins with a character.
std::optional<int> next_with(std::span<const MenuEntry> entries, int selected, char32_t character) {
    const std::string first = utf8_of(character);
    const auto count = static_cast<int>(entries.size());
    for (int i = 1; i <= count; ++i) {
        const int at = (std::max(selected, -1) + i) % count;
        if (begins_with(entries[static_cast<std::size_t>(at)].title, first)) return at;
    }
    return std::nullopt;
}

}  // namespace

void PopupMenu::open(OpenedBy by) {
    is_open_ = true;
    leads_by_key_ = by == OpenedBy::key;
    selected_ = leads_by_key_ ? 0 : -1;
}

void PopupMenu::take_keys(Ui& ui, std::span<const MenuEntry> entries, Answer& answer) {
    const auto count = static_cast<int>(entries.size());
    selected_ = std::min(selected_, count - 1);  // there may be fewer now
    const auto select = [&](int index) {
        selected_ = index;
        leads_by_key_ = true;
    };
    if (ui.take_key(Key::down)) select((selected_ + 1) % count);
    if (ui.take_key(Key::up)) select((std::max(selected_, 0) + count - 1) % count);
    if (ui.take_key(Key::home)) select(0);
    if (ui.take_key(Key::end)) select(count - 1);
    if (ui.take_key(Key::left)) answer.sideways = -1;
    if (ui.take_key(Key::right)) answer.sideways = 1;
    for (const char32_t character : ui.input.characters)
        if (character != U' ')
            if (const auto found = next_with(entries, selected_, character)) select(*found);
    const bool is_chosen =
        ui.take_shortcut(Key::enter, {}) || ui.take_shortcut(Key::keypad_enter, {}) || ui.take_shortcut(Key::space, {});
    if (is_chosen && selected_ >= 0 && entries[static_cast<std::size_t>(selected_)].enabled)
        answer.chosen = static_cast<std::size_t>(selected_);
    if (ui.take_key(Key::escape)) close();
}

void PopupMenu::draw_entry(Ui& ui, const MenuEntry& entry, int index, Answer& answer) {
    const Theme& theme = *ui.theme;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const double above = entry.starts_group ? std::round(ui.px(menu_group_gap)) : 0, x = static_cast<double>(at.x);
    const Rect rect{x, static_cast<double>(at.y) + above, static_cast<double>(width),
                    std::round(ui.px(menu_entry_height))};
    if (entry.starts_group)
        fill(ui,
             {x + ui.px(menu_inset), std::round(rect.y - above / 2), rect.width - 2 * ui.px(menu_inset),
              std::max(1.0f, std::round(ui.px(1)))},
             theme.panel_border, 0);
    ImGui::SetCursorScreenPos(compat::vector({rect.x, rect.y}));
    ImGui::PushID(index);
    const bool is_clicked = compat::invisible_button("entry", compat::vector({rect.width, rect.height}));
    ImGui::PopID();
    const bool is_hovered = ImGui::IsItemHovered();
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (is_hovered && (!leads_by_key_ || moved.x != 0 || moved.y != 0)) selected_ = index, leads_by_key_ = false;
    const bool is_selected = selected_ == index;
    if (is_selected && leads_by_key_ && !middle_is_in_sight(rect)) ImGui::SetScrollHereY();
    if (is_selected) fill(ui, rect, entry.enabled ? theme.accent : theme.control_hovered, 5);
    const bool is_bright = is_selected && entry.enabled;
    const Color color = !entry.enabled ? theme.text_faint : is_bright ? theme.accent_text : theme.text;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double left = rect.x + ui.px(menu_inset), middle = rect.centre().y;
    if (entry.is_on) draw_tick(ui, {left + ui.px(3), middle}, color);
    ui.fonts.draw(list, {left + ui.px(menu_mark_width), middle}, entry.title,
                  {.size = menu_text_size, .color = color, .down = Align::middle});
    ui.fonts.draw(list, {rect.right() - ui.px(menu_inset), middle}, entry.keys,
                  {.size = menu_keys_size,
                   .color = is_bright ? theme.accent_text : theme.text_faint,
                   .across = Align::end,
                   .down = Align::middle});
    ui.registry.add({entry.id, entry.title, rect,
                     is_selected   ? "selected"
                     : entry.is_on ? "on"
                                   : "",
                     middle_is_in_sight(rect)});
    if (is_selected) tooltip(ui, entry.id, entry.help, rect, TooltipOf::entry);
    if (is_clicked && entry.enabled) answer.chosen = static_cast<std::size_t>(index);
}

PopupMenu::Answer PopupMenu::draw(Ui& ui, std::string_view id, Point corner, std::span<const MenuEntry> entries) {
    Answer answer;
    const Overlay overlay(ui, "popup menu");
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const auto [width, height] = size_of(ui, entries);
    const double edge = ui.px(4), room = std::max(1.0, static_cast<double>(window.y) - 2 * edge),
                 shown = std::min(height, room),
                 x = std::max(edge, std::min(corner.x, static_cast<double>(window.x) - width - edge)),
                 y = std::max(edge, std::min(corner.y, static_cast<double>(window.y) - shown - edge));
    const Rect rect{std::round(x), std::round(y), width, shown};
    raised_background(ui, rect, menu_radius);
    ui.registry.add({.id = std::string(id), .label = "", .rect = rect});
    const bool is_outside = !rect.contains(compat::point(ImGui::GetIO().MousePos));
    answer.clicked_outside =
        is_outside && !ImGui::IsWindowAppearing() &&
        (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right));
    if (is_outside && !leads_by_key_) selected_ = -1;
    take_keys(ui, entries, answer);
    ImGui::SetCursorScreenPos(compat::vector({rect.x + ui.px(menu_padding), rect.y + ui.px(menu_padding)}));
    const Unwinding unwinding;
    compat::begin_child("entries",
                        compat::vector({rect.width - 2 * ui.px(menu_padding), rect.height - 2 * ui.px(menu_padding)}),
                        ImGuiWindowFlags_NoNav);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    for (std::size_t i = 0; i < entries.size(); ++i) draw_entry(ui, entries[i], static_cast<int>(i), answer);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    if (answer.chosen || answer.clicked_outside) close();
    return answer;
}

}  // namespace ropewalk
