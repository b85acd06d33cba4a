#include "app/window/panels/player.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/surface/compat.h"

namespace ropewalk {

void Player::play_or_stop() {
    if (is_playing()) return stop();
    Cursor& cursor = session_.document.view.cursor;
    cursor = session_.document.cursor();
    distance_.play(cursor, session_.document.experiment().seq_len);
}

void Player::play(const Sweep& sweep) {
    if (plays_sweep()) session_.document.end_gesture();  // each sweep is one step
    sweep_ = PlayedSweep{.sweep = sweep};
}

void Player::stop() {
    distance_.stop();
    if (std::exchange(sweep_, std::nullopt)) session_.document.end_gesture();
}

double Player::rate_at(double speed) const {
    return distance_.tokens_per_second(session_.document.cursor()) / distance_.speed() * speed;
}

void Player::advance(Ui& ui, bool click_locks) {
    constexpr double frame_seconds = 1.0 / 30;
    if (is_playing()) ui.wake_within(frame_seconds);
    const double seconds = static_cast<double>(ImGui::GetIO().DeltaTime);
    if (sweep_) advance_sweep(seconds, click_locks);
    if (!plays_distance()) return;
    View& view = session_.document.view;
    view.cursor = session_.document.cursor();
    distance_.advance(seconds, view.cursor);
    view.cursor_locked = true;
}

void Player::advance_sweep(double seconds, bool click_locks) {
    auto& [sweep, step, before] = *sweep_;
    const bool is_taken_over =
        (before && !(*before == reached())) || (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !click_locks);
    if (!is_taken_over) {
        step = std::fmod(step + seconds * sweep.per_second, static_cast<double>(sweep.steps));
        show_step();
        before = reached();
        return;
    }
    const bool is_of_scene = !before || before->scenes_opened == session_.document.scenes_opened();
    std::string sentence = fmt::format("The sweep stopped at step {} of {}", static_cast<int>(step) + 1, sweep.steps);
    stop();
    if (is_of_scene) session_.notices.notify(std::move(sentence));
}

void Player::show_step() {
    const Experiment& experiment = session_.document.experiment();
    const Sweep& sweep = sweep_->sweep;
    const int step = static_cast<int>(sweep_->step);
    if (!sweep.panel) return session_.document.edit(experiment_at(experiment, sweep, step), Gesture::ongoing);
    if (!swept_number()) return;
    Figure& figure = session_.document.view.figure(*sweep.panel);
    Figure before = std::exchange(figure, figure_at(figure, experiment, sweep, step));
    session_.document.draw({*sweep.panel, std::move(before), figure}, experiment, Gesture::ongoing);
}

std::optional<double> Player::swept_number() const {
    const auto& [path, panel] = std::pair(sweep_->sweep.path, sweep_->sweep.panel);
    if (!panel) return number_at(session_.document.experiment(), path);
    if (*panel >= session_.document.view.panels()) return {};
    return number_at(ConstChoiceRef(session_.document.view.figure(*panel)).fields(), path);
}

Player::Reached Player::reached() const {
    return {session_.document.experiment(), swept_number(), session_.document.scenes_opened(),
            session_.document.moves()};
}

std::string Player::description() const {
    if (plays_distance())
        return fmt::format("playing {} tokens/s; + and − change the speed, Space stops", readable(rate_at(speed())));
    if (plays_sweep())
        return fmt::format("sweep: step {} of {}; Space stops", static_cast<int>(sweep_->step) + 1,
                           sweep_->sweep.steps);
    return {};
}

}  // namespace ropewalk
