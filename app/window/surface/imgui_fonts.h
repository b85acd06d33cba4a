// The faces of the window: Inter with DejaVu Sans for what it lacks, rasterised by FreeType at every size that is
// drawn.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/canvas.h"

struct ImDrawList;
struct ImFont;
struct ImFontAtlas;

namespace ropewalk {

/// Fonts in ImGui's atlas. Sizes are em sizes in logical pixels, as on every canvas; ImGui's own are ascent + descent
/// in device pixels.
class Fonts {
  public:
    /// Fills the atlas anew. `scale` is device pixels per logical pixel.
    void build(ImFontAtlas& atlas, std::span<const double> sizes, double scale);

    /// The face of the nearest size that was built.
    ImFont* find(double size, Weight weight) const;
    double scale() const { return scale_; }

    /// Draws at an anchor in device pixels, `style` in logical ones; glyphs stand on whole pixels.
    void draw(ImDrawList& list, Point anchor, std::string_view utf8, const TextStyle& style) const;

  private:
    struct Face {
        double size = 0;
        Weight weight = Weight::regular;
        ImFont* font = nullptr;
    };

    const Face& face(double size, Weight weight) const;

    std::vector<Face> faces_;
    std::vector<std::string> files_;  // that the atlas reads from
    double scale_ = 1;
};

}  // namespace ropewalk
