#include "app/window/main_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/parts/caption.h"
#include "app/plot/fonts.h"
#include "app/window/command_list.h"
#include "app/window/readable_times.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double bar_height = 36, status_height = 26, margin = 8, min_title = 60, more_width = 26;
constexpr double around_label = 20,
                 gap = 24;  // around_label: of a button; gap: between texts in the status line; logical pixels
constexpr double note_seconds = 4, bytes_per_second = 15;  // how long a note stays at least; how fast it is read
constexpr const char* separator = "  ·  ";
constexpr double presented_text = 1.4;  // relative to the usual size
constexpr double revealing_edge = 3;    // logical pixels

std::string readable_job(const JobProgress& job) {
    return fmt::format("{} {:.0f} %  ·  {:.0f} s left", job.stage, 100 * job.fraction, job.seconds_left);
}

bool has_control(const Experiment& experiment, const std::string& path) {
    bool has = false;
    walk_fields(experiment, [&](const std::string& each, const Field&, const auto&) { has |= each == path; });
    return has;
}

}  // namespace

FrameOptions MainWindow::frame_options() const {
    return {.theme = &theme_of(session_.preferences),
            .zoom = session_.preferences.text_size * (presents_ ? presented_text : 1)};
}

void MainWindow::frame() {
    Ui& ui = gui_.begin_frame(frame_options());
    try {
        build_frame(ui);
        gui_.end_frame();
        failures_ = 0;
    } catch (const std::exception& error) {
        gui_.abandon_frame();
        if (++failures_ == 1) gui_.settle();  // tries again at once; if that fails too, at the next event
        session_.document.end_gesture();
        session_.notices.complain(
            fmt::format("The window could not be drawn: {}. Press Ctrl+Z to undo the last change.", error.what()));
        if (is_failing()) show_failure();
        return;
    }
    if (std::exchange(screenshot_wanted_, false)) {
        std::error_code gone;  // the working directory may be
        session_.exports.write_picture(gui_.screenshot(), std::filesystem::current_path(gone), "ropewalk");
    }
}

void MainWindow::show_failure() try {
    Ui& ui = gui_.begin_frame(frame_options());
    if (ui.take_shortcut(Key{'Z'}, {.control = true})) session_.document.undo();
    {
        const Root root(ui);
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const Rect whole{0, 0, size.x, size.y};
        fill(ui, whole, ui.theme->window, 0);
        const std::string& sentence = session_.notices.current().sentence;
        lines_in(ui, {whole.x, whole.centre().y, whole.width, ui.px(row_height)},
                 paragraphs(sentence, 0.8 * whole.width / ui.scale, text_size, Weight::regular), ui.theme->warning,
                 Align::middle);
        ui.registry.add({.id = "status", .label = "", .rect = whole, .value = sentence});
    }
    gui_.end_frame();
} catch (const std::exception&) {  // the surface itself fails: the session stays all the same
    gui_.abandon_frame();
}

void MainWindow::build_frame(Ui& ui) {
    ui.label_width = 130;
    session_.refresh();
    age_notice(ui);
    play(ui);
    if (!ui.input.dropped.empty()) {
        leave_card_.close(), leaves_when_saved_ = false;  // its question was about a scene that the new files replace
        open(ui.input.dropped);
    }
    const bool had_card = card_is_open();
    std::vector<KeyPress> card_keys;  // keys do not act on what is under a card
    if (had_card) card_keys = std::exchange(ui.input.keys, {});
    {
        const Root root(ui);
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        const double edge = std::round(ui.px(margin)), above = presents_ ? edge : std::round(ui.px(bar_height)),
                     below = presents_ ? edge : std::round(ui.px(status_height));
        const Rect bar{0, 0, size.x, std::round(ui.px(bar_height))},
            work{edge, above, size.x - 2 * edge, std::max(1.0, size.y - above - below)};
        ui.work = work;
        const bool presented = presents_;  // in this frame
        if (!presented) draw_bar(ui, bar);
        ui.wake_after = std::min(ui.wake_after, tutor_.update());
        ui.lit_figure = lesson_panel_.lit_figure();
        const double foot = presented && has_control(session_.document.experiment(), lesson_panel_.pointed_control())
                                ? pointed_height_ + edge
                                : 0;
        const Rect room = lesson_panel_.draw_beside(ui, presented ? work : draw_sidebar(ui, work),
                                                    presented ? Surroundings::presented : Surroundings::controls, foot);
        if (const double width = room.x - work.x - edge; foot > 0 && width > 0)
            draw_pointed_control(ui, {work.x, work.bottom() - foot + edge, width, foot - edge});
        const bool has_formula = session_.preferences.formula;
        const Rect figures = has_formula ? formula_bar_.draw(ui, session_, room) : room;
        ui.meant_figures = has_formula ? formula_bar_.lit_figures() : std::vector<std::string>{};
        ui.plays_distance = player_.is_playing();
        ui.play_speed = player_.speed();
        ui.play_rate = player_.tokens_per_second(session_.document.cursor()) / player_.speed();
        ui.plays_sweep = sweep_step_.has_value();
        if (const auto exported = panels_.draw(ui, session_, figures))
            export_card_.open(session_.document.view.figure(*exported), session_);
        if (const auto& swept = panels_.swept()) sweep_option(swept->first, swept->second);
        if (panels_.play_pressed()) run(Command::play);
        if (const auto speed = panels_.speed_chosen()) player_.set_speed(*speed), ui.wake_after = 0;
        if (presented)
            draw_presented(ui, had_card ? Rect{} : bar, room);
        else
            draw_status(ui, {edge, size.y - below, size.x - 2 * edge, below});
        if (had_card) ui.input.keys = std::move(card_keys);
        draw_cards(ui, work);
    }
    take_tab(ui);
    if (!had_card) take_keys(ui);
}

bool MainWindow::open(const std::vector<std::string>& files) {
    return extension_of(files.front()) == "lesson" ? tutor_.open_file(files.front()) : session_.files.open(files);
}

void MainWindow::draw_bar(Ui& ui, const Rect& rect) {
    std::vector<CommandInfo> shown, others;
    double end = 2 * margin + min_title + more_width;  // logical pixels used so far
    for (const CommandInfo& info : commands) {
        if (info.place != Place::bar) continue;
        end += std::ceil(measure_text(info.label_in_bar(), text_size, Weight::regular).width) + around_label +
               static_cast<double>(ImGui::GetStyle().ItemSpacing.x) / ui.scale;
        (end <= rect.width / ui.scale ? shown : others).push_back(info);
    }
    // The formula stays visible.
    ui.tooltips_from = session_.preferences.formula ? rect.bottom() + ui.px(FormulaBar::height + margin) : 0;
    ImGui::SetCursorScreenPos({ui.px(margin), std::round(ui.px((bar_height - 24) / 2))});
    for (const CommandInfo& info : shown) {
        const bool clears_reference = info.command == Command::set_reference && session_.document.reference();
        const Obstacle obstacle = obstacle_to(info.command);
        const Control control{.id = info.id,
                              .label = info.label_in_bar(),
                              .help = {.title = clears_reference ? "The reference" : info.label,
                                       .text = clears_reference ? about_reference() : help_of(info, obstacle),
                                       .range = name_of(info.keys[0].key, info.keys[0].modifiers)},
                              .enabled = !obstacle};
        const bool is_open = info.command == Command::lessons   ? tutor_.is_open()
                             : info.command == Command::gallery ? gallery_.is_open()
                                                                : palette_.is_open() && palette_.title() == info.label;
        if (button(ui, control, is_open || clears_reference ? ButtonLook::chosen : ButtonLook::quiet))
            run(clears_reference ? Command::clear_reference : info.command);
        ImGui::SameLine();
    }
    constexpr const char* more = "More commands";
    if (!others.empty() &&
        button(
            ui,
            {.id = "more", .label = "»", .help = {.title = more, .text = "Commands that do not fit in the toolbar."}},
            palette_.is_open() && palette_.title() == more ? ButtonLook::chosen : ButtonLook::quiet, 14))
        palette_.open(more, command_entries([this](Command command) { return obstacle_to(command); }, others));
    ImGui::SameLine();
    draw_title(ui, rect);
    ui.tooltips_from = 0;
}

std::string MainWindow::about_reference() const {
    const Experiment& reference = *session_.document.reference();
    const std::string differing = caption_of(reference, differing_paths(session_.document.experiment(), reference));
    return fmt::format(
        "Reference: {}. Hold Shift to see it. Press R to replace it with the current head, or click to clear it.",
        differing.empty() ? "identical to the current head" : differing);
}

void MainWindow::show_tooltip(Ui& ui, const char* id, const Rect& rect, const Help& help) {
    if (ImGui::IsWindowHovered() && rect.contains(compat::point(ImGui::GetIO().MousePos))) tooltip(ui, id, help, rect);
}

void MainWindow::draw_title(Ui& ui, const Rect& rect) {
    const Scene& scene = session_.document.scene();
    const bool is_unsaved = session_.document.has_unsaved_changes();
    const std::string title = scene.title + (is_unsaved ? "  •  unsaved" : scene.bundled ? "  (bundled)" : "");
    const double right = rect.right() - ui.px(margin + 4),
                 room = (right - static_cast<double>(ImGui::GetCursorScreenPos().x)) / ui.scale;
    if (room < min_title) return;
    // "(bundled)" is the first part to be omitted.
    const bool has_room_for_all = measure_text(title, ui.theme->label_size, Weight::regular).width <= room;
    const std::string mark = is_unsaved && !has_room_for_all ? "  •" : "";
    const double room_of_mark = measure_text(mark, ui.theme->label_size, Weight::regular).width;
    const std::string shown =
        fitted(ui, has_room_for_all ? title : scene.title, room - room_of_mark, ui.theme->label_size) + mark;
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {right, rect.centre().y}, shown,
                  {.size = ui.theme->label_size, .color = ui.theme->text_dim, .across = Align::end});
    const double width = ui.scale * measure_text(shown, ui.theme->label_size, Weight::regular).width;
    const Rect place{right - width, rect.y, width, rect.height};
    ui.registry.add({.id = "title", .label = "", .rect = place, .value = title});
    show_tooltip(ui, "title", place,
                 {.title = scene.title,
                  .text = scene.about,
                  .range = scene.path.empty() ? "not saved"
                           : scene.bundled    ? "bundled"
                                              : scene.path});
}

void MainWindow::age_notice(Ui& ui) {
    const Notice& notice = session_.notices.current();
    if (notice.sentence.empty()) return;
    const double now = ImGui::GetTime();
    if (noticed_ != notice.number) {
        noticed_ = notice.number;
        noticed_since_ = now;
    } else if (notice.kind == Notice::Kind::error) {
        const FrameInput& input = ui.input;
        if (!input.keys.empty() || !input.text_keys.empty() || !input.characters.empty() || ImGui::IsMouseClicked(0))
            return session_.notices.dismiss();
    }
    if (notice.kind == Notice::Kind::error) return;
    const double seconds = std::max(note_seconds, static_cast<double>(notice.sentence.size()) / bytes_per_second),
                 left = noticed_since_ + seconds - now;
    if (left <= 0)
        session_.notices.dismiss();
    else
        ui.wake_after = std::min(ui.wake_after, left + 0.01);
}

std::pair<std::string, Color> MainWindow::remark(const Theme& theme) const {
    const Notice& notice = session_.notices.current();
    if (!notice.sentence.empty())
        return {notice.sentence, notice.kind == Notice::Kind::error ? theme.warning : theme.text};
    return {with_labels(session_.complaint(), session_.document.experiment()), theme.warning};
}

void MainWindow::draw_presented(Ui& ui, const Rect& bar, const Rect& room) {
    const Point pointer = compat::point(ImGui::GetIO().MousePos);
    shows_bar_ = bar.contains(pointer) && (shows_bar_ || pointer.y < ui.px(revealing_edge));
    if (shows_bar_) {
        ImGui::SetCursorScreenPos({0, 0});
        // The bar hides the formula completely or not at all.
        const double formula = session_.preferences.formula ? room.y + ui.px(FormulaBar::height + 1) : 0;
        const Rect strip{bar.x, bar.y, bar.width, std::max(bar.height, std::round(formula))};
        compat::begin_child("bar", compat::vector({strip.width, strip.height}));
        fill(ui, strip, ui.theme->window, 0);
        fill(ui, {strip.x, strip.bottom() - ui.px(1), strip.width, ui.px(1)}, ui.theme->panel_border, 0);
        draw_bar(ui, bar);
        ImGui::EndChild();
    }
    const auto [sentence, color] = remark(*ui.theme);
    if (sentence.empty()) return;
    if (session_.preferences.formula && !shows_bar_ &&
        measure_text(sentence, text_size, Weight::regular).width + 2 * margin <= room.width / ui.scale) {
        // The remark replaces the formula, unless the bar covers that: on a figure it would hide an axis.
        const Rect rect{room.x, room.y, room.width, std::round(ui.px(FormulaBar::height))};
        panel_background(ui, rect);
        text_in(ui, rect, sentence, color, Align::middle);
        return ui.registry.add({.id = "status", .label = "", .rect = rect, .value = sentence});
    }
    const auto lines = paragraphs(sentence, 0.8 * room.width / ui.scale, text_size, Weight::regular);
    double width = 0;
    for (const std::string& line : lines) width = std::max(width, measure_text(line, text_size, Weight::regular).width);
    const double height = std::round(ui.px(row_height) * static_cast<double>(lines.size()) + ui.px(margin)),
                 whole_width = std::round(ui.px(width + 4 * margin));
    const Rect rect{std::round(room.centre().x - whole_width / 2),
                    std::round(room.bottom() - height - ui.px(3 * margin)), whole_width, height};
    fill(ui, rect, ui.theme->control, 6);
    outline(ui, rect, ui.theme->panel_border, 6);
    lines_in(ui, {rect.x, rect.y + ui.px(margin / 2), rect.width, ui.px(row_height)}, lines, color, Align::middle);
    ui.registry.add({.id = "status", .label = "", .rect = rect, .value = sentence});
}

void MainWindow::present(bool presents) {
    constexpr const char* hint = "Press Esc to end the presentation. Move the pointer to the top edge for the toolbar.";
    presents_ = presents;
    shows_bar_ = false;
    if (presents)
        session_.notices.notify(hint);
    else if (session_.notices.current().sentence == hint)
        session_.notices.dismiss();
}

std::string MainWindow::waited_for(Ui& ui) {
    constexpr double patience = 0.5;  // s
    const WorkerState& state = session_.computation.state();
    if (!state.busy || state.job || waits_beside_.lock() != state.results) busy_since_.reset();
    waits_beside_ = state.results;
    if (!state.busy || state.job) return {};
    const double now = ImGui::GetTime();
    const double waited = now - busy_since_.emplace(busy_since_.value_or(now));
    ui.wake_after = std::min(ui.wake_after, waited < patience ? patience - waited + 0.01 : 1.0);
    return waited < patience ? "" : fmt::format("computing, {:.0f} s", std::ceil(waited));
}

void MainWindow::draw_status(Ui& ui, const Rect& rect) {
    const Theme& theme = *ui.theme;
    const std::string state_of_cursor =
        player_.is_playing() ? fmt::format("   (playing {} tokens/s; + and − change the speed, Space stops)",
                                           readable(player_.tokens_per_second(session_.document.cursor())))
        : sweep_step_        ? fmt::format("   (sweep: step {} of {}; Space stops)", static_cast<int>(*sweep_step_) + 1,
                                           sweep_card_.sweep().steps)
        : session_.document.view.cursor_locked ? "   (locked; Esc releases)"
                                               : "";
    const std::string readout = panels_.readout() + state_of_cursor;
    auto [left, color] = remark(theme);
    const bool has_remark = !left.empty();
    if (!has_remark) left = readout, color = theme.text_dim;
    const WorkerState& state = session_.computation.state();
    const std::string waiting = waited_for(ui);
    std::string under_way, right = session_.computation.backend_description();
    if (session_.exports.is_writing() && session_.exports.written() > 0)
        under_way = fmt::format("exporting {:.0f} %  ·  Esc cancels", 100 * session_.exports.written());
    else if (state.job)
        under_way = readable_job(*state.job);
    else
        under_way = waiting;
    const auto width_of = [&](const std::string& text) {
        return measure_text(text, theme.label_size, Weight::regular).width;
    };
    const double y = rect.centre().y, room = rect.width / ui.scale - 8;
    const std::string in_parts = under_way.empty() ? readable_times(state, TimeDetail::parts) : "";
    std::string first = under_way.empty() ? in_parts : under_way;
    if (width_of(left) + gap + width_of(first + separator + right) > room && under_way.empty())
        first = readable_times(state, TimeDetail::stages);
    if (!first.empty()) right = first + separator + right;
    // The readout takes precedence over times, but not over work in progress.
    if (width_of(left) + gap + width_of(right) > room) right = under_way;
    const double left_room = room - width_of(right) - gap;
    const bool has_right = !right.empty() && left_room >= std::min(width_of(left), room / 2);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ui.fonts.draw(list, {rect.x + ui.px(4), y}, fitted(ui, left, has_right ? left_room : room, theme.label_size),
                  {.size = theme.label_size, .color = color});
    if (has_right) {
        ui.fonts.draw(list, {rect.right() - ui.px(4), y}, right,
                      {.size = theme.label_size, .color = theme.text_dim, .across = Align::end});
        const double width = ui.px(width_of(right));
        show_tooltip(ui, "status.times", {rect.right() - ui.px(4) - width, rect.y, width, rect.height},
                     {.title = "Computation time",
                      .text = fmt::format("{}{}Time of each stage of the last update, and the backend. "
                                          "Stages with unchanged inputs are reused.",
                                          in_parts, in_parts.empty() ? "" : ". ")});
    }
    // A remark does not hide the cursor's readout if both fit.
    const double beside = width_of(left) + gap;
    if (has_remark && beside + width_of(readout) <= (has_right ? left_room : room))
        ui.fonts.draw(list, {rect.x + ui.px(4 + beside), y}, readout,
                      {.size = theme.label_size, .color = theme.text_dim});
    ui.registry.add({.id = "status", .label = "", .rect = rect, .value = left});
}

}  // namespace ropewalk
