// core/training: small transformers that Ropewalk trains itself. Here: the Recipe, which determines a run to the last
// bit; equal recipes give equal models.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/encodings/encoding.h"
#include "core/fields/fields.h"
#include "core/fields/shape.h"
#include "core/training/tasks/task.h"

namespace ropewalk {

/// The model is a Llama without biases, whose output has weights of its own: RMSNorm ε 1e-6, scale 1/√head_dim. Weights
/// in layers start as N(0, 1/(4 · fan-in)), those of the output as N(0, 1/fan-in), norms at 1, and embeddings as
/// N(0, embedding_scale²). AdamW (0.9, 0.98, ε 1e-8) decays all parameters. The rate at step s is
/// learning_rate · min(1, (s + 1)/50) · (0.1 + 0.45 · (1 + cos(π s/steps))).
struct Recipe {
    Task task;
    Encoding encoding;
    int layers = 2, heads = 2, head_dim = 32, width = 64, feed_forward = 256;
    int vocabulary = 32, context = 64, batch = 32, steps = 500;
    double learning_rate = 2e-3, weight_decay = 0.01, embedding_scale = 0.2;
    std::int64_t seed = 0;
    std::string rope_heads = "all";

    bool operator==(const Recipe&) const = default;

    /// Returns what the encoding is lowered for, over this many tokens.
    Shape shape(int tokens) const {
        return {.head_dim = head_dim, .seq_len = tokens, .pairing = Pairing::half_split, .seed = seed};
    }
    TaskShape task_shape() const { return {vocabulary, context}; }

    static void fields(auto& s, auto&& f) {
        static constexpr double widths[] = {32, 64, 128, 256}, contexts[] = {32, 64, 128, 256};
        f(Field{.name = "task", .label = "Task", .section = "Task", .help = "What the model learns to predict."},
          s.task);
        f(Field{.name = "vocabulary",
                .label = "Vocabulary",
                .unit = "tokens",
                .min = 2,
                .max = 4096,
                .slider_min = 8,
                .slider_max = 256,
                .logarithmic = true,
                .help = "Number of different tokens."},
          s.vocabulary);
        f(Field{.name = "context",
                .label = "Training length L",
                .unit = "tokens",
                .min = 2,
                .max = 4096,
                .slider_min = 8,
                .slider_max = 256,
                .logarithmic = true,
                .marks = contexts,
                .help = "Length of the sequences that the model is trained on. It can be tested on longer ones."},
          s.context);
        f(Field{.name = "encoding",
                .label = "Training encoding",
                .section = "Model",
                .help = "How positions enter the scores while the model is trained."},
          s.encoding);
        f(Field{.name = "rope_heads",
                .label = "Heads with RoPE",
                .help =
                    "Heads that the encoding acts on: all, or a list for each layer, such as 0,1;none for both heads "
                    "of layer 0 and none of layer 1. learned: a gate in each head mixes rotated and unrotated logits.",
                .source = "Wendler 2025, experiment 5"},
          s.rope_heads);
        f(Field{.name = "layers", .label = "Layers", .min = 1, .max = 16, .slider_max = 6, .help = "Number of layers."},
          s.layers);
        f(Field{.name = "heads",
                .label = "Heads",
                .unit = "per layer",
                .min = 1,
                .max = 32,
                .slider_max = 8,
                .help = "Number of attention heads in each layer."},
          s.heads);
        f(Field{.name = "head_dim",
                .label = "Head dim d",
                .unit = "channels",
                .min = 2,
                .max = 256,
                .slider_max = 128,
                .logarithmic = true,
                .step = 2,
                .help = "Channels of a query or key of the model; they rotate in d/2 pairs."},
          s.head_dim);
        f(Field{.name = "width",
                .label = "Width",
                .unit = "channels",
                .min = 1,
                .max = 1024,
                .slider_min = 16,
                .slider_max = 256,
                .logarithmic = true,
                .marks = widths,
                .help = "Numbers with which the model represents a token between its layers."},
          s.width);
        f(Field{.name = "feed_forward",
                .label = "MLP width",
                .unit = "channels",
                .min = 0,
                .max = 4096,
                .slider_max = 512,
                .min_means = "no MLP",
                .help = "Hidden channels of the MLP in each layer. 0: the layers have attention only."},
          s.feed_forward);
        f(Field{.name = "steps",
                .label = "Steps",
                .section = "Training",
                .min = 1,
                .max = 100'000,
                .slider_min = 50,
                .slider_max = 2000,
                .logarithmic = true,
                .help = "Number of updates. The learning rate falls to a tenth over them."},
          s.steps);
        f(Field{.name = "batch",
                .label = "Batch",
                .unit = "sequences",
                .min = 1,
                .max = 512,
                .slider_max = 64,
                .logarithmic = true,
                .help = "Sequences per step, all of them new."},
          s.batch);
        f(Field{.name = "learning_rate",
                .label = "Learning rate",
                .min = 1e-6,
                .max = 1,
                .slider_min = 1e-4,
                .slider_max = 1e-2,
                .logarithmic = true,
                .help = "About how far AdamW moves each weight per step. The rate rises over the first 50 steps and "
                        "then falls along a cosine.",
                .source = "Loshchilov and Hutter 2019, arXiv:1711.05101"},
          s.learning_rate);
        f(Field{.name = "embedding_scale",
                .label = "Embedding scale",
                .min = 1e-4,
                .max = 10,
                .slider_min = 0.01,
                .slider_max = 2,
                .logarithmic = true,
                .help = "Standard deviation of the embeddings at the start. Small embeddings let the attention output "
                        "count from the first step: in 100 steps one layer learned to look 16 tokens back at 0.02, but "
                        "not at 0.2; two layers learned recall in about 220 steps at 0.2, and in 320 to 460 at 1."},
          s.embedding_scale);
        f(Field{.name = "weight_decay",
                .label = "Weight decay",
                .advanced = true,
                .min = 0,
                .max = 10,
                .slider_max = 0.5,
                .help = "Each step shrinks all weights by this times the learning rate."},
          s.weight_decay);
        f(Field{.name = "seed",
                .label = "Training seed",
                .advanced = true,
                .min = 0,
                .max = max_whole - 1,
                .slider_max = 99,
                .help = "Determines the weights at the start and all sequences: the same seed gives the same model on "
                        "every machine."},
          s.seed);
    }
};

/// Returns the first reason why a model cannot be trained by `recipe`, or nothing. The sentence starts with the field's
/// path in the recipe, such as "encoding.base", and names its value and what is allowed.
std::optional<std::string> validate(const Recipe& recipe);

/// Returns whether each head has a learned gate between its rotated and its unrotated logits.
bool learns_rope_heads(const Recipe& recipe);
/// Returns whether the encoding acts on each head of a valid recipe, [layers, heads]; all of them if that is learned.
/// The other heads have no encoding at all, as under NoPE.
std::vector<bool> rope_heads(const Recipe& recipe);

/// Returns the number of the model's parameters.
std::int64_t parameter_count(const Recipe& recipe);

}  // namespace ropewalk
