#include "app/window/session/session_saver.h"

#include <fmt/format.h>

#include <utility>

#include "app/window/session/session_text.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

double SessionSaver::save(Session& session, When when) {
    const std::chrono::milliseconds interval(when == When::soon ? 250 : 2000);
    tell_of_failure(session.notices);
    if (when == When::never) return recovery_.patience();
    const Document& document = session.document;
    const bool is_touched =
        document.has_unsaved_changes() || document.can_undo() || document.can_redo() || kept_ == document.experiment();
    if (!is_touched && saved_) {  // what was saved is out of date
        recovery_.forget();
        saved_.reset();
    }
    if (!is_touched) return infinity;
    if (saved_ != SavedState::of(session) || recovery_.patience() == 0) {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> left = saved_at_ + interval - now;
        if (left.count() > 0) return left.count() + 0.01;
        const auto last = std::exchange(saved_at_, now);  // before, so that an exception is not repeated in every frame
        if (recovery_.save(session_as_text(session.document)))
            saved_ = SavedState::of(session);
        else
            saved_at_ = last;
    }
    return recovery_.patience();
}

void SessionSaver::save_at_end(Session& session) {
    recovery_.wait();
    saved_at_ = {};  // without an interval
    save(session);
    recovery_.wait();
    if (saved_) recovery_.save(session_as_text(session.document));  // the file may have been removed meanwhile
    recovery_.wait();
}

void SessionSaver::tell_of_failure(Notices& notices) {
    const std::string& failure = recovery_.failure();
    if (failure == std::exchange(failure_, failure) || failure.empty()) return;
    notices.complain(fmt::format("The session cannot be saved for recovery: {}", failure));
}

SessionSaver::SavedState SessionSaver::SavedState::of(const Session& session) {
    const Scene& scene = session.document.scene();
    SavedState state{scene.path,
                     scene.title,
                     scene.stamp,
                     session.document.experiment(),
                     session.document.copied_reference(),
                     session.document.view,
                     session.document.step(),
                     session.document.count_of_steps()};
    if (!state.view.cursor_locked) state.view.cursor = {};  // an unlocked cursor is not worth saving
    return state;
}

}  // namespace ropewalk
