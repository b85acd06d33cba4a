#include "app/plot/fonts.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <unordered_map>
#include <utility>

#include "app/plot/elide.h"
#include "app/plot/math/math_text.h"
#include "core/error.h"
#include "core/owned.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

using FontPattern = Owned<FcPattern, FcPatternDestroy>;
using Config = Owned<FcConfig, FcConfigDestroy>;

const char* chars(const FcChar8* text) {
    return reinterpret_cast<const char*>(text);
}

bool is_of_family(FcPattern* font, const std::string& family) {
    FcChar8* name = nullptr;
    for (int i = 0; FcPatternGetString(font, FC_FAMILY, i, &name) == FcResultMatch; ++i)
        if (family == chars(name)) return true;
    return false;
}

/// Returns the file of the family's upright face of this weight; empty if the family is not installed. fontconfig
/// always answers with some face, so the answer's family is compared. An empty family matches any.
std::string find_file(FcConfig* config, const std::string& family, Weight weight) {
    const FontPattern wanted(FcPatternCreate());
    FcPatternAddString(wanted.get(), FC_FAMILY,
                       reinterpret_cast<const FcChar8*>(family.empty() ? "sans-serif" : family.c_str()));
    FcPatternAddInteger(wanted.get(), FC_WEIGHT, weight == Weight::semibold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR);
    FcPatternAddInteger(wanted.get(), FC_SLANT, FC_SLANT_ROMAN);
    FcPatternAddInteger(wanted.get(), FC_WIDTH, FC_WIDTH_NORMAL);
    FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
    FcPatternAddBool(wanted.get(), FC_VARIABLE, FcFalse);
    FcConfigSubstitute(config, wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    const FontPattern found(FcFontMatch(config, wanted.get(), &result));
    FcChar8* file = nullptr;
    int index = 0;
    if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &file) != FcResultMatch) return {};
    // A path alone identifies only a file's first face.
    if (FcPatternGetInteger(found.get(), FC_INDEX, 0, &index) == FcResultMatch && index != 0) return {};
    if (!family.empty() && !is_of_family(found.get(), family)) return {};
    return chars(file);
}

/// Throws std::bad_alloc if memory is short: otherwise FreeType and fontconfig would report fonts as damaged or
/// missing, and fontconfig would write that into the system's cache.
void require_memory_for_fonts() {
    constexpr std::size_t enough = std::size_t{64} << 20;  // bytes
    ::operator delete(::operator new(enough));
}

FontFiles find_files() {
    require_memory_for_fonts();
    const Config config(FcInitLoadConfigAndFonts());
    ensure(config != nullptr, "fontconfig starts");
    const auto first_of = [&](std::initializer_list<const char*> families, Weight weight) -> std::string {
        for (const char* family : families)
            if (std::string file = find_file(config.get(), family, weight); !file.empty()) return file;
        throw IoError(
            "No font was found by fontconfig; install Inter (fonts-inter) or DejaVu Sans (fonts-dejavu-core).");
    };
    return {.regular = first_of({"Inter", "DejaVu Sans", ""}, Weight::regular),
            .semibold = first_of({"Inter", "DejaVu Sans", ""}, Weight::semibold),
            .fallback = first_of({"DejaVu Sans", ""}, Weight::regular),
            .fallback_semibold = first_of({"DejaVu Sans", ""}, Weight::semibold),
            .math = first_of({"Latin Modern Math", "DejaVu Sans", ""}, Weight::regular)};
}

const std::string& file_of(Face face) {
    const FontFiles& files = font_files();
    const std::array<const std::string*, face_count> paths{&files.regular, &files.semibold, &files.fallback,
                                                           &files.fallback_semibold, &files.math};
    return *paths.at(static_cast<std::size_t>(face));
}

constexpr char32_t thin_space = U'\u202f';  // narrow and no-break
constexpr double thin_width = 0.2;          // em
constexpr double script_size = 0.7;
/// Returns the plain form and the rise of a superscript or subscript, which the mathematical font lacks; any other
/// character as it is.
std::pair<char32_t, double> script_of(char32_t character) {
    constexpr std::u32string_view above = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", below = U"₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙᵢⱼₜᵣₖₘ",
                                  plain_above = U"0123456789+−=()𝑛𝑖", plain_below = U"0123456789+−=()𝑛𝑖𝑗𝑡𝑟𝑘𝑚";
    constexpr double rise = 0.36, fall = -0.16;
    if (const std::size_t at = above.find(character); at != above.npos) return {plain_above[at], rise};
    if (const std::size_t at = below.find(character); at != below.npos) return {plain_below[at], fall};
    return {character, 0};
}

struct FaceMetrics {
    double ascent = 0, descent = 0, cap_height = 0;
};

/// The faces and a cache of their glyphs, for all threads. Never destroyed, because Cairo's caches hold faces
/// until the program ends.
class FontBook {
  public:
    static FontBook& instance() {
        static FontBook& book = *new FontBook;
        return book;
    }

    const FaceMetrics& metrics(Weight weight) const { return metrics_.at(static_cast<std::size_t>(weight)); }
    FT_Face for_cairo(Face face) const { return for_cairo_.at(static_cast<std::size_t>(face)); }

    /// Calls f(glyph) for every character and every symbol of formulas in order; returns the width in em.
    template <class F>
    double for_each_glyph(std::string_view utf8, Weight weight, F&& f) {
        const std::lock_guard lock(mutex_);
        double width = 0;
        for (const TextPart& part : parts_of(utf8))
            width += part.is_math ? for_each_symbol(part.text, weight, f) : for_each_character(part.text, weight, f);
        return width;
    }

    GlyphPicture picture(char32_t character, double pixels) {
        const std::lock_guard lock(mutex_);
        GlyphPicture picture;
        const FT_Face face = ours(Face::math);
        FT_Set_Char_Size(face, 0, std::lround(pixels * 64), 72, 72);
        if (FT_Load_Char(face, character, FT_LOAD_RENDER | FT_LOAD_TARGET_LIGHT) != 0) return picture;
        const FT_Bitmap& bitmap = face->glyph->bitmap;
        picture = {static_cast<int>(bitmap.width),
                   static_cast<int>(bitmap.rows),
                   face->glyph->bitmap_left,
                   face->glyph->bitmap_top,
                   {}};
        for (int row = 0; row < picture.height; ++row) {
            const unsigned char* const begin = bitmap.buffer + static_cast<std::ptrdiff_t>(row) * bitmap.pitch;
            picture.grey.insert(picture.grey.end(), begin, begin + picture.width);
        }
        return picture;
    }

  private:
    FontBook() {
        ensure(FT_Init_FreeType(&library_) == 0, "FreeType starts");
        for (std::size_t i = 0; i < face_count; ++i) {
            ours_[i] = open(file_of(static_cast<Face>(i)));
            for_cairo_[i] = open(file_of(static_cast<Face>(i)));
        }
        for (const Weight weight : {Weight::regular, Weight::semibold, Weight::serif}) {
            const Face own = weight == Weight::serif      ? Face::math
                             : weight == Weight::semibold ? Face::semibold
                                                          : Face::regular;
            const FT_Face face = ours(own);
            const double em = face->units_per_EM;
            FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE);
            metrics_[static_cast<std::size_t>(weight)] = {face->ascender / em, -face->descender / em,
                                                          static_cast<double>(face->glyph->metrics.horiBearingY) / em};
        }
    }

    FT_Face open(const std::string& path) const {
        FT_Face face = nullptr;
        if (FT_New_Face(library_, path.c_str(), 0, &face) != 0)
            throw IoError(path + ": this font cannot be read; reinstall it.");
        return face;
    }

    template <class F>
    double for_each_character(std::string_view utf8, Weight weight, F&& f) {
        double width = 0;
        for (std::string_view rest = utf8; !rest.empty();) {
            const bool is_thin = groups_digits(utf8, utf8.size() - rest.size());
            const char32_t character = take_character(rest);
            const Glyph& glyph = glyph_of(is_thin ? thin_space : character, weight);
            f(glyph);
            width += glyph.advance;
        }
        return width;
    }

    /// The glyphs of a formula follow one another with spaces before them that may be negative.
    template <class F>
    double for_each_symbol(std::string_view tex, Weight weight, F&& f) {
        constexpr std::size_t most = 4096;  // formulas whose numbers change come and go
        if (formulas_.size() > most) formulas_.clear();
        auto known = formulas_.find(tex);
        if (known == formulas_.end()) known = formulas_.emplace(tex, laid_out(tex)).first;
        double width = 0;
        const double larger = weight == Weight::serif ? 1 : math_beside_sans;
        for (Glyph glyph : known->second) {
            for (double* length : {&glyph.advance, &glyph.space_before, &glyph.size, &glyph.rise}) *length *= larger;
            f(glyph);
            width += glyph.advance;
        }
        return width;
    }

    std::vector<Glyph> laid_out(std::string_view tex) {
        std::vector<Glyph> glyphs;
        const MathLayout layout = layout_math(tex, [this](char32_t character) {
            const Glyph& glyph = glyph_of(character, Weight::serif);
            const FT_Face face = ours(glyph.face);
            FT_Load_Glyph(face, glyph.index, FT_LOAD_NO_SCALE);
            const FT_Glyph_Metrics& size = face->glyph->metrics;
            const double em = face->units_per_EM, top = static_cast<double>(size.horiBearingY) / em;
            return SymbolSize{glyph.advance, top, static_cast<double>(size.height) / em - top};
        });
        double pen = 0;
        for (std::size_t i = 0; i < layout.symbols.size(); ++i) {
            const MathSymbol& symbol = layout.symbols[i];
            Glyph glyph = symbol.character == 0 ? Glyph{} : glyph_of(symbol.character, Weight::serif);
            const double end = i + 1 == layout.symbols.size() ? layout.width
                               : symbol.character == 0        ? symbol.x + symbol.size
                                                              : symbol.x + glyph.advance * symbol.size;
            glyph.space_before = symbol.x - pen, glyph.advance = end - pen;
            glyph.size = symbol.size, glyph.rise = symbol.rise;
            glyphs.push_back(glyph);
            pen = end;
        }
        return glyphs;
    }

    const Glyph& glyph_of(char32_t character, Weight weight) {
        auto& [ascii, others] = glyphs_.at(static_cast<std::size_t>(weight));
        if (character < ascii.size()) {
            std::optional<Glyph>& known = ascii[character];
            return known ? *known : known.emplace(loaded(character, weight));
        }
        if (const auto found = others.find(character); found != others.end()) return found->second;
        return others.emplace(character, loaded(character, weight)).first->second;
    }

    /// Returns the glyph of the first face with the character, or else the missing-glyph sign of the text's own face.
    Glyph loaded(char32_t character, Weight weight) const {
        const bool semibold = weight == Weight::semibold;
        if (weight == Weight::serif)
            if (const auto [plain, rise] = script_of(character); plain != character) {
                Glyph glyph = loaded(plain, weight);
                glyph.size = script_size, glyph.rise = rise, glyph.advance *= script_size;
                return glyph;
            }
        const Face first = weight == Weight::serif ? Face::math : semibold ? Face::semibold : Face::regular;
        const Face second = semibold ? Face::fallback_semibold : Face::fallback;
        if (character == thin_space && FT_Get_Char_Index(ours(first), character) == 0) {  // without another font
            Glyph glyph = loaded(U' ', weight);
            glyph.character = character, glyph.advance = thin_width;
            return glyph;
        }
        Glyph glyph = load(first, 0);
        for (const Face face : {second, first})
            if (const unsigned index = FT_Get_Char_Index(ours(face), character)) glyph = load(face, index);
        glyph.character = character;
        glyph.space_before = weight == Weight::serif ? 0 : lead_of(character);
        glyph.advance += glyph.space_before;
        return glyph;
    }

    Glyph load(Face face, unsigned index) const {
        Glyph glyph{.face = face, .index = index};
        if (FT_Load_Glyph(ours(face), index, FT_LOAD_NO_SCALE) == 0)
            glyph.advance = static_cast<double>(ours(face)->glyph->metrics.horiAdvance) / ours(face)->units_per_EM;
        return glyph;
    }

    FT_Face ours(Face face) const { return ours_.at(static_cast<std::size_t>(face)); }

    std::mutex mutex_;
    FT_Library library_ = nullptr;
    std::array<FT_Face, face_count> ours_{}, for_cairo_{};
    std::array<FaceMetrics, 3> metrics_;
    /// Cached glyphs of one weight.
    struct KnownGlyphs {
        std::array<std::optional<Glyph>, 128> ascii;  // nearly all text, found without hashing
        std::unordered_map<char32_t, Glyph> others;
    };
    std::array<KnownGlyphs, 3> glyphs_;
    std::map<std::string, std::vector<Glyph>, std::less<>> formulas_;
};

/// Returns the fraction of a text's width before its anchor.
double share_before(Align across) {
    return across == Align::start ? 0 : across == Align::middle ? 0.5 : 1;
}

}  // namespace

const FontFiles& font_files() {
    static const FontFiles files = find_files();
    return files;
}

TextExtent measure_text(std::string_view utf8, double size, Weight weight) {
    FontBook& book = FontBook::instance();
    const FaceMetrics& face = book.metrics(weight);
    const double width = book.for_each_glyph(utf8, weight, [](const Glyph&) {});
    return {width * size, face.ascent * size, face.descent * size};
}

double baseline_below_anchor(const TextStyle& style) {
    const FaceMetrics& face = FontBook::instance().metrics(style.weight);
    switch (style.down) {
        case Align::start: return face.ascent * style.size;
        case Align::middle: return face.cap_height / 2 * style.size;
        case Align::end: return -face.descent * style.size;
    }
    return 0;
}

Point pen_start(Point anchor, std::string_view utf8, const TextStyle& style) {
    const double before = share_before(style.across) * measure_text(utf8, style.size, style.weight).width;
    const double below = baseline_below_anchor(style);
    if (style.rotation == Rotation::none) return {anchor.x - before, anchor.y + below};
    return {anchor.x + below, anchor.y + before};
}

std::vector<Glyph> glyphs_of(std::string_view utf8, Weight weight) {
    std::vector<Glyph> glyphs;
    FontBook::instance().for_each_glyph(utf8, weight, [&](const Glyph& glyph) { glyphs.push_back(glyph); });
    return glyphs;
}

GlyphPicture math_glyph_picture(char32_t character, double pixels) {
    return FontBook::instance().picture(character, pixels);
}

double lead_of(char32_t character) {
    const auto is_from = [&](char32_t first, char32_t last) { return first <= character && character <= last; };
    const bool is_subscript = is_from(U'ᵢ', U'ᵪ') || is_from(U'₀', U'ₜ') || character == U'ⱼ';
    return is_subscript ? 0.07 : 0;
}

FT_FaceRec_* face_for_cairo(Face face) {
    return FontBook::instance().for_cairo(face);
}

}  // namespace ropewalk
