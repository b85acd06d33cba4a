#include "app/window/cards/glossary.h"

namespace ropewalk {
namespace {

struct Term {
    const char *name, *meaning;
};

// Barbero et al. 2024 (B), Wendler's notes (W), Hong et al. 2024 (H), Men et al. 2024 (M), Su et al. 2021 (RoFormer).
constexpr Term terms[] = {
    {"B, W, H, M, L",
     "Sources: Barbero et al. 2024, Wendler's notes 2025, Hong et al. 2024, Men et al. 2024, and a note on the "
     "long-term decay of RoFormer (Su et al. 2021)."},
    {"θ, base, rope_theta",
     "The number whose powers are the inverse frequencies; 10 000 in RoFormer. Configuration files say "
     "rope_theta, B says base wavelength θ. Here: base θ."},
    {"θᵢ, gₖ, ω, w",
     "Radians that a pair turns per token: θᵢ in RoFormer, H, L and W, gₖ with k from 1 in B (gₖ is our w of pair k − "
     "1). "
     "Here: wₜ, inverse frequency of pair t, inv_freq in data."},
    {"wavelength",
     "Tokens of a full turn, 2π/wₜ. Some call the base itself the wavelength; the slowest pair of d channels "
     "has 2π·θ^((d−2)/d), a little less than 2π·θ."},
    {"i, t, k: from 0 or from 1",
     "RoFormer and W count pairs i from 1, B k from 1, H and M from 0. Here t from 0, fastest first, because i is the "
     "query: pair t is W's i = t + 1."},
    {"pair, chunk, band, dimension",
     "Two channels that are turned together: a chunk in B, a dimension in H, a frequency "
     "elsewhere. Here: pair."},
    {"d, head_dim, D, d_model",
     "Channels of one head: d in RoFormer and here (head_dim); D is the width of the model in W. "
     "Exponents −2t/d always mean the head's."},
    {"m, n and i, j", "Positions of query and key: m and n in RoFormer, H and L, i and j in B and here."},
    {"m − n, n − m, j − i",
     "The sign of the turn. RoFormer turns q by m and k by n and writes both differences; B writes "
     "R^(j−i). Here distance r = i − j, query minus key, never negative under the causal mask."},
    {"interleaved, half split, rotate_half",
     "Which channels make a pair: 2t and 2t + 1 (RoFormer, Meta's Llama) or t and t + d/2 (Hugging Face, Gemma). The "
     "same "
     "head once the channels of q and k are permuted alike; another one if they are not."},
    {"scores, logits, attention",
     "Score: rotated q·k. Logit: scaled, with bias, divided by the temperature, masked. Weight: "
     "softmax of a row's logits. B says activation or logit a, and attention coefficient α for the weight; "
     "code often calls all three scores."},
    {"1/√d",
     "In the softmax of most models and in H; left out of B's and W's equations, where it is part of the norms."},
    {"temperature, attention scaling, mscale",
     "Temperature divides logits; W calls its α, which multiplies q, a temperature too. YaRN's attention scaling "
     "multiplies cosine and sine, hence logits by its square; code calls it mscale or attention_factor."},
    {"p-RoPE, partial rotary, NoPE channels",
     "p-RoPE (B) keeps the fast pairs of the full ladder and leaves the slow ones unrotated. Partial rotary squeezes "
     "the whole ladder "
     "into the first channels. NoPE has no rotation at all: p = 0."},
    {"N, L, context",
     "N, seq_len: tokens that are looked at. L, original_length: tokens that a model was trained on. Rotations "
     "are counted over either; the figures say which."},
    {"s, factor", "How many times longer than L the context becomes. Dynamic NTK finds it from N."},
    {"α",
     "In W's experiments the strength of q. In NTK code another name of s; in B the attention "
     "coefficient, a weight here."},
    {"ρₜ, γ, ramp",
     "How far YaRN and Llama 3.1 slow a pair: 0 leaves its frequency, 1 divides it by s. YaRN's paper writes "
     "γ = 1 − ρ."},
    {"β_fast, β_slow; α, β",
     "YaRN's thresholds, in turns over the trained context: 32 and 1 in code, called β and α in the paper."},
    {"Bₘ", "Σ cos(m·wₜ): how much better a similar key scores than a random one, m tokens away (M)."},
    {"S_j",
     "Sum of the first j phasors, unit arrows at the angles r·wₜ; (2/d)·Σ|S_j| bounds the decay (RoFormer 3.4.3)."},
    {"long-term decay", "That bound falls with distance; scores themselves need not (B, Prop. 3.1 and 3.2)."},
};

}  // namespace

std::vector<PaletteEntry> glossary() {
    std::vector<PaletteEntry> entries;
    for (const Term& term : terms) entries.push_back({.id = {}, .title = term.name, .about = term.meaning});
    return entries;
}

}  // namespace ropewalk
