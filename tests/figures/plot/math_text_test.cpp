// Formulas within text: their parts, their layout and their plain form.
#include "app/plot/math/math_text.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/plot/elide.h"
#include "app/plot/export.h"
#include "app/plot/fonts.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Lays out a formula in a font in which every glyph is 1 em wide, 0.7 high and 0.1 deep.
MathLayout laid_out(std::string_view tex) {
    return layout_math(tex, [](char32_t) { return SymbolSize{1, 0.7, 0.1}; });
}
std::u32string characters_of(const MathLayout& layout) {
    std::u32string text;
    for (const MathSymbol& symbol : layout.symbols) text += symbol.character;
    return text;
}

TEST(MathText, DollarSignsEncloseFormulas) {
    const auto parts = parts_of("pair $t$ costs 5 $ or $ 6, $a b$");
    ASSERT_EQ(parts.size(), 4u);
    EXPECT_EQ(parts[0].text, "pair ");
    EXPECT_TRUE(parts[1].is_math);
    EXPECT_EQ(parts[1].text, "t");
    EXPECT_EQ(parts[2].text, " costs 5 $ or $ 6, ") << "spaces inside: no formula";
    EXPECT_EQ(parts[3].text, "a b");
    EXPECT_TRUE(parts_of("").empty());
    EXPECT_EQ(parts_of("$$").size(), 1u);
    EXPECT_FALSE(parts_of("only one $ here")[0].is_math);
}

TEST(MathText, PricesAndEscapedDollarSignsAreNoFormulas) {
    EXPECT_EQ(parts_of("$5–$6").size(), 1u) << "a digit follows the second sign";
    EXPECT_EQ(without_math("costs $5–$6, or $t$ times that"), "costs $5–$6, or t times that");
    EXPECT_EQ(without_math("\\$t\\$ is $w_t$"), "$t$ is wₜ");
    EXPECT_EQ(without_math("$5 \\$$"), "5 $") << "within a formula";
}

TEST(MathText, CommandsEndWithTheirNames) {
    EXPECT_EQ(without_math("$a\\rightarrow b$"), "a→ b");
    EXPECT_EQ(without_math("$\\left(a\\right)$"), "(a)");
    EXPECT_EQ(without_math("$\\leq\\int\\in$"), "≤∫∈");
    EXPECT_EQ(without_math("$\\cos x$"), "cos x");
}

TEST(MathText, LettersAreItalicAndDigitsUpright) {
    EXPECT_EQ(characters_of(laid_out("2r")), U"2𝑟");
    EXPECT_EQ(characters_of(laid_out("h\\theta\\Theta")), U"ℎ𝜃Θ");
    EXPECT_EQ(characters_of(laid_out("\\cos\\mathrm{rad}\\mathbb{R}")), U"cosradℝ");
    EXPECT_EQ(characters_of(laid_out("\\nosuch")), U"\\nosuch") << "an unknown command stays visible";
}

TEST(MathText, SymbolsHaveTheSpacesOfTheirKinds) {
    EXPECT_NEAR(laid_out("ab").width, 2, 1e-9);
    EXPECT_NEAR(laid_out("a=b").width, 3 + 2 * 5.0 / 18, 1e-9);
    EXPECT_NEAR(laid_out("a-b").width, 3 + 2 * 4.0 / 18, 1e-9);
    EXPECT_NEAR(laid_out("-b").width, 2, 1e-9) << "a sign";
    EXPECT_NEAR(laid_out("(-b)").width, 4, 1e-9);
    EXPECT_NEAR(laid_out("a=-b").width, 4 + 2 * 5.0 / 18, 1e-9);
    EXPECT_NEAR(laid_out("a,b").width, 3 + 3.0 / 18, 1e-9);
    EXPECT_NEAR(laid_out("x^{a-b}").width, 1 + 3 * 0.7 + 0.06, 1e-9) << "none in scripts";
}

TEST(MathText, ScriptsAreSmallerAboveAndBelow) {
    const MathLayout layout = laid_out("w_t^2");
    ASSERT_EQ(layout.symbols.size(), 3u);
    const auto& [w, two, t] = std::tie(layout.symbols[0], layout.symbols[1], layout.symbols[2]);
    EXPECT_EQ(w.rise, 0);
    EXPECT_EQ(two.character, U'2');
    EXPECT_EQ(two.size, 0.7);
    EXPECT_GT(two.rise, 0.3);
    EXPECT_LT(t.rise, 0);
    EXPECT_NEAR(two.x, 1.04, 1e-9);
    EXPECT_NEAR(t.x, 1, 1e-9) << "below each other";
    const MathLayout nested = laid_out("a^{b^c}");
    EXPECT_EQ(nested.symbols[2].size, 0.5);
}

TEST(MathText, FractionsAndRootsHaveRules) {
    const MathLayout half = laid_out("\\frac{1}{2}");
    ASSERT_EQ(half.symbols.size(), 3u);
    EXPECT_GT(half.symbols[0].rise, 0.25);
    EXPECT_LT(half.symbols[1].rise, 0);
    EXPECT_EQ(half.symbols[2].character, 0u);
    EXPECT_NEAR(half.symbols[2].size, 0.8, 1e-9) << "as long as the digits and a little more";
    EXPECT_GT(half.symbols[0].rise - 0.1 * 0.7, half.symbols[2].rise) << "the numerator is above the rule";
    EXPECT_LT(half.symbols[1].rise + 0.7 * 0.7, half.symbols[2].rise);
    const MathLayout root = laid_out("\\sqrt{d}");
    ASSERT_EQ(root.symbols.size(), 3u);
    EXPECT_EQ(root.symbols[0].character, U'√');
    EXPECT_GT(root.symbols[2].rise, 0.7) << "above its content";
    EXPECT_GE(root.symbols[1].x, root.symbols[0].x + root.symbols[0].size);
}

TEST(MathText, LimitsAreAboveAndBelowTheirSum) {
    const MathLayout limits = laid_out("\\sum\\limits_{t}^{N} x"), scripts = laid_out("\\sum_t x");
    ASSERT_EQ(limits.symbols.size(), 4u);
    const MathSymbol &sum = limits.symbols[0], &above = limits.symbols[1], &below = limits.symbols[2];
    EXPECT_GT(sum.size, 1);
    EXPECT_NEAR(above.x + above.size / 2, sum.x + sum.size / 2, 1e-9);
    EXPECT_NEAR(below.x + below.size / 2, sum.x + sum.size / 2, 1e-9);
    EXPECT_GT(above.rise, sum.rise);
    EXPECT_LT(below.rise, sum.rise);
    EXPECT_GT(scripts.symbols[1].x, 0.9);
    const MathLayout first = laid_out("^2");
    ASSERT_EQ(first.symbols.size(), 1u) << "a script of what is before the formula";
    EXPECT_EQ(first.symbols[0].character, U'2');
    EXPECT_GT(first.symbols[0].rise, 0.2);
}

TEST(MathText, PlainTextReadsTheSame) {
    EXPECT_EQ(without_math("pair $t$: $w_t = \\theta^{-2t/d}$"), "pair t: wₜ = θ^(−2t/d)");
    EXPECT_EQ(without_math("$\\frac{q\\cdot k}{\\sqrt{d}}$, $\\sum_j \\cos(r w_j)$"), "q·k/√d, Σⱼ cos(r wⱼ)");
    EXPECT_EQ(without_math("$10^{-3} \\le x^2$ and $5"), "10⁻³ ≤ x² and $5");
    EXPECT_EQ(without_math("10 000$^{-2t/d}$"), "10 000^(−2t/d)");
}

TEST(MathText, GlyphsFillTheMeasuredWidth) {
    for (const char* text :
         {"a $b$ c", "$\\frac{a}{b}$", "$\\sqrt{x_t^2}$", "$\\sum\\limits_{t<48}^{64} \\cos(m w_t)$"}) {
        double width = 0;
        for (const Glyph& glyph : glyphs_of(text, Weight::regular)) width += glyph.advance;
        EXPECT_NEAR(20 * width, measure_text(text, 20, Weight::regular).width, 1e-9) << text;
        const Rect ink = ink_box({0, 0}, text, {.size = 20});
        EXPECT_GT(ink.width, 0.6 * 20 * width) << text;
        EXPECT_LT(ink.width, 1.1 * 20 * width) << text;
    }
    EXPECT_EQ(glyphs_of("$t$", Weight::regular)[0].face, Face::math);
    EXPECT_EQ(glyphs_of("t", Weight::regular)[0].face, Face::regular);
    EXPECT_EQ(glyphs_of("t", Weight::serif)[0].face, Face::math);
}

TEST(MathText, SerifTextRaisesWhatItsFontLacks) {
    const auto glyphs = glyphs_of("10⁵", Weight::serif);
    ASSERT_EQ(glyphs.size(), 3u);
    EXPECT_EQ(glyphs[2].character, U'5');
    EXPECT_LT(glyphs[2].size, 1);
    EXPECT_GT(glyphs[2].rise, 0);
}

TEST(MathText, AFormulaIsNotCut) {
    const RecordingCanvas canvas({0, 0, 400, 100});
    const std::string text = "a long formula $w_t=\\theta^{-2t/d}$ follows";
    for (double room = 20; room < 300; room += 7) {
        const std::string cut = elided(text, room, {.size = 12}, canvas);
        EXPECT_EQ(std::count(cut.begin(), cut.end(), '$') % 2, 0) << cut;
    }
    EXPECT_THAT(ropewalk::words_of(std::string_view("as $a = b$ says")), testing::ElementsAre("as", "$a = b$", "says"));
}

TEST(MathText, ANumberIsNotBroken) {
    EXPECT_THAT(
        ropewalk::words_of("up to 1 000 000 tokens, 64 of 128 pairs, at r = 11 780."),
        testing::ElementsAre("up", "to", "1 000 000", "tokens,", "64", "of", "128", "pairs,", "at", "r = 11 780."));
    EXPECT_THAT(ropewalk::words_of("12 3456 and 12, 345"), testing::ElementsAre("12", "3456", "and", "12,", "345"));
    const RecordingCanvas canvas({0, 0, 400, 100});
    for (double room = 10; room < 200; room += 3) {
        const std::string shown = elided("base 10 000 and more", room, {.size = 12}, canvas);
        EXPECT_EQ(shown.find_first_of("0123456789") != shown.npos, shown.starts_with("base 10 000")) << shown;
    }
}

TEST(MathText, EveryFormatHasTheSymbols) {
    const auto draw = [](Canvas& canvas) {
        canvas.text({10, 30}, "pair $w_t=\\frac{1}{2}$", {.size = 16, .color = {0, 0, 0}});
    };
    const ExportOptions options{.width = 200, .height = 60, .background = {255, 255, 255}};
    const std::string svg = draw_svg(options, draw), pdf = draw_pdf(options, draw);
    EXPECT_EQ(svg, draw_svg(options, draw));
    EXPECT_EQ(pdf, draw_pdf(options, draw));
    EXPECT_THAT(svg, HasSubstr("𝑤"));
    EXPECT_THAT(svg, HasSubstr("@font-face"));
    EXPECT_THAT(svg, Not(HasSubstr("$")));
    EXPECT_LT(svg.size(), 20'000u) << "only a part of the font is embedded";
    EXPECT_THAT(pdf, HasSubstr("LatinModernMath"));
    const Image image = draw_image(options, draw);
    EXPECT_GT(std::count_if(image.pixels.begin(), image.pixels.end(), [](Color c) { return c.r < 100; }), 60);
    const std::string plain = draw_svg(options, [](Canvas& canvas) { canvas.text({10, 30}, "plain", {.size = 16}); });
    EXPECT_THAT(plain, Not(HasSubstr("@font-face")));
}

}  // namespace
}  // namespace ropewalk
