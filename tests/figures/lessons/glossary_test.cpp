// The glossary: which words of a text it explains.
#include "app/lessons/glossary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/lessons/lesson_text.h"
#include "app/lessons/split_text.h"

namespace ropewalk {
namespace {

std::string words_found(std::string_view text) {
    std::string all;
    for (const TermInText& found : terms_in(text))
        all += (all.empty() ? "" : "|") + std::string(text.substr(found.begin, found.end - found.begin));
    return all;
}

TEST(Glossary, FindsTheFirstWordOfEveryTerm) {
    EXPECT_EQ(words_found("Queries, keys and a query"), "Queries|keys");
    EXPECT_EQ(words_found("a semantic head"), "semantic head") << "the longest";
    EXPECT_EQ(words_found("keyboard, monkey, turkeys"), "") << "whole words only";
    EXPECT_EQ(words_found("the key's $key$ in $w_t$ of pair t"), "key|pair");
    EXPECT_EQ(words_found(""), "");
}

TEST(Glossary, EveryWordLeadsToItsTerm) {
    for (const Term& term : glossary()) {
        EXPECT_FALSE(term.meaning.empty()) << term.name;
        for (const std::string_view word : parts_of(term.words, ',')) {
            const auto found = terms_in(word);
            ASSERT_EQ(found.size(), 1u) << word;
            EXPECT_EQ(found.front().term->name, term.name) << word;
        }
    }
}

TEST(Glossary, HasTheSymbolsOfSummaries) {
    for (const char* wanted : {"psi", "ψ", "constant queries"})
        EXPECT_TRUE(std::any_of(glossary().begin(), glossary().end(), [&](const Term& term) {
            return term.name.find(wanted) != term.name.npos;
        })) << wanted;
}

TEST(Glossary, ItsWordsBecomeSpansOncePerStep) {
    std::set<const Term*> linked;
    Paragraph paragraph = parse_paragraph("A *query* meets keys at {seq_len} tokens; a key answers.");
    link_terms(paragraph, linked);
    std::string marked;
    for (const Span& span : paragraph) {
        if (span.term) marked += "[" + span.text + "]";
        EXPECT_EQ(span.is_emphasised, span.text == "query");
        if (!span.term) marked += span.number ? "#" : span.text;
    }
    EXPECT_EQ(marked, "A [query] meets [keys] at # tokens; a key answers.");
    Paragraph next = parse_paragraph("The key again.");
    link_terms(next, linked);
    EXPECT_EQ(next.size(), 1u);
    EXPECT_EQ(next.front().term, nullptr);
}

}  // namespace
}  // namespace ropewalk
