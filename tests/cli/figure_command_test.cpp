// `ropewalk figure`: pages, their parts and the scene that they contain.
#include <gmock/gmock.h>

#include <string>

#include "tests/cli/command_line_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(CommandLine, AFigureIsTheSameFigureWhenItIsOpenedAgain) {
    write("pair.json", R"({"schema": 1, "experiment": {"seq_len": 64}, "compared_with": {"encoding": {"base": 500}}})");
    for (const char* figure : {"decay --option axis=linear --option quantity=weight", "attention --option colors=magma",
                               "rotation_heatmap --option part=phase"}) {
        const std::string name = std::string(figure).substr(0, std::string(figure).find(' '));
        for (const char* format : {"svg", "png", "pdf"}) {
            const std::string first = std::string("first.") + format, second = std::string("second.") + format;
            ASSERT_EQ(run(std::string("figure pair.json ") + figure + " --set encoding.base=700 -o " + first).code, 0);
            ASSERT_EQ(run("figure " + first + " " + name + " -o " + second).code, 0);
            EXPECT_TRUE(read(first) == read(second)) << figure << " as " << format;
        }
    }
    ASSERT_EQ(run("figure pair.json decay -o first.svg").code, 0);
    for (const char* said : {"reference: Length N 256 · Base θ 500", ">Base θ 500 (reference)<"})
        EXPECT_NE(read("first.svg").find(said), std::string::npos) << said;
}

TEST_F(CommandLine, ReportsTheReference) {
    write("pair.json", R"({"schema": 1, "experiment": {"seq_len": 64}, "compared_with": {"encoding": {"base": 500}}})");
    EXPECT_THAT(run("check pair.json").out, AllOf(HasSubstr("compared with"), HasSubstr("500")));
    EXPECT_THAT(run("check barbero-fig2a").out, Not(HasSubstr("compared with")));
    const std::string difference = " attention --option against=reference -o a.svg";
    EXPECT_EQ(run("figure pair.json" + difference).err, "");
    const Ran alone = run("figure barbero-fig2a" + difference);
    EXPECT_EQ(alone.code, 0);
    EXPECT_THAT(alone.err, HasSubstr("no reference"));
}

TEST_F(CommandLine, PagesMayBeSmallerThanTheirLabels) {
    for (const char* format : {"png", "pdf", "svg"})
        for (const char* figure : {"attention", "number_formats", "decay"}) {
            const Ran ran = run(std::string("figure barbero-fig2a ") + figure + " --size 32x32 -o a." + format);
            EXPECT_EQ(ran.code, 0) << figure << " as " << format << ": " << ran.err;
        }
}

TEST_F(CommandLine, APageOfTextIsAsHighAsTheTextIs) {
    const auto height_of = [&](const std::string& call) {
        const std::string svg = run("figure " + call + " --mm 170 --format svg -o -").out;
        const std::size_t at = svg.find(" height=\"");
        return std::stod(svg.substr(at + 9));
    };
    EXPECT_LT(height_of("barbero-table1-rope properties"), 75.0 * 13 / 12);  // mm, in type of 13 px
    EXPECT_GT(height_of("barbero-table1-rope properties"), 50);
    EXPECT_EQ(height_of("barbero-table1-rope decay"), 130);
}

TEST_F(CommandLine, TransparentFiguresHaveNoBackground) {
    const auto grounds = [&](const std::string& options) {
        EXPECT_EQ(run("figure barbero-prop31 decay " + options + " -o a.svg").code, 0);
        const std::string svg = read("a.svg");
        return svg.find("fill=\"#ffffff\"") != std::string::npos;
    };
    EXPECT_TRUE(grounds(""));
    EXPECT_FALSE(grounds("--without background"));
}

TEST_F(CommandLine, FiguresUseTheGivenCursorAndReference) {
    const auto svg = [&](const std::string& options) {
        const Ran ran = run("figure barbero-prop31 " + options + " -o - --format svg");
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.out;
    };
    EXPECT_THAT(svg("contributions --query 20 --key 4"), HasSubstr("query 20, key 4"));
    EXPECT_THAT(svg("contributions --query 20 --distance 4"), HasSubstr("query 20, key 16"));
    EXPECT_THAT(svg("decay --reference construction.distance=9"), HasSubstr("reference: Target distance r₀ 9"));
    // The figure carries both.
    write("saved.svg", svg("contributions --query 20 --key 4 --reference encoding.base=7"));
    EXPECT_THAT(run("figure saved.svg contributions -o - --format svg").out,
                testing::AllOf(HasSubstr("query 20, key 4"), HasSubstr("reference: Base θ 7")));
    EXPECT_THAT(run("figure saved.svg contributions -o - --format svg --without reference").out,
                Not(HasSubstr("reference")));
}

TEST_F(CommandLine, PagesHaveASizeInMillimetresAndMayOmitParts) {
    const std::string call = "figure wendler-exp1-alpha10 attention --mm 85x60 --format svg -o - ";
    const std::string whole = run(call).out,
                      bare = run(call + "--without title --without caption --without background").out;
    EXPECT_THAT(whole, HasSubstr(R"(width="85mm" height="60mm")"));
    EXPECT_THAT(whole, HasSubstr(">Attention</text>"));
    EXPECT_THAT(bare, Not(HasSubstr(">Attention</text>")));
    EXPECT_THAT(bare, HasSubstr(">weight<"));
    EXPECT_THAT(run(call + "--without color_bar").out, Not(HasSubstr(">weight<")));
}

TEST_F(CommandLine, ReportsWhatDoesNotFitOnAPage) {
    const std::string call = "figure wendler-exp1-alpha10 target --format svg -o - ";
    const Ran small = run(call + "--mm 85x45");
    EXPECT_EQ(small.code, 0);
    EXPECT_THAT(small.err,
                HasSubstr("omitted for lack of space: the plot of “fit − target”; the plot of “aₜ (logits)”"));
    const std::string remedy = " (use --mm 85x";
    const auto at = small.err.find(remedy);
    ASSERT_NE(at, std::string::npos) << small.err;
    const std::string height = std::to_string(std::stoi(small.err.substr(at + remedy.size())));
    const Ran enough = run(call + "--mm 85x" + height), fitted = run(call + "--mm 85");
    EXPECT_EQ(enough.err, "");
    EXPECT_THAT(enough.out, HasSubstr("height=\"" + height + "mm\""));
    for (const char* title : {">fit −", ">(logits)<"}) {
        EXPECT_THAT(small.out, Not(HasSubstr(title)));
        EXPECT_THAT(enough.out, HasSubstr(title));
    }
    EXPECT_EQ(fitted.err, "");
    EXPECT_EQ(fitted.out, enough.out) << "a width alone gives the required height";
    EXPECT_THAT(run("figure wendler-exp1-alpha10 wavelengths --format svg -o - --mm 85").out,
                HasSubstr(R"(width="85mm" height="65mm")"))
        << "and no higher";
    EXPECT_THAT(run("figure model-induction tokens --format svg -o - --mm 85").out,
                HasSubstr(R"(width="85mm" height="35mm")"))
        << "text takes only what it needs";
    const Ran listed = run("figure model-induction next_token --format svg -o - --mm 85");
    EXPECT_THAT(listed.out, testing::AllOf(HasSubstr(R"(width="85mm" height=")"), Not(HasSubstr("height=\"65mm\""))));
    EXPECT_EQ(listed.err, "") << "no token is omitted";
}

TEST_F(CommandLine, ReportsAShortenedCaption) {
    const std::string call = "figure p-rope attention --format svg -o - --mm ";
    const Ran whole = run(call + "170x80");
    EXPECT_EQ(whole.err, "");
    EXPECT_THAT(whole.out, AllOf(HasSubstr("N = 4096"), Not(HasSubstr("…</text>"))));
    for (const char* size : {"60x60", "60"}) {
        const Ran cut = run(call + size);
        EXPECT_THAT(cut.out, HasSubstr("…</text>"));
        EXPECT_THAT(cut.err, HasSubstr("the caption is cut to two lines; --caption-file writes all of it"));
    }
}

TEST_F(CommandLine, WritesAFigureOnlyWithItsCaption) {
    write("a.svg", "old");
    std::filesystem::create_directory(folder_.file("a.caption.txt"));
    const std::string call = "figure barbero-fig2a decay --caption-file text -o a.svg";
    expect_refused(call, 4, "a.caption.txt: cannot be written: it is a folder");
    EXPECT_EQ(read("a.svg"), "old");
    std::filesystem::remove(folder_.file("a.caption.txt"));
    EXPECT_EQ(run(call).code, 0);
    EXPECT_THAT(read("a.svg"), HasSubstr("<svg"));
    EXPECT_NE(read("a.caption.txt"), "");
}

TEST_F(CommandLine, WritesFiguresThatContainTheirScene) {
    for (const char* format : {"png", "svg", "pdf"}) {
        ASSERT_EQ(run(std::string("figure wendler-exp1-alpha10 attention -o a.") + format).code, 0);
        ASSERT_EQ(run(std::string("figure wendler-exp1-alpha10 attention --threads 1 -o b.") + format).code, 0);
        EXPECT_EQ(read(std::string("a.") + format), read(std::string("b.") + format))
            << "the same scene gives the same bytes";
    }
    EXPECT_THAT(read("a.png"), StartsWith("\x89PNG"));
    EXPECT_THAT(read("a.svg"), HasSubstr("previous_token"));
    EXPECT_THAT(read("a.pdf"), StartsWith("%PDF"));
}

TEST_F(CommandLine, OpensTheSceneInsideAFigure) {
    for (const std::string name : {"a.png", "a.svg", "a.pdf"}) {
        ASSERT_EQ(run("figure barbero-fig2a decay --set seq_len=77 -o " + name).code, 0);
        EXPECT_THAT(run("check " + name).out, HasSubstr("N = 77"));
        EXPECT_EQ(run("data " + name + " inv_freq").code, 0);
    }
    write("b.png", "\x89PNG\r\n\x1a\n");
    expect_refused("check b.png", 3, "contains no scene");
}

}  // namespace
}  // namespace ropewalk
