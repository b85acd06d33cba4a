// The card in which an export is prepared: what the page is to look like at the left, the page itself at the right.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/window/cards/page_pane.h"
#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class ExportCard {
  public:
    /// Shows itself over the next frames, for this figure; without one for all that stand in the window.
    void open(std::optional<Figure> figure, Session& session);
    bool is_open() const { return pane_ != nullptr; }
    void close() { pane_ = nullptr; }

    /// Draws it in the middle of `area` (device pixels) while it is open, and changes workbench.preferences.page. True
    /// once the page is to be written.
    bool draw(Ui& ui, Session& session, const Rect& area);

    /// The page as it was prepared last.
    Page page(const Session& session) const;
    /// Of what is exported: "Decay", "All figures"; and what its file might be called, without an ending.
    std::string title() const { return figure_ ? title_of(*figure_) : "all figures"; }
    std::string file_name() const { return figure_ ? id_of(*figure_) : "figures"; }

  private:
    /// What the page is to look like.
    void draw_controls(Ui& ui, Session& session, const Rect& rect);

    std::optional<Figure> figure_;
    int sight_ = 0;                   // of the preview
    std::unique_ptr<PagePane> pane_;  // while it is open
};

}  // namespace ropewalk
