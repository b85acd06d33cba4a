#include "app/lessons/glossary.h"

#include <algorithm>
#include <cctype>

#include "app/lessons/split_text.h"
#include "app/plot/math/math_text.h"

namespace ropewalk {
namespace {

constexpr Term all_terms[] = {
    {"query",
     "The vector that a token looks with. Its dot product with a key, after the rotation, is the score: how well the "
     "two match.",
     "query, queries"},
    {"key", "The vector by which a token is found. A query is compared with the keys of all tokens that it may see.",
     "key, keys"},
    {"channel", "One number of a query or key vector. Under RoPE, two channels form a pair and rotate together.",
     "channel, channels"},
    {"head",
     "One unit of attention in a model, with its own queries and keys. For each query it decides how much weight "
     "every key gets. A model has many heads.",
     "head, heads"},
    {"softmax",
     "Turns a row of logits into attention weights: all positive, with sum 1. The largest logit gets the largest "
     "weight. Adding the same number to all logits changes nothing.",
     "softmax"},
    {"context, sequence length",
     "The tokens that a model reads at once, and their number. Here: sequence length N. A query can only attend to "
     "tokens in its context.",
     "context, sequence length"},
    {"θ, base, rope_theta",
     "The constant behind all frequencies, $w_t=\\theta^{-2t/d}$. RoFormer uses 10 000; Hugging Face calls it "
     "rope_theta, "
     "Barbero et al. the base wavelength. Here: base θ.",
     "base"},
    {"θᵢ, gₖ, ω, w",
     "Radians that a pair rotates per token: θᵢ in RoFormer, Hong, Wendler and the decay note; gₖ with k from 1 in "
     "Barbero (gₖ is our w of pair k − 1). Here: frequency wₜ of pair t, inv_freq in data.",
     "frequency, frequencies"},
    {"wavelength",
     "Tokens per full turn, 2π/wₜ. Some call the base itself the wavelength; the slowest pair of d channels has "
     "$2\\pi\\theta^{(d-2)/d}$, less than $2\\pi\\theta$.",
     "wavelength, wavelengths"},
    {"i, t, k: from 0 or from 1",
     "RoFormer and Wendler count pairs i from 1, Barbero k from 1, Hong and Men from 0. Here t counts from 0, "
     "fastest first, because i is the query: pair t is Wendler's i = t + 1."},
    {"pair, chunk, band, dimension",
     "Two channels that are rotated together: called a chunk by Barbero et al., a dimension by Hong et al., and "
     "a frequency elsewhere. Here: pair.",
     "pair, pairs"},
    {"gₜ, contribution",
     "What pair t adds to the score of a query and a key: the score is the sum of gₜ over all pairs. In Barbero, gₖ "
     "is a frequency.",
     "contribution, contributions"},
    {"d, head_dim, D, d_model",
     "Channels of one head: d in RoFormer and here (head_dim). D is the width of the model in Wendler. Exponents "
     "−2t/d always use the head dimension."},
    {"m, n and i, j",
     "Positions of query and key: m and n in RoFormer, Hong and the decay note, i and j in Barbero and here."},
    {"m − n, n − m, j − i",
     "The sign of the rotation. RoFormer rotates q by m and k by n and writes both differences; Barbero writes "
     "$R^{j-i}$. Here distance r = i − j, query minus key, never negative under the causal mask."},
    {"interleaved, half split, rotate_half",
     "Which channels make a pair: 2t and 2t + 1 (RoFormer, Meta's Llama) or t and t + d/2 (Hugging Face, Gemma). "
     "Both give the same head if the channels of q and k are permuted accordingly, and different heads if not."},
    {"scores, logits, attention",
     "Score: rotated q·k. Logit: scaled, with bias and softcap, divided by the temperature, masked. Weight: softmax of "
     "a row's logits. Barbero calls the logit the activation or logit a, and the weight the attention coefficient α; "
     "code often calls all three scores.",
     "score, scores, logit, logits, weight, weights, attention weight, attention weights"},
    {"1/√d",
     "In the softmax of most models and in Hong; omitted in the equations of Barbero and Wendler, where it is part "
     "of the norms."},
    {"softcap, attn_logit_softcapping",
     "Bounds logits to ±c by c·tanh(x ÷ c), as in Gemma 2. Small logits stay as they are. Contributions are parts of "
     "the score, so they do not change."},
    {"sliding window, local attention",
     "A causal mask under which a query sees only the nearest keys, as in Mistral 7B and every other layer of Gemma 2. "
     "Here: mask Window, and the number of keys, the query's own included."},
    {"temperature, attention scaling, mscale",
     "Temperature divides logits. Wendler calls α, which multiplies q, a temperature too. YaRN's attention scaling "
     "multiplies cosine and sine, and so the logits by its square; code calls it mscale or attention_factor.",
     "temperature, attention scaling"},
    {"p-RoPE, partial RoPE, NoPE channels",
     "p-RoPE (Barbero) keeps the fast pairs of the RoPE frequencies and does not rotate the slow ones. Partial "
     "RoPE (partial_rotary_factor) spreads all frequencies over the first channels only. NoPE does not rotate at "
     "all: p = 0.",
     "p-RoPE, partial RoPE"},
    {"N, L, training length",
     "N, seq_len: the sequence length. L, the training length: original_length, or "
     "original_max_position_embeddings in Hugging Face. Turns are counted over either; the figures say which.",
     "training length"},
    {"s, factor",
     "The context extension: how many times longer than L the context becomes. Dynamic NTK computes it from N.",
     "context extension"},
    {"α",
     "In Wendler's experiments the strength of q. In NTK code another name for s; in Barbero the attention "
     "coefficient, called weight here."},
    {"ρₜ, γ, ramp",
     "How far YaRN and Llama 3.1 interpolate a pair: 0 keeps its frequency, 1 divides it by s. YaRN's paper writes "
     "γ = 1 − ρ."},
    {"β_fast, β_slow; α, β",
     "YaRN's thresholds, in turns over the training length: 32 and 1 in code, called β and α in the paper."},
    {"Bₘ",
     "Σ cos(m·wₜ): the expected margin of a similar key over a random key at distance m, in units of 2σ² (Men et "
     "al.)."},
    {"margin",
     "Expected logit of a similar key minus that of a random key at the same distance (Men). The difference "
     "between the two largest weights is called the gap to the second here.",
     "margin"},
    {"side peak", "Another peak of the score over distance, where most rotations are close to full turns again.",
     "side peak, side peaks"},
    {"effective distance",
     "The distance by which an encoding rotates, after its position map. The reach is the largest distance that is "
     "still mapped below the training length.",
     "effective distance, effective distances"},
    {"attention sink", "Weight on the first key or BOS that is not needed elsewhere.",
     "attention sink, attention sinks"},
    {"positional head, semantic head",
     "A positional head looks by position: at the token itself (diagonal) or one back (previous-token). A semantic "
     "head looks by content, at keys that match the query; it is robust if the match holds at every distance.",
     "positional head, positional heads, semantic head, semantic heads"},
    {"construction",
     "A recipe for the queries and keys of a head, such as equal vectors, a paper's proof or .npy arrays."},
    {"constant queries and keys",
     "Every token has the same query, and every token the same key, as in the constructions All ones, At a distance, "
     "Previous token and Same vector. Only their distance then distinguishes keys."},
    {"ψ, psi",
     "The vector from which Barbero et al. construct queries and keys: q = ψ, and k = ψ or ψ rotated by some tokens. "
     "‖ψ‖² is the largest score."},
    {"scene", "A head with its figures and its cursor, saved in one file."},
    {"S_j",
     "Sum of the first j phasors, unit arrows at the angles r·wₜ; (2/d)·Σ|S_j| bounds the decay (RoFormer 3.4.3)."},
    {"long-term decay", "That bound falls with distance; scores need not (Barbero, Prop. 3.1 and 3.2).",
     "long-term decay"},
    {"Sources: Barbero, Wendler, Hong, Men, decay note",
     "The papers and notes that these entries cite: Barbero et al. 2024, Wendler's notes 2025, Hong et al. 2024, Men "
     "et al. 2024, and a note on the long-term decay of RoFormer (Su et al. 2021)."},
};

bool is_of_word(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) || byte == '_' || static_cast<unsigned char>(byte) >= 0x80;
}

/// Returns whether the text continues with a word; case does not matter.
bool has_word_at(std::string_view text, std::size_t at, std::string_view word) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    const std::size_t end = at + word.size();
    return end <= text.size() && (end == text.size() || !is_of_word(text[end])) &&
           std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at), same);
}

/// Returns the term whose word begins here; its `term` is null if there is none.
TermInText term_at(std::string_view text, std::size_t at) {
    TermInText longest{.begin = at, .end = at};
    for (const Term& term : all_terms)
        for (const std::string_view word : parts_of(term.words, ','))
            if (at + word.size() > longest.end && has_word_at(text, at, word))
                longest.term = &term, longest.end = at + word.size();
    return longest;
}

}  // namespace

std::span<const Term> glossary() {
    return all_terms;
}

std::vector<TermInText> terms_in(std::string_view text) {
    std::vector<TermInText> found;
    for (const TextPart& part : parts_of(text)) {
        if (part.is_math) continue;
        const auto begin = static_cast<std::size_t>(part.text.data() - text.data());
        for (std::size_t at = begin; at < begin + part.text.size(); ++at) {
            if (at > 0 && is_of_word(text[at - 1])) continue;
            const TermInText here = term_at(text, at);
            if (!here.term) continue;
            const bool is_known = std::any_of(found.begin(), found.end(),
                                              [&](const TermInText& other) { return other.term == here.term; });
            if (!is_known) found.push_back(here);
            at = here.end - 1;
        }
    }
    return found;
}

}  // namespace ropewalk
