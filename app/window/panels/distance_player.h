// Moves the shared cursor along its row, so that every figure shows one distance after the other.
#pragma once

#include "core/analysis/analysis_context.h"

namespace ropewalk {

class DistancePlayer {
  public:
    static constexpr double slowest = 1.0 / 16, fastest = 4096;

    bool is_playing() const { return playing_; }
    /// Goes on from where the cursor is, along the last row if the cursor's own is too short to be seen.
    void play(Cursor& cursor, int seq_len);
    void stop() { playing_ = false; }
    /// In its usual speed a row takes twelve seconds, but no token more than half a second, nor less than a frame: then
    /// none is left out.
    double speed() const { return speed_; }
    double tokens_per_second(const Cursor& cursor) const;
    void set_speed(double speed);

    /// The cursor after so many more seconds; at the end of the row it begins again. Moved by somebody else it goes on
    /// from there.
    void advance(double seconds, Cursor& cursor);

  private:
    bool playing_ = false;
    double speed_ = 1;
    double distance_ = 0;  // tokens, with what is left over of the last
};

}  // namespace ropewalk
