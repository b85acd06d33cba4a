// The card that prepares an export: the page's options at the left, its preview at the right.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/page/figure_titles.h"
#include "app/window/cards/page_pane.h"
#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class ExportCard {
  public:
    /// Opens the card for the figure of this panel, or for all figures of the window.
    void open(std::optional<int> panel, Session& session);
    bool is_open() const { return pane_ != nullptr; }
    void close() { pane_ = nullptr; }

    /// Draws the card in the middle of `area` (device pixels) while it is open, and changes `session.preferences.page`.
    /// Returns true when the user asks to write the page.
    bool draw(Ui& ui, Session& session, const Rect& area);

    /// Returns the page as it was prepared last.
    Page page(const Session& session) const;
    /// Returns the name of what is exported, such as "Decay".
    std::string title() const {
        return panel_ ? title_among(figures_, static_cast<std::size_t>(*panel_)) : "all figures";
    }
    /// Returns the proposed file name, without extension.
    std::string file_name() const { return panel_ ? id_of(figure()) : "figures"; }

  private:
    const Figure& figure() const { return figures_[static_cast<std::size_t>(*panel_)]; }
    void draw_controls(Ui& ui, Session& session, const Rect& rect);
    void draw_figure_choice(Ui& ui);

    std::vector<Figure> figures_;           // of all panels, when the card was opened
    std::optional<int> panel_;              // whose figure is exported; none: all of them
    std::optional<Experiment> experiment_;  // as shown when the card was opened; a model may be trained meanwhile
    int sight_ = 0;                         // of the preview
    std::unique_ptr<PagePane> pane_;        // while it is open
};

}  // namespace ropewalk
