// Words that attend to their own occurrences: queries and keys depend on the token's text.
#pragma once

#include "core/constructions/common.h"
#include "core/constructions/tokens.h"
#include "core/numbers/hash.h"

namespace ropewalk {

struct Text : ConstructionDefaults {
    static constexpr auto id = "text", title = "Text", source = "Wendler 2025, RoPE notes, semantic heads, with words";
    static constexpr auto summary =
        "Each word has its own random vector and q = k, so a word attends to its earlier occurrences.";
    static constexpr bool depends_on_seed = true;
    std::string text = "the cat sat on the mat, and the dog sat by the cat's door";
    double norm_squared = 16;

    bool operator==(const Text&) const = default;

    static void fields(auto& s, auto&& f) {
        f(text_field, s.text);
        Field norm = norm_squared_field;
        norm.label = "Norm ‖x‖²";
        norm.help = "Squared length of every word's vector: the score of a word with itself at distance 0.";
        f(norm, s.norm_squared);
    }

    HeadInputs build(const Shape& shape) const {
        const auto tokens = tokens_of(text);
        const RowSource rows =
            RowSource::of([tokens, seed = shape.seed, norm_squared = norm_squared](int token, std::span<double> row) {
                const std::uint64_t word = hash_text(tokens[token_index(tokens, token)]);
                fill_gaussian({.seed = seed,
                               .sample = static_cast<std::uint32_t>(word >> 32),
                               .stream = RandomStream::content,
                               .token = static_cast<std::uint32_t>(word)},
                              row);
                scale_to(norm_squared, row);
            });
        return {.q = rows, .k = rows, .labels = token_labels(tokens, shape.seq_len)};
    }
};

}  // namespace ropewalk
