// The card that prepares a sweep of one number.
#pragma once

#include <memory>
#include <string>

#include "app/figures/page/sweep.h"
#include "app/window/cards/page_pane.h"
#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class SweepCard {
  public:
    enum class Action { none, play, video };

    /// Opens the card for this field of the experiment, or for an option of a panel's figure. Returns false if it is
    /// not a number. The settings of the last sweep of the same number stay.
    bool open(const Session& session, const std::string& path, std::optional<int> panel = {});
    bool is_open() const { return pane_ != nullptr; }
    void close() { pane_ = nullptr; }

    /// Draws the card in the middle of `area` (device pixels) while it is open. Returns what the user asks for.
    Action draw(Ui& ui, Session& session, const Rect& area);

    const Sweep& sweep() const { return sweep_; }
    /// Returns the page that is recorded, in the style chosen for videos.
    Page page(const Session& session) const;

  private:
    void draw_controls(Ui& ui, Session& session, const Rect& rect);
    void draw_video(Ui& ui, Session& session);
    /// Returns the first page of the video, with its own axis ranges: the shared ranges are only known once all pages
    /// have been computed.
    Page first_page(const Session& session) const;
    /// Draws one end of the sweep, on the same track as the field's slider.
    void draw_end(Ui& ui, Session& session, const char* id, const char* label, double& value, double usual);

    Sweep sweep_, usual_;             // usual_: over the whole slider
    Field field_;                     // the swept field,
    std::string owner_;               // and the id of the figure that it is an option of, if it is one
    int figure_ = 0;                  // recorded panel; the number of panels: all of them
    std::unique_ptr<PagePane> pane_;  // while it is open
};

}  // namespace ropewalk
