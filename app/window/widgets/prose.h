// Paragraphs of a lesson set in lines, with its live numbers and emphasis.
#pragma once

#include <string_view>

#include "app/lessons/lesson_text.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

struct ProseStyle {
    double size = 13, line = 20;  // em and from line to line, logical pixels
    Color color, emphasis, number;
    Weight weight = Weight::regular, number_weight = Weight::semibold;
};

/// Of running text, of what is said aside, and of a sentence that stands out.
ProseStyle running_prose(const Theme& theme);
ProseStyle dim_prose(const Theme& theme);
ProseStyle strong_prose(const Theme& theme);

/// Draws a paragraph with its first line's top left corner at `at` (device pixels), wrapped at `width` logical pixels.
/// Numbers come from `results`, which may be null: an ellipsis then stands in their place. Returns its height in device
/// pixels, whole.
double draw_paragraph(const Ui& ui, Point at, double width, const Paragraph& paragraph, const ProseStyle& style,
                      const Results* results);
/// The height alone.
double paragraph_height(const Ui& ui, double width, const Paragraph& paragraph, const ProseStyle& style,
                        const Results* results);

/// A plain text as a paragraph.
Paragraph plain_paragraph(std::string_view text);

/// What it reads, for the register.
std::string words_of(const Paragraph& paragraph, const Results* results);

}  // namespace ropewalk
