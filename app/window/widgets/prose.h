// Paragraphs of a lesson, broken into lines, with live numbers, emphasis and formulas ($…$, see
// app/plot/math/math_text.h).
#pragma once

#include <string_view>
#include <vector>

#include "app/lessons/lesson_text.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

struct ProseStyle {
    double size = 13, line = 20;  // font size and line height, logical pixels
    Color color, emphasis, number;
    Weight weight = Weight::regular, number_weight = Weight::semibold;
};

/// Return the styles of running text, of secondary text, and of an emphasised sentence, for running text of this size.
ProseStyle running_prose(const Theme& theme, double size);
ProseStyle dim_prose(const Theme& theme, double size);
ProseStyle strong_prose(const Theme& theme, double size);

/// A word of the glossary in a paragraph, and where it is, in device pixels.
struct PlacedTerm {
    const Term* term = nullptr;
    Rect rect;
};

/// Draws a paragraph with the top left corner of its first line at `at` (device pixels), wrapped at `width` logical
/// pixels. Numbers come from `results`; if that is null, an ellipsis replaces each. Words of the glossary
/// are underlined with dots, and added to `terms`. Returns the height in whole device pixels.
double draw_paragraph(const Ui& ui, Point at, double width, const Paragraph& paragraph, const ProseStyle& style,
                      const Results* results, std::vector<PlacedTerm>* terms = nullptr);
/// Returns the height without drawing.
double paragraph_height(const Ui& ui, double width, const Paragraph& paragraph, const ProseStyle& style,
                        const Results* results);

/// Returns a plain text as a paragraph.
Paragraph plain_paragraph(std::string_view text);

/// Returns the text as it reads, for the widget registry.
std::string words_of(const Paragraph& paragraph, const Results* results);

}  // namespace ropewalk
