// The animations: of the distance, or of a number in a sweep.
#pragma once

#include <optional>
#include <string>

#include "app/figures/page/sweep.h"
#include "app/window/panels/distance_player.h"
#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class Player {
  public:
    explicit Player(Session& session) : session_(session) {}

    bool is_playing() const { return plays_distance() || plays_sweep(); }
    bool plays_distance() const { return distance_.is_playing(); }
    bool plays_sweep() const { return sweep_.has_value(); }
    /// Starts the animation of the distance, or stops whatever is playing.
    void play_or_stop();
    /// Plays a sweep in a loop, from its first step.
    void play(const Sweep& sweep);
    void stop();

    /// Advances the animations by the time since the last frame. A change or a click by the user ends a sweep, except a
    /// click that only locks a cell (`click_locks`).
    void advance(Ui& ui, bool click_locks);

    /// Returns the speed of the distance's animation, as a multiple of the usual one.
    double speed() const { return distance_.speed(); }
    void set_speed(double speed) { distance_.set_speed(speed); }
    /// Returns the tokens per second at a speed, along the cursor's row.
    double rate_at(double speed) const;

    /// Returns what the status line says about the animation; empty if there is none.
    std::string description() const;

  private:
    /// The state that a sweep has reached.
    struct Reached {
        Experiment experiment;
        std::optional<double> number;
        int scenes_opened;
        std::size_t moves;  // of the history

        bool operator==(const Reached&) const = default;
    };
    /// A sweep while it plays.
    struct PlayedSweep {
        Sweep sweep;
        double step = 0;                   // with a fraction carried to the next frame
        std::optional<Reached> reached{};  // after the last step
    };
    void advance_sweep(double seconds, bool click_locks);
    void show_step();
    /// Returns the number that the sweep changes; empty if the panel now shows another figure.
    std::optional<double> swept_number() const;
    Reached reached() const;

    Session& session_;
    DistancePlayer distance_;
    std::optional<PlayedSweep> sweep_;
};

}  // namespace ropewalk
