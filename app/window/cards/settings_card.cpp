#include "app/window/cards/settings_card.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double settings_width = 460, settings_height = 276, label_width = 156;  // logical pixels
constexpr std::array<std::string_view, 6> settings_shown{"settings.theme",   "settings.text_size",
                                                         "settings.formula", "settings.reduced_motion",
                                                         "settings.backend", "settings.desktop_dialogs"};

}  // namespace

void SettingsCard::draw(Ui& ui, Preferences& preferences, const Rect& area) {
    if (!is_open_) return;
    const Card card(ui, "settings", in_the_middle(area, ui.px(settings_width), ui.px(settings_height)));
    section(ui, "Settings");
    const double usual_label_width = std::exchange(ui.label_width, label_width);
    Preferences edited = edited_.value_or(preferences);
    const ControlsState state = group_controls(ui, edited, Preferences{}, "settings.", [](std::string_view path) {
        return std::find(settings_shown.begin(), settings_shown.end(), path) != settings_shown.end();
    });
    ui.label_width = usual_label_width;
    if (state.held)
        edited_ = edited;
    else
        preferences = edited, edited_.reset();
    ImGui::Dummy({0, ui.px(4)});
    const bool is_done = button(ui, {.id = "settings.close", .label = "Close"}, ButtonLook::chosen);
    if (is_done || card.clicked_outside() || ui.take_key(Key::escape)) close(), edited_.reset();
}

}  // namespace ropewalk
