#include "app/window/surface/imgui_fonts.h"

#include <imgui.h>
#include <imgui_freetype.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <mutex>
#include <unordered_map>

#include "app/plot/math/math_text.h"
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
                                  0x02b8, 0x2010, 0x202f, 0x2070, 0x209c, 0x2190, 0x2193, 0x2200, 0x2265,
                                  0x27e8, 0x27e9, 0x2c7c, 0x2c7c, 0xfffd, 0xfffd, 0};

/// The sizes of symbols in the atlas, relative to the text. Larger and smaller ones are stretched.
constexpr std::array<double, 2> symbol_sizes{math_beside_sans, 0.7 * math_beside_sans};
constexpr ImWchar first_symbol = 0xe000;  // private characters of symbols, in the order of `usual_math_characters`

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
        if (character >= first_symbol &&
            character < first_symbol + symbol_sizes.size() * usual_math_characters().size())
            continue;
        glyph.AdvanceX = static_cast<float>(measure_text(utf8_of(character), em, weight).width);
        for (float* x : {&glyph.X0, &glyph.X1}) *x += static_cast<float>(lead_of(character) * em);
    }
    font.BuildLookupTable();
}

/// Returns the private character of a symbol in one of the sizes; 0 if it is not in the atlas.
ImWchar private_character(char32_t symbol, std::size_t size) {
    const std::u32string& all = usual_math_characters();
    static const std::unordered_map<char32_t, std::size_t> places = [&] {
        std::unordered_map<char32_t, std::size_t> found;
        for (std::size_t i = 0; i < all.size(); ++i) found.emplace(all[i], i);
        return found;
    }();
    const auto place = places.find(symbol);
    if (place == places.end()) return 0;
    return static_cast<ImWchar>(first_symbol + size * all.size() + place->second);
}

constexpr std::size_t most_kept = 3;

constexpr int widest_atlas = 8192;         // pixels, in width and height
constexpr double usual_side = 1460;        // pixels: side of the square that the usual typefaces fill at scale 1
constexpr double largest_usual_scale = 4;  // above it, ImGui's default width would make the atlas too high

}  // namespace

struct Fonts::Face {
    double size = 0;
    Weight weight = Weight::regular;
    ImFont* font = nullptr;
};

struct Fonts::Rasterised {
    Rasterised(std::span<const double> of_sizes, double drawn_scale, double own_scale, int widest);
    void add_math();
    bool fits(int widest) const { return std::max(atlas.TexWidth, atlas.TexHeight) <= widest; }
    /// Returns how much larger glyphs are drawn than they are in the atlas.
    double stretch() const { return scale / atlas_scale; }

    std::vector<double> sizes;
    double scale, atlas_scale;       // of drawn text, and of the glyphs in the atlas
    std::vector<std::string> files;  // that the atlas reads
    ImFontAtlas atlas;
    std::vector<Face> faces;
};

/// Adds the symbols of formulas to all regular fonts of the atlas, and builds it.
void Fonts::Rasterised::add_math() {
    struct Symbol {
        GlyphPicture picture;
        int rect;
    };
    std::vector<Symbol> symbols;
    for (const Face& face : faces) {
        if (face.weight != Weight::regular) continue;
        for (std::size_t size = 0; size < symbol_sizes.size(); ++size)
            for (const char32_t character : usual_math_characters()) {
                GlyphPicture picture = math_glyph_picture(character, symbol_sizes[size] * face.size * atlas_scale);
                const ImVec2 offset{static_cast<float>(picture.left), static_cast<float>(-picture.top)};
                const int rect =
                    atlas.AddCustomRectFontGlyph(face.font, private_character(character, size),
                                                 std::max(1, picture.width), std::max(1, picture.height), 0, offset);
                symbols.push_back({std::move(picture), rect});
            }
    }
    ensure(atlas.Build(), "the font atlas is built");
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    for (const auto& [picture, rect] : symbols) {
        const ImFontAtlasCustomRect& place = *atlas.GetCustomRectByIndex(rect);
        ensure(place.IsPacked(), "the font atlas holds all symbols");
        for (int row = 0; row < picture.height; ++row)
            std::copy_n(picture.grey.begin() + static_cast<std::ptrdiff_t>(row) * picture.width, picture.width,
                        pixels + static_cast<std::ptrdiff_t>(place.Y + row) * width + place.X);
    }
}

Fonts::Rasterised::Rasterised(std::span<const double> of_sizes, double drawn_scale, double own_scale, int widest)
    : sizes(of_sizes.begin(), of_sizes.end()), scale(drawn_scale), atlas_scale(own_scale) {
    const FontFiles& paths = font_files();
    for (const std::string& path : {paths.regular, paths.semibold, paths.fallback, paths.fallback_semibold})
        files.push_back(read_file(path, largest_font_file));
    atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
    atlas.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
    atlas.Flags |= ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoBakedLines;
    if (atlas_scale > largest_usual_scale) atlas.TexDesiredWidth = widest;

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
            const bool running_text = !semibold && size >= 11 && size <= 17;
            const ImWchar* ranges = running_text ? all_ranges : few_ranges;
            ImFont* font = add(files[semibold ? 1 : 0], size * atlas_scale, ranges, false);
            add(files[semibold ? 3 : 2], size * atlas_scale, ranges, true);
            font->Scale = static_cast<float>(stretch());
            faces.push_back({size, weight, font});
        }
    }
    add_math();
    for (const Face& face : faces) restore_advances(*face.font, face.size * atlas_scale, face.weight);
}

/// Rasterises at the scale, or at a smaller one whose atlas fits into a texture.
std::shared_ptr<Fonts::Rasterised> Fonts::rasterise(std::span<const double> sizes, double scale, int widest) {
    for (double tried = std::min(scale, widest / usual_side);; tried *= 0.8)
        if (auto built = std::make_shared<Rasterised>(sizes, scale, tried, widest); built->fits(widest)) return built;
}

ImFontAtlas& Fonts::build(std::span<const double> sizes, double scale, int largest_texture) {
    const int widest = std::min(largest_texture, widest_atlas);
    static std::mutex mutex;
    static std::vector<std::shared_ptr<Rasterised>> kept;  // the last one used comes last
    const std::lock_guard lock(mutex);
    auto found = std::ranges::find_if(kept, [&](const auto& other) {
        return other->scale == scale && std::ranges::equal(other->sizes, sizes) && other->fits(widest) &&
               other.use_count() == 1;
    });
    if (found == kept.end()) {
        if (kept.size() == most_kept) kept.erase(kept.begin());
        found = kept.insert(kept.end(), rasterise(sizes, scale, widest));
    }
    std::rotate(found, found + 1, kept.end());
    built_ = kept.back();
    return built_->atlas;
}

auto Fonts::face(double size, Weight weight) const -> const Face& {
    ensure(built_ != nullptr, "fonts are built before they are drawn");
    const auto distance = [&](const Face& face) {
        return std::abs(face.size - size) + (face.weight == weight ? 0 : 1000);
    };
    return *std::min_element(built_->faces.begin(), built_->faces.end(),
                             [&](const Face& a, const Face& b) { return distance(a) < distance(b); });
}

double Fonts::scale() const {
    return built_ ? built_->scale : 1;
}

ImFont* Fonts::find(double size, Weight weight) const {
    return face(size, weight).font;
}

void Fonts::draw(ImDrawList& list, Point anchor, std::string_view utf8, const TextStyle& style) const {
    const Face& face = this->face(style.size, style.weight);
    TextStyle device = style;
    device.size = style.size * built_->scale;
    const Point pen = pen_start(anchor, utf8, device);
    const bool upright = style.rotation == Rotation::none;
    // Along and across the text; the baseline is on a whole pixel.
    Point at = upright ? Point{pen.x, std::round(pen.y)} : Point{-pen.y, std::round(pen.x)};
    list.PushTextureID(face.font->ContainerAtlas->TexID);
    for (const Glyph& glyph : glyphs_of(utf8, style.weight)) {
        const bool is_symbol = glyph.face == ropewalk::Face::math;  // only regular fonts have these
        draw_glyph(list, glyph, is_symbol ? this->face(style.size, Weight::regular) : face, style, at);
        at.x += glyph.advance * device.size;
    }
    list.PopTextureID();
}

/// Draws a glyph with its pen at this point along and across the text. Glyphs are on whole pixels in both directions,
/// but the pen advances by fractions along the text.
void Fonts::draw_glyph(ImDrawList& list, const Glyph& glyph, const Face& face, const TextStyle& style,
                       Point pen) const {
    const bool upright = style.rotation == Rotation::none;
    const double em = style.size * built_->scale;
    const auto quad = [&](ImVec2 low, ImVec2 high, ImVec2 uv_low, ImVec2 uv_high) {
        const auto corner = [&](float u, float v) { return upright ? ImVec2(u, v) : ImVec2(v, -u); };
        list.PrimReserve(6, 4);
        list.PrimQuadUV(corner(low.x, low.y), corner(high.x, low.y), corner(high.x, high.y), corner(low.x, high.y),
                        uv_low, {uv_high.x, uv_low.y}, uv_high, {uv_low.x, uv_high.y}, compat::color(style.color));
    };
    const double left = pen.x + glyph.space_before * em, baseline = pen.y - std::round(glyph.rise * em);
    if (glyph.is_rule()) {
        const auto thickness = static_cast<float>(std::max(1.0, std::round(rule_thickness * em)));
        const ImVec2 white = face.font->ContainerAtlas->TexUvWhitePixel;
        const ImVec2 low{static_cast<float>(left), static_cast<float>(baseline) - std::round(thickness / 2)};
        return quad(low, {low.x + static_cast<float>(glyph.size * em), low.y + thickness}, white, white);
    }
    const bool is_symbol = glyph.face == ropewalk::Face::math;
    const std::size_t size = is_symbol && glyph.size < 0.85 * math_beside_sans ? 1 : 0;
    const ImWchar character = is_symbol ? private_character(glyph.character, size) : 0;
    const bool is_built = character != 0;  // as a symbol, with its origin on the baseline
    const ImFontGlyph* const drawn = face.font->FindGlyph(is_built ? character : static_cast<ImWchar>(glyph.character));
    if (!drawn->Visible && !is_built) return;
    // 1, unless the size was not built. A text's glyph has a box that contains the space before it.
    const auto stretch = static_cast<float>(built_->stretch() * style.size * glyph.size /
                                            (face.size * (is_built ? symbol_sizes[size] : 1)));
    const auto pen_left = static_cast<float>(is_built ? left : left - lead_of(glyph.character) * em * glyph.size);
    const auto origin = std::round(pen_left + drawn->X0 * stretch);
    const float ascent = is_built ? 0 : std::round(face.font->Ascent), base = static_cast<float>(baseline);
    const auto right = origin + (drawn->X1 - drawn->X0) * stretch;
    quad({origin, base + (drawn->Y0 - ascent) * stretch}, {right, base + (drawn->Y1 - ascent) * stretch},
         {drawn->U0, drawn->V0}, {drawn->U1, drawn->V1});
}

}  // namespace ropewalk
