#include "app/window/surface/imgui_fonts.h"

#include <imgui.h>
#include <imgui_freetype.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "core/error.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t largest_font_file = 64u << 20;

// ImGui keeps pointers to these.
constexpr ImWchar all_ranges[] = {0x0020, 0x00ff,                  // Latin-1
                                  0x0131, 0x0131, 0x0370, 0x03ff,  // Greek
                                  0x1d40, 0x1d40, 0x1d62, 0x1d6a,  // ᵀ ᵢ ᵣ ᵤ ᵥ …
                                  0x02b0, 0x02b8,                  // superscript letters
                                  0x2010, 0x2044,                  // general punctuation
                                  0x2070, 0x209c,                  // superscripts and subscripts
                                  0x211d, 0x2122, 0x2190, 0x21ff,  // ℝ ™, arrows
                                  0x2200, 0x22ff,                  // mathematical operators
                                  0x2308, 0x230b, 0x2318, 0x2318, 0x23ce, 0x23ce,
                                  0x2500, 0x25ff,  // box drawing, blocks, geometric shapes
                                  0x2713, 0x2717, 0x27e8, 0x27e9, 0x2c7c, 0x2c7c,  // ✓ ✗ ⟨ ⟩ ⱼ
                                  0xfffd, 0xfffd, 0};
// The characters of headings and of numbers in cells.
constexpr ImWchar few_ranges[] = {0x0020, 0x00ff, 0x0370, 0x03ff, 0x1d40, 0x1d40, 0x1d62, 0x1d6a, 0x02b0,
                                  0x02b8, 0x2010, 0x2027, 0x2070, 0x209c, 0x2190, 0x2193, 0x2200, 0x2265,
                                  0x27e8, 0x27e9, 0x2c7c, 0x2c7c, 0xfffd, 0xfffd, 0};

/// Returns ascent + descent per em, by which ImGui sizes a font, from the tables of a TrueType or OpenType file; 1.2 if
/// there are no such tables.
double line_height(std::string_view font) {
    const auto number = [&](std::size_t at, int bytes) {
        unsigned value = 0;
        for (int i = 0; i < bytes; ++i)
            value = value << 8 | (at < font.size() ? static_cast<unsigned char>(font[at++]) : 0u);
        return value;
    };
    unsigned units_per_em = 0, ascent_and_descent = 0;
    for (std::size_t entry = 12, tables = number(4, 2); tables > 0; --tables, entry += 16) {
        const std::size_t at = number(entry + 8, 4);
        if (font.substr(std::min(entry, font.size()), 4) == "head") units_per_em = number(at + 18, 2);
        if (font.substr(std::min(entry, font.size()), 4) == "hhea")
            ascent_and_descent = number(at + 4, 2) + (0x10000 - number(at + 6, 2));
    }
    return units_per_em > 0 && ascent_and_descent > 0 ? static_cast<double>(ascent_and_descent) / units_per_em : 1.2;
}

/// Restores the advances of the outlines, which every canvas uses to lay out text, including the space before
/// subscripts. FreeType hints advances to whole pixels.
void restore_advances(ImFont& font, double em, Weight weight) {
    for (ImFontGlyph& glyph : font.Glyphs) {
        const auto character = static_cast<char32_t>(glyph.Codepoint);
        glyph.AdvanceX = static_cast<float>(measure_text(utf8_of(character), em, weight).width);
        for (float* x : {&glyph.X0, &glyph.X1}) *x += static_cast<float>(lead_of(character) * em);
    }
    font.BuildLookupTable();
}

}  // namespace

void Fonts::build(ImFontAtlas& atlas, std::span<const double> sizes, double scale) {
    const FontFiles& paths = font_files();
    scale_ = scale;
    faces_.clear();
    atlas.Clear();
    files_ = {read_file(paths.regular, largest_font_file), read_file(paths.semibold, largest_font_file),
              read_file(paths.fallback, largest_font_file), read_file(paths.fallback_semibold, largest_font_file)};
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    atlas.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines;

    const auto add = [&](std::string& file, double em, const ImWchar* ranges, bool merge) {
        ImFontConfig config;
        config.MergeMode = merge;
        const auto pixels = static_cast<float>(std::max(4.0, std::round(em * line_height(file))));
        ImFont* font = atlas.AddFontFromMemoryTTF(file.data(), static_cast<int>(file.size()), pixels, &config, ranges);
        ensure(font != nullptr, "a face is added to the atlas");
        // Set only now: if it were set earlier, each font would have its own copy of the file.
        atlas.ConfigData.back().FontDataOwnedByAtlas = false;
        return font;
    };
    for (const double size : sizes) {
        for (const Weight weight : {Weight::regular, Weight::semibold}) {
            const bool semibold = weight == Weight::semibold;
            const bool running_text = !semibold && size >= 11 && size <= 13;
            const ImWchar* ranges = running_text ? all_ranges : few_ranges;
            ImFont* font = add(files_[semibold ? 1 : 0], size * scale, ranges, false);
            add(files_[semibold ? 3 : 2], size * scale, ranges, true);
            faces_.push_back({size, weight, font});
        }
    }
    ensure(atlas.Build(), "the font atlas is built");
    for (const Face& face : faces_) restore_advances(*face.font, face.size * scale, face.weight);
}

auto Fonts::face(double size, Weight weight) const -> const Face& {
    ensure(!faces_.empty(), "fonts are built before they are drawn");
    const auto distance = [&](const Face& face) {
        return std::abs(face.size - size) + (face.weight == weight ? 0 : 1000);
    };
    return *std::min_element(faces_.begin(), faces_.end(),
                             [&](const Face& a, const Face& b) { return distance(a) < distance(b); });
}

ImFont* Fonts::find(double size, Weight weight) const {
    return face(size, weight).font;
}

void Fonts::draw(ImDrawList& list, Point anchor, std::string_view utf8, const TextStyle& style) const {
    const Face& face = this->face(style.size, style.weight);
    const auto stretch = static_cast<float>(style.size / face.size);  // 1, unless the size was not built
    const bool upright = style.rotation == Rotation::none;
    TextStyle device = style;
    device.size = style.size * scale_;
    const Point pen = pen_start(anchor, utf8, device);
    // Glyphs are on whole pixels in both directions, but the pen advances by fractions along the text.
    auto along = static_cast<float>(upright ? pen.x : -pen.y);
    const float across = std::round(static_cast<float>(upright ? pen.y : pen.x));
    const float baseline = std::round(face.font->Ascent);
    const ImU32 color = compat::color(style.color);

    list.PushTextureID(face.font->ContainerAtlas->TexID);
    while (!utf8.empty()) {
        const ImFontGlyph* glyph = face.font->FindGlyph(static_cast<ImWchar>(take_character(utf8)));
        if (glyph->Visible) {
            const float left = std::round(along + glyph->X0 * stretch);
            const auto corner = [&](float x, float y) {
                const float u = left + (x - glyph->X0) * stretch, v = across + (y - baseline) * stretch;
                return upright ? ImVec2(u, v) : ImVec2(v, -u);
            };
            list.PrimReserve(6, 4);
            list.PrimQuadUV(corner(glyph->X0, glyph->Y0), corner(glyph->X1, glyph->Y0), corner(glyph->X1, glyph->Y1),
                            corner(glyph->X0, glyph->Y1), {glyph->U0, glyph->V0}, {glyph->U1, glyph->V0},
                            {glyph->U1, glyph->V1}, {glyph->U0, glyph->V1}, color);
        }
        along += glyph->AdvanceX * stretch;
    }
    list.PopTextureID();
}

}  // namespace ropewalk
