// Text of a lesson: paragraphs with live numbers of the head.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/glossary.h"
#include "app/lessons/lesson_variable.h"

namespace ropewalk {

/// A run of text in one style: plain text, or a number.
struct Span {
    std::string text;
    bool is_emphasised = false;
    std::optional<Placeholder> number;  // replaces `text`
    const Term* term = nullptr;         // whose word the text is; null: none
};

using Paragraph = std::vector<Span>;
using LessonText = std::vector<Paragraph>;

/// Parses one paragraph: *emphasis* (also **emphasis**), {weight(-1, -2):.4} for a number, a backslash before a literal
/// * or {. Formulas ($…$, see app/plot/math/math_text.h) are left as they are. Throws InputError with a sentence.
Paragraph parse_paragraph(std::string_view text);

/// Makes the words of terms in a paragraph spans of their own, except those of terms that are in `linked` already.
void link_terms(Paragraph& paragraph, std::set<const Term*>& linked);

/// Returns the questions whose answers the text's numbers need.
Needs needs_of(const LessonText& text, const Experiment& experiment, const Cursor& cursor);

/// Returns the paragraph with the numbers of these results, without emphasis.
std::string shown(const Paragraph& paragraph, const Results& results);

}  // namespace ropewalk
