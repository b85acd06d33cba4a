#include "app/plot/fonts.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "core/error.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

struct PatternDeleter {
    void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
using FontPattern = std::unique_ptr<FcPattern, PatternDeleter>;

struct ConfigDeleter {
    void operator()(FcConfig* config) const { FcConfigDestroy(config); }
};
using Config = std::unique_ptr<FcConfig, ConfigDeleter>;

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

FontFiles find_files() {
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
            .fallback_semibold = first_of({"DejaVu Sans", ""}, Weight::semibold)};
}

const std::string& file_of(Face face) {
    const FontFiles& files = font_files();
    const std::array<const std::string*, face_count> paths{&files.regular, &files.semibold, &files.fallback,
                                                           &files.fallback_semibold};
    return *paths.at(static_cast<std::size_t>(face));
}

struct FaceMetrics {
    double ascent = 0, descent = 0, cap_height = 0;
};

/// The four faces and a cache of their glyphs, for all threads. Never destroyed, because Cairo's caches hold faces
/// until the program ends.
class FontBook {
  public:
    static FontBook& instance() {
        static FontBook& book = *new FontBook;
        return book;
    }

    const FaceMetrics& metrics(Weight weight) const { return metrics_.at(static_cast<std::size_t>(weight)); }
    FT_Face for_cairo(Face face) const { return for_cairo_.at(static_cast<std::size_t>(face)); }

    /// Calls f(glyph) for every character in order; returns the width in em.
    template <class F>
    double for_each_glyph(std::string_view utf8, Weight weight, F&& f) {
        const std::lock_guard lock(mutex_);
        double width = 0;
        while (!utf8.empty()) {
            const std::size_t before = utf8.size();
            Glyph glyph = glyph_of(take_character(utf8), weight);
            glyph.bytes = static_cast<int>(before - utf8.size());
            f(glyph);
            width += glyph.advance;
        }
        return width;
    }

  private:
    FontBook() {
        ensure(FT_Init_FreeType(&library_) == 0, "FreeType starts");
        for (std::size_t i = 0; i < face_count; ++i) {
            ours_[i] = open(file_of(static_cast<Face>(i)));
            for_cairo_[i] = open(file_of(static_cast<Face>(i)));
        }
        for (const Weight weight : {Weight::regular, Weight::semibold}) {
            const FT_Face face = ours_[static_cast<std::size_t>(weight)];
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
        const Face first = semibold ? Face::semibold : Face::regular;
        const Face second = semibold ? Face::fallback_semibold : Face::fallback;
        Glyph glyph = load(first, 0);
        for (const Face face : {second, first})
            if (const unsigned index = FT_Get_Char_Index(ours(face), character)) glyph = load(face, index);
        glyph.space_before = lead_of(character);
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
    std::array<FaceMetrics, 2> metrics_;
    /// Cached glyphs of one weight.
    struct KnownGlyphs {
        std::array<std::optional<Glyph>, 128> ascii;  // nearly all text, found without hashing
        std::unordered_map<char32_t, Glyph> others;
    };
    std::array<KnownGlyphs, 2> glyphs_;
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

double lead_of(char32_t character) {
    const auto is_from = [&](char32_t first, char32_t last) { return first <= character && character <= last; };
    const bool is_subscript = is_from(U'ᵢ', U'ᵪ') || is_from(U'₀', U'ₜ') || character == U'ⱼ';
    return is_subscript ? 0.07 : 0;
}

FT_FaceRec_* face_for_cairo(Face face) {
    return FontBook::instance().for_cairo(face);
}

}  // namespace ropewalk
