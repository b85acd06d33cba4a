#include "app/plot/elide.h"

#include <sstream>

#include "app/plot/fonts.h"
#include "app/plot/utf8.h"

namespace ropewalk {

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
        if (beginning.back() != ' ') longest = candidate;
    }
    return longest;
}

std::vector<std::string> words_of(std::string_view utf8) {
    std::vector<std::string> words;
    std::istringstream text{std::string(utf8)};
    for (std::string word; text >> word;) words.push_back(word);
    return words;
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
