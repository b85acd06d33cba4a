#include "app/window/session/session_saver.h"

#include "app/window/session/session_text.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

double SessionSaver::save(const Session& session) {
    constexpr std::chrono::seconds interval{2};
    const bool is_touched =
        session.document.has_unsaved_changes() || session.document.can_undo() || kept_ == session.document.experiment();
    if (!is_touched && saved_) {  // what was saved is out of date
        recovery_.forget();
        saved_.reset();
    }
    if (!is_touched || saved_ == SavedState::of(session)) return infinity;
    const auto now = std::chrono::steady_clock::now();
    const std::chrono::duration<double> left = saved_at_ + interval - now;
    if (left.count() > 0) return left.count() + 0.01;
    saved_at_ = now;
    if (!recovery_.save(session_as_text(session.document))) return std::chrono::duration<double>(interval).count();
    saved_ = SavedState::of(session);
    return infinity;
}

SessionSaver::SavedState SessionSaver::SavedState::of(const Session& session) {
    const Scene& scene = session.document.scene();
    SavedState state{scene.path,
                     scene.title,
                     session.document.experiment(),
                     session.document.copied_reference(),
                     session.document.view,
                     session.document.step(),
                     session.document.count_of_steps()};
    if (!state.view.cursor_locked) state.view.cursor = {};  // an unlocked cursor is not worth saving
    return state;
}

}  // namespace ropewalk
