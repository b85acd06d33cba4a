// The fonts of all text, found through fontconfig: Inter if it is installed, DejaVu Sans otherwise and for characters
// that Inter lacks; Latin Modern Math for formulas (see math_text.h) and for serif text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/canvas.h"

struct FT_FaceRec_;

namespace ropewalk {

struct FontFiles {
    std::string regular, semibold;            // paths
    std::string fallback, fallback_semibold;  // for characters that the first ones lack; DejaVu Sans
    std::string math;                         // Latin Modern Math, or the fallback
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
enum class Face { regular, semibold, fallback, fallback_semibold, math };
constexpr int face_count = 5;

struct Glyph {
    Face face = Face::regular;
    unsigned index = 0;       // in that face
    char32_t character = 0;   // 0: a horizontal rule of a formula
    double advance = 0;       // em, including the space before it
    double space_before = 0;  // em, from the pen to the glyph; may be negative in formulas
    double size = 1;          // relative to the text; of a rule: its length in em
    double rise = 0;          // em, above the baseline

    bool is_rule() const { return character == 0; }
};

/// Size of formulas within Inter, whose letters are larger at the same em size.
inline constexpr double math_beside_sans = 1.15;

/// Returns one glyph per character, and one per symbol of a formula, without kerning or ligatures, so that all canvases
/// and `measure_text` agree on every position.
std::vector<Glyph> glyphs_of(std::string_view utf8, Weight weight);

/// Returns extra space before a character, in em. Without it, subscripts would touch their letter in small text.
double lead_of(char32_t character);

/// A glyph as grey pixels, for canvases with textures.
struct GlyphPicture {
    int width = 0, height = 0;
    int left = 0, top = 0;  // of its first pixel, from the pen to the right and from the baseline up
    std::vector<std::uint8_t> grey{};
};
/// Returns a glyph of the mathematical font at this em size in pixels.
GlyphPicture math_glyph_picture(char32_t character, double pixels);

/// Returns FreeType's handle of a face, for Cairo only. It stays open until the program ends.
FT_FaceRec_* face_for_cairo(Face face);

}  // namespace ropewalk
