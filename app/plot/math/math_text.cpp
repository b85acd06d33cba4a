#include "app/plot/math/math_text.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "app/plot/math/math_commands.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

/// Returns a script as Unicode's small characters, or nothing if one of them does not exist.
std::optional<std::string> small_characters(std::string_view text, bool is_above) {
    constexpr std::u32string_view plain = U"0123456789+−-=()nijtrkm";
    constexpr std::u32string_view above = U"⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱʲᵗʳᵏᵐ", below = U"₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙᵢⱼₜᵣₖₘ";
    std::string result;
    while (!text.empty()) {
        const std::size_t at = plain.find(take_character(text));
        if (at == plain.npos) return std::nullopt;
        result += utf8_of((is_above ? above : below)[at]);
    }
    return result;
}

/// Turns TeX into plain characters.
class PlainMath {
  public:
    explicit PlainMath(std::string_view tex) : rest_(tex) {}
    std::string list(int depth) {
        std::string text;
        while (!rest_.empty() && !(rest_.front() == '}' && depth > 0)) text += next(depth);
        return text;
    }

  private:
    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) return false;
        rest_.remove_prefix(text.size());
        return true;
    }
    std::string argument(int depth) {
        if (nesting_ == deepest_math) {
            rest_ = {};
            return {};
        }
        ++nesting_;
        while (take(" ")) {
        }
        std::string text;
        if (take("{")) {
            text = list(depth + 1);
            take("}");
        } else if (!rest_.empty()) {
            text = next(depth);
        }
        --nesting_;
        return text;
    }
    std::string next(int depth) {
        for (const std::string_view sign : {"^", "_"})
            if (take(sign)) {
                const std::string script = argument(depth);
                if (const auto small = small_characters(script, sign == "^")) return *small;
                const bool is_one = script.size() == 1;
                return std::string(sign) + (is_one ? script : "(" + script + ")");
            }
        if (rest_.front() == '{') return argument(depth);
        if (take("\\")) return command(depth);
        if (take("-")) return "−";
        return utf8_of(take_character(rest_));
    }
    std::string command(int depth) {
        const std::string_view name = take_command_name(rest_);
        for (const std::string_view skipped : {"left", "right", "limits", "operatorname", "mathrm", "text", "mathbb"})
            if (name == skipped) return "";
        if (name == "frac" || name == "dfrac") {
            const std::string upper = argument(depth);
            return upper + "/" + argument(depth);
        }
        if (name == "sqrt") {
            const std::string inside = argument(depth);
            return inside.size() == 1 ? "√" + inside : "√(" + inside + ")";
        }
        if (name == "," || name == ";" || name == "quad") return " ";
        const auto known = std::find_if(std::begin(math_commands), std::end(math_commands),
                                        [&](const MathCommand& one) { return one.name == name; });
        if (known == std::end(math_commands)) return std::string(name);                              // a function
        if (known->kind == SymbolKind::operation || known->kind == SymbolKind::ordinary) take(" ");  // ends the name
        if (known->name == "sum") return "Σ";
        return known->character == U'⋅' ? "·" : utf8_of(known->character);
    }
    std::string_view rest_;
    int nesting_ = 0;
};

}  // namespace

std::vector<TextPart> parts_of(std::string_view utf8) {
    std::vector<TextPart> parts;
    const auto is_escaped = [&](std::size_t at) { return at > 0 && utf8[at - 1] == '\\'; };
    const auto is_digit = [&](std::size_t at) { return at < utf8.size() && utf8[at] >= '0' && utf8[at] <= '9'; };
    std::size_t begin = 0;
    for (std::size_t open = utf8.find('$'); open != utf8.npos; open = utf8.find('$', open)) {
        if (is_escaped(open)) {  // shown without its backslash
            if (open - 1 > begin) parts.push_back({utf8.substr(begin, open - 1 - begin), false});
            begin = open++;
            continue;
        }
        std::size_t close = utf8.find('$', open + 1);
        while (close != utf8.npos && is_escaped(close)) close = utf8.find('$', close + 1);
        if (close == utf8.npos || close == open + 1 || utf8[open + 1] == ' ' || utf8[close - 1] == ' ' ||
            is_digit(close + 1)) {
            ++open;
            continue;
        }
        if (open > begin) parts.push_back({utf8.substr(begin, open - begin), false});
        parts.push_back({utf8.substr(open + 1, close - open - 1), true});
        open = begin = close + 1;
    }
    if (begin < utf8.size()) parts.push_back({utf8.substr(begin), false});
    return parts;
}

std::string without_math(std::string_view utf8) {
    std::string text;
    for (const TextPart& part : parts_of(utf8)) text += part.is_math ? PlainMath(part.text).list(0) : part.text;
    return text;
}

}  // namespace ropewalk
