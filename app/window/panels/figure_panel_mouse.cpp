// Mouse actions on the figure of a panel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/panels/figure_panel.h"
#include "app/window/surface/compat.h"

namespace ropewalk {
namespace {

constexpr double click_slack = 4;  // logical pixels that a click may move

ImVec2 extent(const Rect& rect) {
    return {static_cast<float>(std::max(1.0, rect.width)), static_cast<float>(std::max(1.0, rect.height))};
}

}  // namespace

Rect FigurePanel::on_screen(const Ui& ui, const Rect& rect) const {
    return {origin_.x + rect.x * ui.scale, origin_.y + rect.y * ui.scale, rect.width * ui.scale,
            rect.height * ui.scale};
}

void FigurePanel::follow_drawing(Session& session, const FigureInput& input, const Needs& needs) {
    if (!drawing_->has_begun) return;
    if (proposal_ && proposal_->when == Proposal::When::drawn) {
        session.document.edit(proposal_->experiment, Gesture::ongoing);
        proposal_.reset();
    }
    const bool is_known = (answers(input.results, needs) && !input.results.coarse) || !session.complaint().empty();
    if (!drawing_->is_over || !is_known) return;
    session.document.end_gesture();
    if (!drawing_->frame.empty()) was_drawn_on_ = drawing_->frame;
    drawing_.reset();
}

void FigurePanel::begin_drawing(Session& session, const Figure& figure, Point pointer) {
    if (!draws_at(figure, frame_, pointer)) return;
    if (drawing_) session.document.end_gesture();  // the consequences of the previous drawing are not awaited
    drawing_ = OngoingDrawing{.before = figure,
                              .frame = frame_,
                              .brush = ImGui::IsMouseClicked(ImGuiMouseButton_Right) ? Brush::erase : Brush::draw,
                              .start = pointer,
                              .last = pointer};
}

bool FigurePanel::follow_brush(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer) {
    if (!drawing_ || drawing_->is_over) return false;
    // The right button erases at once; a press of the left one may still become a click.
    const bool has_moved = std::hypot(pointer.x - drawing_->start.x, pointer.y - drawing_->start.y) > click_slack;
    const bool begins = !drawing_->has_begun && (drawing_->brush == Brush::erase || has_moved);
    is_dragged_ |= begins;
    if (begins || (drawing_->has_begun && !(pointer == drawing_->last))) move_brush(session, figure, input, pointer);
    if (!ImGui::IsItemActive()) {
        drawing_->is_over = true;
        if (!drawing_->has_begun) drawing_.reset();
        ui.wake_after = 0;
    }
    return true;
}

void FigurePanel::move_brush(Session& session, Figure& figure, const FigureInput& input, Point pointer) {
    drawing_->has_begun = true;
    Experiment experiment = session.document.experiment();
    draw_with(figure,
              {.brush = drawing_->brush,
               .start = drawing_->start,
               .from = std::exchange(drawing_->last, pointer),
               .to = pointer},
              drawing_->frame, input, experiment);  // the frame at the beginning, because labels may have changed since
    session.document.draw({index_, drawing_->before, figure}, experiment, Gesture::ongoing);
}

bool FigurePanel::follow_chips(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer) {
    const auto chip = std::find_if(frame_.chips.begin(), frame_.chips.end(),
                                   [&](const Rect& rect) { return rect.width > 0 && rect.contains(pointer); });
    const auto here = static_cast<std::size_t>(chip - frame_.chips.begin());
    const bool is_elsewhere = ImGui::IsItemActive() || ImGui::IsItemDeactivated();  // a drag may end on a chip
    const bool is_on_chip = chip != frame_.chips.end() && events_.is_pointed_at && (pressed_chip_ || !is_elsewhere);
    if (ImGui::IsItemActivated() && chip != frame_.chips.end()) pressed_chip_ = here;
    const auto pressed = pressed_chip_;
    const bool is_released = ImGui::IsItemDeactivated();
    if (is_released) pressed_chip_.reset();
    if (!is_on_chip && !pressed) return false;
    events_.is_pointed_at = false;
    if (chip == frame_.chips.end()) return true;  // pressed there and moved away
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tooltip(ui, fmt::format("{}.chip{}", name_, here),
            {.title = "Pinned", .text = pin_text(figure, input, here), .range = "Click to remove it."},
            on_screen(ui, *chip));
    if (is_released && pressed == here) {
        const Figure before = figure;
        unpin(figure, here);
        session.document.draw({index_, before, figure, "Unpin"}, session.document.experiment(), Gesture::complete);
    }
    return true;
}

void FigurePanel::show_tooltip(Ui& ui, Point pointer) const {
    const auto last = std::find_if(explanations_.rbegin(), explanations_.rend(),
                                   [&](const Explanation& each) { return each.rect.contains(pointer); });
    if (last == explanations_.rend()) return;
    tooltip(ui, fmt::format("{}.explanation{}", name_, explanations_.rend() - last),
            {.title = last->title, .text = last->text}, on_screen(ui, last->rect));
}

void FigurePanel::interact(Ui& ui, Session& session, Figure& figure, const FigureInput& input) {
    View& view = session.document.view;
    const Rect device = on_screen(ui, frame_.outer);
    ImGui::SetCursorScreenPos({static_cast<float>(device.x), static_cast<float>(device.y)});
    compat::invisible_button("plot", extent(device),
                             takes_brush(figure) ? ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight
                                                 : ImGuiButtonFlags_MouseButtonLeft);
    ui.registry.add({.id = name_ + ".plot", .label = title_of(figure), .rect = device, .value = id_of(figure)});
    const ImGuiIO& io = ImGui::GetIO();
    const auto logical = [&](ImVec2 at) { return Point{(at.x - origin_.x) / ui.scale, (at.y - origin_.y) / ui.scale}; };
    const Point pointer = logical(io.MousePos);
    events_.is_pointed_at = ImGui::IsItemHovered();
    if (events_.is_pointed_at) ui.point_at("plot");
    const int seq_len = input.experiment().seq_len;

    for (std::size_t i = 0; i < frame_.chips.size(); ++i)
        ui.registry.add({.id = fmt::format("{}.chip{}", name_, i),
                         .label = "",
                         .rect = on_screen(ui, frame_.chips[i]),
                         .value = pin_text(figure, input, i)});
    if (follow_chips(ui, session, figure, input, pointer)) return;
    if (ImGui::IsWindowHovered()) show_tooltip(ui, pointer);  // legends are outside the plots
    const bool is_drawing = drawing_ && !drawing_->is_over;
    if (is_drawing || (events_.is_pointed_at && draws_at(figure, frame_, pointer)))
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    if (ImGui::IsItemActivated()) {
        is_dragged_ = false;
        pressed_ = pointer;
        grasped_ = shown_part(figure);
        if (!(session.document.reference() && ui.modifiers.shift)) begin_drawing(session, figure, pointer);
    }
    if (!follow_brush(ui, session, figure, input, pointer) && ImGui::IsItemActive()) {
        const Point start = logical(io.MouseClickedPos[0]);
        const Point moved{pointer.x - start.x, pointer.y - start.y};
        is_dragged_ |= std::hypot(moved.x, moved.y) > click_slack;
        if (is_dragged_ && !handle_) pan(figure, seq_len, moved);
    }
    const bool held_handle = handle_.has_value();  // it is released below
    drag_handle(ui, session, figure, input, pointer);
    events_.changes_head |= is_drawing || draws_at(figure, frame_, pointer);
    // If nothing else is dragged, the cursor is.
    const bool is_held = ImGui::IsItemActive() || ImGui::IsItemDeactivated(),
               scrubs = is_held && scrubs_at(figure, input, frame_, pressed_),
               drags_cursor =
                   (is_dragged_ || scrubs) && is_held && !grasped_ && !held_handle && !handle_ && !is_drawing;
    const Point dragged = scrubs ? Point{pointer.x, pressed_.y} : within_plot(pointer);
    const auto picked = drags_cursor                                            ? pick(figure, input, frame_, dragged)
                        : events_.is_pointed_at && (!is_dragged_ || is_drawing) ? pick(figure, input, frame_, pointer)
                                                                                : std::nullopt;
    if (picked && (!view.cursor_locked || drags_cursor)) view.cursor = *picked;
    if (ImGui::IsItemDeactivated()) {
        if (scrubs)
            view.cursor_locked = true;
        else if (!is_dragged_ && picked && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
            view.cursor = *picked, view.cursor_locked = !view.cursor_locked;
        is_dragged_ = false;
    }
    if (events_.is_pointed_at && frame_.plot.contains(pointer)) {
        if (io.MouseWheel != 0) zoom(figure, seq_len, pointer, io.MouseWheel);
        if (ImGui::IsMouseDoubleClicked(0)) show(figure, {});
    }
    events_.is_pointed_at = picked || (events_.is_pointed_at && draws_at(figure, frame_, pointer));
    if (events_.is_pointed_at || index_ == 0) {
        FigureInput now = input;
        if (!ui.plays_distance) now.cursor = view.cursor.clamped(input.experiment());
        events_.readout = readout(figure, now);
    }
}

Point FigurePanel::within_plot(Point pointer) const {
    const auto into = [&](const Rect& plot) {  // excludes the plot's right and lower edge
        return Point{std::clamp(pointer.x, plot.x, std::nextafter(plot.right(), plot.x)),
                     std::clamp(pointer.y, plot.y, std::nextafter(plot.bottom(), plot.y))};
    };
    for (const Frame& frame : frame_.above)
        if (frame.plot.contains(pressed_)) return into(frame.plot);
    return frame_.plot.contains(pressed_) ? into(frame_.plot) : pointer;
}

void FigurePanel::drag_handle(Ui& ui, Session& session, Figure& figure, const FigureInput& input, Point pointer) {
    constexpr double reach = 6;  // logical pixels
    const std::vector<Handle> handles = input.has_handles ? handles_of(figure, input) : std::vector<Handle>{};
    const Handle* near = nullptr;
    double offset = reach;  // of the pointer from the nearest line
    for (const Handle& handle : handles) {
        const auto place = place_of(handle.mark, frame_);
        if (!place) continue;
        const bool is_up = handle.mark.way == Mark::Way::up;
        const Rect& plot = frame_.plot;
        const Rect line = is_up ? Rect{*place - 1, plot.y, 2, plot.height} : Rect{plot.x, *place - 1, plot.width, 2};
        ui.registry.add({.id = fmt::format("{}.handle.{}", name_, handle.path),
                         .label = handle.mark.label,
                         .rect = on_screen(ui, line),
                         .value = fmt::format("{}", handle.mark.at)});
        const double from_line = (is_up ? pointer.x : pointer.y) - *place;
        const auto grip = grip_of(handle.mark, frame_);
        const bool is_reachable = plot.contains(pointer) || (grip && grip->contains(pointer));
        if (is_reachable && std::abs(from_line) <= std::abs(offset)) near = &handle, offset = from_line;
    }
    if (!ImGui::IsItemHovered()) near = nullptr;
    if (ImGui::IsItemActivated())
        handle_ = near ? std::optional(HeldHandle{near->path, offset, frame_, figure}) : std::nullopt;
    const auto held = std::find_if(handles.begin(), handles.end(),
                                   [&](const Handle& handle) { return handle_ && handle.path == handle_->path; });
    if (handle_ && !(handle_->frame.outer == frame_.outer)) handle_->frame = frame_;  // the window was resized
    if (ImGui::IsItemActive() && is_dragged_ && held != handles.end()) {
        const Frame& frame = handle_->frame;
        const Rect reachable = frame.plot.inset(1);  // so that it stays visible even if the value is rounded
        const double across = std::clamp(pointer.x - handle_->offset, reachable.x, reachable.right()),
                     down = std::clamp(pointer.y - handle_->offset, reachable.y, reachable.bottom());
        const double at = held->mark.way == Mark::Way::up ? frame.x_at(across) : frame.y_at(down);
        Experiment experiment = session.document.experiment();
        Figure moved = figure;
        if (move_handle(*held, at, experiment, ChoiceRef(moved).fields()) && !check(moved)) {
            if (held->owner == Handle::Owner::figure) {
                figure = std::move(moved);
                session.document.draw({index_, handle_->before, figure}, experiment, Gesture::ongoing);
            } else {
                session.document.edit(experiment, Gesture::ongoing);
            }
        }
    }
    if (const Handle* shown = held != handles.end() ? &*held : near) {
        events_.changes_head = true;
        const bool is_up = shown->mark.way == Mark::Way::up;
        ImGui::SetMouseCursor(is_up ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
        const auto knob = grip_of(shown->mark, frame_);
        if (!handle_ && knob && knob->contains(pointer))
            tooltip(ui, fmt::format("{}.handle.{}", name_, shown->path),
                    {.title = shown->mark.label, .text = "Drag the line to change it."},
                    on_screen(ui, {pointer.x - 1, pointer.y - 1, 2, 2}));
    }
    if (ImGui::IsItemDeactivated() && handle_) {
        handle_.reset();
        session.document.end_gesture();
    }
}

void FigurePanel::pan(Figure& figure, int seq_len, Point moved) const {
    if (!grasped_) return;
    const Part part = grasped_->within(seq_len);
    const auto by = [](double pixels, double length, const TokenRange& tokens_shown) {
        return -pixels / length * (tokens_shown.high - tokens_shown.low);
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
