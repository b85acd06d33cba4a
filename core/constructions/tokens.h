// Splits a typed sentence into tokens, for constructions whose queries and keys depend on the token's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/fields/fields.h"
#include "core/text/words.h"

namespace ropewalk {

inline constexpr const char* bos_token = "BOS";

/// Returns the tokens of a text: BOS, then its words.
inline std::vector<std::string> tokens_of(std::string_view text) {
    std::vector<std::string> tokens{bos_token};
    for (const std::string_view word : split_words(text)) tokens.emplace_back(word);
    return tokens;
}

inline bool is_apostrophe(std::string_view token) {
    return token == "'" || token == "\u2019";
}

/// Returns the index in `tokens` of token i of a sequence: BOS first, then the text, repeated if it is shorter.
inline std::size_t token_index(const std::vector<std::string>& tokens, int i) {
    if (i == 0 || tokens.size() == 1) return 0;
    return 1 + static_cast<std::size_t>(i - 1) % (tokens.size() - 1);
}

/// Returns the labels of a sequence's tokens, at most the first 4096.
inline std::vector<std::string> token_labels(const std::vector<std::string>& tokens, int seq_len) {
    std::vector<std::string> labels;
    for (int i = 0; i < seq_len && i < 4096; ++i) labels.push_back(tokens[token_index(tokens, i)]);
    return labels;
}

inline constexpr Field text_field{.name = "text",
                                  .label = "Text",
                                  .meaning = Meaning::prose,
                                  .help =
                                      "Words after BOS, split at spaces, punctuation and apostrophes. The text repeats "
                                      "if the sequence is longer."};

}  // namespace ropewalk
