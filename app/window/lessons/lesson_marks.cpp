#include "app/window/lessons/lesson_marks.h"

#include <algorithm>
#include <cmath>

#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {

void draw_cross(const Ui& ui, Point middle, Color color, double size) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double reach = 0.26 * size * ui.scale;
    for (const double way : {-1.0, 1.0})
        list.AddLine(compat::vector({middle.x - reach, middle.y - way * reach}),
                     compat::vector({middle.x + reach, middle.y + way * reach}), compat::color(color), ui.px(1.8));
}

Color right_color(const Theme& theme) {
    return theme.series[2];
}

void skip_down(const Ui& ui, double logical) {
    ImGui::Dummy({0, std::round(ui.px(logical))});
}

ClickArea clickable(const std::string& id, double width, double height) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = compat::vector({std::max(1.0, width), std::max(1.0, height)});
    const bool clicked = compat::invisible_button(id.c_str(), size);
    return {rect_of(at, {at.x + size.x, at.y + size.y}), clicked, ImGui::IsItemHovered()};
}

double room_across(const Ui& ui) {
    return std::floor(static_cast<double>(ImGui::GetWindowWidth()) / ui.scale);
}

}  // namespace ropewalk
