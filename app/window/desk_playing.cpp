// The cursor as arrow keys move it, and what moves by itself: the distance, or a field in a sweep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/window/desk.h"
#include "app/window/panels.h"

namespace ropewalk {

void Desk::move_cursor(Ui& ui) {
    for (const auto& [key, down, across] : {std::tuple{Key::left, 0, -1}, std::tuple{Key::right, 0, 1},
                                            std::tuple{Key::up, -1, 0}, std::tuple{Key::down, 1, 0}}) {
        const auto press = ui.take_key(key);
        if (!press) continue;
        const int step = press->modifiers.control ? 100 : press->modifiers.shift ? 10 : 1;
        Cursor cursor = workbench_.cursor();
        cursor.query += down * step;
        cursor.key += across * step;
        workbench_.view.cursor = cursor.clamped(workbench_.experiment());
        workbench_.view.cursor_locked = true;
    }
}

void Desk::play(Ui& ui) {
    constexpr double frame_seconds = 1.0 / 30;
    if (is_playing()) ui.wake_after = std::min(ui.wake_after, frame_seconds);
    if (sweep_step_) {
        const Sweep& sweep = sweep_card_.sweep();
        const int step = static_cast<int>(*sweep_step_);
        // A cell may be locked while it plays; what is changed by hand goes on from here.
        const bool is_taken_over = (swept_ && !(*swept_ == workbench_.experiment())) ||
                                   (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !panels_.picks());
        *sweep_step_ = std::fmod(*sweep_step_ + static_cast<double>(ImGui::GetIO().DeltaTime) * sweep.per_second,
                                 static_cast<double>(sweep.steps));
        if (is_taken_over) {
            stop_playing();
            if (swept_scene_ == &workbench_.scene())
                workbench_.tell(fmt::format("The sweep stopped at step {} of {}", step + 1, sweep.steps));
        } else {
            workbench_.edit(experiment_at(workbench_.experiment(), sweep, static_cast<int>(*sweep_step_)),
                            Gesture::ongoing);
            swept_ = workbench_.experiment(), swept_scene_ = &workbench_.scene();
        }
    }
    if (!player_.is_playing()) return;
    View& view = workbench_.view;
    view.cursor = workbench_.cursor();
    player_.advance(static_cast<double>(ImGui::GetIO().DeltaTime), view.cursor);
    view.cursor_locked = true;
}

void Desk::stop_playing() {
    player_.stop();
    swept_.reset();
    if (std::exchange(sweep_step_, std::nullopt)) workbench_.end_gesture();
}

}  // namespace ropewalk
