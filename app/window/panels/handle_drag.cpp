#include "app/window/panels/handle_drag.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

bool is_upright(const Handle& handle) {
    return handle.mark.way == Mark::Way::up;
}

std::string id_of_handle(const PanelContext& panel, const Handle& handle) {
    return panel.id("handle." + handle.path);
}

/// Returns the plots that a line crosses.
std::vector<const Frame*> plots_crossed(const Handle& handle, const Frame& frame) {
    const auto range = [&](const Frame& plot) {
        const Axis& axis = is_upright(handle) ? plot.x : plot.y;
        return std::tuple(axis.low, axis.high, axis.scale);
    };
    std::vector<const Frame*> plots{&frame};
    for (const Frame& above : frame.above)
        if (handle.crosses_all && range(above) == range(frame)) plots.push_back(&above);
    return plots;
}

}  // namespace

HandleDrag::Near HandleDrag::find_near(const PanelContext& panel, const Frame& frame,
                                       const std::vector<Handle>& handles) {
    constexpr double reach = 6;  // logical pixels
    const Point pointer = panel.pointer();
    Near near{.offset = reach};
    for (const Handle& handle : handles) {
        const bool is_up = is_upright(handle);
        for (const Frame* const crossed : plots_crossed(handle, frame)) {
            const Rect& plot = crossed->plot;
            const auto place = place_of(handle.mark, *crossed);
            if (!place) continue;
            const Rect line =
                is_up ? Rect{*place - 1, plot.y, 2, plot.height} : Rect{plot.x, *place - 1, plot.width, 2};
            panel.ui.registry.add({.id = id_of_handle(panel, handle) + (crossed == &frame ? "" : ".above"),
                                   .label = handle.mark.label,
                                   .rect = panel.on_screen(line),
                                   .value = fmt::format("{}", handle.mark.at)});
            const double from_line = (is_up ? pointer.x : pointer.y) - *place;
            const auto grip = grip_of(handle.mark, *crossed);
            const bool is_reachable = plot.inset(-reach).contains(pointer) || (grip && grip->contains(pointer));
            if (is_reachable && std::abs(from_line) <= std::abs(near.offset)) near = {&handle, crossed, from_line};
        }
    }
    return ImGui::IsItemHovered() ? near : Near{};
}

bool HandleDrag::follow(const PanelContext& panel, const DrawnFigure& drawn, bool has_moved) {
    const auto& [input, frame] = drawn;
    const std::vector<Handle> handles = input.has_handles ? handles_of(panel.figure(), input) : std::vector<Handle>{};
    const Near near = find_near(panel, frame, handles);
    if (ImGui::IsItemActivated())
        held_ = near.handle
                    ? std::optional(Held{near.handle->path, near.offset, *near.plot, frame.outer, panel.figure()})
                    : std::nullopt;
    const auto found = std::find_if(handles.begin(), handles.end(),
                                    [&](const Handle& handle) { return held_ && handle.path == held_->path; });
    const Handle* shown = found != handles.end() ? &*found : near.handle;
    if (held_ && !(held_->outer == frame.outer))
        held_->frame = frame, held_->outer = frame.outer;  // the window was resized
    if (ImGui::IsItemActive() && has_moved && found != handles.end()) move(panel, *found);
    if (shown) {
        ImGui::SetMouseCursor(is_upright(*shown) ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        const std::vector<const Frame*> plots = plots_crossed(*shown, frame);
        const Point pointer = panel.pointer();
        const bool is_on_knob = std::ranges::any_of(plots, [&](const Frame* plot) {
            const auto knob = grip_of(shown->mark, *plot);
            return knob && knob->contains(pointer);
        });
        if (!held_ && is_on_knob)
            tooltip(panel.ui, id_of_handle(panel, *shown),
                    {.title = shown->mark.label, .text = "Drag the line to change it."},
                    panel.on_screen({pointer.x - 1, pointer.y - 1, 2, 2}));
    }
    if (ImGui::IsItemDeactivated() && held_) {
        held_.reset();
        panel.session.document.end_gesture();
    }
    return shown != nullptr;
}

void HandleDrag::move(const PanelContext& panel, const Handle& handle) const {
    const Point pointer = panel.pointer();
    const Frame& frame = held_->frame;
    const Rect reachable = frame.plot.inset(1);  // so that it stays visible even if the value is rounded
    const double across = std::clamp(pointer.x - held_->offset, reachable.x, reachable.right()),
                 down = std::clamp(pointer.y - held_->offset, reachable.y, reachable.bottom()),
                 at = is_upright(handle) ? frame.x_at(across) : frame.y_at(down);
    Document& document = panel.session.document;
    Experiment experiment = document.experiment();
    Figure moved = panel.figure();
    if (!move_handle(handle, at, experiment, ChoiceRef(moved).fields()) || check(moved)) return;
    if (handle.owner == Handle::Owner::figure) {
        panel.figure() = moved;
        document.draw({panel.index, held_->before, std::move(moved)}, experiment, Gesture::ongoing);
    } else {
        document.edit(experiment, Gesture::ongoing);
    }
}

}  // namespace ropewalk
