// The faces that text is set in, found through fontconfig: Inter where it is installed, DejaVu Sans otherwise and for
// what Inter lacks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/canvas.h"

struct FT_FaceRec_;

namespace ropewalk {

struct FontFiles {
    std::string regular, semibold;            // paths
    std::string fallback, fallback_semibold;  // for characters that the first ones lack; DejaVu Sans
};

/// Found once. Throws IoError if fontconfig knows no usable face at all.
const FontFiles& font_files();

/// Size of a line of text, from the faces' own metrics at `size` em, with fallback for missing characters.
TextExtent measure_text(std::string_view utf8, double size, Weight weight);

/// How far the baseline lies below the anchor, as the reader of the (perhaps rotated) text sees it.
double baseline_below_anchor(const TextStyle& style);
/// Where the pen starts: the left end of the baseline, after alignment and rotation.
Point pen_start(Point anchor, std::string_view utf8, const TextStyle& style);
/// The least rectangle around the outlines of the text's glyphs; empty for blanks.
Rect ink_box(Point anchor, std::string_view utf8, const TextStyle& style);

/// For canvases that draw glyphs themselves.
enum class Face { regular, semibold, fallback, fallback_semibold };
constexpr int face_count = 4;

struct Glyph {
    Face face = Face::regular;
    unsigned index = 0;  // in that face
    double advance = 0;  // in em, with the room before it
    double lead = 0;     // that room: the glyph stands so far from the pen
    int bytes = 0;       // of the UTF-8 that it stands for
};

/// One glyph a character, without kerning or ligatures: all canvases and measure_text agree on every position.
std::vector<Glyph> glyphs_of(std::string_view utf8, Weight weight);

/// In em, the room before a character besides its face's own: small text would else have a subscript touch its letter.
double lead_of(char32_t character);

/// FreeType's handle on a face, for Cairo alone: nothing else touches it, and it stays open to the end of the program.
FT_FaceRec_* face_for_cairo(Face face);

}  // namespace ropewalk
