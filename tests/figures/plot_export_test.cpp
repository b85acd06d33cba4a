#include <gmock/gmock.h>
#include <png.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/plot/axes.h"
#include "app/plot/embedded_scene.h"
#include "app/plot/export.h"
#include "app/plot/fonts.h"
#include "app/plot/marks.h"
#include "core/error.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string carried = "{\"title\": \"Δ & <b> 'x' (y) \\\\ \\n\"}\n";

ExportOptions options() {
    return {.width = 400, .height = 300, .background = {255, 255, 255}, .title = "A figure <&>\"'", .scene = carried};
}

/// Something of everything that figures draw.
void draw_sample(Canvas& canvas) {
    const Theme& theme = light_theme();
    std::vector<double> cells(16 * 16), y(5000);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = i == 32 ? NAN : static_cast<double>(i) / 256;
    std::vector<int> visible(16);
    std::iota(visible.begin(), visible.end(), 1);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::sin(static_cast<double>(i * i) * 1e-5);
    HeatMap map{.values = std::make_shared<std::vector<double>>(cells),
                .visible = std::make_shared<std::vector<int>>(visible),
                .rows = 16,
                .columns = 16};
    map.masked = theme.masked;
    map.hatch = theme.hatch;
    const PlotOptions plot{.x = {.title = "key ⟨j⟩", .high = 16},
                           .y = {.title = "query i", .high = 16, .downwards = true},
                           .title = "Attention",
                           .color_bar = ColorBar{map, "weight"},
                           .grid = false};
    const Frame left = layout(plot, canvas, {0, 0, 200, 300}, theme);
    draw_background(plot, left, canvas, theme);
    draw_heat_map(map, left, canvas);
    draw_axes(plot, left, canvas, theme);
    const PlotOptions curves{.x = {.low = 1, .high = 5000, .scale = AxisScale::logarithmic},
                             .y = {.low = -1, .high = 1}};
    const Frame right = layout(curves, canvas, {200, 0, 200, 300}, theme);
    draw_background(curves, right, canvas, theme);
    draw_band({y, 1, 1}, {y, 1, 1}, theme.series[1].with_alpha(0.3), right, canvas);
    draw_curve({y, 1, 1}, {theme.series[0], 1.5, 0}, right, canvas);
    draw_point({100, 0}, 4, theme.series[2], right, canvas, theme);
    draw_vertical_rule(100, right, canvas, {theme.cursor, 1, 4});
    draw_axes(curves, right, canvas, theme);
    const LegendEntry entries[] = {{"<rope> & \"co\"\x01", theme.series[0]}};
    draw_legend(entries, {210, 4, 180, 296}, {210, 27, 180, 273}, canvas, theme);
}

Image decode(const std::string& file) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&png, file.data(), file.size())) throw std::runtime_error(png.message);
    png.format = PNG_FORMAT_RGBA;
    Image image{static_cast<int>(png.width), static_cast<int>(png.height), std::vector<Color>(png.width * png.height)};
    if (!png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr)) throw std::runtime_error(png.message);
    return image;
}

Color at(const Image& image, int x, int y) {
    return image.pixels[static_cast<std::size_t>(y * image.width + x)];
}

/// The data of a PNG's first chunk of this type; empty if there is none.
std::string chunk(const std::string& file, const std::string& type) {
    for (std::size_t at = 8; at + 12 <= file.size();) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(file[at + i]);
        if (file.compare(at + 4, 4, type) == 0) return file.substr(at + 8, length);
        at += 12 + length;
    }
    return {};
}

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

/// Files for programs that judge them.
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

// ---- all of them

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

TEST(Export, MeasuresTextAlikeOnEveryCanvas) {
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

TEST(Export, ADenserDrawingFillsThePageAllTheSame) {
    const ExportOptions options{.width = 200, .height = 100, .scale = 2, .density = 1.25};
    const auto draw = [](Canvas& canvas) { canvas.fill_rect({0, 0, 250, 125}, {255, 0, 0, 255}, 0); };
    EXPECT_THAT(draw_svg(options, draw), HasSubstr(R"(width="200" height="100" viewBox="0 0 250 125")"));
    EXPECT_THAT(draw_pdf(options, draw), HasSubstr("/MediaBox [ 0 0 150 75 ]"));
    const Image image = draw_image(options, draw);
    EXPECT_EQ(image.width, 400);
    EXPECT_EQ(image.height, 200);
    EXPECT_EQ(image.pixels.back(), image.pixels.front()) << "up to the last corner";
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
    });
    EXPECT_THAT(file, HasSubstr(R"(width="100.5" height="40" viewBox="0 0 100.5 40")"));
    EXPECT_THAT(file,
                HasSubstr(R"(<rect x="1" y="2.26" width="100000" height="0" fill="#010203" fill-opacity="0.502"/>)"));
    EXPECT_THAT(file, HasSubstr(R"(points="0,0.33 10,20")"));
    EXPECT_THAT(file, HasSubstr(R"(stroke="#ff00ab" stroke-width="1.5" stroke-dasharray="4")"));
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

// ---- PNG

TEST(Png, DecodesToThePixelsThatWereEncoded) {
    const Image opaque{2, 2, {{1, 2, 3}, {255, 255, 255}, {0, 0, 0}, {9, 8, 7}}};
    EXPECT_EQ(decode(png_bytes(opaque, {})).pixels, opaque.pixels);
    const Image open{3, 1, {{1, 2, 3, 0}, {200, 100, 50, 128}, {9, 8, 7}}};
    EXPECT_EQ(decode(png_bytes(open, {})).pixels, open.pixels);
}

TEST(Png, CarriesTheSceneAsText) {
    const std::string file = draw_png(options(), draw_sample);
    EXPECT_EQ(chunk(file, "iTXt"), std::string("ropewalk\0\0\0\0\0", 13) + carried);
    EXPECT_EQ(chunk(png_bytes({1, 1, {Color{}}}, {}), "iTXt"), "");
}

TEST(Png, SaysHowLargeItIsOnPaper) {
    ExportOptions twice = options();
    twice.scale = 2;
    // 192 dots an inch are 7559 a metre, in both directions.
    EXPECT_EQ(chunk(draw_png(twice, draw_sample), "pHYs"), std::string("\0\0\x1d\x87\0\0\x1d\x87\1", 9));
}

TEST(Png, RefusesSizesThatItCannotHave) {
    EXPECT_THROW(png_bytes({}, {}), LimitError);
    EXPECT_THROW(draw_png({.width = 40'000, .height = 1}, draw_sample), LimitError);
    EXPECT_THROW(draw_png({.width = 0, .height = 1}, draw_sample), LimitError);
    EXPECT_THROW(draw_png({.width = NAN, .height = 1}, draw_sample), LimitError);
}

TEST(Png, DrawsExactColoursOnWholePixels) {
    const Color red{255, 0, 0}, green{0, 128, 0}, blue{0, 0, 255}, white{255, 255, 255}, veil{200, 100, 50, 128};
    const Image picture = decode(draw_png({.width = 40, .height = 30, .background = white}, [&](Canvas& canvas) {
        canvas.fill_rect({2, 3, 5, 6}, red);
        canvas.image({10, 10, 8, 4}, {2, 1, {green, blue}});
        canvas.push_clip({30, 0, 5, 5});
        canvas.fill_rect({0, 0, 40, 30}, blue);
        canvas.pop_clip();
        canvas.image({20, 20, 4, 4}, {2, 1, {red, red.with_alpha(0)}});
        canvas.fill_rect({0, 28, 40, 2}, veil);
    }));
    for (const auto& [x, y, expected] : std::vector<std::tuple<int, int, Color>>{{2, 3, red},
                                                                                 {6, 8, red},
                                                                                 {7, 8, white},
                                                                                 {2, 9, white},
                                                                                 {10, 10, green},
                                                                                 {13, 13, green},
                                                                                 {14, 10, blue},
                                                                                 {17, 13, blue},
                                                                                 {18, 13, white},
                                                                                 {30, 4, blue},
                                                                                 {30, 5, white},
                                                                                 {29, 4, white},
                                                                                 {21, 21, red},
                                                                                 {22, 21, white},
                                                                                 {5, 28, {227, 177, 152}}})
        EXPECT_EQ(at(picture, x, y), expected) << x << ", " << y;
}

TEST(Png, KeepsTransparencyStraight) {
    const Image picture = decode(draw_png({.width = 4, .height = 1, .background = {0, 0, 0, 0}}, [](Canvas& canvas) {
        canvas.fill_rect({0, 0, 1, 1}, {200, 100, 50, 128});
        canvas.fill_rect({1, 0, 1, 1}, {200, 100, 50, 255});
    }));
    EXPECT_EQ(at(picture, 0, 0).a, 128);
    EXPECT_NEAR(at(picture, 0, 0).r, 200, 1);
    EXPECT_NEAR(at(picture, 0, 0).b, 50, 1);
    EXPECT_EQ(at(picture, 1, 0), (Color{200, 100, 50}));
    EXPECT_EQ(at(picture, 2, 0).a, 0);
}

TEST(Png, PutsInkWhereTheRecordingCanvasExpectsIt) {
    constexpr double scale = 4;
    const Point anchor{100, 60};
    for (const char* text : {"Hamburg", "⟨ℝ⟩ p", "−3×10⁻⁴"})
        for (const Weight weight : {Weight::regular, Weight::semibold})
            for (const Align across : {Align::start, Align::middle, Align::end})
                for (const Align down : {Align::start, Align::middle, Align::end})
                    for (const Rotation rotation : {Rotation::none, Rotation::quarter_left}) {
                        const TextStyle style{.size = 12,
                                              .color = {0, 0, 0},
                                              .weight = weight,
                                              .across = across,
                                              .down = down,
                                              .rotation = rotation};
                        const Image picture = decode(
                            draw_png({.width = 200, .height = 120, .scale = scale, .background = {255, 255, 255}},
                                     [&](Canvas& canvas) { canvas.text(anchor, text, style); }));
                        int left = picture.width, right = -1, top = picture.height, bottom = -1;
                        for (int y = 0; y < picture.height; ++y)
                            for (int x = 0; x < picture.width; ++x)
                                if (at(picture, x, y).r < 128) {
                                    left = std::min(left, x);
                                    right = std::max(right, x + 1);
                                    top = std::min(top, y);
                                    bottom = std::max(bottom, y + 1);
                                }
                        const Rect expected = ink_box(anchor, text, style);
                        SCOPED_TRACE(text);
                        EXPECT_NEAR(left / scale, expected.x, 0.5);
                        EXPECT_NEAR(right / scale, expected.right(), 0.5);
                        EXPECT_NEAR(top / scale, expected.y, 0.5);
                        EXPECT_NEAR(bottom / scale, expected.bottom(), 0.5);
                    }
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
        EXPECT_THAT(refusal(draw(bare, draw_sample)), HasSubstr("carries no scene"));
    EXPECT_THAT(refusal("GIF89a"), HasSubstr("no PNG, SVG or PDF"));
    EXPECT_THAT(refusal(""), HasSubstr("is empty"));
    // Cut anywhere: an error or the whole carried, never a part of it, and never a read beyond the end.
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
