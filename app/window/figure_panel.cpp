#include "app/window/figure_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/compat.h"
#include "app/window/controls.h"
#include "app/window/row.h"
#include "app/window/widgets.h"

namespace ropewalk {
namespace {

constexpr double card_radius = 6, card_padding = 10, menu_width = 40;
constexpr PlotPixels first_look{64, 64};  // before it is known how much room the labels leave

/// As many of the remark's clauses as there is room for, if any: a number is either there or not.
std::string whole_clauses(const Ui& ui, std::string text, double room) {
    while (fitted(ui, text, room) != text) {
        const std::size_t comma = text.rfind(", ");
        if (comma == std::string::npos) return {};
        text.resize(comma);
    }
    return text;
}

Badge reference_badge() {
    return {"reference", "Reference", "What R kept. Let Shift go to see the present again."};
}

}  // namespace

PlotPixels FigurePanel::pixels(const Ui& ui) const {
    const Rect& plot = frame_.plot;
    if (plot.width < 1 || plot.height < 1) return first_look;
    // In steps of 8, so that a label that grows by a digit does not ask for another picture.
    const auto whole = [&](double length) { return std::max(64, static_cast<int>(length * ui.scale) / 8 * 8); };
    return {whole(plot.width), whole(plot.height)};
}

PanelEvents FigurePanel::draw(Ui& ui, Workbench& workbench, int index, const Rect& rect) {
    events_ = {};
    index_ = index;
    name_ = fmt::format("panel{}", index);
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index)];
    ImGui::PushID(index);
    ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures, {rect.x, rect.y});
    origin_ = {rect.x, rect.y};
    const Rect card{0, 0, rect.width / ui.scale, rect.height / ui.scale};
    canvas.fill_rect(card, ui.theme->panel, card_radius);
    canvas.stroke_rect(card, {.color = ui.theme->panel_border}, card_radius);
    // Before the header, which shows what is found here.
    auto results =
        workbench.results_for(workbench.check() ? needs_of(figure, workbench.experiment(), pixels(ui)) : Needs{});
    const Experiment* other = workbench.reference();
    auto reference = other ? workbench.reference_for(needs_of(figure, *other, pixels(ui))) : nullptr;
    const bool shows_reference = reference && results && ui.modifiers.shift;
    if (shows_reference) std::swap(results, reference);
    std::optional<FigureInput> input;
    if (results)
        input.emplace(FigureInput{.results = *results,
                                  .cursor = workbench.view.cursor.clamped(results->request.experiment),
                                  .cursor_shown = true,
                                  .theme = *ui.theme,
                                  .memo = memo_,
                                  .reference = reference.get(),
                                  .reference_name = shows_reference ? "present" : "reference",
                                  .ghost = workbench.before_gesture()});
    badge_ = !input ? Badge{} : shows_reference ? reference_badge() : badge(figure, *input);
    draw_header(ui, workbench, rect);

    const Rect body{card_padding, header_height, card.width - 2 * card_padding,
                    card.height - header_height - card_padding};
    if (body.width < 40 || body.height < 40) {
        // too small for anything
    } else if (!input) {
        canvas.text(body.centre(), "computing …",
                    {.size = ui.theme->label_size, .color = ui.theme->text_faint, .across = Align::middle});
    } else {
        const bool is_of_scene = std::exchange(of_scene_, &workbench.scene()) == &workbench.scene();
        if (is_of_scene && drawn_ && *drawn_ != figure) adopt(figure, *drawn_, *input);
        if (drawn_ != figure) drawn_ = figure;
        canvas.push_clip(body);
        frame_ = ropewalk::draw(figure, *input, canvas, body);
        if (!shows_reference && workbench.is_stale(*results)) canvas.fill_rect(body, ui.theme->panel.with_alpha(0.35));
        canvas.pop_clip();
        interact(ui, workbench, figure, *input);
    }
    ImGui::PopID();
    return std::move(events_);
}

void FigurePanel::draw_header(Ui& ui, Workbench& workbench, const Rect& rect) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index_)];
    const float y = static_cast<float>(rect.y) + ui.px(3),
                right = static_cast<float>(rect.right()) - ui.px(card_padding);
    const double left = rect.x / ui.scale + card_padding - 6,
                 room = rect.right() / ui.scale - card_padding - menu_width - left;
    ImGui::SetCursorScreenPos({ui.px(left), y});
    const ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
    const std::string title =
        elided(title_of(figure), room - 26, {.size = ui.theme->title_size, .weight = Weight::semibold}, canvas);
    if (button(ui,
               {.id = name_ + ".figure",
                .label = title,
                .help = {.title = title_of(figure), .text = "Click to show another figure in this panel."}},
               ButtonLook::chooser))
        ImGui::OpenPopup("figure");
    ImGui::SameLine(0, 0);
    bool on_button =
        draw_badge(ui, figure, left + room - static_cast<double>(ImGui::GetCursorScreenPos().x) / ui.scale - 20);
    ImGui::SetCursorScreenPos({right - ui.px(menu_width - 14), y});
    if (button(ui, {.id = name_ + ".menu", .label = "⋯", .help = {.title = "Options and export"}}, ButtonLook::quiet))
        ImGui::OpenPopup("menu");
    on_button |= ImGui::IsItemHovered();
    // The first click on the title opens the list of figures, which the second one closes.
    if (!on_button && ImGui::IsMouseDoubleClicked(0) &&
        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) &&
        Rect{rect.x, rect.y, rect.width, ui.px(header_height)}.contains(compat::point(ImGui::GetIO().MousePos)))
        events_.change = [index = index_](View& view) { view.toggle_maximised(index); };
    choose_figure(ui, {ui.px(left), static_cast<double>(y) + ui.px(row_height)}, figure);
    ImGui::SetNextWindowSize({ui.px(330), 0});
    ImGui::SetNextWindowPos({right + ui.px(card_padding), y + ui.px(header_height)}, ImGuiCond_Always, {1, 0});
    if (ImGui::BeginPopup("menu")) {
        draw_menu(ui, workbench);
        if (ui.take_shortcut(Key::escape, {})) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
}

bool FigurePanel::draw_badge(Ui& ui, Figure& figure, double room) {
    const std::string shown = whole_clauses(ui, badge_.text, room);
    if (shown.empty()) return false;
    if (button(ui, {.id = name_ + ".badge", .label = shown, .help = {.title = badge_.title, .text = badge_.help}},
               ButtonLook::quiet))
        click_badge(figure);
    return ImGui::IsItemHovered();
}

void FigurePanel::draw_menu(Ui& ui, Workbench& workbench) {
    View& view = workbench.view;
    Figure& figure = view.figures[static_cast<std::size_t>(index_)];
    section(ui, title_of(figure));
    note(ui, std::visit([](const auto& f) { return f.summary; }, figure));
    const ControlsState state = figure_controls(ui, figure);
    if (!state.rejected.empty()) workbench.tell(state.rejected, Notice::Kind::error);
    section(ui, "Panel");
    const auto entry = [&](const char* id, const char* label, const char* help, bool enabled, auto change) {
        const bool chosen =
            button(ui, {.id = name_ + id, .label = label, .help = {.title = label, .text = help}, .enabled = enabled});
        if (chosen) {
            events_.change = change;
            ImGui::CloseCurrentPopup();
        }
        return chosen;
    };
    entry(".maximise", view.maximised() == index_ ? "Restore" : "Maximise",
          "Ctrl+M, or a double click on the title, does it too; Esc restores.", true,
          [index = index_](View& changed) { changed.toggle_maximised(index); });
    ImGui::SameLine();
    entry(".duplicate", "Duplicate", "The same figure once more beside this one, for other options.",
          view.can_duplicate(), [index = index_](View& changed) { changed.duplicate(index); });
    if (view.is_duplicate(index_)) {
        ImGui::SameLine();
        events_.is_closed = entry(".close", "Close", "Takes this duplicate away.", true,
                                  [index = index_](View& changed) { changed.close(index); });
    }
    ImGui::SameLine();
    if (button(ui, {.id = name_ + ".export",
                    .label = "Export …",
                    .help = {.title = "Export", .text = "As a picture or as numbers. Ctrl+E does it too."}})) {
        events_.is_exported = true;
        ImGui::CloseCurrentPopup();
    }
}

void FigurePanel::choose_figure(Ui& ui, Point below, Figure& figure) const {
    const ChoiceRef choice(figure);
    const int shown = static_cast<int>(choice.index());
    int chosen = shown;
    if (open_list(ui, {.id = name_ + ".figure", .label = ""}, "figure", {below.x, below.y, 0, 0}, entries_of(choice),
                  chosen) &&
        chosen != shown)
        choice.choose(static_cast<std::size_t>(chosen));
}

}  // namespace ropewalk
