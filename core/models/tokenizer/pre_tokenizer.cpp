#include "core/models/tokenizer/pre_tokenizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/models/tokenizer/byte_level.h"
#include "core/models/tokenizer/component.h"
#include "core/models/tokenizer/metaspace.h"
#include "core/models/tokenizer/normalizer.h"

namespace ropewalk {
namespace {

/// Decides where spans of matches and of what is between them are cut.
using Behavior = void (*)(std::vector<RegexSpan>& spans);

void isolated(std::vector<RegexSpan>&) {}

void removed(std::vector<RegexSpan>& spans) {
    std::erase_if(spans, [](const RegexSpan& span) { return span.is_match; });
}

/// Joins neighbours of the same kind.
void contiguous(std::vector<RegexSpan>& spans) {
    std::vector<RegexSpan> joined;
    for (const RegexSpan& span : spans)
        if (!joined.empty() && joined.back().is_match == span.is_match)
            joined.back().end = span.end;
        else
            joined.push_back(span);
    spans = std::move(joined);
}

/// Joins a match with what is before it, but not two matches.
void merged_with_previous(std::vector<RegexSpan>& spans) {
    std::vector<RegexSpan> joined;
    bool after_match = false;
    for (const RegexSpan& span : spans) {
        if (span.is_match && !after_match && !joined.empty())
            joined.back().end = span.end;
        else
            joined.push_back(span);
        after_match = span.is_match;
    }
    spans = std::move(joined);
}

void merged_with_next(std::vector<RegexSpan>& spans) {
    std::vector<RegexSpan> joined;  // from the last to the first
    bool before_match = false;
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
        if (span->is_match && !before_match && !joined.empty())
            joined.back().begin = span->begin;
        else
            joined.push_back(*span);
        before_match = span->is_match;
    }
    spans.assign(joined.rbegin(), joined.rend());
}

constexpr std::pair<std::string_view, Behavior> behaviors[] = {{"Removed", removed},
                                                               {"Isolated", isolated},
                                                               {"MergedWithPrevious", merged_with_previous},
                                                               {"MergedWithNext", merged_with_next},
                                                               {"Contiguous", contiguous}};

PreTokenizer splitting(Regex pattern, Behavior behavior, bool invert) {
    return [pattern = std::move(pattern), behavior, invert](TokenizerPiece piece, TokenizerPieces& parts,
                                                            Deadline deadline) {
        std::vector<RegexSpan> spans = pattern.spans(piece.text, deadline);
        if (invert)
            for (RegexSpan& span : spans) span.is_match = !span.is_match;
        behavior(spans);
        for (const RegexSpan& span : spans) parts.add(piece.part(span.begin, span.end));
    };
}

PreTokenizer read_split(const JsonValue& value) {
    const std::string name = value.at("behavior").text();
    const auto behavior = std::ranges::find(behaviors, name, [](const auto& known) { return known.first; });
    if (behavior == std::end(behaviors))
        value.at("behavior")
            .reject(fmt::format(
                "'{}' is not a behavior; use Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous",
                name));
    return splitting(read_pattern(value.at("pattern")), behavior->second, flag(value, "invert", false));
}

PreTokenizer read_digits(const JsonValue& value) {
    return splitting({R"([\p{Nd}\p{Nl}\p{No}])", value.where()},
                     flag(value, "individual_digits", false) ? isolated : contiguous, false);
}

PreTokenizer read_byte_level_words(const JsonValue& value) {
    const bool add_prefix_space = value.at("add_prefix_space").boolean(), use_regex = flag(value, "use_regex", true);
    constexpr auto words = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
    return [add_prefix_space, use_regex, pattern = Regex(words, value.where())](
               TokenizerPiece piece, TokenizerPieces& parts, Deadline deadline) {
        if (add_prefix_space && !piece.text.starts_with(' ')) piece.prepend(" ");
        const auto add = [&](TokenizerPiece part) {
            part.first = as_byte_characters(std::string_view(part.text).substr(0, part.first)).size();
            part.text = as_byte_characters(part.text);
            parts.add(std::move(part));
        };
        if (!use_regex) return add(std::move(piece));
        for (const RegexSpan& span : pattern.spans(piece.text, deadline)) add(piece.part(span.begin, span.end));
    };
}

PreTokenizer read_metaspace_words(const JsonValue& value) {
    const Metaspace metaspace = read_metaspace(value);
    const PreTokenizer cut = splitting({escaped(metaspace.replacement), value.where()}, merged_with_next, false);
    return [metaspace, cut, space = Regex(" ", value.where())](TokenizerPiece piece, TokenizerPieces& parts,
                                                               Deadline deadline) {
        using enum Metaspace::Prepend;
        const bool prepend = metaspace.prepend == always || (metaspace.prepend == first && piece.first > 0);
        piece.replace(space.spans(piece.text, deadline), metaspace.replacement);
        if (prepend && !piece.text.starts_with(metaspace.replacement)) piece.prepend(metaspace.replacement);
        if (metaspace.split)
            cut(std::move(piece), parts, deadline);
        else
            parts.add(std::move(piece));
    };
}

PreTokenizer read_pre_tokenizers(const JsonValue& value) {
    std::vector<PreTokenizer> steps;
    for_each_element(value.at("pretokenizers"),
                     [&](const JsonValue& step) { steps.push_back(read_pre_tokenizer(step)); });
    return [steps, where = value.where()](TokenizerPiece piece, TokenizerPieces& parts, Deadline deadline) {
        TokenizerPieces pieces;
        pieces.add(std::move(piece));
        for (const PreTokenizer& step : steps) {
            TokenizerPieces next;
            for (TokenizerPiece& part : pieces.list()) {
                step(std::move(part), next, deadline);
                require_within_limits(next.bytes(), where, deadline);
            }
            pieces = std::move(next);
        }
        for (TokenizerPiece& part : pieces.list()) parts.add(std::move(part));
    };
}

constexpr PartType<PreTokenizer> pre_tokenizers[] = {
    {"ByteLevel", read_byte_level_words}, {"Digits", read_digits}, {"Metaspace", read_metaspace_words},
    {"Sequence", read_pre_tokenizers},    {"Split", read_split},
};

}  // namespace

PreTokenizer read_pre_tokenizer(const JsonValue& value) {
    if (value.raw().is_null())
        return [](TokenizerPiece piece, TokenizerPieces& parts, Deadline) { parts.add(std::move(piece)); };
    return read_part<PreTokenizer>(value, pre_tokenizers, "pre-tokenizer");
}

}  // namespace ropewalk
