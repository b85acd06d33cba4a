#include "app/window/widgets/ui.h"

#include <imgui.h>

#include <algorithm>

namespace ropewalk {

const RegisteredWidget* WidgetRegistry::find(std::string_view id_or_label) const {
    for (const auto name : {&RegisteredWidget::id, &RegisteredWidget::label}) {
        const auto found = std::find_if(widgets_.begin(), widgets_.end(),
                                        [&](const RegisteredWidget& widget) { return widget.*name == id_or_label; });
        if (found != widgets_.end()) return &*found;
    }
    return nullptr;
}

std::optional<KeyPress> Ui::take_key(Key key) {
    const auto found =
        std::find_if(input.keys.begin(), input.keys.end(), [&](const KeyPress& press) { return press.key == key; });
    if (found == input.keys.end()) return std::nullopt;
    const KeyPress press = *found;
    input.keys.erase(found);
    return press;
}

bool Ui::take_key_at_all(Key key) {
    const auto& typed = input.text_keys;
    return take_key(key) ||
           std::any_of(typed.begin(), typed.end(), [&](const KeyPress& press) { return press.is(key); });
}

bool middle_is_in_sight(const Rect& rect) {
    const ImVec2 middle{static_cast<float>(rect.centre().x), static_cast<float>(rect.centre().y)};
    return ImGui::IsRectVisible({middle.x - 1, middle.y - 1}, {middle.x + 1, middle.y + 1});
}

bool Ui::take_shortcut(Key key, Modifiers wanted) {
    const auto found = std::find_if(input.keys.begin(), input.keys.end(),
                                    [&](const KeyPress& press) { return press.is(key, wanted); });
    if (found == input.keys.end()) return false;
    input.keys.erase(found);
    return true;
}

void Ui::point_at(std::string_view id) {
    interaction.pointed_at = id;
    interaction.pointed_frame = ImGui::GetFrameCount();
}

bool Ui::letters_are_keys() const {
    return !ImGui::GetIO().WantTextInput &&
           !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

bool Ui::has_tab_from(std::string_view id) const {
    const auto all = registry.all_before();
    const auto own = std::find_if(all.begin(), all.end(), [&](const auto& widget) { return widget.id == id; });
    return own != all.end() && std::any_of(all.begin(), all.end(), [&](const RegisteredWidget& widget) {
               return widget.takes_focus && widget.layer == own->layer && widget.id != id;
           });
}

void Ui::move_focus(int direction) {
    int uppermost = 0;
    for (const RegisteredWidget& widget : registry.all()) uppermost = std::max(uppermost, widget.layer);
    std::vector<std::string> ids;
    for (const RegisteredWidget& widget : registry.all())
        if (widget.takes_focus && widget.layer == uppermost) ids.push_back(widget.id);
    if (ids.empty()) return;
    const auto count = static_cast<int>(ids.size());
    const auto now = std::find(ids.begin(), ids.end(), interaction.focused);
    const int next = now != ids.end() ? static_cast<int>(now - ids.begin()) + direction : direction > 0 ? 0 : -1;
    interaction.focused = interaction.comes_into_sight = ids[static_cast<std::size_t>((next + count) % count)];
    interaction.came_by_key = true;
}

bool Ui::gives_keys_to(std::string_view id) const {
    const bool is_pointed = interaction.pointed_frame >= ImGui::GetFrameCount() - 1 && !interaction.came_by_key;
    return is_pointed ? interaction.pointed_at == id : interaction.focused == id;
}

}  // namespace ropewalk
