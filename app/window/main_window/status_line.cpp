#include "app/window/main_window/status_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/fonts.h"
#include "app/window/main_window/readable_times.h"
#include "app/window/panels/formula_bar.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "core/analysis/training/training_answers.h"

namespace ropewalk {
namespace {

constexpr double status_gap = 24, status_inset = 4;        // between texts and beside them, logical pixels
constexpr double note_seconds = 4, bytes_per_second = 15;  // how long a note stays at least; how fast it is read

std::string readable_job(const JobProgress& job) {
    // The model of the open head is trained live; jobs train only those of compared and pinned heads.
    const std::string stage = job.stage == TrainingQuestion::stage ? "training compared runs" : job.stage;
    return fmt::format("{} {:.0f} %  ·  {:.0f} s left", stage, 100 * job.fraction, job.seconds_left);
}

double status_width(const Ui& ui, const std::string& text) {
    return measure_text(text, ui.theme->label_size, Weight::regular).width;
}

/// Returns the current notice or the reason why nothing is computed, and its colour; empty if there is neither.
std::pair<std::string, Color> remark(const Session& session, const Theme& theme) {
    const Notice& notice = session.notices.current();
    if (!notice.sentence.empty())
        return {notice.sentence, notice.kind == Notice::Kind::error ? theme.warning : theme.text};
    return {with_labels(session.complaint(), session.document.experiment()), theme.warning};
}

}  // namespace

void StatusLine::age_notice(Ui& ui, Notices& notices) {
    const Notice& notice = notices.current();
    if (notice.sentence.empty()) return;
    const double now = ImGui::GetTime();
    const bool is_new = std::exchange(noticed_, notice.number) != notice.number;
    if (is_new) noticed_since_ = now;
    if (notice.kind == Notice::Kind::error) {
        if (!is_new && (ui.input.has_typing() || ImGui::IsMouseClicked(0))) notices.dismiss();
        return;
    }
    const double seconds = std::max(note_seconds, static_cast<double>(notice.sentence.size()) / bytes_per_second),
                 left = noticed_since_ + seconds - now;
    if (left <= 0)
        notices.dismiss();
    else
        ui.wake_within(left + 0.01);
}

std::string StatusLine::waited_for(Ui& ui, const WorkerState& state) {
    constexpr double patience = 0.5;  // s
    const auto shown = state.results ? std::optional(state.results->request) : std::nullopt;
    const bool is_waiting = state.busy && !state.job;
    if (!is_waiting || shown != shown_) busy_since_.reset();
    shown_ = shown;
    if (!is_waiting) return {};
    const double now = ImGui::GetTime();
    const double waited = now - busy_since_.emplace(busy_since_.value_or(now));
    ui.wake_within(waited < patience ? patience - waited + 0.01 : 1.0);
    return waited < patience ? "" : fmt::format("computing, {:.0f} s", std::ceil(waited));
}

void StatusLine::draw(Ui& ui, const Session& session, const Player& player, const std::string& readout,
                      const Rect& rect) {
    const Theme& theme = *ui.theme;
    std::string state = player.description();
    if (state.empty() && session.document.view.cursor_locked) state = "cursor locked; Esc releases it";
    const std::string of_cursor = state.empty()     ? readout
                                  : readout.empty() ? state
                                                    : fmt::format("{}   ({})", readout, state);
    auto [left, color] = remark(session, theme);
    const bool has_remark = !left.empty();
    if (!has_remark) left = of_cursor, color = theme.text_dim;
    const std::string waiting = waited_for(ui, session.computation.state());
    const auto& job = session.computation.state().job;
    const double exported = session.exports.is_writing() ? session.exports.written() : 0;
    const std::string opened = session.files.opening();
    const LiveTraining::State training = session.training.state();
    const bool trains = training == LiveTraining::State::training || training == LiveTraining::State::paused;
    const double room = draw_end(
        ui, session, rect, status_width(ui, left),
        !opened.empty() ? fmt::format("opening {}: reading the {}  ·  Esc cancels", opened, session.files.reading())
        : exported > 0  ? fmt::format("exporting {:.0f} %  ·  Esc cancels", 100 * exported)
        : job           ? readable_job(*job)
        : trains        ? session.training.description()
                        : waiting);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double x = rect.x + ui.px(status_inset), y = rect.centre().y;
    const std::string fitting = fitted(ui, left, room, theme.label_size);
    ui.fonts.draw(list, {x, y}, fitting, {.size = theme.label_size, .color = color});
    if (const Rect place{x, rect.y, ui.px(room), rect.height}; fitting != left && is_pointed_at(place))
        tooltip(ui, "status.whole", {.title = has_remark ? "Message" : "Cursor", .text = left}, place);
    // A remark does not hide the cursor's readout if both fit.
    const double beside = status_width(ui, left) + status_gap;
    if (has_remark && beside + status_width(ui, of_cursor) <= room)
        ui.fonts.draw(list, {x + ui.px(beside), y}, of_cursor, {.size = theme.label_size, .color = theme.text_dim});
    ui.registry.add({.id = "status", .label = "", .rect = rect, .value = left});
}

double StatusLine::draw_end(Ui& ui, const Session& session, const Rect& rect, double left_width,
                            std::string under_way) {
    constexpr const char* separator = "  ·  ";
    const Theme& theme = *ui.theme;
    const double room = rect.width / ui.scale - 2 * status_inset;
    const WorkerState& state = session.computation.state();
    const std::string& backend = session.computation.backend_description();
    const auto fits = [&](const std::string& text) { return left_width + status_gap + status_width(ui, text) <= room; };
    const auto with_backend = [&](const std::string& text) {
        return text.empty() ? backend : text + separator + backend;
    };
    const bool has_times = under_way.empty() && session.computation.shows_times();
    const std::string in_parts = has_times ? readable_times(state, TimeDetail::parts) : "";
    std::string right = with_backend(under_way.empty() ? in_parts : under_way);
    if (!fits(right) && has_times) right = with_backend(readable_times(state, TimeDetail::stages));
    // The readout takes precedence over times, but not over work in progress.
    if (!fits(right)) right = std::move(under_way);
    const double width = status_width(ui, right), left_room = room - width - status_gap;
    if (right.empty() || left_room < std::min(left_width, room / 2)) return room;
    const double end = rect.right() - ui.px(status_inset);
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {end, rect.centre().y}, right,
                  {.size = theme.label_size, .color = theme.text_dim, .across = Align::end});
    const Rect place{end - ui.px(width), rect.y, ui.px(width), rect.height};
    if (is_pointed_at(place))
        tooltip(ui, "status.times",
                {.title = "Computation time",
                 .text = fmt::format("{}{}Time of each stage of the last update, and the backend. "
                                     "Stages with unchanged inputs are reused.",
                                     in_parts, in_parts.empty() ? "" : ". ")},
                place);
    return left_room;
}

void StatusLine::draw_presented(Ui& ui, const Session& session, const Rect& room, bool sees_formula) {
    constexpr double margin = 8;
    const auto [sentence, color] = remark(session, *ui.theme);
    if (sentence.empty()) return;
    const auto width_of = [](const std::string& text) { return measure_text(text, text_size, Weight::regular).width; };
    Rect rect{room.x, room.y, room.width, std::round(ui.px(FormulaBar::height))};
    if (sees_formula && width_of(sentence) + 2 * margin <= room.width / ui.scale) {
        panel_background(ui, rect);
        text_in(ui, rect, sentence, color, Align::middle);
    } else {
        const auto lines = paragraphs(sentence, 0.8 * room.width / ui.scale, text_size, Weight::regular);
        double widest = 0;
        for (const std::string& line : lines) widest = std::max(widest, width_of(line));
        const double height = std::round(ui.px(row_height) * static_cast<double>(lines.size()) + ui.px(margin)),
                     width = std::round(ui.px(widest + 4 * margin));
        rect = {std::round(room.centre().x - width / 2), std::round(room.bottom() - height - ui.px(3 * margin)), width,
                height};
        fill(ui, rect, ui.theme->control, 6);
        outline(ui, rect, ui.theme->panel_border, 6);
        lines_in(ui, {rect.x, rect.y + ui.px(margin / 2), rect.width, ui.px(row_height)}, lines, color, Align::middle);
    }
    ui.registry.add({.id = "status", .label = "", .rect = rect, .value = sentence});
}

}  // namespace ropewalk
