// core/experiment: one attention head as a plain value, its settings as text, and its scene files. Here: the
// Experiment. It determines everything that is computed: equal experiments have equal results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/constructions/construction.h"
#include "core/encodings/encoding.h"
#include "core/fields/fields.h"
#include "core/fields/shape.h"

namespace ropewalk {

/// The factor of the dot product: 1, 1/√head_dim, or `scale_value`.
enum class Scale { none, sqrt_d, value };
template <>
struct EnumText<Scale> {
    static constexpr std::array<EnumName, 3> names{{{"none", "1"}, {"sqrt_d", "1/√d"}, {"value", "Value"}}};
};

struct Experiment {
    int head_dim = 64;
    int seq_len = 256;
    Pairing pairing = Pairing::interleaved;
    Encoding encoding;
    double rotary_fraction = 1;
    Construction construction;
    Mask mask = Mask::causal;
    int window = 64;
    Scale scale = Scale::none;
    double scale_value = 1;
    double softcap = 0;
    double temperature = 1;
    Positions positions;
    std::int64_t seed = 0;

    bool operator==(const Experiment&) const = default;

    Shape shape() const { return {head_dim, seq_len, pairing, positions, mask, seed, rotary_fraction}; }

    static void fields(auto& s, auto&& f) {
        static constexpr double lengths[] = {256, 1024, 8192, 65536, longest_sequence}, widths[] = {32, 64, 128, 256};
        f(Field{.name = "seq_len",
                .label = "Length N",
                .section = "Sequence",
                .unit = "tokens",
                .min = 1,
                .max = longest_sequence,
                .logarithmic = true,
                .marks = lengths,
                .help = "Number of tokens; the attention matrix has N × N entries."},
          s.seq_len);
        f(Field{.name = "head_dim",
                .label = "Head dim d",
                .unit = "channels",
                .min = 2,
                .max = widest_head,
                .slider_max = 512,
                .logarithmic = true,
                .step = 2,
                .marks = widths,
                .help = "Channels of a query or key; they rotate in d/2 pairs."},
          s.head_dim);
        f(Field{.name = "positions", .label = "Positions", .help = "Positions of the tokens."}, s.positions);
        f(Field{.name = "mask",
                .label = "Mask",
                .help = "Causal: query i sees keys j ≤ i. Window: it sees only the nearest of these. None: every query "
                        "sees all keys."},
          s.mask);
        f(Field{.name = "window",
                .label = "Mask window",
                .in_controls = s.mask == Mask::window,
                .unit = "tokens",
                .min = 1,
                .max = longest_sequence,
                .logarithmic = true,
                .help = "With the mask Window, query i sees this many keys: those with j > i − window, up to itself."},
          s.window);
        f(Field{.name = "encoding",
                .label = "Encoding",
                .section = "Encoding",
                .help = "How positions enter the score."},
          s.encoding);
        f(Field{.name = "rotary_fraction",
                .label = "Rotary part",
                .advanced = true,
                .min = 0,
                .max = 1,
                .help = "The encoding acts on the first int(d · part) channels and leaves the others unrotated, as "
                        "partial_rotary_factor does in Pythia or Phi."},
          s.rotary_fraction);
        f(Field{.name = "pairing",
                .label = "Pairing",
                .advanced = true,
                .help = "Which two channels rotate together: 2t and 2t+1 (RoFormer, Llama by Meta), or t and t + d/2 "
                        "(Hugging Face, Gemma). It affects only raw channels, such as arrays from files."},
          s.pairing);
        f(Field{.name = "construction",
                .label = "Construction",
                .section = "Queries & keys",
                .help = "Where queries and keys come from."},
          s.construction);
        f(Field{.name = "seed",
                .label = "Random seed",
                .advanced = true,
                .min = 0,
                .max = 9007199254740991.0,
                .slider_max = 99,
                .help = "Determines every random number: the same seed gives the same result on every machine."},
          s.seed);
        f(Field{.name = "scale",
                .label = "Score scale",
                .section = "Softmax",
                .help = "logit = scale · score ÷ temperature. Papers on single heads often leave the score unscaled; "
                        "models divide it by √d. Value: the number in Scale value."},
          s.scale);
        f(Field{.name = "scale_value",
                .label = "Scale value",
                .in_controls = s.scale == Scale::value,
                .min = 1e-6,
                .max = 1e6,
                .slider_min = 0.01,
                .slider_max = 10,
                .logarithmic = true,
                .help = "The factor of the score if the score scale is Value."},
          s.scale_value);
        f(Field{.name = "softcap",
                .label = "Softcap",
                .advanced = true,
                .min = 0,
                .max = 1e6,
                .slider_max = 100,
                .min_means = "none",
                .help = "Bounds the scaled score x, bias included, to softcap · tanh(x ÷ softcap), before the "
                        "temperature divides it. 0: no bound.",
                .source = "Gemma Team 2024, arXiv:2408.00118, section 2"},
          s.softcap);
        f(Field{.name = "temperature",
                .label = "Temperature",
                .min = 1e-6,
                .max = 1e6,
                .slider_min = 0.01,
                .slider_max = 100,
                .logarithmic = true,
                .help = "Divides the logits before the softmax. Below 1 sharpens attention, above 1 flattens it."},
          s.temperature);
    }
};

/// Returns the first reason why `experiment` cannot be computed, or nothing. The sentence names the field, its value
/// and what is allowed.
std::optional<std::string> validate(const Experiment& experiment);

/// Returns the factor of the score.
double scale_of(const Experiment& experiment);

/// Returns whether another seed gives other queries, keys or positions.
bool depends_on_seed(const Experiment& experiment);

/// Returns whether any of its values come from files.
bool reads_files(const Experiment& experiment);

/// Sets the number at `path`, clamped to its field's range and rounded for integers. Returns false, and changes
/// nothing, if there is no such number or if the experiment would be invalid.
bool set_if_valid(Experiment& experiment, std::string_view path, double value);

}  // namespace ropewalk
