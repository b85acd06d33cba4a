#include "app/window/cards/finder.h"

#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {

void Finder::open(std::vector<PaletteEntry> entries, std::string current, Answers answers) {
    entries_ = std::move(entries);
    own_entries_ = entries_.size();
    current_ = std::move(current);
    answers_ = std::move(answers);
    words_.clear();
    find();
    for (int index = 0; index < static_cast<int>(entries_.size()); ++index)
        if (is_current(index)) at_ = index;
    open_ = wants_focus_ = true;
}

void Finder::find() {
    entries_.resize(own_entries_);
    std::vector<Findable> all;
    for (const PaletteEntry& each : entries_)
        all.push_back({each.title, each.about + " " + each.id + " " + each.also, !each.also.empty(), each.enabled});
    found_ = find_words(all, words_);
    if (answers_) {
        std::vector<PaletteEntry> answers = answers_(words_);
        std::vector<int> places(answers.size());
        std::iota(places.begin(), places.end(), static_cast<int>(own_entries_));
        found_.insert(found_.begin(), places.begin(), places.end());
        entries_.insert(entries_.end(), std::make_move_iterator(answers.begin()),
                        std::make_move_iterator(answers.end()));
    }
    select(found_.empty() ? -1 : found_.front());
}

Finder::Typing Finder::draw_field(Ui& ui, const Card& card) {
    if (std::exchange(wants_focus_, false)) ui.interaction.wants_editing = field_id_;
    const std::string before = words_;
    const WidgetState typing = text_input(ui, {.id = field_id_, .label = ""}, words_, "Type to search");
    if (ui.interaction.editing == field_id_) words_ = ui.interaction.text;
    if (words_ != before) find();
    const bool by_typing = typing.left_by == Key::enter;
    return {.is_left = card.clicked_outside() || typing.left_by == Key::escape || ui.take_key(Key::escape),
            .is_entered = by_typing || ui.take_key(Key::enter),
            .by_typing = by_typing};
}

Finder::Area Finder::draw_area(Ui& ui, int index, double width, double height) {
    const Point at = compat::point(ImGui::GetCursorScreenPos());
    const Rect rect{at.x, at.y, width, height};
    ImGui::PushID(index);
    const bool clicked = compat::invisible_button("entry", compat::vector({width, height}));
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    if (hovered && (moved.x != 0 || moved.y != 0)) at_ = index;
    const double top = static_cast<double>(ImGui::GetWindowPos().y),
                 bottom = top + static_cast<double>(ImGui::GetWindowHeight());
    if (index == at_ && scrolls_to_it_ && (rect.y < top || rect.bottom() > bottom)) ImGui::SetScrollHereY();
    ui.registry.add({entry(index).id, entry(index).title, rect, index == at_ ? "on" : "", middle_is_in_sight(rect)});
    return {rect, clicked, hovered};
}

}  // namespace ropewalk
