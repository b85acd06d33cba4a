#include "app/window/cards/find_field.h"

#include <imgui.h>

#include <utility>

namespace ropewalk {

FindField::State FindField::draw(Ui& ui, const Card& card) {
    if (std::exchange(wants_focus_, false)) ui.interaction.wants_editing = id_;
    const std::string before = words_;
    const WidgetState typing = text_input(ui, {.id = id_, .label = "Find"}, words_, "Type to search");
    if (ui.interaction.editing == id_) words_ = ui.interaction.text;
    const bool by_typing = typing.left_by == Key::enter;
    return {.is_changed = words_ != before,
            .is_left = card.clicked_outside() || typing.left_by == Key::escape || ui.take_key(Key::escape),
            .is_entered = by_typing || ui.take_key(Key::enter),
            .by_typing = by_typing};
}

bool pointer_came() {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    return ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0);
}

void bring_into_sight(const Rect& rect) {
    const double top = static_cast<double>(ImGui::GetWindowPos().y),
                 bottom = top + static_cast<double>(ImGui::GetWindowHeight());
    if (rect.y < top || rect.bottom() > bottom) ImGui::SetScrollHereY();
}

}  // namespace ropewalk
