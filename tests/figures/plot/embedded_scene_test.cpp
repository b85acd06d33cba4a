// Figures changed by other programs: the embedded scene is read or rejected without a crash.
#include "app/plot/embedded_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "core/error.h"
#include "tests/mutation.h"

namespace ropewalk {
namespace {

using namespace std::string_literals;

const std::string carried_scene = "{\"title\": \"A & B (c)\"}";

std::string png_chunk(const std::string& type, const std::string& content) {
    std::string length;
    for (int shift = 24; shift >= 0; shift -= 8) length += static_cast<char>(content.size() >> shift & 255);
    return length + type + content + "sum.";
}

const std::string exported_figures[] = {
    "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", std::string(13, '\1')) +
        png_chunk("iTXt", "ropewalk\0\0\0\0\0"s + carried_scene) + png_chunk("IEND", ""),
    "<?xml version=\"1.0\"?>\n<svg><metadata id=\"ropewalk\">{&quot;title&quot;: &quot;A &amp; B "
    "(c)&quot;}</metadata></svg>\n",
    "%PDF-1.5\n1 0 obj\n<< /Keywords ({\"title\": \"A & B \\(c\\)\"})\n/Creator (x) >>\nendobj\n%%EOF\n",
    "%PDF-1.5\n1 0 obj\n<< /Keywords "
    "<FEFF007B0022007400690074006C00650022003A00200022004100200026002000420020002800630029D83DDE000022007D>\n>>\n%%"
    "EOF\n",
};

TEST(EmbeddedScene, IsReadFromEveryFormat) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(embedded_scene(exported_figures[i], "figure"), carried_scene) << i;
    EXPECT_EQ(embedded_scene(exported_figures[3], "figure"), "{\"title\": \"A & B (c)😀\"}");
}

TEST(EmbeddedScene, DamagedFiguresAreReadOrRejectedButNeverCrash) {
    std::mt19937 random(3);
    int rejected = 0;
    for (int round = 0; round < 20'000; ++round) {
        // An allocation of exact size, so that reading past the end is detected.
        const std::string damaged = mutated(exported_figures[round % 4], random);
        const std::vector<char> bytes(damaged.begin(), damaged.end());
        try {
            embedded_scene({bytes.data(), bytes.size()}, "fuzz");
        } catch (const InputError& error) {
            ++rejected;
            EXPECT_THAT(error.what(), testing::StartsWith("fuzz"));
        }
    }
    EXPECT_GT(rejected, 5'000);
    EXPECT_LT(rejected, 20'000);
}

}  // namespace
}  // namespace ropewalk
