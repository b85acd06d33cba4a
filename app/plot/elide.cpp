#include "app/plot/elide.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "app/plot/fonts.h"
#include "core/text/utf8.h"

namespace ropewalk {

namespace {

/// Returns how many words, from the first, must stay together: a short bracket, Σ with its summand, both sides of an
/// equation.
std::size_t belonging_together(std::span<const std::string> words) {
    constexpr std::size_t most_bytes = 32;
    std::size_t bytes = 0;
    std::ptrdiff_t open = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        bytes += words[i].size();
        if (i > 0 && bytes > most_bytes) return 1;
        open += std::count(words[i].begin(), words[i].end(), '(') - std::count(words[i].begin(), words[i].end(), ')');
        const bool is_equation = words[i] == "=" || (i + 1 < words.size() && words[i + 1] == "=");
        if (open <= 0 && !is_equation && !words[i].ends_with("Σ")) return i + 1;
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

}  // namespace

std::string elided(std::string_view utf8, double room, const TextStyle& style, const Canvas& canvas) {
    const auto fits = [&](const std::string& text) {
        return canvas.measure(text, style.size, style.weight).width <= room;
    };
    std::string whole(utf8);
    if (fits(whole)) return whole;
    std::string beginning, longest;
    while (!utf8.empty()) {
        beginning += utf8_of(take_character(utf8));
        const std::string candidate = beginning + "…";
        if (!fits(candidate)) break;
        if (beginning.back() == ' ') continue;
        const std::size_t word = beginning.rfind(' ') + 1, end = std::min(whole.find(' ', word), whole.size());
        if (beginning.size() < end && is_number(std::string_view(whole).substr(word, end - word))) continue;
        longest = candidate;
    }
    return longest;
}

std::vector<std::string> words_of(std::string_view utf8) {
    std::vector<std::string> words;
    std::istringstream text{std::string(utf8)};
    for (std::string word; text >> word;) words.push_back(word);
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
