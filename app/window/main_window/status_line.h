// The line at the bottom: a notice, the readout, and what is computed. Also how long notices stay.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/window/panels/player.h"
#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class StatusLine {
  public:
    /// Removes notices: a note after a while, an error at the user's next action.
    void age_notice(Ui& ui, Notices& notices);
    /// Draws the notice or the readout at the left, and the times or the work in progress at the right.
    void draw(Ui& ui, const Session& session, const Player& player, const std::string& readout, const Rect& rect);
    /// Draws only the current remark, on the panels of a presentation, which fill `room`. It replaces the formula if
    /// that is visible and has space for it.
    static void draw_presented(Ui& ui, const Session& session, const Rect& room, bool sees_formula);

  private:
    /// Returns the text shown while an answer is computed; empty during its first moments.
    std::string waited_for(Ui& ui, const WorkerState& state);
    /// Draws the end of the line. Returns the logical pixels that are left for its beginning.
    static double draw_end(Ui& ui, const Session& session, const Rect& rect, double left_width, std::string under_way);

    int noticed_ = 0;                   // number of the notice shown
    double noticed_since_ = 0;          // ImGui's time
    std::optional<double> busy_since_;  // ImGui's time since which an answer is computed
    std::optional<Request> shown_;      // what was asked for the results that are shown meanwhile
};

}  // namespace ropewalk
