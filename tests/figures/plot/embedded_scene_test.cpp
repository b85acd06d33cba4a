// Figures changed by other programs: the embedded scene is read or rejected without a crash.
#include "app/plot/embedded_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
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

std::string scene_of(const std::string& bytes) {
    return embedded_scene(bytes, "figure");
}

std::string svg_with(const std::string& escaped_scene) {
    return "<svg><metadata id=\"ropewalk\">" + escaped_scene + "</metadata></svg>";
}

TEST(EmbeddedScene, OfAnSvgMayReferToCharacters) {
    EXPECT_EQ(scene_of(svg_with("{&#952;&#x3b8;&#x3B8;&#0000952;}")), "{θθθθ}");
    EXPECT_EQ(scene_of(svg_with("{&#x1D11E;&#x10ffff;&#xd7ff;&#xe000;&#1;}")), "{𝄞\U0010ffff\ud7ff\ue000\x01}");
    EXPECT_EQ(scene_of(svg_with("&#123;&lt;&gt;&quot;&apos;&amp;&amp;lt;&#38;#38;&#13;&#10;}")),
              "{<>\"'&&lt;&#38;\r\n}");
}

TEST(EmbeddedScene, OfAnSvgWithReferencesToNothingIsRejected) {
    for (const std::string reference :
         {"&nbsp;", "&;", "&#;", "&#x;", "&#0;", "&#x0;", "&#xd800;", "&#xDFFF;", "&#x110000;", "&#99999999999;",
          "&#-1;", "&#+1;", "&#x-1;", "&#12a;", "&#xg;", "&#0x41;", "&#X41;", "&AMP;"})
        EXPECT_THAT(refusal(svg_with("{" + reference + "}")),
                    testing::StartsWith("3: figure: has the invalid reference '" + reference + "' in its scene;"));
    for (const std::string reference : {"&", "&amp", "&#952", "&#x3b8", "&a&lt;", "& b;", "&\n;"})
        EXPECT_THAT(refusal(svg_with("{" + reference)),
                    testing::StartsWith("3: figure: has the incomplete reference '&"));
    EXPECT_LT(refusal(svg_with("{&" + std::string(5000, 'x') + ";}")).size(), 250u);
    EXPECT_LT(refusal(svg_with("{&" + std::string(5000, 'x'))).size(), 250u);
}

TEST(EmbeddedScene, OfAnSvgIsFoundHoweverItsElementIsWritten) {
    for (const std::string tag :
         {"<metadata id='ropewalk'>", "<metadata\n\tid=\"ropewalk\"\r\n>", "<metadata id = 'ropewalk' >",
          "<metadata class=\"a>b '\" id=\"ropewalk\" lang='\"'>", "<svg:metadata id=\"ropewalk\">",
          "<metadata id=\"metadata7\">{\"a\": 1}</metadata><metadata id=\"ropewalk\">",
          "<metadata id=\"metadata7\"/><metadata xml:id=\"ropewalk\"/><metadata>{}</metadata><metadata "
          "id=\"ropewalk\">",
          "<metadata ids=\"ropewalk\">{}</metadata><metadatas id=\"ropewalk\">{}</metadatas><metadata id=\"ropewalk\">",
          "<!-- <metadata id=\"ropewalk\">{}</metadata> --><metadata id=\"ropewalk\">",
          "<style><![CDATA[a > b <metadata id=\"ropewalk\">{}]]></style><metadata id=\"ropewalk\">"})
        EXPECT_EQ(scene_of("<svg>" + tag + "{&quot;a&quot;: 2}</metadata></svg>"), "{\"a\": 2}") << tag;
    for (const std::string tag :
         {"<metadata>", "<metadata id=\"other\">", "<metadata about='id=\"ropewalk\"'>", "<metadata id=\"ropewalk\"/>",
          "<desc id=\"ropewalk\">", "<metadata/\"x y\">", "<metadata/\"x y\" id=\"ropewalk\">", "<x\":metadata a=\"b>"})
        EXPECT_THAT(refusal("<svg>" + tag + "{}</metadata></svg>"), testing::HasSubstr("contains no scene")) << tag;
}

TEST(EmbeddedScene, OfAnSvgIsReadOrRefusedWhateverFollowsItsName) {
    constexpr std::string_view characters = "<>/\"' =m";
    constexpr int longest = 5;
    std::string text;
    const std::function<void()> try_all = [&] {
        EXPECT_THAT(refusal("<svg><metadata" + text), testing::StartsWith("3: figure: ")) << text;
        if (text.size() == longest) return;
        for (const char c : characters) {
            text.push_back(c);
            try_all();
            text.pop_back();
        }
    };
    try_all();
}

TEST(EmbeddedScene, OfAnSvgIsFoundHoweverItsTextIsWritten) {
    EXPECT_EQ(scene_of(svg_with("\n\t  {} \n")), "{} \n");
    EXPECT_EQ(scene_of(svg_with("<![CDATA[{\"a\": \"<&amp;>\"}]]>")), "{\"a\": \"<&amp;>\"}");
    EXPECT_EQ(scene_of(svg_with("\n<![CDATA[{]]]]><![CDATA[>]]>&amp;<![CDATA[]]>}")), "{]]>&}");
    EXPECT_EQ(scene_of(svg_with("<!-- a --> {<!-- &b; --><?c d?>}<rdf:RDF>e &amp; f</rdf:RDF>")), "{}");
    const std::string whole = svg_with("<![CDATA[{\"a\": 1}]]><!-- b -->");
    for (std::size_t size = whole.find('{'); size < whole.find("</svg>"); ++size)
        EXPECT_THAT(refusal(whole.substr(0, size)), testing::HasSubstr("is incomplete")) << size;
}

TEST(EmbeddedScene, OfAnSvgIsReadWhateverPrecedesItsFirstElement) {
    const std::string svg = svg_with("{}");
    for (const std::string start :
         {"\xef\xbb\xbf", "\xef\xbb\xbf<?xml version=\"1.0\"?>", "\r\n\t ", "<!-- <html> - > -->", "<?a <b> ?>\n",
          "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"svg11.dtd\">\n",
          "<!-- a --><!DOCTYPE svg [\n<!ENTITY b \"c\">\n<!-- don't -->]>\n<!-- d -->"})
        EXPECT_EQ(scene_of(start + svg), "{}") << start;
    EXPECT_EQ(scene_of("<ns0:svg xmlns:ns0=\"a\"><ns0:metadata id=\"ropewalk\">{}</ns0:metadata></ns0:svg>"), "{}");
    for (const std::string start :
         {"a", "<!--", "<!-->", "<?", "<!-- a --", "<a>", "< ", "\xef\xbb", "<!DOCTYPE html><html>"})
        EXPECT_THAT(refusal(start + svg), testing::StartsWith("3: figure: is ")) << start;
}

TEST(EmbeddedScene, OfMoreThanAScenesSizeIsRefusedBeforeItIsDecoded) {
    constexpr std::size_t much = std::size_t{40} << 20;
    std::string escaped, utf16;
    for (std::size_t i = 0; i < much; i += 5) escaped += "&amp;";
    for (std::size_t i = 0; i < much; i += 2) utf16 += "\0a"s;
    for (const std::string& large :
         {"<svg><metadata id=\"ropewalk\">{" + std::string(much, 'x') + escaped + "</metadata>",
          "<svg><metadata id=\"ropewalk\">{<![CDATA[" + std::string(much, 'x') + "]]></metadata>",
          "%PDF-1.5\n/Keywords (\xfe\xff\0{"s + utf16 + ")", "%PDF-1.5\n/Keywords (" + std::string(much, 'x') + ")",
          "\x89PNG\r\n\x1a\n" + png_chunk("iTXt", "ropewalk\0\0\0\0\0"s + std::string(much, 'x'))})
        EXPECT_THAT(refusal(large), testing::StartsWith("6: figure: has a scene of more than"));
}

}  // namespace
}  // namespace ropewalk
