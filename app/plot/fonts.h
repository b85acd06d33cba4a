// The fonts of all text, found through fontconfig: Inter if it is installed, DejaVu Sans otherwise and for characters
// that Inter lacks.
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

/// Returns the font files, searched once. Throws IoError if fontconfig finds no usable face.
const FontFiles& font_files();

/// Returns the size of a line of text from the faces' metrics at em size `size`, with fallback for missing characters.
TextExtent measure_text(std::string_view utf8, double size, Weight weight);

/// Returns how far the baseline is below the anchor, in the reading direction of the text.
double baseline_below_anchor(const TextStyle& style);
/// Returns the left end of the baseline after alignment and rotation.
Point pen_start(Point anchor, std::string_view utf8, const TextStyle& style);

/// The faces, for canvases that draw glyphs themselves.
enum class Face { regular, semibold, fallback, fallback_semibold };
constexpr int face_count = 4;

struct Glyph {
    Face face = Face::regular;
    unsigned index = 0;       // in that face
    double advance = 0;       // em, including the space before it
    double space_before = 0;  // em, from the pen to the glyph
    int bytes = 0;            // length of its UTF-8
};

/// Returns one glyph per character, without kerning or ligatures, so that all canvases and `measure_text` agree on
/// every position.
std::vector<Glyph> glyphs_of(std::string_view utf8, Weight weight);

/// Returns extra space before a character, in em. Without it, subscripts would touch their letter in small text.
double lead_of(char32_t character);

/// Returns FreeType's handle of a face, for Cairo only. It stays open until the program ends.
FT_FaceRec_* face_for_cairo(Face face);

}  // namespace ropewalk
