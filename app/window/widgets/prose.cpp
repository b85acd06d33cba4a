#include "app/window/widgets/prose.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/plot/math/math_text.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

/// A piece of a word in one style.
struct Piece {
    std::string text;
    Color color;
    Weight weight;
    double width = 0;  // logical pixels
    const Term* term = nullptr;
};
/// A part of a line without gaps, made of pieces that touch.
struct Word {
    std::vector<Piece> pieces;
    double width = 0;
    double gap = 0;  // before it, unless it begins a line
};

/// Returns whether a number that follows continues another one, or says which of several things: "key 6".
bool belongs_to_number(std::string_view before, std::string_view after) {
    constexpr std::string_view numbered[] = {"query",    "key",    "token",   "pair",  "row",  "layer", "head",
                                             "distance", "lesson", "section", "Table", "Fig.", "Thm"};
    if (continues_number(before, after)) return true;
    return !after.empty() && after.front() >= '0' && after.front() <= '9' &&
           std::ranges::find(numbered, before.substr(before.rfind(' ') + 1)) != std::end(numbered);
}

class Words {
  public:
    explicit Words(const ProseStyle& style) : style_(style) {}

    /// Makes what is added from now on the words of a term; null: of none.
    void begin(const Term* term) { term_ = term; }
    void add(std::string_view text, Color color, Weight weight) {
        for (const TextPart& part : parts_of(text))
            if (part.is_math)  // with its dollar signs; a formula is never broken
                add_unbroken({part.text.data() - 1, part.text.size() + 2}, color, weight);
            else
                add_prose(part.text, color, weight);
    }
    void add_prose(std::string_view text, Color color, Weight weight) {
        while (!text.empty()) {
            if (text.front() == ' ') {
                gap_ = measure_text(" ", style_.size, weight).width;
                starts_word_ = true;
                text.remove_prefix(1);
                continue;
            }
            std::size_t end = text.find(' ');
            while (end != text.npos && belongs_to_number(text.substr(0, end), text.substr(end + 1)))
                end = text.find(' ', end + 1);
            end = std::min(end, text.size());
            add_unbroken(text.substr(0, end), color, weight);
            text.remove_prefix(end);
        }
    }
    void add_unbroken(std::string_view text, Color color, Weight weight) {
        if (std::exchange(starts_word_, false)) words_.push_back({.gap = std::exchange(gap_, 0)});
        const double width = measure_text(text, style_.size, weight).width;
        words_.back().pieces.push_back({std::string(text), color, weight, width, term_});
        words_.back().width += width;
    }
    const std::vector<Word>& all() const { return words_; }

  private:
    const ProseStyle& style_;
    std::vector<Word> words_;
    bool starts_word_ = true;
    const Term* term_ = nullptr;
    double gap_ = 0;
};

std::vector<Word> words_in(const Paragraph& paragraph, const ProseStyle& style, const Results* results) {
    Words words(style);
    for (const Span& span : paragraph) {
        words.begin(span.term);
        if (span.number)
            words.add_unbroken(results ? span.number->shown(*results) : "…", style.number, style.number_weight);
        else
            words.add(span.text, span.is_emphasised ? style.emphasis : style.color,
                      span.is_emphasised ? Weight::semibold : style.weight);
    }
    return words.all();
}

/// Calls f(word, x, line) for every word. Returns the number of lines.
template <class F>
int set_in_lines(const std::vector<Word>& words, double width, F&& f) {
    double x = 0;
    int line = 0;
    for (const Word& word : words) {
        if (x > 0 && x + word.gap + word.width > width) x = 0, ++line;
        if (x > 0) x += word.gap;
        f(word, x, line);
        x += word.width;
    }
    return words.empty() ? 0 : line + 1;
}

/// Underlines a place with dots.
void draw_dots(const Ui& ui, const Rect& place, Color color) {
    const double dot = std::max(1.0f, std::round(ui.px(1.5))), y = std::round(place.bottom() - dot);
    for (double x = std::round(place.x); x + dot <= place.right(); x += 2 * dot) fill(ui, {x, y, dot, dot}, color, 0);
}

double height_of(const Ui& ui, const ProseStyle& style, int lines) {
    return lines * static_cast<double>(std::round(ui.px(style.line)));
}

}  // namespace

ProseStyle running_prose(const Theme& theme, double size) {
    return {.size = size,
            .line = std::round(1.55 * size),
            .color = theme.text,
            .emphasis = theme.text,
            .number = theme.accent};
}

ProseStyle dim_prose(const Theme& theme, double size) {
    ProseStyle style = running_prose(theme, size - 2);
    style.color = theme.text_dim;
    return style;
}

ProseStyle strong_prose(const Theme& theme, double size) {
    ProseStyle style = running_prose(theme, size);
    style.weight = Weight::semibold;
    return style;
}

double draw_paragraph(const Ui& ui, Point at, double width, const Paragraph& paragraph, const ProseStyle& style,
                      const Results* results, std::vector<PlacedTerm>* terms) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const double line_height = std::round(ui.px(style.line));
    const int lines =
        set_in_lines(words_in(paragraph, style, results), width, [&](const Word& word, double x, int line) {
            const double y = at.y + (line + 0.5) * line_height;
            for (const Piece& piece : word.pieces) {
                ui.fonts.draw(list, {at.x + x * ui.scale, y}, piece.text,
                              {.size = style.size, .color = piece.color, .weight = piece.weight});
                if (piece.term && terms) {
                    const double above = ui.px(0.7 * style.size);
                    terms->push_back({piece.term, {at.x + x * ui.scale, y - above, ui.px(piece.width), 2 * above}});
                    if (middle_is_in_sight(terms->back().rect))  // dots are not left alone at the edge of a list
                        draw_dots(ui, terms->back().rect, ui.theme->text_faint);
                }
                x += piece.width;
            }
        });
    return height_of(ui, style, lines);
}

double paragraph_height(const Ui& ui, double width, const Paragraph& paragraph, const ProseStyle& style,
                        const Results* results) {
    return height_of(ui, style,
                     set_in_lines(words_in(paragraph, style, results), width, [](const Word&, double, int) {}));
}

Paragraph plain_paragraph(std::string_view text) {
    return {Span{.text = std::string(text), .is_emphasised = false, .number = std::nullopt}};
}

std::string words_of(const Paragraph& paragraph, const Results* results) {
    if (results) return without_math(shown(paragraph, *results));
    std::string text;
    for (const Span& span : paragraph) text += span.number ? "…" : span.text;
    return without_math(text);
}

}  // namespace ropewalk
