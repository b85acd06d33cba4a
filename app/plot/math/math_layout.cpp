// The layout of formulas.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "app/plot/math/math_commands.h"
#include "app/plot/math/math_text.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr char32_t italic_alpha = 0x1d6fc, minus_sign = U'−', root_sign = U'√';

SymbolKind kind_of(char32_t c) {
    switch (c) {
        case U'(':
        case U'[':
        case U'⟨': return SymbolKind::open;
        case U')':
        case U']':
        case U'⟩': return SymbolKind::close;
        case U',':
        case U';': return SymbolKind::punctuation;
        case U'+':
        case U'-':
        case minus_sign:
        case U'·':
        case U'⋅':
        case U'×':
        case U'⊙':
        case U'±': return SymbolKind::operation;
        case U'=':
        case U'<':
        case U'>':
        case U'≤':
        case U'≥':
        case U'≈':
        case U'≠':
        case U'→':
        case U'∈': return SymbolKind::relation;
        case U'∑':
        case U'Σ': return SymbolKind::large;
        default: return SymbolKind::ordinary;
    }
}

/// Returns the italic form of a letter, as Unicode has it for mathematics; other characters stay.
char32_t italic(char32_t c) {
    if (c == U'h') return U'ℎ';
    if (c >= U'a' && c <= U'z') return 0x1d44e + (c - U'a');
    if (c >= U'A' && c <= U'Z') return 0x1d434 + (c - U'A');
    if (c >= U'α' && c <= U'ω') return italic_alpha + (c - U'α');
    return c == U'-' ? minus_sign : c == U'·' ? U'⋅' : c;
}

/// A laid-out part of a formula with its kind.
struct Box : MathLayout {
    SymbolKind kind = SymbolKind::ordinary;
    bool has_limits = false;  // its scripts are below and above it

    void add(const MathLayout& other, double at, double rise) {
        for (MathSymbol symbol : other.symbols) {
            symbol.x += at, symbol.rise += rise;
            symbols.push_back(symbol);
        }
        ascent = std::max(ascent, other.ascent + rise);
        descent = std::max(descent, other.descent - rise);
    }
    void append(const MathLayout& other) {
        add(other, width, 0);
        width += other.width;
    }
    void add_rule(double at, double rise, double length) {
        symbols.push_back({.character = 0, .size = length, .x = at, .rise = rise});
    }
};

class MathParser {
  public:
    MathParser(std::string_view tex, const std::function<SymbolSize(char32_t)>& size_of)
        : rest_(tex), size_of_(size_of) {}

    Box parse() { return list(1, 0); }

  private:
    static constexpr double axis = 0.25, script = 0.7, smallest = 0.5;  // em; height of fraction bars, sizes of scripts

    Box symbol(char32_t character, double size, SymbolKind kind) const {
        const SymbolSize glyph = size_of_(character);
        Box box;
        box.symbols = {{character, size, 0, 0}};
        box.width = glyph.advance * size, box.ascent = glyph.ascent * size, box.descent = glyph.descent * size;
        box.kind = kind;
        return box;
    }
    Box text(std::string_view utf8, double size, SymbolKind kind) const {
        Box box;
        while (!utf8.empty()) box.append(symbol(take_character(utf8), size, SymbolKind::ordinary));
        box.kind = kind;
        return box;
    }
    static Box space(double width) {
        Box box;
        box.width = width;
        return box;
    }

    /// Returns the space between two neighbours, in em of the text; none within scripts.
    static double gap(std::optional<SymbolKind> before, SymbolKind after, double size) {
        if (!before || size < 1) return 0;
        if (*before == SymbolKind::relation || after == SymbolKind::relation) return 5.0 / 18;
        if (*before == SymbolKind::operation || after == SymbolKind::operation) return 4.0 / 18;
        const bool from_name = *before == SymbolKind::function || *before == SymbolKind::large;
        const bool to_name = after == SymbolKind::function || after == SymbolKind::large;
        if (*before == SymbolKind::punctuation || (from_name && after != SymbolKind::open) ||
            (to_name && *before != SymbolKind::open))
            return 3.0 / 18;
        return 0;
    }

    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    void skip_spaces() {
        while (take(" ")) {
        }
    }

    /// Parses up to the end of the group at this depth.
    Box list(double size, int depth) {
        Box all;
        std::optional<SymbolKind> before;
        for (skip_spaces(); !rest_.empty(); skip_spaces()) {
            if (rest_.front() == '}' && depth > 0) break;
            Box next = with_scripts(size, depth);
            if (next.symbols.empty()) {
                all.width += next.width;
                continue;
            }
            const bool is_sign = next.kind == SymbolKind::operation && (!before || *before != SymbolKind::ordinary) &&
                                 (!before || *before != SymbolKind::close);
            if (is_sign) next.kind = SymbolKind::ordinary;  // a sign, not a difference
            all.width += gap(before, next.kind, size);
            before = next.kind;
            all.append(next);
        }
        return all;
    }

    Box with_scripts(double size, int depth) {
        const bool has_base = !rest_.starts_with('^') && !rest_.starts_with('_');  // it may be before the formula
        Box base = has_base ? atom(size, depth) : Box{};
        std::optional<Box> above, below;
        const double smaller = size > script ? size * script : size * smallest / script;
        for (skip_spaces();; skip_spaces()) {
            if (!above && take("^"))
                above = argument(smaller, depth);
            else if (!below && take("_"))
                below = argument(smaller, depth);
            else
                break;
        }
        if (!above && !below) return base;
        return base.has_limits ? stacked(std::move(base), above, below, size)
                               : beside(std::move(base), above, below, size);
    }

    static Box beside(Box base, const std::optional<Box>& above, const std::optional<Box>& below, double size) {
        const double left = base.width;
        double width = 0;
        if (above) {
            base.add(*above, left + 0.04 * size, std::max(0.36 * size, base.ascent - 0.4 * size));
            width = std::max(width, above->width + 0.06 * size);
        }
        if (below) {
            base.add(*below, left, -std::max((above ? 0.25 : 0.16) * size, base.descent - 0.05 * size));
            width = std::max(width, below->width + 0.03 * size);
        }
        base.width += width;
        return base;
    }

    static Box stacked(Box base, const std::optional<Box>& above, const std::optional<Box>& below, double size) {
        Box box;
        box.kind = base.kind;
        box.width = std::max({base.width, above ? above->width : 0, below ? below->width : 0});
        const double gap = 0.12 * size;
        box.add(base, (box.width - base.width) / 2, 0);
        if (above) box.add(*above, (box.width - above->width) / 2, base.ascent + gap + above->descent);
        if (below) box.add(*below, (box.width - below->width) / 2, -(base.descent + gap + below->ascent));
        return box;
    }

    /// Parses a group, or the next symbol alone.
    Box argument(double size, int depth) {
        if (nesting_ == deepest_math) {
            rest_ = {};
            return {};
        }
        ++nesting_;
        skip_spaces();
        Box box;
        if (take("{")) {
            box = list(size, depth + 1);
            take("}");
            box.kind = SymbolKind::ordinary;
        } else {
            box = atom(size, depth);
        }
        --nesting_;
        return box;
    }

    std::string_view group_as_text() {
        skip_spaces();
        if (!take("{")) return {};
        const std::size_t end = std::min(rest_.find('}'), rest_.size());
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return text;
    }

    Box atom(double size, int depth) {
        if (rest_.empty()) return {};
        if (rest_.front() == '{') return argument(size, depth);
        if (rest_.front() == '}') {
            take("}");
            return {};
        }
        if (take("\\")) return command(size, depth);
        if (take("'")) return symbol(U'′', size, SymbolKind::ordinary);
        const char32_t c = take_character(rest_);
        return c == U'Σ' ? symbol(U'∑', size, SymbolKind::large) : symbol(italic(c), size, kind_of(c));
    }

    Box command(double size, int depth) {
        const std::string_view name = take_command_name(rest_);
        if (name == "," || name == ";" || name == " " || name == "quad")
            return space(size * (name == "quad" ? 1 : name == "," ? 3.0 / 18 : 5.0 / 18));
        if (name == "left" || name == "right") return {};
        if (name == "frac" || name == "dfrac") return fraction(size, name == "dfrac" ? size : size * script, depth);
        if (name == "sqrt") return root(size, depth);
        if (name == "mathrm" || name == "text" || name == "operatorname")
            return text(group_as_text(), size, name == "operatorname" ? SymbolKind::function : SymbolKind::ordinary);
        if (name == "mathbb") return text(group_as_text() == "R" ? "ℝ" : "ℕ", size, SymbolKind::ordinary);
        if (std::find(std::begin(math_functions), std::end(math_functions), name) != std::end(math_functions))
            return text(name, size, SymbolKind::function);
        for (const MathCommand& known : math_commands)
            if (known.name == name)
                return known.kind == SymbolKind::large ? large(known, size)
                                                       : symbol(italic(known.character), size, known.kind);
        return text("\\" + std::string(name), size, SymbolKind::ordinary);
    }

    Box large(const MathCommand& sign, double size) {
        const bool has_limits = take("\\limits");
        constexpr double larger = 1.4;
        Box box = symbol(sign.character, has_limits ? larger * size : size, SymbolKind::large);
        if (has_limits) {  // centred on the axis
            const double rise = axis * size - (box.ascent - box.descent) / 2;
            box.symbols[0].rise = rise, box.ascent += rise, box.descent -= rise;
        }
        box.has_limits = has_limits;
        return box;
    }

    Box fraction(double size, double inner, int depth) {
        const Box upper = argument(inner, depth), lower = argument(inner, depth);
        const double gap = (inner < size ? 0.1 : 0.14) * size, side = 0.08 * size, bar = axis * size;
        Box box;
        const double width = std::max(upper.width, lower.width) + 0.1 * size;
        box.add(upper, side + (width - upper.width) / 2, bar + rule_thickness / 2 + gap + upper.descent);
        box.add(lower, side + (width - lower.width) / 2, bar - rule_thickness / 2 - gap - lower.ascent);
        box.add_rule(side, bar, width);
        box.width = width + 2 * side;
        return box;
    }

    Box root(double size, int depth) {
        const Box inside = argument(size, depth);
        const double gap = 0.1 * size, top = inside.ascent + gap + rule_thickness,
                     height = top + inside.descent + 0.05 * size;
        const SymbolSize sign = size_of_(root_sign);
        const double own = size * std::max(0.75, height / std::max(0.1, sign.ascent + sign.descent));
        Box box;
        box.symbols = {{root_sign, own, 0, top - sign.ascent * own}};
        const double left = sign.advance * own;
        box.add(inside, left + 0.03 * size, 0);
        box.add_rule(left - 0.02 * size, top - rule_thickness / 2, inside.width + 0.08 * size);
        box.ascent = top, box.width = left + inside.width + 0.1 * size;
        return box;
    }

    std::string_view rest_;
    const std::function<SymbolSize(char32_t)>& size_of_;
    int nesting_ = 0;
};

}  // namespace

MathLayout layout_math(std::string_view tex, const std::function<SymbolSize(char32_t)>& size_of) {
    return MathParser(tex, size_of).parse();
}

const std::u32string& usual_math_characters() {
    static const std::u32string all = [] {
        std::u32string text = U"0123456789()[]{}+−=<>,.:;/|!‖⋅×≤≥≈≠∞∑∏√∈ℝ⊙⊗→…′∂⟨⟩⌊⌋±ΔΣΘΦΨ";
        for (char32_t c = U'a'; c <= U'z'; ++c) text += c, text += italic(c);
        for (char32_t c = U'A'; c <= U'Z'; ++c) text += italic(c);
        for (char32_t c = U'α'; c <= U'ω'; ++c) text += italic(c);
        for (const MathCommand& known : math_commands)
            if (const char32_t c = italic(known.character); text.find(c) == text.npos) text += c;
        return text;
    }();
    return all;
}

}  // namespace ropewalk
