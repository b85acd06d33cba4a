#include "app/window/scene_list.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/window/row.h"

namespace ropewalk {
namespace {

constexpr double card_width = 620, card_height = 920, padding = 10, title_line = 19, about_line = 16;

}  // namespace

void SceneList::open(std::span<const SceneEntry> entries, const std::string& present) {
    entries_.assign(entries.begin(), entries.end());
    present_ = present;
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const SceneEntry& entry) { return entry.name == present; });
    at_ = found == entries_.end() ? 0 : static_cast<int>(found - entries_.begin());
    open_ = scrolls_to_it_ = true;
}

void SceneList::take_keys(Ui& ui) {
    const int last = static_cast<int>(entries_.size()) - 1;
    for (const auto& [key, step] : {std::pair{Key::up, -1}, {Key::down, 1}, {Key::page_up, -5}, {Key::page_down, 5}})
        if (ui.take_key(key)) at_ = std::clamp(at_ + step, 0, last), scrolls_to_it_ = true;
}

bool SceneList::draw_entry(Ui& ui, int index) {
    const SceneEntry& entry = entries_[static_cast<std::size_t>(index)];
    const double width = static_cast<double>(ImGui::GetContentRegionAvail().x);
    const auto lines = wrapped(entry.about, width / ui.scale - 2 * padding, text_size, Weight::regular);
    const double height = std::round(ui.px(10 + title_line + about_line * static_cast<double>(lines.size())));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(index);
    const bool clicked = ImGui::InvisibleButton("scene", compat::vector({width, height}));
    ImGui::PopID();
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) at_ = index;
    const Rect rect =
        rect_of(at, compat::vector({static_cast<double>(at.x) + width, static_cast<double>(at.y) + height}));
    if (index == at_) {
        fill(ui, rect, ui.theme->control_hovered);
        const double top = static_cast<double>(ImGui::GetWindowPos().y),
                     bottom = top + static_cast<double>(ImGui::GetWindowHeight());
        if (scrolls_to_it_ && (rect.y < top || rect.bottom() > bottom)) ImGui::SetScrollHereY();
    }
    if (entry.name == present_)
        fill(ui, {rect.x, rect.y + ui.px(6), ui.px(3), rect.height - ui.px(12)}, ui.theme->accent, 1.5);
    const double left = rect.x + ui.px(padding);
    text_in(ui, {left, rect.y + ui.px(5), 0, ui.px(title_line)}, entry.title, ui.theme->text, Align::start,
            Weight::semibold);
    double y = rect.y + ui.px(5 + title_line);
    for (const std::string& line : lines) {
        text_in(ui, {left, y, 0, ui.px(about_line)}, line, ui.theme->text_dim, Align::start);
        y += ui.px(about_line);
    }
    ui.registry.add({"scene." + entry.name, entry.title, rect, index == at_ ? "on" : "", middle_is_in_sight(rect)});
    return clicked;
}

std::optional<std::string> SceneList::draw(Ui& ui, const Rect& area) {
    if (!open_) return std::nullopt;
    take_keys(ui);
    std::optional<std::string> chosen;
    if (ui.take_key(Key::enter) && !entries_.empty()) chosen = entries_[static_cast<std::size_t>(at_)].name;
    const double width = std::min<double>(ui.px(card_width), area.width),
                 height = std::min<double>(ui.px(card_height), area.height);
    const Card card(ui, "scenes",
                    {area.x, area.y, std::max(1.0, std::round(width)), std::max(1.0, std::round(height))});
    section(ui, "Bundled scenes");
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2)});
    for (int index = 0; index < static_cast<int>(entries_.size()); ++index)
        if (draw_entry(ui, index)) chosen = entries_[static_cast<std::size_t>(index)].name;
    ImGui::PopStyleVar();
    scrolls_to_it_ = false;
    if (card.clicked_outside() || ui.take_key(Key::escape)) open_ = false;
    return chosen;
}

}  // namespace ropewalk
