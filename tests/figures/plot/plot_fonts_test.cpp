#include <gmock/gmock.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/plot/axes.h"
#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "core/error.h"
#include "core/text/utf8.h"
#include "tests/figures/recording_canvas.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

TEST(Fonts, AreFilesThatExist) {
    const FontFiles& files = font_files();
    for (const std::string& path : {files.regular, files.semibold, files.fallback, files.fallback_semibold})
        EXPECT_TRUE(std::filesystem::is_regular_file(path)) << path;
    EXPECT_NE(files.regular, files.semibold);
}

/// Restricts fontconfig to one folder. Works only in a process that has not searched for fonts before.
void show_only(const std::string& fonts, const TemporaryFolder& folder) {
    std::ofstream(folder.file("fonts.conf")) << "<?xml version=\"1.0\"?><fontconfig><dir>" << fonts
                                             << "</dir><cachedir>" << folder.path() << "</cachedir></fontconfig>";
    ::setenv("FONTCONFIG_FILE", folder.file("fonts.conf").c_str(), 1);
}

TEST(FontsDeathTest, AreDejaVuWhereInterIsMissing) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    // The child runs this test from its beginning and must hide the fonts before it searches for them, as told by the
    // parent.
    constexpr const char* folder_of_fallback = "ROPEWALK_TEST_FONTS";
    if (!::getenv(folder_of_fallback)) {
        const std::filesystem::path fallback = font_files().fallback;
        if (fallback.filename() != "DejaVuSans.ttf") GTEST_SKIP() << "DejaVu Sans is not installed";
        ::setenv(folder_of_fallback, fallback.parent_path().c_str(), 1);
    }
    const TemporaryFolder folder;
    const auto answer = [&] {
        show_only(::getenv(folder_of_fallback), folder);
        const FontFiles& files = font_files();
        const bool found = std::filesystem::path(files.regular).filename() == "DejaVuSans.ttf" &&
                           std::filesystem::path(files.semibold).filename() == "DejaVuSans-Bold.ttf" &&
                           measure_text("m", 10, Weight::regular).width > 5;
        std::exit(found ? 0 : 1);
    };
    EXPECT_EXIT(answer(), testing::ExitedWithCode(0), "");
}

TEST(FontsDeathTest, WithoutAnyIsAnErrorThatSaysWhatToInstall) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const TemporaryFolder folder;
    const auto answer = [&] {
        show_only(folder.path(), folder);
        try {
            font_files();
        } catch (const IoError& error) {
            std::exit(std::string(error.what()).find("fonts-inter") != std::string::npos ? 0 : 2);
        }
        std::exit(1);
    };
    EXPECT_EXIT(answer(), testing::ExitedWithCode(0), "");
}

TEST(MeasureText, GrowsWithSizeAndIsTheSumOfItsCharacters) {
    const TextExtent one = measure_text("query", 10, Weight::regular), two = measure_text("query", 20, Weight::regular);
    EXPECT_NEAR(two.width, 2 * one.width, 1e-9);
    EXPECT_NEAR(two.height(), 2 * one.height(), 1e-9);
    const double apart = measure_text("Ta", 10, Weight::regular).width;
    EXPECT_NEAR(apart, measure_text("T", 10, Weight::regular).width + measure_text("a", 10, Weight::regular).width,
                1e-9);
    EXPECT_EQ(measure_text("", 10, Weight::regular).width, 0);
    EXPECT_EQ(measure_text("", 10, Weight::regular).ascent, one.ascent);
    EXPECT_GT(measure_text("query", 10, Weight::semibold).width, one.width);
}

TEST(MeasureText, SpacesBetweenTheDigitsOfANumberAreThin) {
    for (const Weight weight : {Weight::regular, Weight::semibold, Weight::serif}) {
        const auto width = [&](const char* text) { return measure_text(text, 10, weight).width; };
        const double space = width("a b") - width("ab");
        EXPECT_LT(width("10 000") - width("10000"), 0.9 * space);
        EXPECT_LT(width("at 1 048 576 tokens") - width("at 1048576 tokens"), 1.8 * space);
        for (const char* text : {"10 0000", "1000 000", "0.5 100", "a 100", "10 a"}) {
            std::string joined = text;
            joined.erase(joined.find(' '), 1);
            EXPECT_NEAR(width(text) - width(joined.c_str()), space, 1e-9) << text;
        }
    }
    EXPECT_EQ(glyphs_of("10 000", Weight::regular)[2].character, U'\u202f');
}

TEST(MeasureText, TakesWhatTheFirstFaceLacksFromTheFallback) {
    for (const char* text : {"⟨", "⟩", "ᵀ", "∈", "ℝ", "⊗", "⊙", "θ", "‖", "∞"}) {
        const std::vector<Glyph> glyphs = glyphs_of(text, Weight::regular);
        ASSERT_EQ(glyphs.size(), 1u) << text;
        EXPECT_NE(glyphs[0].index, 0u) << text << " is in neither face";
        EXPECT_GT(glyphs[0].advance, 0) << text;
        EXPECT_EQ(utf8_of(glyphs[0].character), text);
    }
    if (font_files().regular.find("Inter") != std::string::npos) {
        EXPECT_EQ(glyphs_of("ℝ", Weight::semibold)[0].face, Face::fallback_semibold);
    }
}

TEST(MeasureText, IsTheSameFromManyThreads) {
    const std::string text = "Δθᵢ ⟨q, k⟩ 0123456789 " + std::string(50, 'x');
    const double expected = measure_text(text, 12, Weight::semibold).width;
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (std::size_t t = 0; t < wrong.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 300; ++i) {
                const std::string unseen = text + utf8_of(static_cast<char32_t>(0x100 + i));
                const double rest = measure_text(utf8_of(static_cast<char32_t>(0x100 + i)), 12, Weight::semibold).width;
                wrong[t] += std::abs(measure_text(unseen, 12, Weight::semibold).width - expected - rest) > 1e-9;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(wrong, testing::Each(0));
}

TEST(PenStart, AlignsTheTextToItsAnchor) {
    const Point anchor{100, 50};
    const double width = measure_text("label", 12, Weight::regular).width;
    const TextExtent extent = measure_text("label", 12, Weight::regular);
    EXPECT_EQ(pen_start(anchor, "label", {.size = 12, .color = {}}).x, 100);
    EXPECT_NEAR(pen_start(anchor, "label", {.size = 12, .color = {}, .across = Align::middle}).x, 100 - width / 2,
                1e-9);
    EXPECT_NEAR(pen_start(anchor, "label", {.size = 12, .color = {}, .across = Align::end}).x, 100 - width, 1e-9);
    EXPECT_NEAR(pen_start(anchor, "label", {.size = 12, .color = {}, .down = Align::start}).y, 50 + extent.ascent,
                1e-9);
    EXPECT_NEAR(pen_start(anchor, "label", {.size = 12, .color = {}, .down = Align::end}).y, 50 - extent.descent, 1e-9);
    const Point turned = pen_start(
        anchor, "label", {.size = 12, .color = {}, .across = Align::middle, .rotation = Rotation::quarter_left});
    EXPECT_NEAR(turned.y, 50 + width / 2, 1e-9);
    EXPECT_GT(turned.x, 100);
}

TEST(InkBox, CentresCapitalsAndDigitsOnTheAnchor) {
    for (const char* text : {"H", "1", "E"}) {
        const Rect box = ink_box({0, 0}, text, {.size = 100, .color = {}});
        EXPECT_NEAR(box.centre().y, 0, 1) << text;
    }
    EXPECT_EQ(ink_box({0, 0}, " ", {.size = 100, .color = {}}).width, 0);
}

TEST(Elided, NumbersAreNeverCut) {
    const RecordingCanvas canvas({0, 0, 600, 100});
    const TextStyle style{.size = 12, .color = {}};
    const std::string numbers[] = {"710", readable(66789), readable(333.25), readable(2e-5), "−" + readable(1e7)};
    std::string whole = "near";
    for (const std::string& number : numbers) whole += " " + number;
    for (double room = canvas.measure(whole, 12, Weight::regular).width - 1; room > 40; room -= 3) {
        const std::string text = elided(whole, room, style, canvas);
        ASSERT_TRUE(text.starts_with("near") && text.ends_with("…")) << text;
        const std::string beginning = text.substr(0, text.size() - std::string("…").size());
        ASSERT_TRUE(whole.starts_with(beginning)) << text;
        EXPECT_EQ(whole[beginning.size()], ' ') << text;
    }
}

TEST(Utf8, TakesCharactersOfEveryLength) {
    for (const char32_t character : {U'a', U'é', U'θ', U'∞', U'𝄞', char32_t{0x10ffff}}) {
        const std::string text = utf8_of(character) + "z";
        std::string_view rest = text;
        EXPECT_EQ(take_character(rest), character);
        EXPECT_EQ(rest, "z");
    }
}

TEST(Utf8, ReplacesWhatIsInvalidByteByByte) {
    for (const char* bytes :
         {"\x80z", "\xc3z", "\xc0\x80z", "\xe2\x88z", "\xed\xa0\x80z", "\xf4\x90\x80\x80z", "\xffz"}) {
        std::string_view rest = bytes;
        while (rest.size() > 1) EXPECT_EQ(take_character(rest), replacement_character) << bytes;
        EXPECT_EQ(take_character(rest), U'z');
    }
    std::string_view cut = "\xe2\x88";
    EXPECT_EQ(take_character(cut), replacement_character);
    EXPECT_EQ(cut.size(), 1u);
}

/// The gap must exceed 1.5 pixels of a title; a smaller one, spread over two rows of pixels, is invisible.
TEST(Fonts, SubscriptsDoNotTouchTheirLetters) {
    const TextStyle title{.size = 12};
    for (const std::string letter : {"g", "h", "S", "a"})
        for (const std::string subscript : {"ₜ", "₀", "ᵢ", "ₖ"}) {
            const Rect alone = ink_box({0, 0}, letter, title), both = ink_box({0, 0}, letter + subscript, title);
            EXPECT_GT(both.right() - ink_box({0, 0}, subscript, title).width - alone.right(), 1.5)
                << letter << subscript;
            double width = 0;
            for (const Glyph& glyph : glyphs_of(letter + subscript, title.weight)) width += glyph.advance * title.size;
            EXPECT_NEAR(width, measure_text(letter + subscript, title.size, title.weight).width, 1e-9);
        }
}

}  // namespace
}  // namespace ropewalk
