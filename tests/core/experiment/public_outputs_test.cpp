// What public implementations give, run with PyTorch 1.13 at the settings named: frequencies in float32 by the
// functions of Hugging Face transformers (src/transformers/modeling_rope_utils.py at commit 0044e3b3); scores in
// float64 by Meta's rotation of complex pairs (llama, apply_rotary_emb) and by transformers' rotate_half; slopes by
// get_slopes of the authors of ALiBi; grouped distances by the index arithmetic of LongLM. Then in float32: YaRN's and
// LongRoPE's own programs (jquesnelle/yarn, scaled_rope/LlamaYaRNScaledRotaryEmbedding.py at a18e5498;
// microsoft/LongRoPE, rope/longrope.py at 41fa6325), Gemma's (google/gemma_pytorch, gemma/model.py at 014acb7a), and
// the arithmetic of ggml's cosines and sines (rope_yarn, ggml_rope_cache_init), step by step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {
namespace {

constexpr std::array sampled_pairs{0, 1, 13, 23, 31, 32, 34, 40, 52, 63};
using Sampled = std::array<double, sampled_pairs.size()>;

/// head_dim 128. Half a unit in the eighth digit, and float32's own errors, some 2e-7.
LoweredEncoding expect_frequencies(const std::string& settings, const Sampled& expected) {
    const Experiment experiment = changed({.head_dim = 128}, settings);
    const LoweredEncoding lowered = lower(experiment.encoding, experiment.shape());
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
    const LoweredEncoding yarn = expect_frequencies("encoding=yarn encoding.factor=16 encoding.original_length=4096",
                                                    {1.0, 0.86596435, 0.15399265, 0.03256721, 0.0069675543, 0.005673077,
                                                     0.0037134183, 0.00088178896, 3.5146331e-05, 7.2173871e-06});
    EXPECT_NEAR(yarn.attention_scaling, 1.2772588722239782, 1e-15);
    expect_frequencies("encoding=llama3 encoding.base=500000",
                       {1.0, 0.81461722, 0.069565952, 0.0089522591, 0.00085675146, 0.00052484602, 0.00017850779,
                        3.4281024e-05, 2.9274997e-06, 3.0689259e-07});
    std::string factors = "1";
    for (int pair = 1; pair < 64; ++pair) factors += "," + std::to_string(1 + 0.5 * pair);
    const LoweredEncoding longrope = expect_frequencies(
        "seq_len=131072 encoding=longrope encoding.factor=32 encoding.original_length=4096 encoding.long_factor=" +
            factors,
        {1.0, 0.57730955, 0.020532355, 0.0029213929, 0.00069986784, 0.00058823527, 0.00041660789, 0.00015058466,
         2.0827458e-05, 3.5531752e-06});
    EXPECT_NEAR(longrope.attention_scaling, 1.1902380714238083, 1e-15);  // and so does LongRoPE's own program
}

TEST(PublicOutputs, YarnsOwnFrequencies) {
    const LoweredEncoding at_32 =
        expect_frequencies("encoding=yarn encoding.factor=32 encoding.original_length=4096",
                           {1.0, 0.86596435, 0.15399265, 0.032435536, 0.0068148789, 0.0055288463, 0.0035872343,
                            0.00080577267, 1.7573166e-05, 3.6086935e-06});
    EXPECT_NEAR(at_32.attention_scaling, 1.3465735902799727, 1e-15);
    const LoweredEncoding at_8 =
        expect_frequencies("encoding=yarn encoding.base=500000 encoding.factor=8 encoding.original_length=8192",
                           {1.0, 0.81461722, 0.069565952, 0.0066483682, 0.00057442719, 0.00039514786, 0.00016561303,
                            3.4281024e-05, 2.9274997e-06, 3.0689259e-07});
    EXPECT_NEAR(at_8.attention_scaling, 1.2079441541679836, 1e-15);
}

TEST(PublicOutputs, GgmlCosinesAndSines) {
    using Pairs = std::array<std::array<double, 2>, sampled_pairs.size()>;
    const Experiment experiment =
        changed({.head_dim = 128}, "encoding=yarn encoding.factor=32 encoding.original_length=4096");
    const LoweredEncoding lowered = lower(experiment.encoding, experiment.shape());
    // ggml multiplies angles up pair by pair in float32, which at position 100 is off by some 1e-4.
    const auto expect = [&](int position, double tolerance, const Pairs& expected) {
        for (std::size_t i = 0; i < sampled_pairs.size(); ++i) {
            const auto angle = static_cast<double>(position * lowered.inv_freq[sampled_pairs[i]]);
            EXPECT_NEAR(lowered.attention_scaling * std::cos(angle), expected[i][0], tolerance) << i;
            EXPECT_NEAR(lowered.attention_scaling * std::sin(angle), expected[i][1], tolerance) << i;
        }
    };
    expect(1, 3e-6,
           {{{0.7275568, 1.133103},
             {0.8724529, 1.025713},
             {1.330639, 0.2065439},
             {1.345865, 0.04366921},
             {1.346542, 0.009176674},
             {1.346553, 0.007444969},
             {1.346565, 0.00483047},
             {1.346573, 0.001085033},
             {1.346574, 2.36636e-05},
             {1.346574, 4.859382e-06}}});
    expect(100, 2e-4,
           {{{1.161176, -0.6818586},
             {0.2710028, -1.319022},
             {-1.282923, 0.4091065},
             {-1.33958, -0.1370637},
             {1.045797, 0.8482739},
             {1.145952, 0.707146},
             {1.260858, 0.4727545},
             {1.342205, 0.108386},
             {1.346571, 0.00236636},
             {1.346573, 0.0004859384}}});
}

/// Channels as a model has them: q(i, c) = sin(1 + i + c/2), k(j, c) = cos(2 + j − c/4), head_dim 8, 8 tokens.
Problem wavy_head(Pairing pairing, const std::string& settings = "encoding=rope") {
    Problem problem =
        make_problem(changed({.head_dim = 8, .seq_len = 8, .pairing = pairing}, "scale=sqrt_d " + settings));
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

TEST(PublicOutputs, GemmaTurnsHalvesAndDividesFrequenciesForLongContexts) {
    constexpr std::array<std::array<int, 2>, 5> cells{{{0, 0}, {6, 2}, {7, 0}, {7, 7}, {5, 4}}};
    constexpr std::array plain{-0.73067343, -0.33936438, -0.82799387, -0.91924411, 0.06182228},
        eightfold{-0.73067343, -0.84937441, -0.94674087, -0.91924417, 0.34743875};
    const auto backend = open_backend("reference", 1);
    const Viewport all = Viewport::one_to_one({0, 8}, {0, 8});
    const AttentionView one = backend->attend(wavy_head(Pairing::half_split), all, {}),
                        eight = backend->attend(wavy_head(Pairing::half_split, "encoding=linear encoding.factor=8"),
                                                all, {});
    for (std::size_t n = 0; n < cells.size(); ++n) {
        const int cell = cells[n][0] * 8 + cells[n][1];
        EXPECT_NEAR(one.logits.mean[cell], plain[n], 5e-7) << cell;
        EXPECT_NEAR(eight.logits.mean[cell], eightfold[n], 5e-7) << cell;
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
