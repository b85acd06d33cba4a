#include "app/window/figure_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/compat.h"
#include "app/window/controls.h"
#include "app/window/row.h"

namespace ropewalk {
namespace {

constexpr double around_badge = 20, pin_width = 44, chevron_width = 26;  // logical pixels
constexpr double card_radius = 6, card_padding = 10, menu_width = 40, menu_room = 330, around_menu = 6, carry_slack = 6;
constexpr PlotPixels first_look{64, 64};  // before it is known how much room the labels leave

/// As many of the remark's clauses as there is room for, if any: a number is either there or not.
std::string whole_clauses(const Ui& ui, std::string text, double room) {
    while (fitted(ui, text, room) != text) {
        const std::size_t end = text.find_last_of(",;");
        if (end == std::string::npos) return {};
        text.resize(end);
    }
    return text;
}

Help pin_help() {
    return {.title = "Pin the curve",
            .text = "Keeps the present curve, to be seen beside what comes. A click on its name takes it away."};
}

Badge reference_badge() {
    return {"reference", "Reference", "What R kept. Let Shift go to see the present again."};
}

}  // namespace

void option_controls(Ui& ui, Workbench& workbench, int panel) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(panel)];
    const Figure before = figure;
    const ControlsState state = figure_controls(ui, figure, workbench.experiment().shape());
    workbench.set_options(panel, before, state.held ? Gesture::ongoing : Gesture::complete);
    if (!state.rejected.empty()) workbench.tell(state.rejected, Notice::Kind::error);
}

PlotPixels FigurePanel::pixels(const Ui& ui) const {
    const Rect& plot = frame_.plot;
    if (plot.width < 1 || plot.height < 1) return first_look;
    const double across = plot.width * ui.scale, down = plot.height * ui.scale;
    // A cell of a square plot is a pixel; others take fewer steps than labels do.
    const bool is_exact = drawn_ && is_square(*drawn_);
    const auto cells = [&](double length) {
        return std::max(
            64, static_cast<int>(std::lround(is_exact ? length : std::floor(length / square_step) * square_step)));
    };
    return {cells(across), cells(down)};
}

PanelEvents FigurePanel::draw(Ui& ui, Workbench& workbench, int index, const Rect& rect) {
    events_ = {};
    index_ = index;
    name_ = fmt::format("panel{}", index);
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index)];
    if (drawing_ && (of_scene_ != &workbench.scene() || figure.index() != drawing_->before.index())) drawing_.reset();
    ImGui::PushID(index);
    ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures, {rect.x, rect.y});
    origin_ = {rect.x, rect.y};
    const Rect card{0, 0, rect.width / ui.scale, rect.height / ui.scale};
    canvas.fill_rect(card, ui.theme->panel, card_radius);
    const bool is_lit = ui.lit_figure == id_of(figure) || std::find(ui.meant_figures.begin(), ui.meant_figures.end(),
                                                                    id_of(figure)) != ui.meant_figures.end();
    canvas.stroke_rect(card, {.color = is_lit ? ui.theme->accent : ui.theme->panel_border}, card_radius);
    if (!ui.plays_sweep)
        ranges_.reset();
    else if (!ranges_ || drawn_ != figure)
        ranges_.emplace();
    // Before the header, which shows what is found here.
    const Needs needs =
        workbench.check() ? needs_of(figure, workbench.experiment(), pixels(ui), workbench.reference()) : Needs{};
    const Shown shown = shown_results(ui, workbench, needs);
    const std::optional<FigureInput> input = input_of(shown, ui, workbench);
    proposal_ = input && !shown.is_reference ? proposal_of(figure, *input, workbench.experiment()) : std::nullopt;
    if (input && drawing_) follow_drawing(workbench, *input, needs);
    badge_ = !input ? Badge{} : shown.is_reference ? reference_badge() : badge(figure, *input);
    draw_header(ui, workbench, rect);
    const Rect body{card_padding, header_height, card.width - 2 * card_padding,
                    card.height - header_height - card_padding};
    if (body.width >= 40 && body.height >= 40) {  // else it is too small for anything
        if (input)
            draw_body(ui, workbench, *input, body, canvas);
        else
            canvas.text(body.centre(), still_computing,
                        {.size = ui.theme->label_size, .color = ui.theme->text_dim, .across = Align::middle});
    }
    if (const auto preset = std::exchange(preset_, std::nullopt); preset && input)
        take_preset(ui, workbench, *preset, *input);
    ImGui::PopID();
    return std::move(events_);
}

FigurePanel::Shown FigurePanel::shown_results(const Ui& ui, const Workbench& workbench, const Needs& needs) const {
    const Figure& figure = workbench.view.figures[static_cast<std::size_t>(index_)];
    Shown shown{.results = workbench.results_for(needs)};
    if (const Experiment* other = workbench.reference())
        shown.reference = workbench.reference_for(needs_of(figure, *other, pixels(ui)));
    shown.is_reference = shown.reference && shown.results && ui.modifiers.shift;
    if (shown.is_reference) std::swap(shown.results, shown.reference);
    return shown;
}

std::optional<FigureInput> FigurePanel::input_of(const Shown& shown, const Ui& ui, const Workbench& workbench) {
    if (!shown.results) return std::nullopt;
    return FigureInput{.results = *shown.results,
                       .cursor = workbench.view.cursor.clamped(shown.results->request.experiment),
                       .cursor_shown = true,
                       .theme = *ui.theme,
                       .memo = memo_,
                       .reference = shown.reference.get(),
                       .own_name = shown.is_reference ? "reference" : "as set",
                       .reference_name = shown.is_reference ? "present" : "reference",
                       .ghost = workbench.before_gesture(),
                       .drawn_on = drawing_ && !drawing_->frame.empty() ? &drawing_->frame : nullptr,
                       .ranges = ranges_ ? &*ranges_ : nullptr,
                       .is_reference = shown.is_reference,
                       .has_handles = !shown.is_reference};
}

void FigurePanel::draw_body(Ui& ui, Workbench& workbench, const FigureInput& input, const Rect& body, Canvas& canvas) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index_)];
    const bool is_of_scene = std::exchange(of_scene_, &workbench.scene()) == &workbench.scene(),
               is_in_place = std::exchange(rearranged_, workbench.rearranged()) == workbench.rearranged();
    if (is_of_scene && is_in_place && drawn_ && *drawn_ != figure) adopt(figure, *drawn_, input);
    if (drawn_ != figure) drawn_ = figure;
    canvas.push_clip(body);
    frame_ = ropewalk::draw(figure, input, canvas, body);
    if (input.has_handles && workbench.is_stale(input.results))
        canvas.fill_rect(body, ui.theme->panel.with_alpha(0.35));
    canvas.pop_clip();
    interact(ui, workbench, figure, input);
}

void FigurePanel::take_preset(Ui& ui, Workbench& workbench, std::size_t preset, const FigureInput& input) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index_)];
    workbench.end_gesture();
    drawing_ = OngoingDrawing{.before = figure, .has_begun = true, .is_over = true};
    Experiment experiment = workbench.experiment();
    apply_preset(figure, preset, input, experiment);
    workbench.draw({index_, drawing_->before, figure}, experiment, Gesture::ongoing);
    ui.wake_after = 0;
}

void FigurePanel::draw_header(Ui& ui, Workbench& workbench, const Rect& rect) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index_)];
    const float y = static_cast<float>(rect.y) + ui.px(3),
                right = static_cast<float>(rect.right()) - ui.px(card_padding);
    const double left = rect.x / ui.scale + card_padding - 6,
                 room = rect.right() / ui.scale - card_padding - menu_width - left;
    ImGui::SetCursorScreenPos({ui.px(left), y});
    const ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
    const TextStyle title_style{.size = ui.theme->title_size, .weight = Weight::semibold};
    const std::string whole = title_among(workbench.view.figures, static_cast<std::size_t>(index_)),
                      distinction(distinction_of(whole)),
                      least = distinction != whole            ? distinction
                              : whole.find(' ') == whole.npos ? whole
                                                              : whole.substr(0, whole.find(' ')) + "…";
    const auto width_of = [&](const std::string& text, double size, Weight weight) {
        return canvas.measure(text, size, weight).width;
    };
    // A remark that can be said in brief is worth more than the title's last words.
    const double least_title = width_of(least, title_style.size, title_style.weight) + 1;
    const bool pins = can_pin(figure, workbench.experiment());
    const double for_remark = room - chevron_width - least_title - around_badge;
    std::string said = whole_clauses(ui, badge_.brief, for_remark - (pins ? pin_width : 0));
    if (said.empty()) said = whole_clauses(ui, badge_.brief, for_remark);
    const double remark = said.empty() ? 0 : width_of(said, text_size, Weight::regular) + around_badge,
                 for_title = std::max(room - chevron_width - remark, least_title);
    const double title_room = std::min(room - chevron_width, for_title);
    std::string title = elided(whole, title_room, title_style, canvas);
    if (title != whole) title = elided(distinction, title_room, title_style, canvas);
    if (button(ui,
               {.id = name_ + ".figure",
                .label = title,
                .help = {.title = whole,
                         .text = "Click to show another figure in this panel; drag to change places with another."}},
               ButtonLook::chooser) &&
        !is_carried_)
        ImGui::OpenPopup("figure");
    follow_title(ui);
    ImGui::SameLine(0, 0);
    bool on_button = false;
    double end = left + room;
    const double before_pin = end - static_cast<double>(ImGui::GetCursorScreenPos().x) / ui.scale - pin_width;
    if (pins && before_pin >= remark) end = draw_pin(ui, workbench, end - 4, on_button);
    if (is_played(figure)) end = draw_play(ui, end - 4, on_button);
    if (proposal_ && !drawing_) end = draw_proposal(ui, workbench, end - 4, on_button);
    on_button |=
        draw_badge(ui, workbench, end - static_cast<double>(ImGui::GetCursorScreenPos().x) / ui.scale - around_badge);
    ImGui::SetCursorScreenPos({right - ui.px(menu_width - 14), y});
    if (button(ui, {.id = name_ + ".menu", .label = "⋯", .help = {.title = "Options and export"}}, ButtonLook::quiet))
        ImGui::OpenPopup("menu");
    on_button |= ImGui::IsItemHovered();
    // The first click on the title opens the list of figures, which the second one closes.
    if (!on_button && ImGui::IsMouseDoubleClicked(0) &&
        (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) || ImGui::IsPopupOpen("figure")) &&
        Rect{rect.x, rect.y, rect.width, ui.px(header_height)}.contains(compat::point(ImGui::GetIO().MousePos)))
        maximise(ui, workbench.view);
    choose_figure(ui, workbench, {ui.px(left), static_cast<double>(y) + ui.px(row_height)});
    show_menu(ui, workbench, rect);
}

void FigurePanel::show_menu(Ui& ui, Workbench& workbench, const Rect& rect) {
    const float window_height = ImGui::GetIO().DisplaySize.y - ui.px(2 * around_menu);
    ImGui::SetNextWindowSize({ui.px(menu_room), 0});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, window_height});
    // Up as far as it takes to show all of it.
    const float top = std::min(static_cast<float>(rect.y) + ui.px(3 + header_height),
                               ui.px(around_menu) + window_height - menu_height_);
    // Beside the panel, whose figure it changes; over it where there is no room.
    const double taken = ui.px(menu_room + around_menu), beside_right = rect.right() + ui.px(around_menu);
    const bool is_right = beside_right + taken <= static_cast<double>(ImGui::GetIO().DisplaySize.x);
    const double x = is_right ? beside_right : rect.x >= taken ? rect.x - taken : rect.right() - ui.px(menu_room);
    ImGui::SetNextWindowPos(compat::vector({x, static_cast<double>(top)}));
    if (ImGui::BeginPopup("menu")) {
        const Layer layer(ui.registry);
        menu_height_ = ImGui::GetWindowSize().y;
        draw_menu(ui, workbench);
        if (ui.take_shortcut(Key::escape, {})) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
}

void FigurePanel::maximise(Ui& ui, View& view) const {
    view.toggle_maximised(index_);
    ui.wake_after = 0;
}

void FigurePanel::follow_title(const Ui& ui) {
    events_.is_let_go = is_carried_ && ImGui::IsItemDeactivated();
    if (!ImGui::IsItemActive()) is_carried_ = false;
    const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
    is_carried_ |= ImGui::IsItemActive() && std::hypot(moved.x, moved.y) > ui.px(carry_slack);
    events_.is_carried = is_carried_;
}

bool FigurePanel::draw_badge(Ui& ui, Workbench& workbench, double room) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index_)];
    const auto fits = [&](const std::string& text) { return fitted(ui, text, room) == text; };
    const bool takes_brief = !fits(badge_.text) && !badge_.brief.empty();
    const std::string shown = whole_clauses(ui, takes_brief ? badge_.brief : badge_.text, room);
    if (shown.empty()) return false;
    if (button(ui, {.id = name_ + ".badge", .label = shown, .help = {.title = badge_.title, .text = badge_.help}},
               badge_.is_fault ? ButtonLook::warning : ButtonLook::quiet)) {
        const Figure before = figure;
        click_badge(figure);
        workbench.set_options(index_, before, Gesture::complete);
    }
    return ImGui::IsItemHovered();
}

double FigurePanel::draw_header_button(Ui& ui, const Control& control, ButtonLook look, double right,
                                       bool& is_pointed_at, bool& is_pressed) {
    constexpr double around = 16;
    const double left = right - measure_text(control.label, text_size, Weight::regular).width - around;
    const ImVec2 before = ImGui::GetCursorScreenPos();
    if (static_cast<double>(before.x) / ui.scale > left) return right;  // no room beside the title
    ImGui::SetCursorScreenPos({ui.px(left), before.y});
    is_pressed = button(ui, control, look, around);
    is_pointed_at |= ImGui::IsItemHovered();
    ImGui::SetCursorScreenPos(before);
    return left;
}

double FigurePanel::draw_proposal(Ui& ui, Workbench& workbench, double right, bool& is_pointed_at) {
    bool is_pressed = false;
    const double left = draw_header_button(
        ui,
        {.id = name_ + ".use",
         .label = "Use it",
         .help = {.title = "Use it", .text = "Queries and keys become those of the curve in this panel."}},
        ButtonLook::filled, right, is_pointed_at, is_pressed);
    if (is_pressed) workbench.edit(proposal_->experiment, Gesture::complete);
    return left;
}

double FigurePanel::draw_pin(Ui& ui, Workbench& workbench, double right, bool& is_pointed_at) {
    bool is_pressed = false;
    const double left = draw_header_button(ui, {.id = name_ + ".pin", .label = "Pin", .help = pin_help()},
                                           ButtonLook::quiet, right, is_pointed_at, is_pressed);
    if (is_pressed) pin_curve(workbench, index_);
    return left;
}

double FigurePanel::draw_play(Ui& ui, double right, bool& is_pointed_at) {
    return draw_header_button(
        ui,
        {.id = name_ + ".play",
         .label = ui.plays_distance ? "Pause" : "Play",
         .help = {.title = "Play the distance",
                  .text = "Moves the cursor along its row, distance by distance. Space does it too; + and − change the "
                          "speed; the track below is dragged."}},
        ButtonLook::quiet, right, is_pointed_at, events_.is_played);
}

void FigurePanel::pin_curve(Workbench& workbench, int panel) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(panel)];
    const Figure before = figure;
    pin(figure, workbench.experiment());
    workbench.draw({panel, before, figure}, workbench.experiment(), Gesture::complete);
}

void FigurePanel::draw_presets(Ui& ui, Workbench& workbench) {
    const auto presets = presets_of(workbench.view.figures[static_cast<std::size_t>(index_)]);
    if (presets.empty()) return;
    constexpr double around = 16;
    section(ui, "Set to");
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const double width = measure_text(presets[i].label, text_size, Weight::regular).width + around;
        if (i > 0 && ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + ui.px(width) <= end)
            ImGui::SameLine();
        if (button(ui,
                   {.id = fmt::format("{}.preset.{}", name_, presets[i].id),
                    .label = presets[i].label,
                    .help = {.title = presets[i].label, .text = presets[i].help}},
                   ButtonLook::filled, around))
            preset_ = i;
    }
}

void FigurePanel::draw_menu(Ui& ui, Workbench& workbench) {
    View& view = workbench.view;
    Figure& figure = view.figures[static_cast<std::size_t>(index_)];
    section(ui, title_of(figure));
    note(ui, std::visit([](const auto& f) { return f.summary; }, figure));
    draw_presets(ui, workbench);
    option_controls(ui, workbench, index_);
    section(ui, "Panel");
    const auto entry = [&](const char* id, const char* label, const char* help, bool enabled) {
        const bool chosen =
            button(ui, {.id = name_ + id, .label = label, .help = {.title = label, .text = help}, .enabled = enabled});
        if (chosen) ImGui::CloseCurrentPopup();
        return chosen;
    };
    if (entry(".maximise", view.maximised() == index_ ? "Restore" : "Maximise",
              "Ctrl+M, or a double click on the title, does it too; Esc restores.", true))
        maximise(ui, view);
    ImGui::SameLine();
    if (entry(".duplicate", "Duplicate",
              "The same figure once more beside this one, for other options. Ctrl+D does it too.",
              view.can_duplicate()))
        events_.change = PanelChange::duplicate;
    if (can_pin(figure, workbench.experiment())) {
        ImGui::SameLine();
        if (button(ui, {.id = name_ + ".pin_too", .label = "Pin", .help = pin_help()})) {
            pin_curve(workbench, index_);
            ImGui::CloseCurrentPopup();
        }
    }
    if (view.is_duplicate(index_)) {
        ImGui::SameLine();
        if (entry(".close", "Close", "Takes this duplicate away.", true)) events_.change = PanelChange::close;
    } else {
        ImGui::SameLine();
    }
    if (button(ui, {.id = name_ + ".export",
                    .label = "Export …",
                    .help = {.title = "Export", .text = "As a picture or as numbers. Ctrl+E does it too."}})) {
        events_.is_exported = true;
        ImGui::CloseCurrentPopup();
    }
}

void FigurePanel::choose_figure(Ui& ui, Workbench& workbench, Point below) {
    Figure& figure = workbench.view.figures[static_cast<std::size_t>(index_)];
    const ChoiceRef choice(figure);
    const int shown = static_cast<int>(choice.index());
    int chosen = shown;
    const bool is_open = open_list(ui, {.id = name_ + ".figure", .label = ""}, "figure", {below.x, below.y, 0, 0},
                                   entries_of(choice), chosen);
    if (is_open && !before_choice_) before_choice_ = figure;
    if (is_open && chosen != shown) {
        if (chosen == static_cast<int>(before_choice_->index()))  // with its options
            figure = *before_choice_;
        else
            choice.choose(static_cast<std::size_t>(chosen));
    }
    if (is_open || !before_choice_) return;
    Figure shown_now = std::exchange(figure, std::move(*before_choice_));  // where the step begins
    before_choice_.reset();
    const std::string step = std::string("show ") + title_of(shown_now);
    workbench.rearrange(
        step, [&](Arrangement& changed) { changed.figures[static_cast<std::size_t>(index_)] = std::move(shown_now); });
}

}  // namespace ropewalk
