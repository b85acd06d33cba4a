// Figures changed by other programs: the embedded scene is read or rejected without a crash.
#include "app/plot/embedded_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/error.h"

namespace ropewalk {
namespace {

using namespace std::string_literals;

const std::string carried_scene = "{\"title\": \"A & B (c)\"}";

std::string number_bytes(std::size_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
    return bytes;
}

std::string png_chunk(const std::string& type, const std::string& content, std::uint32_t checksum = 0) {
    return number_bytes(content.size()) + type + content + number_bytes(checksum);
}
constexpr std::uint32_t checksum_of_scene = 0x8646aa71;  // zlib.crc32 of the chunk's type and content in Python

const std::string exported_figures[] = {
    "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", std::string(13, '\1')) +
        png_chunk("iTXt", "ropewalk\0\0\0\0\0"s + carried_scene, checksum_of_scene) + png_chunk("IEND", ""),
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

std::string refusal(const std::string& bytes) {
    try {
        embedded_scene(bytes, "figure");
    } catch (const Error& error) {
        return std::to_string(static_cast<int>(error.code())) + ": " + error.what();
    }
    return "accepted";
}

TEST(EmbeddedScene, OfAPngWithAWrongChecksumIsRejected) {
    std::string damaged = exported_figures[0];
    damaged[damaged.find("A & B")] = 'B';
    EXPECT_THAT(refusal(damaged), testing::StartsWith("3: figure: has a damaged scene"));
}

TEST(EmbeddedScene, OfMoreThanAScenesSizeIsRefusedBeforeItIsDecoded) {
    constexpr std::size_t much = std::size_t{40} << 20;
    std::string escaped, utf16;
    for (std::size_t i = 0; i < much; i += 5) escaped += "&amp;";
    for (std::size_t i = 0; i < much; i += 2) utf16 += "\0a"s;
    for (const std::string& large :
         {"<svg><metadata id=\"ropewalk\">{" + std::string(much, 'x') + escaped + "</metadata>",
          "%PDF-1.5\n/Keywords (\xfe\xff\0{"s + utf16 + ")", "%PDF-1.5\n/Keywords (" + std::string(much, 'x') + ")",
          "\x89PNG\r\n\x1a\n" + png_chunk("iTXt", "ropewalk\0\0\0\0\0"s + std::string(much, 'x'))})
        EXPECT_THAT(refusal(large), testing::StartsWith("6: figure: has a scene of more than"));
}

}  // namespace
}  // namespace ropewalk
