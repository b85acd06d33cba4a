// The typefaces of the window: Inter, with DejaVu Sans for missing glyphs, rasterised by FreeType at every size used.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/plot/canvas.h"
#include "app/plot/fonts.h"

struct ImDrawList;
struct ImFont;
struct ImFontAtlas;

namespace ropewalk {

/// Fonts in an atlas of ImGui's. The symbols of formulas are private characters of its fonts, in the sizes of text and
/// of scripts. Sizes are em sizes in logical pixels, as on every canvas; ImGui's own sizes are ascent + descent in
/// device pixels.
class Fonts {
  public:
    /// Rasterises the typefaces, or finds them among the last that were: it takes a tenth of a second. `scale` is
    /// device pixels per logical pixel. Returns their atlas, which is at most `largest_texture` pixels wide and high:
    /// at a large scale, smaller glyphs are stretched.
    ImFontAtlas& build(std::span<const double> sizes, double scale, int largest_texture);

    /// Returns the built font of the nearest size.
    ImFont* find(double size, Weight weight) const;
    double scale() const;

    /// Draws at an anchor in device pixels, with `style` in logical pixels; glyphs are aligned to whole pixels.
    void draw(ImDrawList& list, Point anchor, std::string_view utf8, const TextStyle& style) const;

  private:
    struct Face;
    struct Rasterised;

    static std::shared_ptr<Rasterised> rasterise(std::span<const double> sizes, double scale, int widest);
    const Face& face(double size, Weight weight) const;
    void draw_glyph(ImDrawList& list, const Glyph& glyph, const Face& face, const TextStyle& style, Point pen) const;

    std::shared_ptr<Rasterised> built_;
};

}  // namespace ropewalk
