#include "app/window/cards/palette.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr double palette_width = 620, palette_height = 640, finding_height = 400, padding = 10, title_line = 19,
                 about_line = 16, between_entries = 2, around_entries = 90, beside_entries = 32;  // logical pixels
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

void Palette::open(std::string title, std::vector<PaletteEntry> entries, std::string current, Answers answers) {
    title_ = std::move(title);
    Finder::open(std::move(entries), std::move(current), std::move(answers));
}

void Palette::take_keys(Ui& ui) {
    for (const auto& [key, step] :
         {std::pair{Key::up, -1}, {Key::down, 1}, {Key::page_up, -entries_a_page}, {Key::page_down, entries_a_page}}) {
        if (!ui.take_key_at_all(key) || found_.empty()) continue;
        const auto place = std::find(found_.begin(), found_.end(), at_) - found_.begin() + step;
        select(found_[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, std::ssize(found_) - 1))]);
    }
}

bool Palette::draw_entry(Ui& ui, int index) {
    const PaletteEntry& shown = entry(index);
    const Theme& theme = *ui.theme;
    const double width = static_cast<double>(ImGui::GetContentRegionAvail().x);
    const std::vector<std::string> lines = about_lines(shown, width / ui.scale);
    const auto [rect, clicked, hovered] = draw_area(ui, index, width, std::round(ui.px(height_with(lines))));
    if (index == at_) fill(ui, rect, theme.control_hovered);
    if (is_current(index)) fill(ui, {rect.x, rect.y + ui.px(6), ui.px(3), rect.height - ui.px(12)}, theme.accent, 1.5);
    const double left = rect.x + ui.px(padding);
    const Rect first_line{left, rect.y + ui.px(5), rect.width - ui.px(2 * padding), ui.px(title_line)};
    text_in(ui, first_line, shown.title, shown.enabled || shown.id.empty() ? theme.text : theme.text_faint,
            Align::start, Weight::semibold);
    text_in(ui, first_line, shown.keys, theme.text_dim, Align::end);
    lines_in(ui, {left, rect.y + ui.px(5 + title_line), 0, ui.px(about_line)}, lines, theme.text_dim, Align::start);
    return clicked;
}

std::optional<std::string> Palette::draw(Ui& ui, const Rect& area) {
    if (!is_open()) return std::nullopt;
    const double width = std::min<double>(ui.px(palette_width), area.width);
    double needed = around_entries;  // of all entries, so that the card does not shrink during typing
    for (const PaletteEntry& each : std::span(entries_).first(own_entries()))
        needed += height_with(about_lines(each, width / ui.scale - beside_entries)) + between_entries;
    const double height =
        std::min<double>(ui.px(std::min(needed, has_answers() ? finding_height : palette_height)), area.height);
    const double x = has_answers() ? area.right() - std::round(width) : area.x;
    const Card card(ui, "palette", {x, area.y, std::max(1.0, std::round(width)), std::max(1.0, std::round(height))},
                    has_answers() ? 0.12 : Card::usual_dimming);
    section(ui, title_);
    const Typing typing = draw_field(ui, card);
    take_keys(ui);
    std::optional<std::string> chosen;
    const auto choose = [&](int index) {
        if (entry(index).enabled) chosen = entry(index).id;
    };
    if (typing.is_entered && at_ >= 0) choose(at_);
    if (typing.is_left) close();
    ImGui::Dummy({0, ui.px(2)});
    compat::begin_child("found", {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(between_entries)});
    for (const int index : found_)
        if (draw_entry(ui, index)) choose(index);
    ImGui::PopStyleVar();
    if (found_.empty()) note(ui, "No matches.");
    ImGui::EndChild();
    scrolls_to_it_ = false;
    if (chosen)
        close();
    else if (typing.by_typing)  // nothing to choose: other words may match
        focus_field();
    return chosen;
}

}  // namespace ropewalk
