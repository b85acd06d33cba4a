// Prose of a lesson: paragraphs of text in which numbers of the head are live.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson_variable.h"

namespace ropewalk {

/// A piece of one look: plain text, or a number in its place.
struct Span {
    std::string text;
    bool is_emphasised = false;
    std::optional<Placeholder> number;  // in place of the text
};

using Paragraph = std::vector<Span>;
using LessonText = std::vector<Paragraph>;

/// One paragraph: *emphasis* (**twice** means the same), {weight(-1, -2):.4} for a number, a backslash before a * or
/// { that is meant. Throws InputError with a sentence.
Paragraph parse_paragraph(std::string_view text);

/// What the numbers in it need.
Needs needs_of(const LessonText& text, const Experiment& experiment, const Cursor& cursor);

/// As it reads with these results, without its emphasis.
std::string shown(const Paragraph& paragraph, const Results& results);

}  // namespace ropewalk
