#include "app/window/main_window/menu_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/plot/fonts.h"
#include "app/window/panels/formula_bar.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double min_scene_title = 60, around_menu_title = 20, menu_title_size = 13,
                 revealing_edge = 3;  // logical pixels

std::string id_of(const MenuTitle& menu) {
    return fmt::format("menu.{}", menu.title);
}

/// Underlines the letter that opens a menu with Alt.
void draw_letter_mark(const Ui& ui, const MenuTitle& menu, const Rect& rect) {
    const std::string_view title = menu.title;
    const std::size_t at = std::string_view(title).find(menu.letter) != title.npos ? title.find(menu.letter) : 1;
    const auto width_of = [](std::string_view text) {
        return measure_text(std::string(text), menu_title_size, Weight::regular).width;
    };
    const double left = rect.x + ui.px(around_menu_title / 2 + width_of(title.substr(0, at)));
    fill(ui,
         {left, std::round(rect.centre().y + ui.px(8)), ui.px(width_of(title.substr(at, 1))),
          std::max(1.0f, std::round(ui.px(1)))},
         ui.theme->text_dim, 0);
}

/// Draws the scene's title between `left` and the bar's right end.
void draw_title(Ui& ui, const WindowParts& window, const Rect& bar, double left) {
    const Document& document = window.session.document;
    const Scene& scene = document.scene();
    const double size = ui.theme->label_size;
    const auto width_of = [&](const std::string& text) { return measure_text(text, size, Weight::regular).width; };
    const bool is_unsaved = document.has_unsaved_changes();
    const auto& lessons = window.tutor.lessons();
    const bool is_of_lesson = std::any_of(lessons.begin(), lessons.end(), [&](const auto& lesson) {
        return lesson->title == scene.title;  // also once the lesson is left
    });
    const std::string title = scene.title + (is_unsaved                       ? "  •  unsaved"
                                             : scene.bundled && !is_of_lesson ? "  (bundled)"
                                                                              : "");
    const double right = bar.right() - ui.px(window_margin + 4), room = (right - left) / ui.scale;
    if (room < min_scene_title) return;
    // "(bundled)" is the first part to be omitted.
    const bool has_room_for_all = width_of(title) <= room;
    const std::string mark = is_unsaved && !has_room_for_all ? "  •" : "",
                      shown = fitted(ui, has_room_for_all ? title : scene.title, room - width_of(mark), size) + mark;
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {right, bar.centre().y}, shown,
                  {.size = size, .color = ui.theme->text_dim, .across = Align::end, .down = Align::middle});
    const double width = ui.scale * width_of(shown);
    const Rect place{right - width, bar.y, width, bar.height};
    ui.registry.add({.id = "title", .label = "", .rect = place, .value = title});
    if (is_pointed_at(place))
        tooltip(ui, "title",
                {.title = scene.title,
                 .text = scene.about,
                 .range = scene.path.empty() ? "not saved"
                          : is_of_lesson     ? "lesson"
                          : scene.bundled    ? "bundled"
                                             : scene.path},
                place);
}

}  // namespace

void MenuBar::open(std::size_t menu, const WindowParts& window, OpenedBy by) {
    open_menu_ = menu;
    std::vector<CommandMenu::Item> items;
    for (const Command* command : commands_of(menu_titles[menu].menu))
        items.push_back({command, command->starts_group});
    menu_.open(std::move(items), window, by);
}

void MenuBar::draw(Ui& ui, WindowParts& window, const Rect& rect) {
    titles_.clear();
    double x = rect.x + std::round(ui.px(window_margin));
    for (std::size_t i = 0; i < menu_titles.size(); ++i) {
        const MenuTitle& menu = menu_titles[i];
        const double width =
            std::round(ui.px(measure_text(menu.title, menu_title_size, Weight::regular).width + around_menu_title));
        const Rect title{x, rect.y + std::round(ui.px(3)), width, rect.height - 2 * std::round(ui.px(3))};
        ImGui::SetCursorScreenPos(compat::vector({title.x, title.y}));
        ImGui::PushID(menu.title);
        compat::invisible_button("title", compat::vector({title.width, title.height}));
        ImGui::PopID();
        if (ImGui::IsItemClicked()) open(i, window, OpenedBy::pointer);
        const bool is_open_here = is_open() && open_menu_ == i;
        if (ImGui::IsItemHovered() || is_open_here) fill(ui, title, ui.theme->control_active);
        text_in(ui, title, menu.title, is_open_here ? ui.theme->text : ui.theme->text_dim, Align::middle,
                Weight::regular, menu_title_size);
        if (ui.modifiers.alt) draw_letter_mark(ui, menu, title);
        ui.registry.add({.id = id_of(menu),
                         .label = menu.title,
                         .rect = title,
                         .value = is_open_here ? "on" : "",
                         .visible = middle_is_in_sight(title)});
        titles_.push_back(title);
        x += width;
    }
    draw_title(ui, window, rect, x + ui.px(window_margin));
}

bool MenuBar::draw_presented(Ui& ui, WindowParts& window, const Rect& rect, const Rect& room) {
    const Point pointer = compat::point(ImGui::GetIO().MousePos);
    is_revealed_ = is_open() || (rect.contains(pointer) && (is_revealed_ || pointer.y < ui.px(revealing_edge)));
    if (!is_revealed_) return false;
    const double formula = window.session.preferences.formula ? room.y + ui.px(FormulaBar::height + 1) : 0;
    const Rect bar{0, 0, static_cast<double>(ImGui::GetIO().DisplaySize.x), std::round(ui.px(menu_bar_height))},
        strip{bar.x, bar.y, bar.width, std::max(bar.height, std::round(formula))};
    ImGui::SetCursorScreenPos({0, 0});
    compat::begin_child("bar", compat::vector({strip.width, strip.height}));
    fill(ui, strip, ui.theme->window, 0);
    fill(ui, {strip.x, strip.bottom() - ui.px(1), strip.width, ui.px(1)}, ui.theme->panel_border, 0);
    draw(ui, window, bar);
    ImGui::EndChild();
    return true;
}

void MenuBar::take_keys(Ui& ui, const WindowParts& window) {
    if (is_open()) {
        if (ui.input.alt_tapped) menu_.close();
        return;
    }
    if (ui.take_shortcut(function_key(10), {}) || ui.input.alt_tapped) return open(0, window, OpenedBy::key);
    for (std::size_t i = 0; i < menu_titles.size(); ++i)
        if (ui.take_shortcut(Key{static_cast<std::uint16_t>(menu_titles[i].letter)}, {.alt = true}))
            open(i, window, OpenedBy::key);
}

void MenuBar::follow_pointer(const WindowParts& window) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.MouseDelta.x == 0 && io.MouseDelta.y == 0) return;
    for (std::size_t i = 0; i < titles_.size(); ++i)
        if (i != open_menu_ && titles_[i].contains(compat::point(io.MousePos))) open(i, window, OpenedBy::pointer);
}

void MenuBar::draw_menu(Ui& ui, WindowParts& window) {
    if (!is_open()) return;
    follow_pointer(window);
    const Rect title = open_menu_ < titles_.size() ? titles_[open_menu_] : Rect{};
    const int sideways = menu_.draw(ui, "menu", {title.x, title.bottom() + ui.px(2)}, window);
    if (sideways == 0) return;
    const auto count = static_cast<int>(menu_titles.size());
    open(static_cast<std::size_t>((static_cast<int>(open_menu_) + sideways + count) % count), window, OpenedBy::key);
}

}  // namespace ropewalk
