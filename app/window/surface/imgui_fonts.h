// The typefaces of the window: Inter, with DejaVu Sans for missing glyphs, rasterised by FreeType at every size used.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/fonts.h"

struct ImDrawList;
struct ImFont;
struct ImFontAtlas;

namespace ropewalk {

/// Fonts in ImGui's atlas. The symbols of formulas are private characters of its fonts, in the sizes of text and of
/// scripts. Sizes are em sizes in logical pixels, as on every canvas; ImGui's own sizes are ascent +
/// descent in device pixels.
class Fonts {
  public:
    /// Fills the atlas again. `scale` is device pixels per logical pixel.
    void build(ImFontAtlas& atlas, std::span<const double> sizes, double scale);

    /// Returns the built font of the nearest size.
    ImFont* find(double size, Weight weight) const;
    double scale() const { return scale_; }

    /// Draws at an anchor in device pixels, with `style` in logical pixels; glyphs are aligned to whole pixels.
    void draw(ImDrawList& list, Point anchor, std::string_view utf8, const TextStyle& style) const;

  private:
    struct Face {
        double size = 0;
        Weight weight = Weight::regular;
        ImFont* font = nullptr;
    };

    const Face& face(double size, Weight weight) const;
    void add_math(ImFontAtlas& atlas);
    void draw_glyph(ImDrawList& list, const Glyph& glyph, const Face& face, const TextStyle& style, Point pen) const;

    std::vector<Face> faces_;
    std::vector<std::string> files_;  // files that the atlas reads
    double scale_ = 1;
};

}  // namespace ropewalk
