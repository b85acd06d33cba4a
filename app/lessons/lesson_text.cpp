#include "app/lessons/lesson_text.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "app/plot/math/math_text.h"
#include "core/error.h"

namespace ropewalk {
namespace {

constexpr std::string_view no_break_space = "\u00a0";  // keeps an equation on one line

}  // namespace

Paragraph parse_paragraph(std::string_view text) {
    Paragraph paragraph;
    const std::vector<TextPart> parts = parts_of(text);
    auto formula = parts.begin();  // the first one that does not begin before `at`
    Span span;
    const auto end_span = [&] {
        if (!span.text.empty()) paragraph.push_back(span);
        span.text.clear();
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char* const here = text.data() + at;
        while (formula != parts.end() && (!formula->is_math || formula->text.data() <= here)) ++formula;
        if (formula != parts.end() && formula->text.data() == here + 1) {  // after the dollar sign
            span.text += text.substr(at, formula->text.size() + 2);
            at += formula->text.size() + 1;
        } else if (text[at] == '\\' && at + 1 < text.size() &&
                   std::string_view("*{}\\").find(text[at + 1]) != std::string_view::npos) {
            span.text += text[++at];
        } else if (text[at] == '*') {
            end_span();
            span.is_emphasised = !span.is_emphasised;
            if (at + 1 < text.size() && text[at + 1] == '*') ++at;
        } else if (text[at] == '{') {
            const std::size_t end = text.find('}', at);
            if (end == text.npos) throw InputError("'{' has no matching '}'; write \\{ for a literal brace");
            end_span();
            paragraph.push_back({{}, span.is_emphasised, Placeholder::parse(text.substr(at + 1, end - at - 1))});
            at = end;
        } else if (text[at] == '}') {
            throw InputError("'}' has no matching '{'; write \\} for a literal brace");
        } else {
            const bool is_beside_sign =
                text[at] == ' ' && ((at + 1 < text.size() && text[at + 1] == '=') || (at > 0 && text[at - 1] == '='));
            span.text += is_beside_sign ? no_break_space : text.substr(at, 1);
        }
    }
    if (span.is_emphasised) throw InputError("'*' has no matching '*'; write \\* for a literal asterisk");
    end_span();
    return paragraph;
}

void link_terms(Paragraph& paragraph, std::set<const Term*>& linked) {
    Paragraph all;
    for (const Span& span : paragraph) {
        std::size_t done = 0;
        const auto add = [&](std::size_t end, const Term* term) {
            if (end == done && !span.number) return;
            Span part = span;
            part.text = span.text.substr(done, end - done);
            part.term = term;
            all.push_back(std::move(part));
            done = end;
        };
        for (const TermInText& found : terms_in(span.text))
            if (linked.insert(found.term).second) add(found.begin, nullptr), add(found.end, found.term);
        add(span.text.size(), nullptr);
    }
    paragraph = std::move(all);
}

Needs needs_of(const LessonText& text, const Experiment& experiment, const Cursor& cursor) {
    Needs needs;
    for (const Paragraph& paragraph : text)
        for (const Span& span : paragraph)
            if (span.number)
                if (auto question = span.number->variable.need(experiment, cursor))
                    needs.push_back(*std::move(question));
    return needs;
}

std::string shown(const Paragraph& paragraph, const Results& results) {
    std::string text;
    for (const Span& span : paragraph) text += span.number ? span.number->shown(results) : span.text;
    return text;
}

}  // namespace ropewalk
