// What the mouse does to the figure of a panel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/compat.h"
#include "app/window/figure_panel.h"

namespace ropewalk {
namespace {

constexpr double click_slack = 4;  // logical pixels that a click may move

ImVec2 extent(const Rect& rect) {
    return {static_cast<float>(std::max(1.0, rect.width)), static_cast<float>(std::max(1.0, rect.height))};
}

}  // namespace

void FigurePanel::interact(Ui& ui, Workbench& workbench, Figure& figure, const FigureInput& input) {
    View& view = workbench.view;
    const Rect& outer = frame_.outer;
    const Rect device{origin_.x + outer.x * ui.scale, origin_.y + outer.y * ui.scale, outer.width * ui.scale,
                      outer.height * ui.scale};
    ImGui::SetCursorScreenPos({static_cast<float>(device.x), static_cast<float>(device.y)});
    ImGui::InvisibleButton("plot", extent(device));
    ui.registry.add({.id = name_ + ".plot", .label = title_of(figure), .rect = device, .value = id_of(figure)});
    const ImGuiIO& io = ImGui::GetIO();
    const auto logical = [&](ImVec2 at) { return Point{(at.x - origin_.x) / ui.scale, (at.y - origin_.y) / ui.scale}; };
    const Point pointer = logical(io.MousePos);
    events_.is_pointed_at = ImGui::IsItemHovered();
    if (events_.is_pointed_at) ui.point_at("plot");
    const int seq_len = input.experiment().seq_len;

    if (drag_handle(workbench, handles_of(figure, input), pointer)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActivated()) {
        is_dragged_ = false;
        grasped_ = shown_part(figure);
    }
    if (ImGui::IsItemActive()) {
        const Point start = logical(io.MouseClickedPos[0]);
        const Point moved{pointer.x - start.x, pointer.y - start.y};
        is_dragged_ |= std::hypot(moved.x, moved.y) > click_slack;
        if (is_dragged_ && handle_.empty()) pan(figure, seq_len, moved);
    }
    const auto picked = events_.is_pointed_at && !is_dragged_ ? pick(figure, input, frame_, pointer) : std::nullopt;
    if (picked && !view.cursor_locked) view.cursor = *picked;
    if (ImGui::IsItemDeactivated()) {
        if (!is_dragged_ && picked) view.cursor = *picked, view.cursor_locked = !view.cursor_locked;
        is_dragged_ = false;
    }
    if (events_.is_pointed_at && frame_.plot.contains(pointer)) {
        if (io.MouseWheel != 0) zoom(figure, seq_len, pointer, io.MouseWheel);
        if (ImGui::IsMouseDoubleClicked(0)) show(figure, {});
    }
    events_.is_pointed_at = picked.has_value();
    if (picked || index_ == 0) {
        FigureInput now = input;
        now.cursor = view.cursor.clamped(input.experiment());
        events_.readout = readout(figure, now);
    }
}

bool FigurePanel::drag_handle(Workbench& workbench, std::span<const Handle> handles, Point pointer) {
    constexpr double reach = 6;  // logical pixels
    const auto near = std::find_if(handles.begin(), handles.end(), [&](const Handle& handle) {
        return std::abs(frame_.to_pixels(handle.at, 0).x - pointer.x) <= reach && frame_.plot.contains(pointer);
    });
    const bool is_near = near != handles.end() && ImGui::IsItemHovered();
    if (ImGui::IsItemActivated() && is_near) handle_ = near->path;
    if (ImGui::IsItemActive() && !handle_.empty()) {
        Experiment experiment = workbench.experiment();
        if (move_handle(experiment, handle_, frame_.x_at(pointer.x))) workbench.edit(experiment, Gesture::ongoing);
        is_dragged_ = true;
    }
    if (ImGui::IsItemDeactivated() && !handle_.empty()) {
        handle_.clear();
        workbench.end_gesture();
    }
    return is_near || !handle_.empty();
}

void FigurePanel::pan(Figure& figure, int seq_len, Point moved) const {
    if (!grasped_) return;
    const Part part = grasped_->within(seq_len);
    const auto by = [](double pixels, double length, const Stretch& stretch) {
        return -pixels / length * (stretch.high - stretch.low);
    };
    show(figure, {.rows = part.rows.shifted(by(moved.y, frame_.plot.height, part.rows), seq_len),
                  .columns = part.columns.shifted(by(moved.x, frame_.plot.width, part.columns), seq_len)});
}

void FigurePanel::zoom(Figure& figure, int seq_len, Point pointer, double wheel) const {
    const auto shown = shown_part(figure);
    if (!shown) return;
    const Part part = shown->within(seq_len);
    const double factor = std::pow(1.25, -wheel);
    show(figure, {.rows = part.rows.zoomed(frame_.y_at(pointer.y) + 0.5, factor, seq_len),
                  .columns = part.columns.zoomed(frame_.x_at(pointer.x) + 0.5, factor, seq_len)});
}

}  // namespace ropewalk
