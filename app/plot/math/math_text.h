// Mathematics within text. A text may contain formulas between dollar signs, as in "pair $t$ rotates by
// $w_t = \theta^{-2t/d}$ per token"; every canvas, `measure_text` and `glyphs_of` set them in the mathematical font.
//
// A formula is a small part of TeX: letters (italic), digits, ^ and _, groups in braces, Greek letters, \frac, \dfrac
// (as large as the text), \sqrt, \sum and \prod (with \limits to place limits below and above), functions such as \cos,
// \mathrm{…} and \mathbb{…}, relations and operators by name (\cdot, \le, \approx, \odot, …) or as Unicode, \| and ‖,
// primes, and the spaces \, \; \quad. Spaces between symbols follow from their kinds.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// Groups and arguments nested deeper than this are left out.
constexpr int deepest_math = 32;

/// A part of a text: prose, or a formula without its dollar signs.
struct TextPart {
    std::string_view text;
    bool is_math = false;
};
/// Returns the parts of a text. A dollar sign begins a formula only if another ends it. No space may follow the first
/// or precede the last, and no digit may follow the last: “$5–$6” are prices. \$ is always a dollar sign.
std::vector<TextPart> parts_of(std::string_view utf8);

/// Returns the text with its formulas as plain characters, for terminals and search: "wₜ = θ^(−2t/d)".
std::string without_math(std::string_view utf8);

/// A character of a formula, or a rule (of fractions and roots); lengths in em of the text.
struct MathSymbol {
    char32_t character = 0;  // 0: a horizontal rule
    double size = 1;         // relative to the text; of a rule: its width
    double x = 0, rise = 0;  // from the formula's left end, and above the baseline
};
struct MathLayout {
    std::vector<MathSymbol> symbols{};
    double width = 0, ascent = 0, descent = 0;
};
/// Thickness of rules, in em.
inline constexpr double rule_thickness = 0.04;

/// The size of a character's glyph in em: its advance, and its ink above and below the baseline.
struct SymbolSize {
    double advance = 0, ascent = 0, descent = 0;
};
/// Lays out a formula with the sizes of a font's glyphs. Commands that are not known appear as text.
MathLayout layout_math(std::string_view tex, const std::function<SymbolSize(char32_t)>& size_of);

/// Returns the characters that formulas use often, for fonts that are rasterised in advance.
const std::u32string& usual_math_characters();

}  // namespace ropewalk
