#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/find_words.h"
#include "app/window/widgets/row.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr double list_padding = 4, entry_padding = 8, list_width = 800, beside_list = 24, around_list = 4,
                 chevron = 3.5;        // logical pixels
constexpr double seeking_seconds = 1;  // within which typed characters are combined

std::string title_of(std::span<const Entry> entries, int chosen) {
    return chosen >= 0 && chosen < static_cast<int>(entries.size())
               ? std::string(entries[static_cast<std::size_t>(chosen)].title)
               : std::string();
}

/// Returns the next enabled entry in a direction, or `chosen` if there is none.
int neighbour(std::span<const Entry> entries, int chosen, int direction) {
    for (int i = chosen + direction; i >= 0 && i < static_cast<int>(entries.size()); i += direction)
        if (entries[static_cast<std::size_t>(i)].enabled) return i;
    return chosen;
}

/// Returns the entry that the typed text selects, if any: the title, its beginning or, if no title begins with it, a
/// part of it. Characters typed within a second are combined; a single one selects the next entry that begins with it.
std::optional<int> typed_to(Ui& ui, std::span<const Entry> entries, int chosen) {
    if (ui.input.characters.empty()) return std::nullopt;
    Interaction& now = ui.interaction;
    if (ImGui::GetTime() - std::exchange(now.sought_at, ImGui::GetTime()) > seeking_seconds) now.sought.clear();
    for (const char32_t character : ui.input.characters) now.sought += utf8_of(character);
    const auto count = static_cast<int>(entries.size());
    if (now.sought.find_first_not_of(' ') == std::string::npos) return std::nullopt;
    const bool continues = first_character(now.sought) != now.sought;
    for (const auto leads_to : {is_called, begins_with, holds_words})
        for (int i = continues ? 0 : 1; i < count + (continues ? 0 : 1); ++i) {
            const int index = (std::max(chosen, 0) + i) % count;
            const Entry& entry = entries[static_cast<std::size_t>(index)];
            if (entry.enabled && leads_to(entry.title, now.sought)) return index;
        }
    return std::nullopt;
}

/// Handles what all choices share: reset by the label, steps by arrow keys, and the returned state.
WidgetState finish(Ui& ui, Row& row, std::span<const Entry> entries, int before, int default_choice, int& chosen) {
    WidgetState state;
    if (row.label_double_clicked()) {
        chosen = default_choice;
        state.reset = true;
    }
    if (row.takes_keys() && !ImGui::IsAnyItemActive())
        for (const auto& [key, direction] : {std::pair{Key::left, -1}, {Key::right, 1}, {Key::up, -1}, {Key::down, 1}})
            if (ui.take_key(key)) chosen = neighbour(entries, chosen, direction);
    state.context = row.asks_for_menu();
    state.changed = state.committed = chosen != before;
    row.finish(title_of(entries, chosen));
    return state;
}

/// Returns segments of equal width if the titles fit, else as wide as each title needs; on whole pixels.
std::vector<Rect> segments(const Ui& ui, const Rect& rect, std::span<const Entry> entries) {
    constexpr double padding = 10;
    const auto count = static_cast<double>(entries.size());
    std::vector<double> widths;
    for (const Entry& entry : entries)
        widths.push_back(ui.scale * measure_text(entry.title, text_size, Weight::regular).width);
    const double sum = std::accumulate(widths.begin(), widths.end(), 0.0),
                 widest = *std::max_element(widths.begin(), widths.end());
    const bool equal = widest + ui.px(padding) <= rect.width / count;
    std::vector<Rect> parts;
    double x = rect.x, exact = rect.x;
    for (const double width : widths) {
        exact += equal ? rect.width / count : width + (rect.width - sum) / count;
        parts.push_back({x, rect.y, std::round(exact) - x, rect.height});
        x = std::round(exact);
    }
    return parts;
}

/// Returns the height in logical pixels.
double height_of(const Entry& entry) {
    return entry.description.empty() ? 24 : 36;
}

/// Returns the logical pixels that the entries need, at least `width` and at most what the window has.
double width_of(const Ui& ui, std::span<const Entry> entries, double width) {
    const double room = ImGui::GetIO().DisplaySize.x / ui.scale - 2 * (list_padding + beside_list) - 2 * entry_padding,
                 max = std::min(list_width, room);
    for (const Entry& entry : entries) {
        const double needed = std::ceil(measure_text(entry.description, 11, Weight::regular).width);
        width = std::max(width, 2 * entry_padding + std::min(max, needed));
    }
    return width;
}

/// Lets arrows and letters choose an entry.
void choose_by_keys(Ui& ui, std::span<const Entry> entries, int& chosen) {
    for (const auto& [key, direction] : {std::pair{Key::up, -1}, {Key::down, 1}})
        if (ui.take_key(key)) chosen = neighbour(entries, chosen, direction);
    const auto count = static_cast<int>(entries.size());
    for (const auto& [key, outside, direction] : {std::tuple{Key::home, -1, 1}, {Key::end, count, -1}})
        if (ui.take_key(key))
            if (const int end = neighbour(entries, outside, direction); end != outside) chosen = end;
    chosen = typed_to(ui, entries, chosen).value_or(chosen);
}

/// How an entry of a list is drawn.
struct ListedEntry {
    const Entry& entry;
    std::string id, description;  // description: as much as fits
    bool is_current;
    bool shows_sought;  // the text typed over the list
};

void draw_entry(Ui& ui, const ListedEntry& listed, const Rect& rect, bool hovered) {
    const Theme& theme = *ui.theme;
    const auto& [entry, id, description, is_current, shows_sought] = listed;
    if (hovered || is_current) fill(ui, rect, hovered ? theme.control_hovered : theme.control);
    if (is_current) fill(ui, {rect.x, rect.y + ui.px(6), ui.px(3), rect.height - ui.px(12)}, theme.accent, 1.5);
    const bool described = !entry.description.empty();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double left = rect.x + ui.px(entry_padding);
    const Rect title{left, rect.y + (described ? ui.px(3) : 0), 0, described ? ui.px(16) : rect.height};
    text_in(ui, title, entry.title, entry.enabled ? theme.text : theme.text_faint, Align::start,
            is_current ? Weight::semibold : Weight::regular);
    if (shows_sought) {
        const std::string& sought = ui.interaction.sought;
        const bool is_found = begins_with(entry.title, sought) || holds_words(entry.title, sought);
        ui.fonts.draw(list, {rect.right() - ui.px(entry_padding), title.centre().y}, sought,
                      {.size = 11, .color = is_found ? theme.text_dim : theme.warning, .across = Align::end});
    }
    if (described) ui.fonts.draw(list, {left, rect.y + ui.px(26)}, description, {.size = 11, .color = theme.text_dim});
    if (hovered && description != entry.description)
        tooltip(ui, id, {.title = std::string(entry.title), .text = std::string(entry.description)}, rect);
}

/// Draws the entries as buttons, `width` logical pixels wide. A click chooses and closes the list; arrows and letters
/// choose.
void choose_from_list(Ui& ui, const Control& control, std::span<const Entry> entries, double width, int& chosen) {
    const int before = chosen;
    choose_by_keys(ui, entries, chosen);
    const bool scrolls_to_it = chosen != before;
    Interaction& now = ui.interaction;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    now.keys_lead = !(moved.x != 0 || moved.y != 0) && (now.keys_lead || scrolls_to_it);
    const double seeks_for = now.sought.empty() ? 0 : now.sought_at + seeking_seconds - ImGui::GetTime();
    if (seeks_for > 0) ui.wake_within(seeks_for + 0.01);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 size{ui.px(width), std::round(ui.px(height_of(entry)))};
        ImGui::PushID(static_cast<int>(i));
        ImGui::BeginDisabled(!entry.enabled);
        const bool clicked = compat::invisible_button("entry", size);
        const bool hovered = ImGui::IsItemHovered() && !now.keys_lead;
        ImGui::EndDisabled();
        ImGui::PopID();
        const Rect rect = rect_of(at, {at.x + size.x, at.y + size.y});
        const bool is_current = static_cast<int>(i) == chosen, shows_sought = is_current && seeks_for > 0;
        const std::string id = fmt::format("{}/{}", control.id, entry.title);
        ui.registry.add({.id = id,
                         .label = std::string(entry.title),
                         .rect = rect,
                         .value = {},
                         .visible = middle_is_in_sight(rect)});
        if (shows_sought)
            ui.registry.add(
                {.id = fmt::format("{}.sought", control.id), .label = "", .rect = rect, .value = now.sought});
        if (is_current && scrolls_to_it && !middle_is_in_sight(rect)) ImGui::SetScrollHereY();
        draw_entry(ui,
                   {entry, id, fitted(ui, entry.description, width - 2 * entry_padding, 11), is_current, shows_sought},
                   rect, hovered);
        if (clicked) {
            chosen = static_cast<int>(i);
            ImGui::CloseCurrentPopup();
        }
    }
}

}  // namespace

void draw_chevron(const Ui& ui, Point at, Color color, bool points_right) {
    const double s = ui.px(chevron);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const auto& [along, across] : {std::pair{-s, -s / 2}, {0.0, s / 2}, {s, -s / 2}})
        list.PathLineTo(points_right ? compat::vector({at.x + across, at.y + along})
                                     : compat::vector({at.x + along, at.y + across}));
    list.PathStroke(compat::color(color), 0, ui.px(1.5));
}

void draw_tick(const Ui& ui, Point middle, Color color, double size) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const auto& [x, y] : {std::pair{-0.32, 0.02}, {-0.08, 0.26}, {0.36, -0.26}})
        list.PathLineTo(compat::vector({middle.x + x * ui.scale * size, middle.y + y * ui.scale * size}));
    list.PathStroke(compat::color(color), 0, ui.px(1.9));
}

bool open_list(Ui& ui, const Control& control, const char* popup, const Rect& below, std::span<const Entry> entries,
               int& chosen) {
    const Rect& area = ui.list_area;
    const double top = area.y, bottom = area.height > 0 ? area.bottom() : ImGui::GetIO().DisplaySize.y;
    const double width = width_of(ui, entries, std::max(0.0, below.width / ui.scale - 2 * list_padding));
    const double last_x = ImGui::GetIO().DisplaySize.x - ui.px(width + 2 * list_padding + beside_list);
    double height = ui.px(2 * list_padding);
    for (const Entry& entry : entries) height += std::round(ui.px(height_of(entry))) + ui.px(1);
    // The list is moved up if it does not fit below.
    const double min_y = top + ui.px(around_list), last_y = bottom - ui.px(around_list) - height,
                 y = std::max(min_y, std::min(below.bottom() + ui.px(3), last_y));
    ImGui::SetNextWindowPos(compat::vector({std::max(0.0, std::min(below.x, last_x)), y}));
    ImGui::SetNextWindowSizeConstraints({static_cast<float>(below.width), 0},
                                        {FLT_MAX, static_cast<float>(bottom - y - ui.px(around_list))});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(list_padding), ui.px(list_padding)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(1)});
    const bool is_open = ImGui::BeginPopup(popup, ImGuiWindowFlags_NoMove);
    if (is_open) {
        const Layer layer(ui.registry);
        Interaction& now = ui.interaction;
        if (ImGui::IsWindowAppearing())
            now.listed_from = chosen, now.listed_of = ui.subject, now.sought.clear(), now.keys_lead = false;
        now.list_frame = ImGui::GetFrameCount();
        const bool is_of_another = now.listed_of != ui.subject;
        // The second click of the double-click that opened the list must not choose anything.
        if (is_of_another || ImGui::IsMouseDoubleClicked(0))
            ImGui::CloseCurrentPopup();
        else
            choose_from_list(ui, control, entries, width, chosen);
        const bool undone = ui.take_shortcut(Key::escape, {});
        if (undone && !is_of_another) chosen = now.listed_from;
        if (undone || ui.take_shortcut(Key::enter, {})) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
    return is_open;
}

WidgetState segmented(Ui& ui, const Control& control, std::span<const Entry> entries, int& chosen, int default_choice) {
    const Theme& theme = *ui.theme;
    Row row(ui, control);
    const int before = chosen;
    row.item(row.rect());
    const bool hovered = ImGui::IsItemHovered(), clicked = ImGui::IsItemClicked();
    const Point mouse = compat::point(ImGui::GetIO().MousePos);
    fill(ui, row.rect(), theme.panel);
    outline(ui, row.rect(), theme.control_active);
    const std::vector<Rect> parts = segments(ui, row.rect(), entries);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const bool enabled = control.enabled && entries[i].enabled,
                   under = hovered && enabled && parts[i].contains(mouse);
        if (under && clicked) chosen = static_cast<int>(i);
        const bool current = static_cast<int>(i) == chosen;
        if (current || under)
            fill(ui, parts[i],
                 current ? (control.enabled ? theme.accent : theme.control_active) : theme.control_hovered);
        const Color color = !enabled  ? theme.text_faint
                            : current ? theme.accent_text
                            : under   ? theme.text
                                      : theme.text_dim;
        text_in(ui, parts[i], fitted(ui, entries[i].title, parts[i].width / ui.scale - 2), color, Align::middle);
        ui.registry.add({fmt::format("{}/{}", control.id, entries[i].title),
                         std::string(entries[i].title),
                         parts[i],
                         {},
                         middle_is_in_sight(parts[i])});
    }
    return finish(ui, row, entries, before, default_choice, chosen);
}

WidgetState combo(Ui& ui, const Control& control, std::span<const Entry> entries, int& chosen, int default_choice) {
    const Theme& theme = *ui.theme;
    Row row(ui, control);
    const int before = chosen;
    const Rect& box = row.rect();
    row.item(box);
    const bool hovered = ImGui::IsItemHovered(), open = ImGui::IsPopupOpen("list");
    const bool asked = !open && row.takes_keys() && !ImGui::IsAnyItemActive() && ui.take_shortcut(Key::enter, {});
    if (ImGui::IsItemClicked() || asked) ImGui::OpenPopup("list");
    fill(ui, box, open ? theme.control_active : hovered ? theme.control_hovered : theme.panel);
    outline(ui, box, theme.control_active);
    const double padding = ui.px(entry_padding), arrow = ui.px(20);
    text_in(ui, {box.x + padding, box.y, 0, box.height},
            fitted(ui, title_of(entries, chosen), (box.width - padding - arrow) / ui.scale),
            control.enabled ? theme.text : theme.text_faint, Align::start);
    draw_chevron(ui, {box.right() - arrow / 2, box.centre().y}, control.enabled ? theme.text_dim : theme.text_faint);

    const bool is_open = open_list(ui, control, "list", box, entries, chosen);
    WidgetState state = finish(ui, row, entries, before, default_choice, chosen);
    state.held |= is_open;  // browsing with the arrows is one change
    return state;
}

WidgetState checkbox(Ui& ui, const Control& control, bool& value, bool default_value) {
    const Theme& theme = *ui.theme;
    WidgetState state;
    Row row(ui, control, row_height);
    const bool before = value;
    const Rect box{row.rect().x, row.rect().y, row.rect().height, row.rect().height};
    row.item(box);
    const bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemClicked() || (row.takes_keys() && !ImGui::IsAnyItemActive() && ui.take_shortcut(Key::space, {})))
        value = !value;
    if (row.label_double_clicked()) {
        value = default_value;
        state.reset = true;
    }
    fill(ui, box, hovered ? theme.control_hovered : theme.panel);
    outline(ui, box, theme.control_active);
    if (value) draw_tick(ui, box.centre(), control.enabled ? theme.accent : theme.text_faint);
    state.context = row.asks_for_menu();
    state.changed = state.committed = value != before;
    row.finish(value ? "on" : "off");
    return state;
}

}  // namespace ropewalk
