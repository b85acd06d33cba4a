#include "app/window/main_window/main_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "app/window/main_window/entries.h"
#include "app/window/main_window/keyboard.h"
#include "app/window/main_window/presenter_strip.h"
#include "app/window/main_window/toolbar.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double wide_room = 700;  // logical pixels

constexpr double status_height = 26;    // logical pixels
constexpr double presented_text = 1.4;  // relative to the usual size

bool has_control(const Experiment& experiment, const std::string& path) {
    bool has = false;
    walk_fields(experiment, [&](const std::string& each, const Field&, const auto&) { has |= each == path; });
    return has;
}

std::string reason_of(const std::exception_ptr& failure) try {
    std::rethrow_exception(failure);
} catch (const std::exception& error) {
    return error.what();
} catch (...) {
    return "a computation was cancelled";
}

}  // namespace

FrameOptions MainWindow::frame_options() const {
    const Preferences& preferences = window_.session.preferences;
    return {.theme = &theme_of(preferences),
            .zoom = preferences.text_size * (window_.is_presenting ? presented_text : 1)};
}

void MainWindow::frame() {
    Session& session = window_.session;
    Ui& ui = window_.gui.ui();
    try {
        window_.gui.begin_frame(frame_options());
        build_frame(ui);
        window_.gui.end_frame();
        failures_ = 0;
    } catch (...) {
        if (ui.scale == 0) throw;  // without fonts there is nothing to show a notice with
        window_.gui.abandon_frame();
        if (++failures_ == 1) window_.gui.settle();  // tries again at once; if that fails too, at the next event
        session.document.end_gesture();
        session.notices.complain(fmt::format("The window could not be drawn: {}. Press Ctrl+Z to undo the last change.",
                                             reason_of(std::current_exception())));
        if (is_failing()) show_failure();
        return;
    }
    session.notices.complain(window_.gui.surface().take_clipboard_failure());
    if (const std::string copied = session.exports.take_copied(); !copied.empty())
        window_.gui.surface().set_clipboard(copied);
    if (ui.is_moving || !std::exchange(window_.wants_screenshot, false)) return;
    session.notices.attempt([&] {
        std::error_code gone;  // the working directory may be
        session.exports.write_picture(window_.gui.screenshot(), std::filesystem::current_path(gone), "ropewalk");
    });
}

void MainWindow::ask_to_leave() {
    window_.player.stop();
    end_preview();  // the question is about the head that was chosen
    window_.cards.ask_to_leave();
    window_.gui.settle();
}

void MainWindow::show_failure() try {
    Ui& ui = window_.gui.begin_frame(frame_options());
    if (ui.take_shortcut(Key{'Z'}, {.control = true})) window_.session.document.undo();
    {
        const Root root;
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const Rect whole{0, 0, size.x, size.y};
        fill(ui, whole, ui.theme->window, 0);
        const std::string& sentence = window_.session.notices.current().sentence;
        lines_in(ui, {whole.x, whole.centre().y, whole.width, ui.px(row_height)},
                 paragraphs(sentence, 0.8 * whole.width / ui.scale, text_size, Weight::regular), ui.theme->warning,
                 Align::middle);
        ui.registry.add({.id = "status", .label = "", .rect = whole, .value = sentence});
    }
    window_.gui.end_frame();
} catch (...) {  // the surface itself fails: the session stays all the same
    window_.gui.abandon_frame();
}

void MainWindow::build_frame(Ui& ui) {
    Cards& cards = window_.cards;
    ui.label_width = 130;
    window_.session.refresh();
    if (!cards.is_open() && !window_.session.document.is_dragging()) window_.session.files.refresh();
    status_line_.age_notice(ui, window_.session.notices);
    window_.player.advance(ui, window_.panels.picks());
    if (!ui.input.dropped.empty()) {
        cards.withdraw_questions();  // they were about a scene that the new files replace
        cards.open(ui.input.dropped);
    }
    if (!cards.is_open()) menu_bar_.take_keys(ui, window_);
    const bool has_card = cards.is_open() || menu_bar_.is_open() || context_menu_.is_open() || sidebar_.has_menu();
    std::vector<KeyPress> card_keys;  // keys do not act on what is under a card
    if (has_card) card_keys = std::exchange(ui.input.keys, {});
    {
        const Root root;
        ui.subject = window_.session.document.scenes_opened();
        draw_parts(ui, has_card);
        sidebar_.release_hidden();
        if (has_card) ui.input.keys = std::move(card_keys);
        const Cards::Choice choice = cards.draw(ui, ui.list_area);
        if (choice.sweep) window_.player.play(*choice.sweep);
        if (choice.entry) follow(*choice.entry, window_);
        preview_selected(window_);
        menu_bar_.draw_menu(ui, window_);
        context_menu_.draw(ui, window_);
        sidebar_.draw_menu(ui);
    }
    take_tab(ui);
    if (!has_card) take_keys(ui, window_, sidebar_.is_held());
}

void MainWindow::draw_parts(Ui& ui, bool has_card) {
    Session& session = window_.session;
    const bool is_presented = window_.is_presenting, has_formula = session.preferences.formula;  // in this frame
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool is_low = static_cast<double>(size.y) < ui.px(low_window);
    const double edge = std::round(ui.px(window_margin)),
                 menus = std::round(ui.px(is_low ? low_menu_bar : menu_bar_height)),
                 bars = menus + std::round(ui.px(is_low ? low_toolbar : toolbar_height)),
                 status = std::round(ui.px(status_height)), above = is_presented ? edge : bars,
                 below = is_presented ? edge : status;
    const Rect menu_place{0, 0, size.x, menus};
    const Rect work = ui.list_area = {edge, above, size.x - 2 * edge, std::max(1.0, size.y - above - below)};
    if (!is_presented) {
        menu_bar_.draw(ui, window_, menu_place);
        menu_bar_.hide();
        draw_toolbar(ui, window_, {0, menus, size.x, bars - menus});
    }
    ui.wake_within(window_.tutor.update(static_cast<double>(ImGui::GetIO().DeltaTime)));
    const std::vector<std::string> lit_controls =
        has_formula ? formula_bar_.lit().controls : std::vector<std::string>{};
    const bool is_focused = !is_presented && lesson_panel_.is_focused(ui, work),
               sees_formula = has_formula && !is_focused;
    const Rect room = is_presented ? draw_presented_controls(ui, work)
                      : is_focused ? draw_focused_lesson(ui, work)
                                   : draw_controls(ui, lit_controls, work);
    const Rect figures =
        sees_formula ? formula_bar_.draw(ui, session, room, is_presented ? compared_ : std::nullopt) : room;
    const double margin = std::round(ui.px(room.width >= ui.px(wide_room) ? 20 : 8)),  // around the figures
        above_figures = is_focused ? std::round(ui.px(8)) : 0;
    const Panels::Answer answer =
        draw_figures(ui, {figures.x + margin, figures.y + above_figures, std::max(1.0, figures.width - 2 * margin),
                          std::max(1.0, figures.height - above_figures)});
    if (answer.compared != std::exchange(compared_, answer.compared))
        ui.wake_after = 0;  // the formula was drawn earlier
    if (answer.exported) window_.cards.export_figure(answer.exported);
    if (answer.context && !has_card) context_menu_.open(*answer.context, window_);
    if (answer.swept) window_.cards.sweep(answer.swept->second, answer.swept->first);
    if (!is_presented)
        return status_line_.draw(ui, session, window_.player, answer.readout,
                                 {edge, size.y - below, size.x - 2 * edge, below});
    const bool has_bar = menu_bar_.draw_presented(ui, window_, has_card ? Rect{} : menu_place, room);
    StatusLine::draw_presented(ui, session, room, has_formula && !has_bar);
}

Rect MainWindow::draw_controls(Ui& ui, const std::vector<std::string>& lit, const Rect& work) {
    const Rect room =
        lesson_panel_.draw_beside(ui, sidebar_.draw(ui, lesson_panel_, lit, work), Surroundings::controls);
    fill_ground(ui, room, work);
    return room;
}

void MainWindow::fill_ground(const Ui& ui, const Rect& room, const Rect& work) {
    const double right = work.right() + work.x;  // the window's edge
    fill(ui, {room.x, work.y, right - room.x, work.height}, ui.theme->panel, 0);
}

Rect MainWindow::draw_focused_lesson(Ui& ui, const Rect& work) {
    constexpr double widest = 720, gap = 20;  // logical pixels
    const Rect room = lesson_panel_.draw_focused(ui, work);
    fill_ground(ui, room, work);
    const std::string path = lesson_panel_.control_of_step();
    if (!has_control(window_.session.document.experiment(), path)) return room;
    const double height = sidebar_.pointed_height(ui), left = room.x + ui.px(gap);
    const Rect strip{left, room.bottom() - height, std::min(ui.px(widest) * 1.0, room.right() - left), height};
    if (lesson_panel_.pointed_control() == path) {
        sidebar_.draw_pointed_control(ui, path, strip);
        lesson_panel_.draw_ring(ui, strip);
    }
    return {room.x, room.y, room.width, room.height - height - ui.px(gap)};
}

Rect MainWindow::draw_presented_controls(Ui& ui, const Rect& work) {
    const Document& document = window_.session.document;
    const bool is_of_lesson = !window_.tutor.has_other_scene();  // otherwise the other scene is presented alone
    const std::string path = is_of_lesson ? lesson_panel_.pointed_control() : std::string();
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    fill(ui, {0, 0, window.x, window.y}, ui.theme->panel, 0);
    const double edge = work.x, height = sidebar_.pointed_height(ui);
    const bool has_pointed = has_control(document.experiment(), path);
    Rect room = work;
    if (is_of_lesson)
        room = lesson_panel_.draw_beside(ui, work, Surroundings::presented, has_pointed ? height + edge : 0);
    const double width = room.x - work.x - edge;
    const bool is_beside = width > 0;
    if (has_pointed && is_beside)
        sidebar_.draw_pointed_control(ui, path, {work.x, work.bottom() - height, width, height});
    if (is_beside && (has_pointed || document.view.presenter.empty())) return room;
    const std::vector<std::string> shown = presented_fields(document.view, document.experiment(), path);
    const double strip = strip_height(ui);
    if (shown.empty() || room.height < 3 * strip) return room;
    room.height -= strip;
    // The strip extends to the edges of the window.
    const double left = is_beside ? room.x : 0;
    sidebar_.draw_strip(ui, shown, {left, room.bottom() + edge / 2, work.right() + edge - left, strip + edge / 2});
    return room;
}

Panels::Answer MainWindow::draw_figures(Ui& ui, const Rect& figures) {
    Session& session = window_.session;
    Emphasis emphasis{
        .by_lesson = lesson_panel_.lit_figure(), .by_formula = {}, .alone = session.document.view.maximised()};
    if (session.preferences.formula) emphasis.by_formula = formula_bar_.lit().figures;
    if (window_.is_presenting && !emphasis.alone) emphasis.alone = 0;
    return window_.panels.draw(ui, session, window_.player, emphasis, figures);
}

}  // namespace ropewalk
