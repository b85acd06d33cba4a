// Splits a text into words.
#pragma once

#include <string_view>
#include <vector>

namespace ropewalk {

/// Returns the words of a text, which white space separates. Every ASCII punctuation mark and every typographic
/// apostrophe (U+2019) is a separate word: "it’s" gives three.
inline std::vector<std::string_view> split_words(std::string_view text) {
    constexpr std::string_view space = " \t\n\r\f\v", marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", curly = "\u2019";
    std::vector<std::string_view> words;
    bool in_word = false;
    while (!text.empty()) {
        const bool is_curly = text.starts_with(curly), is_space = space.find(text[0]) != space.npos;
        const bool is_mark = is_curly || marks.find(text[0]) != marks.npos;
        const std::size_t length = is_curly ? curly.size() : 1;
        if (!is_space && (is_mark || !in_word))
            words.push_back(text.substr(0, length));
        else if (!is_space)
            words.back() = {words.back().data(), words.back().size() + length};
        in_word = !is_space && !is_mark;
        text.remove_prefix(length);
    }
    return words;
}

}  // namespace ropewalk
