// The apostrophe head of Gemma 7B: a token after an apostrophe attends to it, any other token to BOS (Barbero et al.
// 2024, arXiv:2410.06205, section 6, Fig. 7 and 9, App. D.1).
#pragma once

#include "core/constructions/common.h"
#include "core/constructions/tokens.h"

namespace ropewalk {

struct Apostrophe : ConstructionDefaults {
    static constexpr auto id = "apostrophe", title = "Apostrophe head",
                          source = "Barbero et al. 2024, arXiv:2410.06205, section 6 and App. D.1";
    static constexpr auto summary =
        "One slow pair attends to BOS; fast pairs override it when the previous token is an apostrophe.";
    std::string text =
        "Well I'm sure that now you're right and yes it's late";  // apostrophes at 3, 9 and 15, as Fig. 7
    double channel = 118.0 / 128;
    double norm_squared = 520;

    bool operator==(const Apostrophe&) const = default;

    static void fields(auto& s, auto&& f) {
        f(text_field, s.text);
        f(Field{.name = "channel",
                .label = "BOS channel",
                .min = 0,
                .max = 1,
                .of_pairs = true,
                .help = "The pair that distinguishes BOS from all other tokens, as a fraction of all pairs, fastest "
                        "first. The paper's is t = 118 of 128 (w = 2.05e-4 rad); a faster pair loses BOS sooner."},
          s.channel);
        Field norm = norm_squared_field;
        norm.help = "Squared length of the query part that matches an apostrophe one token back.";
        f(norm, s.norm_squared);
    }

    int channel_pair(const Shape& shape) const {
        return std::min(static_cast<int>(channel * shape.pairs()), shape.pairs() - 1);
    }

    std::string note(const Shape& shape) const {
        return "the BOS channel is pair " + std::to_string(channel_pair(shape));
    }

    /// In the BOS channel, q and k of BOS and of all other tokens are the measured ones: the dot products are q·k =
    /// −85.47 and q·k_BOS = +24.94. The fastest sixteenth of the pairs matches an apostrophe one token back. These
    /// pairs still agree by about 0.7 one token further back, so an apostrophe's key is also less similar to BOS, by
    /// 0.62 of their strength.
    HeadInputs build(const BuildContext& context) const {
        const Shape& shape = context.shape;
        const int slow = channel_pair(shape), fast = std::max(1, shape.pairs() / 16);
        const double q_other[] = {-4.1, 11.3}, k_other[] = {11.2, -3.5}, q_bos[] = {0.7, -1.9}, k_bos[] = {-2.5, 1.3};
        const double match = 85.47, threshold = 0.62;

        auto look = every_pair(shape, 0, 0);
        for (int pair = 0; pair < fast; ++pair) look[2 * pair] = std::sqrt(norm_squared / fast);
        const auto with_channel = [slow](std::vector<double> row, const double* channel_value, double factor) {
            row[2 * slow] += factor * channel_value[0];
            row[2 * slow + 1] += factor * channel_value[1];
            return row;
        };
        const auto nothing = every_pair(shape, 0, 0);
        const auto tokens = tokens_of(text);
        const auto rows = [tokens](std::vector<double> bos, std::vector<double> apostrophe, std::vector<double> other) {
            return RowSource::of([=](int token, std::span<double> row) {
                const std::string& name = tokens[token_index(tokens, token)];
                const auto& vector = name == bos_token ? bos : is_apostrophe(name) ? apostrophe : other;
                std::copy(vector.begin(), vector.end(), row.begin());
            });
        };
        const auto asks = with_channel(rotated(look, -1, context), q_other, 1);
        return {.q = rows(with_channel(nothing, q_bos, 1), asks, asks),
                .k = rows(with_channel(nothing, k_bos, 1),
                          with_channel(look, k_other, 1 + threshold * norm_squared / match),
                          with_channel(nothing, k_other, 1)),
                .labels = token_labels(tokens, shape.seq_len)};
    }
};

}  // namespace ropewalk
