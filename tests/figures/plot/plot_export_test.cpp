#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/plot/embedded_scene.h"
#include "app/plot/fonts.h"
#include "app/plot/mixed_cells.h"
#include "core/error.h"
#include "tests/figures/plot/export_sample.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Answer {
    int status;
    std::string text;
};

Answer run(const std::string& command, const TemporaryFolder& folder) {
    const int status = std::system((command + " >" + folder.file("answer") + " 2>&1").c_str());
    std::ifstream file(folder.file("answer"));
    std::stringstream text;
    text << file.rdbuf();
    return {status, text.str()};
}

/// Files that are checked by external programs.
class Judged : public testing::Test {
  protected:
    bool lacks(const std::string& program) { return run("command -v " + program, folder_).status != 0; }
    std::string save(const std::string& name, const std::string& bytes) {
        std::ofstream(folder_.file(name), std::ios::binary) << bytes;
        return folder_.file(name);
    }
    Answer ask(const std::string& command) { return run(command, folder_); }

    TemporaryFolder folder_;
};

// ---- all formats

TEST(Export, IsDeterministicAlsoOnManyThreads) {
    for (const auto& draw : {draw_svg, draw_pdf, draw_png}) {
        const std::string expected = draw(options(), draw_sample);
        std::vector<std::string> files(4);
        std::vector<std::thread> threads;
        for (std::string& file : files) threads.emplace_back([&] { file = draw(options(), draw_sample); });
        for (std::thread& thread : threads) thread.join();
        for (const std::string& file : files) EXPECT_TRUE(file == expected);
    }
}

TEST(Export, MeasuresTextEquallyOnEveryCanvas) {
    for (const auto& draw : {draw_svg, draw_pdf, draw_png})
        draw(options(), [](Canvas& canvas) {
            for (const char* text : {"Attention", "⟨q, k⟩ ∈ ℝ", "10⁻³"}) {
                const TextExtent here = canvas.measure(text, 13, Weight::semibold),
                                 common = measure_text(text, 13, Weight::semibold);
                EXPECT_EQ(here.width, common.width);
                EXPECT_EQ(here.ascent, common.ascent);
                EXPECT_EQ(here.descent, common.descent);
            }
        });
}

TEST(Export, ADenserDrawingFillsThePage) {
    const ExportOptions options{.width = 200, .height = 100, .scale = 2, .density = 1.25};
    const auto draw = [](Canvas& canvas) { canvas.fill_rect({0, 0, 250, 125}, {255, 0, 0, 255}, 0); };
    EXPECT_THAT(draw_svg(options, draw), HasSubstr(R"(width="200" height="100" viewBox="0 0 250 125")"));
    EXPECT_THAT(draw_pdf(options, draw), HasSubstr("/MediaBox [ 0 0 150 75 ]"));
    const Image image = draw_image(options, draw);
    EXPECT_EQ(image.width, 400);
    EXPECT_EQ(image.height, 200);
    EXPECT_EQ(image.pixels.back(), image.pixels.front()) << "up to the last corner";
}

TEST(Export, APartialPixelAtTheEndHasThePagesBackground) {
    const ExportOptions options{.width = 20.3, .height = 10.6, .background = {255, 250, 240, 255}};
    const Image image = draw_image(options, [](Canvas&) {});
    EXPECT_EQ(image.width, 21);
    EXPECT_EQ(image.height, 11);
    for (const Color& pixel : image.pixels) EXPECT_EQ(pixel, options.background);
}

TEST(Export, CellsFinerThanPixelsAlongOneSideKeepTheirEdgesAlongTheOther) {
    constexpr Color black{0, 0, 0}, blue{0, 0, 255};
    Image fine{200, 3, {}};  // each pixel covers a black and a blue column; each row covers several pixels
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 200; ++column)
            fine.pixels.push_back(row == 1 ? Color{255, 255, 255} : column % 2 == 0 ? black : blue);
    Image high{3, 200, {}};
    for (int row = 0; row < 200; ++row)
        for (int column = 0; column < 3; ++column)
            high.pixels.push_back(fine.pixels[static_cast<std::size_t>(column * 200 + row)]);
    const ExportOptions small{.width = 100, .height = 60, .background = {255, 0, 0}};
    const Image across = draw_image(small, [&](Canvas& canvas) { canvas.image({0, 0, 100, 60}, fine); });
    const ExportOptions narrow{.width = 60, .height = 100, .background = {255, 0, 0}};
    const Image down = draw_image(narrow, [&](Canvas& canvas) { canvas.image({0, 0, 60, 100}, high); });
    for (int along = 0; along < 100; ++along)
        for (int other = 0; other < 60; ++other) {
            const Color expected = other / 20 == 1 ? Color{255, 255, 255} : Color{0, 0, 128};
            EXPECT_EQ(across.pixels[static_cast<std::size_t>(other * 100 + along)], expected) << along << ' ' << other;
            EXPECT_EQ(down.pixels[static_cast<std::size_t>(along * 60 + other)], expected) << along << ' ' << other;
        }
}

TEST(MixedCells, AreWeightedByCoveredAreaAndOpacity) {
    const Image three{3, 1, {{90, 0, 0}, {0, 90, 0}, {0, 0, 90}}};
    EXPECT_EQ(mixed_cells(three, 2, 1).pixels, (std::vector<Color>{{60, 30, 0}, {0, 30, 60}}));
    const Image veiled{1, 2, {{200, 100, 0}, {0, 0, 0, 0}}};
    EXPECT_EQ(mixed_cells(veiled, 1, 1).pixels, (std::vector<Color>{{200, 100, 0, 128}}));
    EXPECT_EQ(mixed_cells(three, 3, 1).pixels, three.pixels);
}

TEST(Export, RefusesUnbalancedClips) {
    for (const auto& draw : {draw_svg, draw_pdf, draw_png}) {
        EXPECT_THROW(draw(options(), [](Canvas& canvas) { canvas.push_clip({0, 0, 1, 1}); }), std::logic_error);
        EXPECT_THROW(draw(options(), [](Canvas& canvas) { canvas.pop_clip(); }), std::logic_error);
    }
}

// ---- SVG

TEST_F(Judged, SvgIsWellFormedAndCarriesTitleAndScene) {
    if (lacks("xmllint")) GTEST_SKIP() << "xmllint is not installed";
    const std::string file = save("figure.svg", draw_svg(options(), draw_sample));
    const Answer judgement = ask("xmllint --noout " + file);
    EXPECT_EQ(judgement.status, 0) << judgement.text;
    const auto text_of = [&](const std::string& element) {
        return ask("xmllint --xpath 'string(//*[local-name()=\"" + element + "\"])' " + file).text;
    };
    EXPECT_EQ(text_of("metadata"), carried + "\n");
    EXPECT_EQ(text_of("title"), options().title + "\n");
    const Answer labels = ask("xmllint --xpath '//*[local-name()=\"text\"]/text()' " + file);
    EXPECT_THAT(labels.text, HasSubstr("&lt;rope&gt; &amp; \"co\"\xef\xbf\xbd")) << "the control character is replaced";
}

TEST_F(Judged, SvgSavedAgainByOtherProgramsCarriesTheScene) {
    const std::string file = save("figure.svg", draw_svg(options(), draw_sample));
    const auto expect_scene = [&](const std::string& command) {
        const Answer saved = ask(command);
        EXPECT_EQ(saved.status, 0) << saved.text;
        EXPECT_EQ(embedded_scene(saved.text, "figure"), carried) << command;
    };
    if (!lacks("xmllint"))
        for (const std::string how : {"--encode US-ASCII", "--encode UTF-8 --format", "--dropdtd --pretty 2"})
            expect_scene("xmllint " + how + " " + file);
    if (!lacks("python3"))
        for (const std::string write : {"xml.etree.ElementTree.parse(file).write(out)",
                                        "out.write(xml.dom.minidom.parse(file).toprettyxml().encode())"})
            expect_scene(
                "python3 -c 'import sys, xml.dom.minidom, xml.etree.ElementTree; file, out = sys.argv[1], "
                "sys.stdout.buffer; " +
                write + "' " + file);
}

TEST(Svg, KeepsTextTextAndPixelsPixels) {
    const std::string file = draw_svg(options(), draw_sample);
    EXPECT_THAT(file, HasSubstr("font-family=\"Inter, 'DejaVu Sans', sans-serif\""));
    EXPECT_THAT(file, HasSubstr(">key ⟨j⟩</text>"));
    EXPECT_THAT(file, HasSubstr("image-rendering:pixelated"));
    EXPECT_THAT(file, HasSubstr("preserveAspectRatio=\"none\""));
    EXPECT_THAT(file, HasSubstr("rotate(-90)"));
    EXPECT_THAT(file, HasSubstr("font-weight=\"600\""));
    EXPECT_THAT(file, HasSubstr("text-anchor=\"end\""));
}

TEST(Svg, WritesShortNumbers) {
    const std::string file = draw_svg({.width = 100.5, .height = 40}, [](Canvas& canvas) {
        canvas.fill_rect({1.0, 2.256, 1e5, 0.0}, {1, 2, 3, 128});
        canvas.line({-0.001, 1.0 / 3}, {10, 20}, {{255, 0, 171}, 1.5, 4});
        canvas.line({0, 0}, {10, 20}, {{}, 1, {9, 2.5, 2, 2.5}});
    });
    EXPECT_THAT(file, HasSubstr(R"(width="26.590625mm" height="40" viewBox="0 0 100.5 40")"));
    EXPECT_THAT(file,
                HasSubstr(R"(<rect x="1" y="2.26" width="100000" height="0" fill="#010203" fill-opacity="0.502"/>)"));
    EXPECT_THAT(file, HasSubstr(R"(points="0,0.33 10,20")"));
    EXPECT_THAT(file, HasSubstr(R"(stroke="#ff00ab" stroke-width="1.5" stroke-dasharray="4")"));
    EXPECT_THAT(file, HasSubstr(R"(stroke-dasharray="9 2.5 2 2.5")"));
}

TEST(Svg, RefusesCoordinatesThatAreNotFinite) {
    EXPECT_THROW(draw_svg(options(), [](Canvas& canvas) { canvas.fill_rect({NAN, 0, 1, 1}, {}); }), std::logic_error);
}

TEST(Svg, LeavesOutWhatIsEmpty) {
    const std::string file = draw_svg({.background = {0, 0, 0, 0}}, [](Canvas&) {});
    for (const char* element : {"<metadata", "<title", "<rect"}) EXPECT_THAT(file, Not(HasSubstr(element)));
}

std::string from_base64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0, count = 0;
    for (const char c : text) {
        if (c == '=') break;
        bits = bits << 6 | static_cast<unsigned>(digits.find(c));
        count += 6;
        if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
    }
    return bytes;
}

Image embedded(const Rect& rect, const Image& image) {
    const std::string file = draw_svg(options(), [&](Canvas& canvas) { canvas.image(rect, image); });
    const std::size_t begin = file.find("base64,") + 7;
    const std::string png = from_base64(file.substr(begin, file.find('"', begin) - begin));
    EXPECT_TRUE(png.ends_with("IEND\xae\x42\x60\x82")) << "complete to its last byte";
    return decode(png);
}

TEST(Svg, EmbedsImagesUnchanged) {
    for (int width = 1; width <= 4; ++width) {  // files of every length modulo three
        const Image image{width, 1, {{{10, 20, 30}, {40, 50, 60, 70}, {255, 0, 0}, {1, 2, 3}}}};
        const Image cut{width, 1, {image.pixels.begin(), image.pixels.begin() + width}};
        EXPECT_EQ(embedded({0, 0, 1, 1}, cut).pixels, cut.pixels);
    }
}

TEST(Svg, LargeCellsKeepTheirEdgesWhereImagesAreSmoothed) {
    const Image cells{3, 2, {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}, {6, 0, 0}}};
    const Image large = embedded({0, 0, 30, 10}, cells);
    EXPECT_GE(large.width, 4 * 30);
    EXPECT_GE(large.height, 4 * 10);
    for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x)
            ASSERT_EQ(at(large, x, y),
                      cells.pixels[static_cast<std::size_t>(y * 2 / large.height * 3 + x * 3 / large.width)]);
}

// ---- PDF

TEST_F(Judged, PdfIsSoundAndCarriesTitleAndScene) {
    if (lacks("qpdf") || lacks("pdfinfo")) GTEST_SKIP() << "qpdf or pdfinfo is not installed";
    const std::string file = save("figure.pdf", draw_pdf(options(), draw_sample));
    const Answer judgement = ask("qpdf --check " + file);
    EXPECT_EQ(judgement.status, 0) << judgement.text;
    EXPECT_THAT(judgement.text, HasSubstr("No syntax or stream encoding errors found"));
    const std::string facts = ask("pdfinfo " + file).text;
    EXPECT_THAT(facts, HasSubstr("A figure <&>\"'"));
    EXPECT_THAT(facts, HasSubstr("{\"title\": \"Δ & <b> 'x' (y) \\\\ \\n\"}"));
    EXPECT_THAT(facts, HasSubstr("300 x 225 pts"));
}

TEST(Pdf, LargeCellsKeepTheirEdgesWhereImagesAreSmoothed) {
    const Image cells{2, 3, std::vector<Color>(6, {10, 20, 30})};
    const std::string file = draw_pdf(options(), [&](Canvas& canvas) { canvas.image({0, 0, 30, 60}, cells); });
    EXPECT_THAT(file, HasSubstr("/Width 120"));
    EXPECT_THAT(file, HasSubstr("/Height 240"));
    const std::string fine = draw_pdf(options(), [&](Canvas& canvas) { canvas.image({0, 0, 2, 3}, cells); });
    EXPECT_THAT(fine, HasSubstr("/Width 2\n")) << "no larger than necessary";
}

TEST(MixedCells, AreEnlargedUpToALimit) {
    const Image one{1, 1, {{10, 20, 30}}};
    const Image large = with_large_cells(one, {0, 0, 5000, 2});
    EXPECT_EQ(large.width, 4096);
    EXPECT_EQ(large.height, 8);
    EXPECT_EQ(large.pixels.back(), one.pixels.front());
    const Image wide{3000, 1, std::vector<Color>(3000)};
    EXPECT_EQ(with_large_cells(wide, {0, 0, 5000, 1}).width, 3000) << "twice as many would be more";
}

TEST(Pdf, IsAlwaysOfTheSameDay) {
    const std::string file = draw_pdf(options(), draw_sample);
    for (const std::string date : {"CreationDate", "ModDate"}) {
        const std::string value = file.substr(file.find("/" + date), 40);
        EXPECT_THAT(value, HasSubstr("20000101000000Z"));
    }
}

TEST_F(Judged, PdfKeepsTextTextInEmbeddedFonts) {
    if (lacks("pdftotext") || lacks("pdffonts")) GTEST_SKIP() << "pdftotext or pdffonts is not installed";
    const std::string file = save("figure.pdf", draw_pdf(options(), draw_sample));
    const std::string text = ask("pdftotext " + file + " -").text;
    EXPECT_THAT(text, HasSubstr("key ⟨j⟩"));
    EXPECT_THAT(text, HasSubstr("Attention"));
    std::istringstream fonts(ask("pdffonts " + file + " | tail -n +3").text);
    int count = 0;
    for (std::string line; std::getline(fonts, line); ++count)
        EXPECT_THAT(line, HasSubstr("yes yes yes")) << "embedded, subset, Unicode";
    EXPECT_GE(count, 2);
}

TEST(EmbeddedScene, IsReadBackFromEveryFormat) {
    for (const auto& draw : {draw_svg, draw_pdf, draw_png})
        EXPECT_EQ(embedded_scene(draw(options(), draw_sample), "figure"), carried);
    ExportOptions plain = options();
    plain.scene = "{\"title\": \"only (ASCII) \\\\ here\"}\n";
    for (const auto& draw : {draw_svg, draw_pdf, draw_png})
        EXPECT_EQ(embedded_scene(draw(plain, draw_sample), "figure"), plain.scene);
}

TEST(EmbeddedScene, DamagedAndForeignFilesAreRefused) {
    const auto refusal = [](const std::string& bytes) -> std::string {
        try {
            embedded_scene(bytes, "figure");
        } catch (const InputError& error) {
            return error.what();
        }
        return "(accepted)";
    };
    ExportOptions bare = options();
    bare.scene.clear();
    for (const auto& draw : {draw_svg, draw_pdf, draw_png})
        EXPECT_THAT(refusal(draw(bare, draw_sample)), HasSubstr("contains no scene"));
    EXPECT_THAT(refusal("GIF89a"), HasSubstr("not a PNG, SVG or PDF"));
    EXPECT_THAT(refusal(""), HasSubstr("is empty"));
    // Truncated anywhere: an error or the complete scene, never a part of it, and no read beyond the end.
    for (const auto& draw : {draw_svg, draw_pdf, draw_png}) {
        const std::string whole = draw(options(), draw_sample);
        for (std::size_t size = 0; size < whole.size(); size += 1 + size / 50) {
            const std::string said = refusal(whole.substr(0, size));
            if (said == "(accepted)") {
                EXPECT_EQ(embedded_scene(whole.substr(0, size), "figure"), carried);
            }
        }
    }
}

}  // namespace
}  // namespace ropewalk
