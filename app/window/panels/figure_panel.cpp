#include "app/window/panels/figure_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr double card_radius = 6, menu_room = 330, around_menu = 6;  // logical pixels
constexpr PlotPixels initial_pixels{64, 64};  // before it is known how much space the labels leave

Badge reference_badge() {
    return {"reference", "Reference", "The reference. Release Shift to return to the current head."};
}

}  // namespace

std::string option_controls(Ui& ui, Session& session, int panel) {
    Figure& figure = session.document.view.figure(panel);
    const Figure before = figure;
    const ControlsState state = figure_controls(ui, figure, session.document.experiment());
    if (const auto sentence = check(figure); sentence && !check(before)) {
        const std::string labelled = with_labels(*sentence, ConstChoiceRef(figure).fields());
        figure = before;
        refuse(ui, state.touched, labelled);
        session.notices.complain(labelled);
    }
    session.document.set_options(panel, before, state.held ? Gesture::ongoing : Gesture::complete);
    session.notices.complain(state.rejected);
    return state.context.empty() ? "" : state.context.substr(std::string_view(id_of(figure)).size() + 1);
}

PlotPixels FigurePanel::pixels(const Ui& ui) const {
    const Rect& plot = frame_.plot;
    if (plot.width < 1 || plot.height < 1) return initial_pixels;
    const double across = plot.width * ui.scale, down = plot.height * ui.scale;
    // Square plots have one cell per pixel; others are limited to coarse steps, because labels change their size.
    const bool is_exact = drawn_ && is_square(*drawn_);
    const auto cells = [&](double length) {
        return std::max(
            64, static_cast<int>(std::lround(is_exact ? length : std::floor(length / square_step) * square_step)));
    };
    return {cells(across), cells(down)};
}

PanelEvents FigurePanel::draw(Ui& ui, Session& session, int index, const Rect& rect) {
    events_ = {};
    index_ = index;
    name_ = fmt::format("panel{}", index);
    Figure& figure = session.document.view.figure(index);
    if (drawing_ && (of_scene_ != session.document.open_scene() || figure.index() != drawing_->before.index()))
        drawing_.reset();
    if (of_scene_ != session.document.open_scene() || (drawn_ && figure.index() != drawn_->index()))
        was_drawn_on_.reset();
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
    else if (!ranges_ || !drawn_ || drawn_->index() != figure.index())
        ranges_.emplace();
    // Computed before the header is drawn, which shows parts of it.
    const Needs needs = session.document.fault().empty()
                            ? needs_of(figure, session.document.experiment(), pixels(ui), session.document.reference())
                            : Needs{};
    const Shown shown = shown_results(ui, session, needs);
    const std::optional<FigureInput> input = input_of(shown, ui, session);
    proposal_ =
        input && !shown.is_reference ? proposal_of(figure, *input, session.document.experiment()) : std::nullopt;
    if (input && drawing_) follow_drawing(session, *input, needs);
    badge_ = !input ? Badge{} : shown.is_reference ? reference_badge() : badge(figure, *input);
    draw_header(ui, session, rect);
    const Rect body{card_padding, header_height, card.width - 2 * card_padding,
                    card.height - header_height - card_padding};
    if (body.width >= 40 && body.height >= 40) {  // a smaller panel shows nothing
        if (input)
            draw_body(ui, session, *input, body, canvas);
        else
            canvas.text(body.centre(), still_computing,
                        {.size = ui.theme->label_size, .color = ui.theme->text_dim, .across = Align::middle});
    }
    if (const auto preset = std::exchange(preset_, std::nullopt); preset && input)
        take_preset(ui, session, *preset, *input);
    ImGui::PopID();
    return std::move(events_);
}

FigurePanel::Shown FigurePanel::shown_results(const Ui& ui, const Session& session, const Needs& needs) const {
    const Figure& figure = session.document.view.figure(index_);
    Shown shown{.results = session.computation.results_for(needs), .ghost = session.computation.before_drag()};
    if (const Experiment* other = session.document.reference())
        shown.reference = session.computation.reference_for(needs_of(figure, *other, pixels(ui)));
    shown.is_reference = shown.reference && shown.results && ui.modifiers.shift;
    if (shown.is_reference) std::swap(shown.results, shown.reference);
    return shown;
}

std::optional<FigureInput> FigurePanel::input_of(const Shown& shown, const Ui& ui, const Session& session) {
    if (!shown.results) return std::nullopt;
    return FigureInput{.results = *shown.results,
                       // During the animation the cursor is that of the results, as in the formula's numbers.
                       .cursor = ui.plays_distance
                                     ? shown.results->request.cursor
                                     : session.document.view.cursor.clamped(shown.results->request.experiment),
                       .cursor_shown = true,
                       .theme = *ui.theme,
                       .memo = memo_,
                       .reference = shown.reference.get(),
                       .own_name = shown.is_reference ? "reference" : "current",
                       .reference_name = shown.is_reference ? "current" : "reference",
                       .pixels = pixels(ui),
                       .ghost = shown.ghost.get(),
                       .drawn_on = drawing_ && !drawing_->frame.empty() ? &drawing_->frame : nullptr,
                       .was_drawn_on = was_drawn_on_ ? &*was_drawn_on_ : nullptr,
                       .ranges = ranges_ ? &*ranges_ : nullptr,
                       .is_reference = shown.is_reference,
                       .has_handles = !shown.is_reference};
}

void FigurePanel::draw_body(Ui& ui, Session& session, const FigureInput& input, const Rect& body, ImGuiCanvas& canvas) {
    Figure& figure = session.document.view.figure(index_);
    const bool is_of_scene = std::exchange(of_scene_, session.document.open_scene()) == session.document.open_scene(),
               is_in_place = std::exchange(rearranged_, session.document.rearranged()) == session.document.rearranged();
    if (is_of_scene && is_in_place && drawn_ && *drawn_ != figure) adopt(figure, *drawn_, input);
    if (drawn_ != figure) drawn_ = figure;
    canvas.push_clip(body);
    frame_ = ropewalk::draw(figure, input, canvas, body);
    explanations_ = canvas.explanations();
    if (input.has_handles && session.computation.is_stale(input.results))
        canvas.fill_rect(body, ui.theme->panel.with_alpha(0.35));
    canvas.pop_clip();
    interact(ui, session, figure, input);
}

void FigurePanel::take_preset(Ui& ui, Session& session, std::size_t preset, const FigureInput& input) {
    Figure& figure = session.document.view.figure(index_);
    session.document.end_gesture();
    was_drawn_on_.reset();
    drawing_ = OngoingDrawing{.before = figure, .has_begun = true, .is_over = true};
    Experiment experiment = session.document.experiment();
    apply_preset(figure, preset, input, experiment);
    session.document.draw({index_, drawing_->before, figure, presets_of(figure)[preset].label}, experiment,
                          Gesture::ongoing);
    ui.wake_after = 0;
}

void FigurePanel::show_menu(Ui& ui, Session& session, const Rect& rect) {
    const float window_height = ImGui::GetIO().DisplaySize.y - ui.px(2 * around_menu);
    ImGui::SetNextWindowSize({ui.px(menu_room), 0});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, window_height});
    // The menu is moved up if it does not fit below the header.
    const float top = std::min(static_cast<float>(rect.y) + ui.px(3 + header_height),
                               ui.px(around_menu) + window_height - menu_height_);
    // Beside the panel, whose figure it changes, or over it if there is no space.
    const double taken = ui.px(menu_room + around_menu), beside_right = rect.right() + ui.px(around_menu);
    const bool is_right = beside_right + taken <= static_cast<double>(ImGui::GetIO().DisplaySize.x);
    const double x = is_right ? beside_right : rect.x >= taken ? rect.x - taken : rect.right() - ui.px(menu_room);
    ImGui::SetNextWindowPos(compat::vector({x, static_cast<double>(top)}));
    if (ImGui::BeginPopup("menu")) {
        const Layer layer(ui.registry);
        menu_height_ = ImGui::GetWindowSize().y;
        draw_menu(ui, session);
        if (ui.take_shortcut(Key::escape, {})) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
}

void FigurePanel::maximise(Ui& ui, View& view) const {
    view.toggle_maximised(index_);
    ui.wake_after = 0;
}

void FigurePanel::pin_curve(Session& session, int panel) {
    Figure& figure = session.document.view.figure(panel);
    const Figure before = figure;
    pin(figure, session.document.experiment());
    session.document.draw({panel, before, figure, "Pin"}, session.document.experiment(), Gesture::complete);
}

void FigurePanel::draw_presets(Ui& ui, Session& session) {
    const auto presets = presets_of(session.document.view.figure(index_));
    if (presets.empty()) return;
    constexpr double around = 16;
    section(ui, "Presets");
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

void FigurePanel::draw_menu(Ui& ui, Session& session) {
    View& view = session.document.view;
    Figure& figure = view.figure(index_);
    section(ui, title_of(figure));
    note(ui, ConstChoiceRef(figure).in_force().summary);
    draw_presets(ui, session);
    events_.swept = option_controls(ui, session, index_);
    if (!events_.swept.empty()) ImGui::CloseCurrentPopup();
    section(ui, "Panel");
    const auto entry = [&](const char* id, const char* label, const std::string& help, bool enabled) {
        const bool chosen =
            button(ui, {.id = name_ + id, .label = label, .help = {.title = label, .text = help}, .enabled = enabled});
        if (chosen) ImGui::CloseCurrentPopup();
        return chosen;
    };
    if (entry(".maximise", view.maximised() == index_ ? "Restore" : "Maximise",
              "Show only this panel, or all panels again. You can also press Ctrl+M or double-click the title.", true))
        maximise(ui, view);
    ImGui::SameLine();
    if (entry(".duplicate", "Duplicate",
              view.can_duplicate() ? "Add a second panel with the same figure, to compare two settings (Ctrl+D)."
                                   : "The maximum number of panels is open. Close one first.",
              view.can_duplicate()))
        events_.change = PanelChange::duplicate;
    if (keeps_curves(figure)) {
        const auto obstacle = obstacle_to_pin(figure, session.document.experiment());
        ImGui::SameLine();
        if (entry(".pin_too", "Pin", obstacle ? fmt::format("Unavailable: {}.", *obstacle) : pin_help().text,
                  !obstacle))
            pin_curve(session, index_);
    }
    if (view.is_duplicate(index_)) {
        ImGui::SameLine();
        if (entry(".close", "Close", "Close this duplicate.", true)) events_.change = PanelChange::close;
    } else {
        ImGui::SameLine();
    }
    if (button(ui, {.id = name_ + ".export",
                    .label = "Export …",
                    .help = {.title = "Export", .text = "Export the figure or its data (Ctrl+E)."}})) {
        events_.is_exported = true;
        ImGui::CloseCurrentPopup();
    }
}

void FigurePanel::choose_figure(Ui& ui, Session& session, Point below) {
    Figure& figure = session.document.view.figure(index_);
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
    Figure shown_now = std::exchange(figure, std::move(*before_choice_));  // the state before the step
    before_choice_.reset();
    const std::string step = std::string("show ") + title_of(shown_now);
    session.document.rearrange(step, [&](Arrangement& changed) { changed.figure(index_) = std::move(shown_now); });
}

}  // namespace ropewalk
