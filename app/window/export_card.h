// The card in which an export is prepared: what the page is to look like at the left, the page itself at the right.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/window/page_preview.h"
#include "app/window/ui.h"
#include "app/window/workbench.h"

namespace ropewalk {

class ExportCard {
  public:
    /// Shows itself over the next frames, for this figure; without one for all that stand in the window.
    void open(std::optional<Figure> figure, Workbench& workbench);
    bool is_open() const { return preview_ != nullptr; }
    void close() { preview_ = nullptr; }

    /// Draws it in the middle of `area` (device pixels) while it is open, and changes workbench.preferences.page. True
    /// once the page is to be written.
    bool draw(Ui& ui, Workbench& workbench, const Rect& area);

    /// The page as it was prepared last.
    Page page(const Workbench& workbench) const;
    /// Of what is exported: "Decay", "All figures"; and what its file might be called, without an ending.
    std::string title() const { return figure_ ? title_of(*figure_) : "all figures"; }
    std::string file_name() const { return figure_ ? id_of(*figure_) : "figures"; }

  private:
    /// What the page is to look like.
    void draw_controls(Ui& ui, Workbench& workbench, const Rect& rect);
    /// Asks for the preview and draws what there is of it; the page that is asked for, without its scene.
    Page draw_preview(Ui& ui, const Workbench& workbench, const Rect& rect);
    void draw_answer(Ui& ui, const Rect& rect, const PageStyle& style) const;
    /// Behind the buttons: how large the page is, and what would be large enough.
    void draw_extent(Ui& ui, PageStyle& style, const Page& page, const Rect& shown);
    /// How large the page is, or how many numbers.
    std::string extent(const PageStyle& style) const;

    std::optional<Figure> figure_;
    int sight_ = 0;                         // of the preview
    std::unique_ptr<PagePreview> preview_;  // while it is open
};

}  // namespace ropewalk
