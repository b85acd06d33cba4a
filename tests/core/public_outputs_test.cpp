// What public implementations give, run with PyTorch 1.13 at the settings named: frequencies in float32 by the
// functions of Hugging Face transformers (src/transformers/modeling_rope_utils.py at commit 0044e3b3); scores in
// float64 by Meta's rotation of complex pairs (llama, apply_rotary_emb) and by transformers' rotate_half; slopes by
// get_slopes of the authors of ALiBi; grouped distances by the index arithmetic of LongLM.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/reference.h"
#include "core/scene_io.h"

namespace ropewalk {
namespace {

constexpr std::array sampled_pairs{0, 1, 13, 23, 31, 32, 34, 40, 52, 63};
using Sampled = std::array<double, sampled_pairs.size()>;

/// head_dim 128. Half a unit in the eighth digit, and float32's own errors, some 2e-7.
Lowered expect_frequencies(const std::string& settings, const Sampled& expected) {
    const Experiment experiment = changed({.head_dim = 128}, settings);
    const Lowered lowered = lower(experiment.encoding, experiment.shape());
    for (std::size_t i = 0; i < sampled_pairs.size(); ++i)
        EXPECT_NEAR(static_cast<double>(lowered.inv_freq[sampled_pairs[i]]) / expected[i], 1, 4e-7)
            << settings << ", pair " << sampled_pairs[i];
    return lowered;
}

TEST(PublicOutputs, TransformersFrequencies) {
    expect_frequencies("encoding=rope encoding.base=500000",
                       {1.0, 0.81461722, 0.069565952, 0.0089522591, 0.0017360467, 0.0014142134, 0.00093847385,
                        0.00027424819, 2.3419998e-05, 2.4551407e-06});
    expect_frequencies("encoding=linear encoding.factor=4",
                       {0.25, 0.21649109, 0.038498163, 0.0091293529, 0.0028869549, 0.0024999999, 0.0018747356,
                        0.00079056947, 0.00014058533, 2.8869548e-05});
    expect_frequencies("seq_len=16384 encoding=dynamic_ntk encoding.factor=2 encoding.original_length=4096",
                       {1.0, 0.83962578, 0.10306583, 0.017946186, 0.0044325953, 0.0037217215, 0.0026237071,
                        0.00091924192, 0.00011283888, 1.6496886e-05});
    const Lowered yarn = expect_frequencies("encoding=yarn encoding.factor=16 encoding.original_length=4096",
                                            {1.0, 0.86596435, 0.15399265, 0.03256721, 0.0069675543, 0.005673077,
                                             0.0037134183, 0.00088178896, 3.5146331e-05, 7.2173871e-06});
    EXPECT_NEAR(yarn.attention_scaling, 1.2772588722239782, 1e-15);
    expect_frequencies("encoding=llama3 encoding.base=500000",
                       {1.0, 0.81461722, 0.069565952, 0.0089522591, 0.00085675146, 0.00052484602, 0.00017850779,
                        3.4281024e-05, 2.9274997e-06, 3.0689259e-07});
    std::string factors = "1";
    for (int pair = 1; pair < 64; ++pair) factors += "," + std::to_string(1 + 0.5 * pair);
    const Lowered longrope = expect_frequencies(
        "seq_len=131072 encoding=longrope encoding.factor=32 encoding.original_length=4096 encoding.long_factor=" +
            factors,
        {1.0, 0.57730955, 0.020532355, 0.0029213929, 0.00069986784, 0.00058823527, 0.00041660789, 0.00015058466,
         2.0827458e-05, 3.5531752e-06});
    EXPECT_NEAR(longrope.attention_scaling, 1.1902380714238083, 1e-15);
}

/// Channels as a model has them: q(i, c) = sin(1 + i + c/2), k(j, c) = cos(2 + j − c/4), head_dim 8, 8 tokens.
Problem wavy_head(Pairing pairing) {
    Problem problem = make_problem(changed({.head_dim = 8, .seq_len = 8, .pairing = pairing}, "scale=sqrt_d"));
    const auto in_pairs = [layout = PairLayout{pairing, 8, 8}](auto channel) {
        return RowSource::of([=](int token, std::span<double> row) {
            for (int pair = 0; pair < 4; ++pair) {
                row[2 * pair] = channel(token, layout.first(pair));
                row[2 * pair + 1] = channel(token, layout.second(pair));
            }
        });
    };
    problem.inputs = {.q = in_pairs([](int i, int c) { return std::sin(1 + i + 0.5 * c); }),
                      .k = in_pairs([](int j, int c) { return std::cos(2 + j - 0.25 * c); })};
    return problem;
}

TEST(PublicOutputs, MetaTurnsNeighboursAndTransformersTurnHalves) {
    constexpr std::array<std::array<int, 2>, 5> cells{{{0, 0}, {6, 2}, {7, 0}, {7, 7}, {5, 4}}};
    constexpr std::array meta{-2.066656693111, -0.318029154130, -2.881006116229, -2.600015038938, 0.742482672341},
        transformers{-2.066656693111, -0.959867262588, -2.341920462748, -2.600015038938, 0.174859833777},
        transformers_weights{1.0, 0.085083793987, 0.052079076621, 0.047537223426, 0.138414303885};
    const auto backend = open_backend("reference", 1);
    const Viewport all = Viewport::one_to_one({0, 8}, {0, 8});
    const Problem interleaved = wavy_head(Pairing::interleaved), halves = wavy_head(Pairing::half_split);
    const AttentionView meta_scores = backend->attend(scores_only(interleaved), all, {}),
                        scores = backend->attend(scores_only(halves), all, {}), view = backend->attend(halves, all, {});
    for (std::size_t n = 0; n < cells.size(); ++n) {
        const int cell = cells[n][0] * 8 + cells[n][1];
        EXPECT_NEAR(meta_scores.logits.mean[cell], meta[n], 1e-12) << cell;
        EXPECT_NEAR(scores.logits.mean[cell], transformers[n], 1e-12) << cell;
        EXPECT_NEAR(view.weights.mean[cell], transformers_weights[n], 1e-12) << cell;
    }
}

TEST(PublicOutputs, AlibiSlopesOfTwelveAndFiveHeads) {
    const std::vector<double> twelve{0.5,       0.25,       0.125,        0.0625,       0.03125,      0.015625,
                                     0.0078125, 0.00390625, 0.7071067812, 0.3535533906, 0.1767766953, 0.0883883476},
        five{0.25, 0.0625, 0.015625, 0.00390625, 0.5};
    for (const auto& slopes : {twelve, five})
        for (std::size_t head = 0; head < slopes.size(); ++head) {
            const Experiment experiment =
                changed({}, fmt::format("encoding=alibi encoding.heads={} encoding.head={}", slopes.size(), head));
            EXPECT_NEAR(lower(experiment.encoding, experiment.shape()).bias_slope, slopes[head], 5e-11) << head;
        }
}

TEST(PublicOutputs, SelfExtendDistances) {
    const Experiment experiment =
        changed({}, "encoding=self_extend encoding.group=4 encoding.window=16 seq_len=64 head_dim=2");
    const Problem problem = make_problem(experiment);
    const auto backend = open_backend("reference", 1);
    const AttentionView view = backend->attend(scores_only(problem), Viewport::one_to_one({0, 64}, {0, 64}), {});
    // One pair at 1 rad/token: the score is cos of the distance.
    for (const auto& [i, j, distance] :
         {std::tuple{20, 4, 16}, {20, 5, 15}, {63, 0, 27}, {63, 40, 17}, {63, 47, 16}, {63, 48, 15}})
        EXPECT_NEAR(view.logits.mean[i * 64 + j], std::cos(distance), 1e-12) << i << ", " << j;
}

}  // namespace
}  // namespace ropewalk
