#include "app/plot/elide.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "app/plot/fonts.h"
#include "app/plot/math/math_text.h"
#include "core/text/utf8.h"

namespace ropewalk {

namespace {

/// Returns how many words, from the first, must stay together: a short bracket, Σ with its summand, both sides of an
/// equation, the digits of a number.
std::size_t belonging_together(std::span<const std::string> words) {
    constexpr std::size_t most_bytes = 32;
    std::size_t bytes = 0;
    std::ptrdiff_t open = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        bytes += words[i].size();
        if (i > 0 && bytes > most_bytes) return 1;
        open += std::count(words[i].begin(), words[i].end(), '(') - std::count(words[i].begin(), words[i].end(), ')');
        const bool is_equation = words[i] == "=" || (i + 1 < words.size() && words[i + 1] == "=");
        const bool is_cut = i + 1 < words.size() && continues_number(words[i], words[i + 1]);
        if (open <= 0 && !is_equation && !is_cut && !words[i].ends_with("Σ")) return i + 1;
    }
    return 1;
}

std::vector<std::string> with_whole_formulas(std::span<const std::string> words) {
    std::vector<std::string> pieces;
    while (!words.empty()) {
        const std::size_t count = belonging_together(words);
        pieces.push_back(fmt::format("{}", fmt::join(words.first(count), " ")));
        words = words.subspan(count);
    }
    return pieces;
}

/// Returns whether a word is a number, possibly with a sign, brackets or punctuation: "710,", "(2×10⁻⁵)".
bool is_number(std::string_view word) {
    for (const std::string_view before : {"(", "−", "-", "±", "≈"})
        if (word.starts_with(before)) word.remove_prefix(before.size());
    return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

/// Returns the characters of a text, with each formula as one unit.
std::vector<std::string_view> units_of(std::string_view utf8) {
    std::vector<std::string_view> units;
    for (const TextPart& part : parts_of(utf8)) {
        if (part.is_math) {  // with its dollar signs
            units.emplace_back(part.text.data() - 1, part.text.size() + 2);
            continue;
        }
        for (std::string_view rest = part.text; !rest.empty();) {
            units.push_back(first_character(rest));
            rest.remove_prefix(units.back().size());
        }
    }
    return units;
}

}  // namespace

bool continues_number(std::string_view before, std::string_view after) {
    const auto is_digit = [](char character) { return character >= '0' && character <= '9'; };
    const auto end = std::find_if_not(after.begin(), after.end(), is_digit);
    return !before.empty() && is_digit(before.back()) && end - after.begin() == 3;
}

bool groups_digits(std::string_view utf8, std::size_t at) {
    constexpr std::size_t most = 3;
    if (utf8[at] != ' ' || !continues_number(utf8.substr(0, at), utf8.substr(at + 1))) return false;
    std::size_t begin = at;
    while (begin > 0 && utf8[begin - 1] >= '0' && utf8[begin - 1] <= '9') --begin;
    return at - begin <= most && (begin == 0 || utf8[begin - 1] != '.');
}

std::string elided(std::string_view utf8, double room, const TextStyle& style, const Canvas& canvas) {
    const auto fits = [&](const std::string& text) {
        return canvas.measure(text, style.size, style.weight).width <= room;
    };
    std::string whole(utf8);
    if (fits(whole)) return whole;
    std::string beginning, longest;
    for (const std::string_view unit : units_of(utf8)) {
        beginning += unit;
        const std::string candidate = beginning + "…";
        if (!fits(candidate)) break;
        if (beginning.back() == ' ') continue;
        const std::size_t word = beginning.rfind(' ') + 1, end = std::min(whole.find(' ', word), whole.size());
        if (beginning.size() < end && is_number(std::string_view(whole).substr(word, end - word))) continue;
        if (beginning.size() < whole.size() &&
            continues_number(beginning, std::string_view(whole).substr(beginning.size() + 1)))
            continue;
        longest = candidate;
    }
    return longest;
}

std::vector<std::string> words_of(std::string_view utf8) {
    std::vector<std::string> words;
    std::istringstream text{std::string(utf8)};
    const auto is_open = [](const std::string& piece) { return std::count(piece.begin(), piece.end(), '$') % 2 == 1; };
    for (std::string word; text >> word;) {
        if (is_open(word) && utf8.find('$', utf8.find('$') + 1) != utf8.npos)  // a formula with spaces
            for (std::string more; is_open(word) && text >> more;) word += " " + more;
        words.push_back(word);
    }
    return with_whole_formulas(words);
}

std::vector<std::string> clauses_of(std::string_view utf8) {
    std::vector<std::string> clauses;
    bool is_new = true;
    for (const std::string& word : words_of(utf8)) {
        if (is_new || word == "·")
            clauses.push_back(word);
        else
            clauses.back() += " " + word;
        is_new = word.back() == ',';
    }
    return clauses;
}

std::vector<std::string> wrapped(const std::vector<std::string>& pieces, double room, double size, Weight weight) {
    std::vector<std::string> lines;
    for (const std::string& piece : pieces) {
        const std::string longer = lines.empty() ? piece : lines.back() + " " + piece;
        if (lines.empty())
            lines.push_back(piece);
        else if (measure_text(longer, size, weight).width <= room)
            lines.back() = longer;
        else
            lines.push_back(piece);
    }
    return lines;
}

}  // namespace ropewalk
