// The preview of a page: its look, its size, and whether everything on it can be read.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/plot/color_vision.h"
#include "app/window/session/background_answer.h"
#include "app/window/session/session.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/ui.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

/// Controls for the style of a page with this many figures. `usual` holds the values that they are reset to; their
/// paths begin with `prefix`.
struct PageControls {
    PageStyle usual;
    std::string prefix;
    int figures = 1;
};
ControlsState page_controls(Ui& ui, PageStyle& style, const PageControls& controls,
                            const std::function<bool(std::string_view field)>& shown);

/// A card with controls at the left, a page at the right and buttons below. It ends with its scope.
class PageCard {
  public:
    struct Look {
        const char* id;
        std::string title;
        double width, height, controls_width;  // logical pixels
    };
    /// Begins the card in the middle of `area` (device pixels).
    PageCard(Ui& ui, const Look& look, const Rect& area);

    const Rect& controls() const { return controls_; }
    const Rect& page() const { return page_; }
    void begin_buttons() const;
    bool draw_cancel(std::string_view button_id) const { return card_.draw_cancel(button_id); }

  private:
    Rect rect_;
    Card card_;
    Rect controls_, page_, buttons_;
};

/// A page to preview: its data instead of its picture, if wanted, and the colour vision to simulate.
struct PreviewRequest {
    Page page;
    PictureOptions picture;
    bool of_numbers = false;
    Sight sight = Sight::all_colors;

    bool operator==(const PreviewRequest&) const = default;
};

/// The preview: either the picture or the data.
struct PreviewAnswer {
    std::optional<Image> picture;
    OmittedParts omitted;  // of the picture
    std::optional<DataTable> numbers;
    double bytes = 0;  // approximate size of the data file
    std::string complaint;
};

class PagePane {
  public:
    /// The ids of its widgets begin with `name`.
    PagePane(std::string name, const ComputationOptions& options);

    /// Requests a preview of the page, which has this style, and draws the newest one in `rect` (device pixels).
    void draw(Ui& ui, Page page, const PageStyle& style, Sight sight, const Rect& rect);
    /// Draws the size of the page, between ImGui's last item and `right`, and a button for a larger page if something
    /// does not fit.
    void draw_extent(Ui& ui, PageStyle& style, double right);
    /// Returns whether it shows a page. Before the first answer it neither does nor has failed.
    bool has_content() const { return preview_.answer() && !has_failed(); }
    /// Returns whether the page cannot be drawn.
    bool has_failed() const;

  private:
    void draw_answer(Ui& ui, const Rect& rect, const PageStyle& style) const;
    /// Returns a text about the size of the page, or of the data.
    std::string extent(const PageStyle& style) const;
    std::size_t figures() const { return preview_.asked() ? preview_.asked()->page.figures.size() : 1; }

    std::string name_;
    BackgroundAnswer<PreviewRequest, PreviewAnswer> preview_;
};

}  // namespace ropewalk
