// The card in which a sweep of one number is prepared.
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
    enum class Wish { none, play, film };

    /// Shows itself over the next frames, for this number of the experiment, or of the options of a panel's figure;
    /// false if it is none. What was chosen for the same one before is kept.
    bool open(const Session& session, const std::string& path, std::optional<int> panel = {});
    bool is_open() const { return pane_ != nullptr; }
    void close() { pane_ = nullptr; }

    /// Draws it in the middle of `area` (device pixels) while it is open. What the person wants, once it is something.
    Wish draw(Ui& ui, Session& session, const Rect& area);

    const Sweep& sweep() const { return sweep_; }
    /// What is filmed, on a page of the style that was chosen for films.
    Page page(const Session& session) const;

  private:
    void draw_controls(Ui& ui, Session& session, const Rect& rect);
    /// Which figures are filmed, and on which page.
    void draw_film(Ui& ui, Session& session);
    /// The first page of the film, with ranges of its own: those of all pages are known when they have been computed.
    Page first_page(const Session& session) const;
    /// One end of the sweep, on the track that the field's own slider has.
    void draw_end(Ui& ui, Session& session, const char* id, const char* label, double& value, double usual);

    Sweep sweep_, usual_;             // the latter over all of the slider
    Field field_;                     // that runs,
    std::string owner_;               // and the id of the figure that it is an option of, if it is one
    int figure_ = 0;                  // panel that is filmed; as many as there are panels: all
    std::unique_ptr<PagePane> pane_;  // while it is open
};

}  // namespace ropewalk
