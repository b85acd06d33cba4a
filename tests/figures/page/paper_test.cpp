// Figures for journals: their text, captions and resolution.
#include <gmock/gmock.h>

#include "app/figures/page/page.h"
#include "app/figures/page/page_caption.h"
#include "app/figures/page/view_io.h"
#include "app/figures/parts/curves/line_names.h"
#include "app/figures/parts/text/value_in_words.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;

class PaperPage : public testing::Test {
  protected:
    Page page_of(const char* figure, const char* settings, PaperStyle style = {.look = PageLook::paper}) {
        PageOptions options{.width = 85 * PageStyle::px_per_mm, .height = 65 * PageStyle::px_per_mm, .scale = 1};
        set_style(options, style);
        return {{{figure_called(figure, View{})}}, changed({}, settings), options};
    }
    std::string svg_of(const Page& page) { return make_page(page, evaluator_, "svg", {}); }

    Evaluator evaluator_{open_backend("cpu", 1)};
};

TEST_F(PaperPage, HasNoTitleAndBlackText) {
    const std::string svg = svg_of(page_of("decay", "head_dim=64 seq_len=300"));
    EXPECT_THAT(svg, Not(HasSubstr(">Decay curve</text>")));
    EXPECT_THAT(svg, Not(HasSubstr("RoPE")));
    EXPECT_THAT(svg, HasSubstr("𝑟")) << "italic variables";
    std::size_t texts = 0;
    for (std::size_t at = svg.find("<text"); at != svg.npos; at = svg.find("<text", at + 1)) {
        ++texts;
        const std::size_t end = svg.find('>', at), fill = svg.find("fill=", at);
        if (fill < end) {
            EXPECT_EQ(svg.substr(fill, 14), "fill=\"#000000\"") << svg.substr(at, 120);
        }
    }
    EXPECT_GT(texts, 5u);
    EXPECT_EQ(svg, svg_of(page_of("decay", "head_dim=64 seq_len=300"))) << "deterministic";
}

TEST_F(PaperPage, TextHasTheChosenSize) {
    for (const double points : {7.0, 8.0, 9.0}) {
        const Page page = page_of("decay", "head_dim=64", {.look = PageLook::paper, .font_size = points});
        EXPECT_NEAR(paper_theme().label_size / page.options.density, points * 96 / 72, 1e-9);
        EXPECT_EQ(paper_theme().tick_size, paper_theme().label_size);
    }
    EXPECT_THAT(svg_of(page_of("decay", "head_dim=64", {.look = PageLook::paper, .font = PageFont::sans})),
                Not(HasSubstr("'Latin Modern Math', 'Latin Modern Roman', serif\" fill")));
}

/// Returns the places of the names of lines in a plot of 400 × 300 pixels, 0 to 1 on both axes.
std::vector<Rect> names_of(const std::vector<std::pair<std::string, std::vector<Point>>>& lines) {
    const Frame frame{.outer = {0, 0, 400, 300}, .plot = {0, 0, 400, 300}};
    std::vector<NamedLine> named;
    for (const auto& [name, points] : lines) named.push_back(named_line(name, points, frame));
    return places_of_names(named, frame, RecordingCanvas({0, 0, 400, 300}), paper_theme());
}

TEST_F(PaperPage, NamesAreBesideTheirLinesWhereTheyFit) {
    const std::vector<Point> high{{0, 0.9}, {1, 0.7}}, low{{0, 0.1}, {1, 0.4}};
    const std::vector<Rect> apart = names_of({{"high", high}, {"", {{0, 0.5}, {1, 0.5}}}, {"low", low}});
    ASSERT_EQ(apart.size(), 3u);
    const Frame frame{.outer = {0, 0, 400, 300}, .plot = {0, 0, 400, 300}};
    for (const auto& [line, name] : {std::pair{high, apart[0]}, {low, apart[2]}}) {
        double nearest = 1000;
        for (double x = name.x; x < name.right(); x += column_width)
            for (const double y : {name.y, name.bottom()})
                nearest = std::min(nearest, std::abs(rows_of(line, frame, x).min - y));
        EXPECT_LT(nearest, 5);
        EXPECT_EQ(count_in(name, line, frame), 0u) << "the line does not cross its name";
        EXPECT_EQ(count_in(name.inset(-6), std::vector<Point>{{0, 0.5}, {1, 0.5}}, frame), 0u) << "another is not near";
    }
    EXPECT_TRUE(
        names_of({{"one", {{0, 0.5}, {1, 0.5}}}, {"above", {{0, 0.51}, {1, 0.51}}}, {"below", {{0, 0.49}, {1, 0.49}}}})
            .empty())
        << "nothing is beside the line in the middle alone";
}

TEST_F(PaperPage, HeatMapsHave300PixelsPerInch) {
    Page page = page_of("attention", "head_dim=64 seq_len=4096");
    EXPECT_GE(page.options.scale, 300 / 96.0);
    const std::string svg = svg_of(page);
    const std::size_t image = svg.find("<image"), data = svg.find("base64,", image) + 7;
    ASSERT_NE(image, svg.npos);
    const double width = std::stod(svg.substr(svg.find("width=\"", image) + 7)) / page.options.density;  // px
    // The width of a PNG is at its byte 16: characters 21 to 26 of its base64.
    const auto value = [&](std::size_t i) {
        return std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(svg[data + i]);
    };
    std::uint64_t bits = 0;
    for (std::size_t i = 20; i < 28; ++i) bits = bits << 6 | value(i);  // bytes 15 to 20
    const double pixels = static_cast<double>(bits >> 8 & 0xffffffff);
    EXPECT_GE(pixels / (width / 96), 299);
}

TEST_F(PaperPage, TheCaptionIsAFileOfItsOwn) {
    const Page page = page_of("decay", "head_dim=64 seq_len=300 encoding.base=500000");
    const std::string text = caption_text(page, CaptionFile::text, evaluator_, {}),
                      latex = caption_text(page, CaptionFile::latex, evaluator_, {});
    EXPECT_THAT(text, HasSubstr("Decay curve"));
    EXPECT_THAT(text, HasSubstr("base θ = 500"));
    EXPECT_TRUE(latex.starts_with("\\caption{Decay curve")) << latex;
    EXPECT_THAT(latex, HasSubstr("base $\\theta = 500\\,000$"));
    EXPECT_TRUE(latex.ends_with("}\n"));
    EXPECT_EQ(caption_path("a/decay.pdf", CaptionFile::latex), "a/decay.caption.tex");
    EXPECT_EQ(caption_path("decay.svg", CaptionFile::text), "decay.caption.txt");
}

TEST_F(PaperPage, LegendsHaveSymbols) {
    const auto names = [](const char* own, const char* reference) {
        const ComparedNames all = compared_names(changed({}, own), changed({}, reference), SettingStyle::symbol);
        return all.own + " | " + all.reference;
    };
    EXPECT_EQ(names("encoding.base=500000", "seq_len=256"), "$θ$ = 500 000 | $θ$ = 10 000 (reference)");
    EXPECT_EQ(names("construction=semantic construction.d0=32", "construction=semantic construction.d0=0"),
              "$d_0$ = 32 | $d_0$ = 0 (reference)");
    EXPECT_EQ(names("temperature=2", "temperature=1"), "Temperature 2 | Temperature 1 (reference)");
    EXPECT_EQ(symbol_of({.name = "rotates", .label = "Encoding acts on"}), "") << "a word";
    const auto two_distances = [&](const PaperStyle& style) {
        Page page =
            page_of("decay", "head_dim=64 seq_len=300 construction=at_distance construction.distance=64", style);
        set_options(page.figures[0].figure, {"compared=construction.distance=16"});
        return svg_of(page);
    };
    EXPECT_THAT(two_distances({.look = PageLook::paper}), Not(HasSubstr("Target distance")));
    EXPECT_THAT(two_distances({}), HasSubstr("Target distance"));
}

TEST_F(PaperPage, SettingsInCaptionsAreFormulas) {
    EXPECT_EQ(in_latex(with_formulas("RoPE, base θ 50, exponent −2t/(d−2) · Semantic match, first channel d₀ 32, norm "
                                     "‖s‖² 16 · d = 64 · scale 1/√d · seed 3",
                                     CaptionFile::latex)),
              "RoPE, base $\\theta = 50$, exponent $-2t/(d-2)$; Semantic match, first channel $d_0 = 32$, norm "
              "$\\|s\\|^{2} = 16$; $d = 64$; scale $1/\\sqrt d$; seed 3");
}

TEST_F(PaperPage, AreasAreExplainedInTheCaptionAndVerdictsAreLeftOut) {
    const auto caption = [&](const char* settings) {
        return caption_text(page_of("decay", settings), CaptionFile::text, evaluator_, {});
    };
    EXPECT_THAT(caption("construction=ones seq_len=8192"),
                HasSubstr("the line is their mean and the band their range"));
    EXPECT_THAT(caption("construction=ones seq_len=64"), Not(HasSubstr("band")));
    EXPECT_THAT(caption("construction=ones seq_len=8192"), Not(HasSubstr("< 0 at")));
    EXPECT_THAT(svg_of(page_of("decay", "construction=ones seq_len=8192")), Not(HasSubstr("line: mean")));
}

TEST_F(PaperPage, LatexEscapesWhatIsSpecial) {
    EXPECT_EQ(in_latex("50 % of a_b & $w_t$ ≤ 10⁻³"), "50 \\% of a\\_b \\& $w_t$ $\\le$ 10$^{-3}$");
    EXPECT_EQ(in_latex("αβ$x$$y$"), "$\\alpha\\beta x y$") << "neighbours are one formula";
    EXPECT_EQ(in_latex("costs \\$θ"), "costs \\$$\\theta$") << "a dollar sign is no formula's end";
    EXPECT_EQ(in_latex("$5–$6"), "\\$5–\\$6");
}

TEST_F(PaperPage, IsAJournalsColumnUnlessAnotherSizeWasSet) {
    PageStyle style;
    style.paper.look = PageLook::paper;
    style.follow_look(PageLook::screen);
    EXPECT_EQ(style.format, ExportFormat::pdf);
    EXPECT_EQ(style.figure, (PageExtent{85, 65}));
    style.paper.look = PageLook::screen;
    style.follow_look(PageLook::paper);
    EXPECT_EQ(style, PageStyle{}) << "and back";

    PageStyle chosen{.format = ExportFormat::png, .figure = {120, 100}};
    chosen.paper.look = PageLook::paper;
    chosen.follow_look(PageLook::screen);
    EXPECT_EQ(chosen.format, ExportFormat::png);
    EXPECT_EQ(chosen.figure, (PageExtent{120, 100}));
}

}  // namespace
}  // namespace ropewalk
