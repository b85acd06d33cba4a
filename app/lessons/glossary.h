// The glossary: what papers and libraries call a quantity, what it is called here, and what it is.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace ropewalk {

struct Term {
    std::string_view name, meaning;
    std::string_view words{};  // for it in running text, separated by commas; empty: none
};

/// Returns all terms.
std::span<const Term> glossary();

/// A term's word in a text.
struct TermInText {
    const Term* term = nullptr;
    std::size_t begin = 0, end = 0;  // bytes
};
/// Returns the first word of each term in a text, outside formulas ($…$), in the order of the text. Of words that begin
/// at the same place, the longest counts.
std::vector<TermInText> terms_in(std::string_view text);

}  // namespace ropewalk
