// A page that is prepared: what it looks like, how large it is, and whether all of it can be read.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/window/cards/page_preview.h"
#include "app/window/session/session.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/ui.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

/// Controls for a page's style; `usual` is what they are reset to, their paths begin with `prefix`, and the page has so
/// many figures.
struct PageControls {
    PageStyle usual;
    std::string prefix;
    int figures = 1;
};
ControlsState page_controls(Ui& ui, PageStyle& style, const PageControls& controls,
                            const std::function<bool(std::string_view field)>& shown);

/// A card with controls at the left, a page at the right and buttons below. Ends with its scope.
class PageCard {
  public:
    struct Look {
        const char* id;
        std::string title;
        double width, height, controls_width;  // logical pixels
    };
    /// In the middle of `area` (device pixels).
    PageCard(Ui& ui, const Look& look, const Rect& area);

    const Rect& controls() const { return controls_; }
    const Rect& page() const { return page_; }
    /// Puts ImGui's cursor where the first button stands.
    void begin_buttons() const;
    /// The mouse went down beside it.
    bool clicked_outside() const { return card_.clicked_outside(); }

  private:
    Rect rect_;
    Card card_;
    Rect controls_, page_, buttons_;
};

class PagePane {
  public:
    /// The ids of its widgets begin with `name`.
    PagePane(std::string name, const SessionOptions& options);

    /// Asks for the page, which is of this style, and draws what there is of it in `rect` (device pixels).
    void draw(Ui& ui, Page page, const PageStyle& style, Sight sight, const Rect& rect);
    /// Behind ImGui's last item, up to `right`: how large the page is, and a button for one that has room for all of
    /// it.
    void draw_extent(Ui& ui, PageStyle& style, double right);
    /// Whether there is something to write.
    bool has_content() const;

  private:
    void draw_answer(Ui& ui, const Rect& rect, const PageStyle& style) const;
    /// How large the page is, or how many numbers.
    std::string extent(const PageStyle& style) const;
    std::size_t figures() const { return preview_.asked() ? preview_.asked()->page.figures.size() : 1; }

    std::string name_;
    PagePreview preview_;
};

}  // namespace ropewalk
