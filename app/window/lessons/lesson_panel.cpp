#include "app/window/lessons/lesson_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/fonts.h"
#include "app/window/lessons/lesson_marks.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/splitter.h"

namespace ropewalk {
namespace {

// All lengths are in logical pixels.
constexpr double panel_width = 380, panel_gap = 8, min_beside = 640, min_presented = 340, dot_pitch = 14;
constexpr double min_focused = 360, max_focused = 520, focused_share = 0.33, min_figures = 440;  // of a focused lesson

}  // namespace

std::string LessonPanel::place() const {
    const Lesson* lesson = tutor_.lesson();
    if (!lesson) return "list";
    return fmt::format("{}/{}{}", lesson->id, tutor_.step_index(), tutor_.has_other_scene() ? "/elsewhere" : "");
}

std::string LessonPanel::lit_figure() const {
    return tutor_.is_pointing() ? tutor_.step().pointer.figure : std::string();
}

std::string LessonPanel::pointed_control() const {
    return tutor_.is_pointing() ? tutor_.step().pointer.control : std::string();
}

bool LessonPanel::is_focused(const Ui& ui, const Rect& room) const {
    return tutor_.is_open() && !explores_ && !tutor_.has_other_scene() &&
           room.width >= ui.px(min_focused + min_figures);
}

Rect LessonPanel::draw_focused(Ui& ui, const Rect& room) {
    const double width =
        std::round(std::clamp(focused_share * room.width, 1.0 * ui.px(min_focused), 1.0 * ui.px(max_focused)));
    draw(ui, {room.x, room.y, width, room.height}, Ground::window);
    return {room.x + width, room.y, room.width - width, room.height};
}

std::string LessonPanel::control_of_step() const {
    return tutor_.lesson() ? tutor_.step().pointer.control : std::string();
}

Rect LessonPanel::draw_beside(Ui& ui, const Rect& room, Surroundings surroundings, double foot) {
    const double min = surroundings == Surroundings::controls ? min_beside : min_presented;
    if (!tutor_.is_open()) shown_.clear();  // it opens at the top
    if (!tutor_.is_open()) return room;
    const double width = std::round(ui.px(panel_width)), gap = std::round(ui.px(panel_gap));
    if (room.width < ui.px(panel_width + panel_gap + min)) {
        if (surroundings == Surroundings::controls) return room;
        constexpr double share = 0.45;  // below the figures
        const double height = std::round(share * room.height);
        draw(ui, {room.x, room.bottom() - height, std::max(1.0, room.width), std::max(1.0, height)}, Ground::card);
        return {room.x, room.y, room.width, std::max(1.0, room.height - height - gap)};
    }
    draw(ui, {room.x, room.y, width, std::max(1.0, room.height - foot)}, Ground::card);
    return {room.x + width + gap, room.y, room.width - width - gap, room.height};
}

Rect LessonPanel::draw_above(Ui& ui, const Rect& column, double room) {
    if (!tutor_.is_open() || room >= ui.px(panel_width + panel_gap + min_beside)) return column;
    const SplitterState split = splitter(ui,
                                         {.id = "split.lesson",
                                          .vertical = false,
                                          .area = column,
                                          .default_fraction = usual_above,
                                          .min = 0.25,
                                          .max = 0.85},
                                         above_);
    draw(ui, split.first, Ground::card);
    return split.second;
}

void LessonPanel::draw_ring(Ui& ui, const Rect& sidebar) const {
    const std::string path = pointed_control();
    const RegisteredWidget* widget = path.empty() ? nullptr : ui.registry.find(path);
    if (!widget) return;
    const Rect ring = ring_around(ui, widget->with_label(), sidebar);
    ui.registry.add({"lesson.ring", {}, ring, path, true});
}

void LessonPanel::bring_into_sight(const Ui& ui) {
    if (!tutor_.is_pointing()) return;
    const std::string now = place();
    if (pointed_ == now) return;
    const RegisteredWidget* widget = ui.registry.find(tutor_.step().pointer.control);
    if (!widget) return;
    pointed_ = now;
    const double top = static_cast<double>(ImGui::GetWindowPos().y),
                 height = static_cast<double>(ImGui::GetWindowHeight());
    if (widget->rect.y < top + ui.px(8) || widget->rect.bottom() > top + height - ui.px(8))
        ImGui::SetScrollFromPosY(static_cast<float>(widget->rect.y - top), 0.4f);
}

void LessonPanel::draw(Ui& ui, const Rect& card, Ground ground) {
    constexpr double wide = 440, low = 640;  // logical pixels
    size_ = card.width >= ui.px(wide) ? 17 : 16;
    is_dense_ = card.height < ui.px(low);
    const double header_room = is_dense_ ? 42 : 52, footer_height = is_dense_ ? 44 : 64;
    if (ground == Ground::card) panel_background(ui, card);
    const Color behind = ground == Ground::card ? ui.theme->panel : ui.theme->window;
    ImGui::PushID("lesson");
    draw_header(ui, card);
    const bool has_step = tutor_.lesson() != nullptr;
    const double left = card.x + ui.px(side_padding), bottom = card.bottom() - ui.px(has_step ? footer_height : 6);
    double top = card.y + ui.px(header_room);
    if (has_step) top += draw_title(ui, {left, top}, std::floor((card.right() - left) / ui.scale) - side_padding);
    ImGui::SetCursorScreenPos(compat::vector({left, top}));
    // A scroll bar is in the margin, so that the lines keep their width.
    compat::begin_child(has_step ? "step" : "list",
                        compat::vector({card.right() - left - ui.px(3), std::max(1.0, bottom - top)}));
    const std::string now = place();
    const float text_width = ImGui::GetWindowWidth();
    is_laid_out_again_ = ImGui::IsWindowAppearing() || text_width != std::exchange(text_width_, text_width);
    if (shown_ != now) ui.interaction.pinned.clear();
    if (shown_ != now)
        ImGui::SetScrollY(0);
    else if (ImGui::IsWindowAppearing())  // in another place, as when a presentation begins or ends
        ImGui::SetScrollY(scroll_ * static_cast<float>(ui.scale));
    else
        scroll_ = ImGui::GetScrollY() / static_cast<float>(ui.scale);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    if (has_step)
        draw_step(ui);
    else
        draw_list(ui);
    ImGui::PopStyleVar();
    const ImU32 clear = compat::color(behind.with_alpha(0)), solid = compat::color(behind);
    const auto fade = [&](double from, double to, ImU32 upper, ImU32 lower) {
        ImGui::GetWindowDrawList()->AddRectFilledMultiColor(compat::vector({card.x + 1, from}),
                                                            compat::vector({card.right() - ui.px(14), to}), upper,
                                                            upper, lower, lower);
    };
    if (ImGui::GetScrollY() > 1) fade(top, top + ui.px(fade_above), solid, clear);  // more text above
    if (ImGui::GetScrollY() < ImGui::GetScrollMaxY() - 1)
        fade(bottom - ui.px(fade_below), bottom, clear, solid);  // and below
    ImGui::EndChild();
    shown_ = now;
    if (has_step) draw_footer(ui, {card.x, bottom, card.width, card.bottom() - bottom});
    ImGui::PopID();
}

void LessonPanel::draw_header(Ui& ui, const Rect& card) {
    constexpr double close_width = 24, around_name = 90;  // of what is beside it on the button
    const double y = card.y + ui.px(is_dense_ ? 8 : 14), middle = y + ui.px(row_height / 2);
    ImGui::SetCursorScreenPos(compat::vector({card.x + ui.px(side_padding - 6), y}));
    if (const Lesson* lesson = tutor_.lesson()) {
        const int count = static_cast<int>(lesson->steps.size());
        // A user's lesson has a number only if its file's name begins with one.
        const double taken = 2 * side_padding + close_width + count * dot_pitch + around_name;
        const std::string name = !lesson->number.empty() ? "Lesson " + lesson->number
                                                         : fitted(ui, lesson->title, card.width / ui.scale - taken);
        if (button(ui,
                   {.id = "lesson.list",
                    .label = fmt::format("{}  ·  {} of {}", name, tutor_.step_index() + 1, count),
                    .help = {.title = lesson->title, .text = "Show the list of lessons.", .source = lesson->source}},
                   ButtonLook::quiet, 12))
            return tutor_.show_list();
        draw_dots(ui, static_cast<double>(ImGui::GetItemRectMax().x) + ui.px(12), middle);
    } else {
        ui.fonts.draw(*ImGui::GetWindowDrawList(), {card.x + ui.px(side_padding), middle}, "Lessons",
                      {.size = text_size_of(ButtonLook::main_chooser),
                       .color = ui.theme->text,
                       .weight = Weight::semibold,
                       .down = Align::middle});
    }
    ImGui::SetCursorScreenPos(compat::vector({card.right() - ui.px(close_width + 12), y}));
    if (button(ui,
               {.id = "lesson.close",
                .label = "×",
                .help = {.title = "Close", .text = "Close the lessons. Press Ctrl+L to return to this step."}},
               ButtonLook::quiet, 14))
        tutor_.close();
}

void LessonPanel::draw_dots(Ui& ui, double x, double y) {
    constexpr double pitch = dot_pitch, radius = 3.2, bar = 16;  // the current step's dot is a bar
    const Theme& theme = *ui.theme;
    const Lesson& lesson = *tutor_.lesson();
    for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step) {
        const bool is_here = step == tutor_.step_index(), is_done = tutor_.is_done(lesson, step);
        const double width = ui.px(is_here ? bar : 2 * radius);
        const Rect dot{std::round(x), std::round(y - ui.px(radius)), std::round(width), std::round(ui.px(2 * radius))};
        ImGui::SetCursorScreenPos(compat::vector({dot.x - ui.px(pitch / 4), y - ui.px(8)}));
        const ClickArea area = clickable(fmt::format("dot{}", step), width + ui.px(pitch / 2), ui.px(16));
        fill(ui, dot,
             is_here        ? theme.accent
             : is_done      ? right_color(theme)
             : area.hovered ? theme.text_dim
                            : theme.control_active,
             radius);
        const std::string& title = lesson.steps[static_cast<std::size_t>(step)].title;
        ui.registry.add({fmt::format("lesson.dot{}", step),
                         {},
                         area.rect,
                         is_done   ? "done"
                         : is_here ? "here"
                                   : "",
                         true});
        if (area.hovered)
            tooltip(ui, fmt::format("lesson.dot{}", step), {.title = title, .text = is_done ? "Done." : ""}, area.rect);
        if (area.clicked) tutor_.enter(step);
        x += width + ui.px(pitch - 2 * radius);
    }
}

void LessonPanel::say(Ui& ui, const std::string& id, const Paragraph& paragraph, const ProseStyle& style,
                      const Results* results, double below) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const double width = room_across(ui) - side_padding + 3;
    std::vector<PlacedTerm> terms;
    const double height = draw_paragraph(ui, compat::point(at), width, paragraph, style, results, &terms);
    const Rect rect{static_cast<double>(at.x), static_cast<double>(at.y), ui.px(width), height};
    for (std::size_t i = 0; i < terms.size(); ++i) link(ui, fmt::format("{}.term{}", id, i), terms[i]);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(compat::vector({rect.width, height + std::round(ui.px(below))}));
    ui.registry.add({id, {}, rect, words_of(paragraph, results), middle_is_in_sight(rect)});
}

void LessonPanel::link(Ui& ui, const std::string& id, const PlacedTerm& place) {
    const auto& [term, rect] = place;
    ImGui::SetCursorScreenPos(compat::vector({rect.x, rect.y}));
    const ClickArea area = clickable(id, rect.width, rect.height);
    const KeyPlace keys = focus_place(ui, id, rect);
    if (area.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (area.clicked || keys.is_pressed) ui.interaction.pinned = id;
    ui.registry.add({id, {}, rect, std::string(term->name), middle_is_in_sight(rect), keys.takes_focus});
    if (area.hovered || ui.interaction.pinned == id)
        tooltip(ui, id,
                {.title = std::string(term->name),
                 .text = std::string(term->meaning),
                 .range = "Click to keep this open. Ctrl+G shows the whole glossary."},
                rect);
}

void LessonPanel::draw_footer(Ui& ui, const Rect& footer) {
    const Lesson& lesson = *tutor_.lesson();
    const bool is_last = tutor_.step_index() + 1 == static_cast<int>(lesson.steps.size());
    const bool is_over =
        tutor_.is_done(lesson, tutor_.step_index()) || !(tutor_.step().has_task() || tutor_.step().has_question());
    const float y = static_cast<float>(std::round(footer.centre().y - ui.px(height_of(ButtonLook::filled) / 2)));
    ImGui::SetCursorScreenPos({static_cast<float>(footer.x) + ui.px(side_padding - 10), y});
    if (button(ui,
               {.id = "lesson.back",
                .label = "Back",
                .help = {.title = "Back", .text = "Go to the previous step (Page Up)."},
                .enabled = tutor_.step_index() > 0},
               ButtonLook::quiet))
        return tutor_.enter(tutor_.step_index() - 1);
    // From right to left.
    constexpr double around = 28, gap = 8;
    double end = footer.right() / ui.scale - side_padding;
    const auto is_pressed = [&](const Control& control, ButtonLook look) {
        const double width = measure_text(control.label, text_size, Weight::regular).width + around;
        end -= width + gap;
        ImGui::SetCursorScreenPos({std::round(ui.px(end + gap)), y});
        return button(ui, control, look, around);
    };
    const bool ends = is_last && tutor_.lessons().back().get() == &lesson;
    const std::string forward = ends ? "All lessons" : is_last ? "Next lesson" : "Next";
    if (is_pressed({.id = "lesson.next",
                    .label = forward,
                    .help = {.title = forward, .text = "Continue, even if this step is not done (Page Down)."}},
                   is_over ? ButtonLook::chosen : ButtonLook::filled))
        return tutor_.next();
    if (!tutor_.has_other_scene() &&  // which has all its controls
        is_pressed({.id = "lesson.explore",
                    .label = "Explore",
                    .help = {.title = "Explore", .text = "Show or hide all controls beside the lesson."}},
                   explores_ ? ButtonLook::chosen : ButtonLook::filled))
        explores_ = !explores_, ui.wake_after = 0;
    if (tutor_.has_left() &&
        is_pressed({.id = "lesson.come_back",
                    .label = "Reload",
                    .help = {.title = "Reload", .text = "Return to this step's scene. You can undo this."}},
                   ButtonLook::quiet))
        tutor_.reload_step();
}

void LessonPanel::draw_list(Ui& ui) {
    const Theme& theme = *ui.theme;
    const double across = room_across(ui) - side_padding + 3 + 12, width = across - 52;
    const double line = strong_prose(theme, size_).line;
    const auto lessons = tutor_.lessons();
    for (const auto& lesson : lessons) {
        const Paragraph about = plain_paragraph(lesson->about), title = plain_paragraph(lesson->title);
        const double height = paragraph_height(ui, width, title, strong_prose(theme, size_), nullptr) +
                              paragraph_height(ui, width, about, dim_prose(theme, size_), nullptr) +
                              std::round(ui.px(14));
        const std::string id = "lessons." + lesson->id;
        ImGui::SetCursorPosX(0);
        const ClickArea area = clickable(id, std::round(ui.px(across)), height);
        if (area.hovered) fill(ui, area.rect, theme.control_hovered, 5);
        const int done = tutor_.steps_done(*lesson), count = static_cast<int>(lesson->steps.size());
        const double y = area.rect.y + ui.px(6);
        const Point beside{area.rect.x + ui.px(4), y + std::round(ui.px(line)) / 2};
        ui.fonts.draw(*ImGui::GetWindowDrawList(), {beside.x + ui.px(14), beside.y}, lesson->number,
                      {.size = 14, .color = theme.text_dim, .across = Align::end, .down = Align::middle});
        const double x = area.rect.x + ui.px(30);
        const double used = draw_paragraph(ui, {x, y}, width, title, strong_prose(theme, size_), nullptr);
        draw_paragraph(ui, {x, y + used}, width, about, dim_prose(theme, size_), nullptr);
        if (done == count)
            draw_tick(ui, {area.rect.right() - ui.px(12), beside.y}, right_color(theme), 14);
        else if (done > 0)
            ui.fonts.draw(*ImGui::GetWindowDrawList(), {area.rect.right() - ui.px(4), beside.y},
                          fmt::format("{}/{}", done, count),
                          {.size = 11, .color = theme.text_dim, .across = Align::end});
        ui.registry.add(
            {id, lesson->title, area.rect, fmt::format("{}/{}", done, count), middle_is_in_sight(area.rect)});
        if (area.clicked) tutor_.start(lesson->id);
        skip_down(ui, 2);
    }
}

}  // namespace ropewalk
