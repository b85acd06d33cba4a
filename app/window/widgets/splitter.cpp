#include "app/window/widgets/splitter.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {

SplitterState splitter(Ui& ui, const SplitterSpec& spec, double& fraction) {
    SplitterState state;
    const double gap = std::round(ui.px(spec.gap)), before = fraction;
    double shown = std::clamp(fraction, spec.min, spec.max);
    const double start = spec.vertical ? spec.area.x : spec.area.y;
    const double length = std::max(1.0, (spec.vertical ? spec.area.width : spec.area.height) - gap);
    const auto gap_rect = [&] {
        const double at = std::round(start + shown * length);
        return spec.vertical ? Rect{at, spec.area.y, gap, spec.area.height}
                             : Rect{spec.area.x, at, spec.area.width, gap};
    };

    const Rect handle = gap_rect();
    ImGui::SetCursorScreenPos(compat::vector({handle.x, handle.y}));
    ImGui::PushID(spec.id.data(), spec.id.data() + spec.id.size());
    compat::invisible_button("splitter", {std::max(1.0f, static_cast<float>(handle.width)),
                                          std::max(1.0f, static_cast<float>(handle.height))});
    ImGui::PopID();
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    const ImVec2 position = ImGui::GetIO().MousePos;
    const double mouse = static_cast<double>(spec.vertical ? position.x : position.y);
    if (ImGui::IsItemActivated()) ui.interaction.grab_offset = mouse - (spec.vertical ? handle.x : handle.y);
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        fraction = shown = spec.default_fraction;
    else if (held && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1))
        fraction = shown = std::clamp((mouse - ui.interaction.grab_offset - start) / length, spec.min, spec.max);
    state.changed = fraction != before;
    state.is_let_go = ImGui::IsItemDeactivated();

    const Rect line = gap_rect();
    if (hovered || held) {
        ImGui::SetMouseCursor(spec.vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        const double width = std::max(1.0f, std::round(ui.px(2)));
        fill(ui,
             spec.vertical ? Rect{std::round(line.centre().x - width / 2), line.y, width, line.height}
                           : Rect{line.x, std::round(line.centre().y - width / 2), line.width, width},
             held ? ui.theme->accent : ui.theme->control_active, 1);
    }
    ui.registry.add({std::string(spec.id), {}, line, {}, true});
    const Rect& area = spec.area;
    state.first = spec.vertical ? Rect{area.x, area.y, line.x - area.x, area.height}
                                : Rect{area.x, area.y, area.width, line.y - area.y};
    state.second = spec.vertical ? Rect{line.right(), area.y, area.right() - line.right(), area.height}
                                 : Rect{area.x, line.bottom(), area.width, area.bottom() - line.bottom()};
    return state;
}

}  // namespace ropewalk
