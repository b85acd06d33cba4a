// When the session is saved.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/window/session/recovery.h"
#include "app/window/session/session.h"

namespace ropewalk {

/// Saves the session at intervals while it differs from the last saved state. A session without changes is not saved,
/// because its file contains everything.
class SessionSaver {
  public:
    explicit SessionSaver(Recovery& recovery) : recovery_(recovery) {}

    /// Also saves the session while its head is this one, which no file contains.
    void keep(const Experiment& experiment) { kept_ = experiment; }
    /// When a session that differs from the last saved state is saved: two seconds after the last time, a quarter of a
    /// second after it, or not at all, while it shows what was not chosen.
    enum class When { usual, soon, never };
    /// Saves the session if necessary, and again if that failed, of which it tells once. Call once per frame. Returns
    /// for how many seconds the next call may wait.
    double save(Session& session, When when = When::usual);
    /// Saves the session when the program has to end at once.
    void save_at_end(Session& session);

  private:
    void tell_of_failure(Notices& notices);

    struct SavedState {
        std::string path, title;
        std::optional<FileStamp> stamp;
        Experiment experiment;
        std::optional<Experiment> reference;
        View view;
        std::size_t step = 0, steps = 0;

        static SavedState of(const Session& session);
        bool operator==(const SavedState&) const = default;
    };

    Recovery& recovery_;
    std::optional<Experiment> kept_;
    std::optional<SavedState> saved_;
    std::chrono::steady_clock::time_point saved_at_{};
    std::string failure_;  // that was told
};

}  // namespace ropewalk
