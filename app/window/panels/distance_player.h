// The animation of the distance: moves the shared cursor along its row.
#pragma once

#include "core/analysis/analysis_context.h"

namespace ropewalk {

class DistancePlayer {
  public:
    static constexpr double slowest = 1.0 / 16, fastest = 4096;

    bool is_playing() const { return playing_; }
    /// Starts at the cursor, or in the last row if the cursor's row is too short to be seen.
    void play(Cursor& cursor, int seq_len);
    void stop() { playing_ = false; }
    /// Returns the speed, as a multiple of the usual one. At the usual speed a row takes twelve seconds, with at most
    /// half a second and at least one frame per token, so that no token is skipped.
    double speed() const { return speed_; }
    double tokens_per_second(const Cursor& cursor) const;
    void set_speed(double speed);

    /// Moves the cursor on by this many seconds; at the end of the row it starts again. If the cursor was moved
    /// meanwhile, continues from its new position.
    void advance(double seconds, Cursor& cursor);

  private:
    bool playing_ = false;
    double speed_ = 1;
    double distance_ = 0;  // tokens, with a fraction carried to the next frame
};

}  // namespace ropewalk
