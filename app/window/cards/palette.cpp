#include "app/window/cards/palette.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr double palette_width = 620, palette_height = 920, padding = 10, title_line = 19, about_line = 16,
                 between_entries = 2, around_entries = 90, beside_entries = 32;  // logical pixels
constexpr int entries_a_page = 5;

/// The description's lines, and the height of an entry with them; in logical pixels.
std::vector<std::string> about_lines(const PaletteEntry& entry, double width) {
    if (entry.about.empty()) return {};
    return paragraphs(entry.about, width - 2 * padding, text_size, Weight::regular);
}
double height_with(const std::vector<std::string>& about) {
    return 10 + title_line + about_line * static_cast<double>(about.size());
}

}  // namespace

void Palette::open(std::string title, std::vector<PaletteEntry> entries, const std::string& current) {
    title_ = std::move(title);
    entries_ = std::move(entries);
    current_ = current;
    field_.open();
    find();
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const PaletteEntry& entry) { return !current.empty() && entry.id == current; });
    at_ = same == entries_.end() ? 0 : static_cast<int>(same - entries_.begin());
    open_ = scrolls_to_it_ = true;
}

void Palette::find() {
    std::vector<Findable> all;
    for (const PaletteEntry& entry : entries_) all.push_back(entry.findable());
    found_ = find_words(all, field_.words());
    at_ = 0;
    scrolls_to_it_ = true;
}

void Palette::take_keys(Ui& ui) {
    const int last = std::max(0, static_cast<int>(found_.size()) - 1);
    for (const auto& [key, step] :
         {std::pair{Key::up, -1}, {Key::down, 1}, {Key::page_up, -entries_a_page}, {Key::page_down, entries_a_page}})
        if (ui.take_key_at_all(key)) at_ = std::clamp(at_ + step, 0, last), scrolls_to_it_ = true;
}

bool Palette::draw_entry(Ui& ui, int index) {
    const PaletteEntry& entry = found(index);
    const Theme& theme = *ui.theme;
    const double width = static_cast<double>(ImGui::GetContentRegionAvail().x);
    const std::vector<std::string> lines = about_lines(entry, width / ui.scale);
    const double height = std::round(ui.px(height_with(lines)));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(index);
    const bool clicked = compat::invisible_button("entry", compat::vector({width, height}));
    ImGui::PopID();
    if (pointer_came()) at_ = index;
    const Rect rect =
        rect_of(at, compat::vector({static_cast<double>(at.x) + width, static_cast<double>(at.y) + height}));
    if (index == at_) {
        fill(ui, rect, theme.control_hovered);
        if (scrolls_to_it_) bring_into_sight(rect);
    }
    if (!current_.empty() && entry.id == current_)
        fill(ui, {rect.x, rect.y + ui.px(6), ui.px(3), rect.height - ui.px(12)}, theme.accent, 1.5);
    const double left = rect.x + ui.px(padding);
    const Rect first_line{left, rect.y + ui.px(5), rect.width - ui.px(2 * padding), ui.px(title_line)};
    text_in(ui, first_line, entry.title, entry.enabled || entry.id.empty() ? theme.text : theme.text_faint,
            Align::start, Weight::semibold);
    text_in(ui, first_line, entry.keys, theme.text_dim, Align::end);
    lines_in(ui, {left, rect.y + ui.px(5 + title_line), 0, ui.px(about_line)}, lines, theme.text_dim, Align::start);
    ui.registry.add({entry.id, entry.title, rect, index == at_ ? "on" : "", middle_is_in_sight(rect)});
    return clicked;
}

std::optional<std::string> Palette::draw(Ui& ui, const Rect& area) {
    if (!open_) return std::nullopt;
    const double width = std::min<double>(ui.px(palette_width), area.width);
    double needed = around_entries;  // of all entries, so that the card does not shrink during typing
    for (const PaletteEntry& entry : entries_)
        needed += height_with(about_lines(entry, width / ui.scale - beside_entries)) + between_entries;
    const double height = std::min<double>(ui.px(std::min(needed, palette_height)), area.height);
    const Card card(ui, "palette",
                    {area.x, area.y, std::max(1.0, std::round(width)), std::max(1.0, std::round(height))});
    section(ui, title_);
    const FindField::State typing = field_.draw(ui, card);
    if (typing.is_changed) find();
    take_keys(ui);
    std::optional<std::string> chosen;
    const auto choose = [&](int index) {
        if (found(index).enabled) chosen = found(index).id;
    };
    if (typing.is_entered && !found_.empty()) choose(at_);
    if (typing.is_left) open_ = false;
    ImGui::Dummy({0, ui.px(2)});
    compat::begin_child("found", {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(between_entries)});
    for (int index = 0; index < static_cast<int>(found_.size()); ++index)
        if (draw_entry(ui, index)) choose(index);
    ImGui::PopStyleVar();
    if (found_.empty()) note(ui, "No matches.");
    ImGui::EndChild();
    scrolls_to_it_ = false;
    if (chosen)
        open_ = false;
    else if (typing.by_typing)  // nothing to choose: other words may match
        field_.take_focus();
    return chosen;
}

}  // namespace ropewalk
