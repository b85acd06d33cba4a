// The cursor moved by arrow keys, and the animations: of the distance, or of a number in a sweep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/main_window.h"
#include "app/window/panels/panels.h"
#include "app/window/surface/compat.h"

namespace ropewalk {

void MainWindow::move_cursor(Ui& ui) {
    for (const auto& [key, down, across] : {std::tuple{Key::left, 0, -1}, std::tuple{Key::right, 0, 1},
                                            std::tuple{Key::up, -1, 0}, std::tuple{Key::down, 1, 0}}) {
        const auto press = ui.take_key(key);
        if (!press) continue;
        const int step = press->modifiers.control ? 100 : press->modifiers.shift ? 10 : 1;
        Cursor cursor = session_.document.cursor();
        cursor.query += down * step;
        cursor.key += across * step;
        session_.document.view.cursor = cursor.clamped(session_.document.experiment());
        session_.document.view.cursor_locked = true;
    }
}

void MainWindow::play(Ui& ui) {
    constexpr double frame_seconds = 1.0 / 30;
    if (is_playing()) ui.wake_after = std::min(ui.wake_after, frame_seconds);
    if (sweep_step_) {
        const Sweep& sweep = sweep_card_.sweep();
        const int step = static_cast<int>(*sweep_step_);
        // Locking a cell does not stop a sweep; any other change by the user does.
        const bool is_taken_over = (swept_ && !(*swept_ == swept_now(sweep))) ||
                                   (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !panels_.picks());
        *sweep_step_ = std::fmod(*sweep_step_ + static_cast<double>(ImGui::GetIO().DeltaTime) * sweep.per_second,
                                 static_cast<double>(sweep.steps));
        if (is_taken_over) {
            stop_playing();
            if (!swept_ || swept_->scene == session_.document.open_scene())
                session_.notices.notify(fmt::format("The sweep stopped at step {} of {}", step + 1, sweep.steps));
        } else {
            show_step(sweep, static_cast<int>(*sweep_step_));
            swept_ = swept_now(sweep);
        }
    }
    if (!player_.is_playing()) return;
    View& view = session_.document.view;
    view.cursor = session_.document.cursor();
    player_.advance(static_cast<double>(ImGui::GetIO().DeltaTime), view.cursor);
    view.cursor_locked = true;
}

void MainWindow::show_step(const Sweep& sweep, int step) {
    const Experiment& experiment = session_.document.experiment();
    if (!sweep.panel) return session_.document.edit(experiment_at(experiment, sweep, step), Gesture::ongoing);
    if (!swept_number(sweep)) return;
    Figure& figure = session_.document.view.figure(*sweep.panel);
    Figure before = std::exchange(figure, figure_at(figure, experiment, sweep, step));
    session_.document.draw({*sweep.panel, std::move(before), figure}, experiment, Gesture::ongoing);
}

std::optional<double> MainWindow::swept_number(const Sweep& sweep) const {
    if (!sweep.panel) return number_at(session_.document.experiment(), sweep.path);
    if (*sweep.panel >= session_.document.view.panels()) return {};
    const Figure& figure = session_.document.view.figure(*sweep.panel);
    return number_at(ConstChoiceRef(figure).fields(), sweep.path);
}

MainWindow::Swept MainWindow::swept_now(const Sweep& sweep) const {
    return {session_.document.experiment(), swept_number(sweep), session_.document.open_scene(),
            session_.document.moves()};
}

void MainWindow::stop_playing() {
    player_.stop();
    swept_.reset();
    if (std::exchange(sweep_step_, std::nullopt)) session_.document.end_gesture();
}

}  // namespace ropewalk
