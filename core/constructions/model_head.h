// A head that a model learned: queries and keys of one layer and head, from a forward pass over a text, or over a
// sequence of the task that the model was trained on here.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/constructions/common.h"
#include "core/fields/item_list.h"
#include "core/models/model.h"
#include "core/models/run/model_run.h"
#include "core/training/trained_model.h"
#include "core/training/training_run.h"

namespace ropewalk {

inline constexpr int longest_trained = 1 << 16;  // tokens that a model trained here is asked to read

/// Where a model comes from.
enum class ModelSource { checkpoint, trained };
template <>
struct EnumText<ModelSource> {
    static constexpr std::array<EnumName, 2> names{{{"checkpoint", "Folder"}, {"trained", "Trained here"}}};
};

/// What the experiment's encoding acts on: this head's logits, or every layer of the model that rotates likewise.
enum class ModelScope { head, model };
template <>
struct EnumText<ModelScope> {
    static constexpr std::array<EnumName, 2> names{{{"head", "This head"}, {"model", "Whole model"}}};
};

struct ModelHead : ConstructionDefaults {
    static constexpr auto id = "model_head", title = "Head of a model",
                          source = "the model's own paper; Barbero et al. 2024, Hong et al. 2024, Wendler 2025";
    static constexpr auto summary =
        "Queries and keys that a trained model computes for your text, in one layer and head.";
    ModelSource source_of_model = ModelSource::checkpoint;
    ModelFile model;
    std::string text = "The cat sat on the mat, and the dog sat by the cat's door.";
    std::vector<double> tokens;
    int layer = 0, head = 0;
    ModelScope scope = ModelScope::head;
    std::string interventions;
    int step = -1;
    Recipe recipe;

    bool operator==(const ModelHead&) const = default;

    static void fields(auto& s, auto&& f) {
        const bool is_trained = s.source_of_model == ModelSource::trained;
        f(Field{.name = "source",
                .label = "Model from",
                .help = "A folder with a trained model, or a small model that is trained here."},
          s.source_of_model);
        f(Field{.name = "model",
                .label = "Model",
                .in_controls = !is_trained,
                .help = "A folder with config.json, .safetensors files and tokenizer.json. You can also drop it on the "
                        "window."},
          s.model);
        f(Field{.name = "text",
                .label = "Text",
                .in_controls = !is_trained,
                .most_bytes = std::size_t{1} << 20,
                .meaning = Meaning::prose,
                .help = "What the model reads. Its tokens become the sequence."},
          s.text);
        f(Field{.name = "tokens",
                .label = "Token ids",
                .advanced = true,
                .min = 0,
                .max = 1 << 24,
                .may_be_empty = true,
                .help = "Ids separated by commas, in place of the text or of a sequence of the task."},
          s.tokens);
        f(with_slider_over(s.layer_count(), layer_field), s.layer);
        f(with_slider_over(s.head_count(), head_field), s.head);
        f(Field{.name = "scope",
                .label = "Encoding acts on",
                .help =
                    "This head: its queries and keys stay as trained. Whole model: every layer with this layer's own "
                    "encoding runs with the one chosen here."},
          s.scope);
        f(Field{.name = "interventions",
                .label = "Interventions",
                .items = &group_type<Intervention>,
                .help = "Changes of some heads while the model runs: what follows them, and the loss, show the effect. "
                        "The selected head's own attention follows the encoding chosen here.",
                .source = "Wendler 2025, experiment 5; Hong et al. 2024"},
          s.interventions);
        f(Field{.name = "step",
                .label = "Training step",
                .in_controls = is_trained,
                .min = -1,
                .max = 100'000,
                .slider_min = 0,
                .slider_max = static_cast<double>(s.recipe.steps),
                .min_means = "last",
                .min_stands_for = static_cast<double>(s.recipe.steps),
                .help = "Training time: the model after this many steps. 0: before the first."},
          s.step);
        f(Field{.name = "recipe", .in_controls = is_trained}, s.recipe);
    }

    bool is_trained() const { return source_of_model == ModelSource::trained; }

    /// Return how many layers the model has, and how many heads in each; 0 if there is no model.
    int layer_count() const {
        return is_trained() ? recipe.layers : model.content ? model.content->config.layer_count() : 0;
    }
    int head_count() const { return is_trained() ? recipe.heads : model.content ? model.content->config.heads : 0; }

    /// Returns the model: that of the folder, or the trained one without its weights. Null if there is none.
    std::shared_ptr<const Model> known_model() const {
        if (!is_trained()) return model.content;
        return validate(recipe) ? nullptr : model_without_weights(recipe);
    }

    /// Returns what the model does not read of the text, and what a head's attention in the run does not share with the
    /// one shown.
    std::string note(const Shape&) const {
        std::string about_text = about_unknown_words();
        if (!about_text.empty()) about_text += ".";
        for (const Intervention& intervention : items_of<Intervention>(interventions))
            if (intervention.covers(layer, head))
                return about_text + (about_text.empty() ? "" : " ") +
                       "An intervention covers this head: what follows it in the model shows the change, but its own "
                       "attention here follows the encoding above.";
        return about_text;
    }

    /// Whether its rows are the same under any encoding.
    bool ignores_encoding() const { return scope == ModelScope::head; }

    /// Returns the ids of the given tokens, of the text, or of a held-out sequence of this length.
    std::vector<int> token_ids(int length) const {
        if (!tokens.empty()) return {tokens.begin(), tokens.end()};
        if (is_trained()) return test_batch(recipe, length, 1).tokens;
        return model.content ? tokens_of_text(*model.content, text)->ids : std::vector<int>{};
    }
    /// Returns what the task asks for at each of these tokens; empty for a text or given ids, where that is the next
    /// token.
    std::vector<int> targets(int length) const {
        return tokens.empty() && is_trained() ? test_targets(recipe, length) : std::vector<int>{};
    }
    /// Returns a sentence, without its full stop, about words of the text that have no token; empty if there are none.
    std::string about_unknown_words() const {
        return tokens.empty() && !is_trained() && model.content ? tokens_of_text(*model.content, text)->unknown : "";
    }
    /// Returns the usual length of the sequence.
    int token_count() const {
        if (!tokens.empty()) return static_cast<int>(tokens.size());
        if (is_trained()) return recipe.context;
        return model.content ? static_cast<int>(tokens_of_text(*model.content, text)->ids.size()) : 0;
    }

    std::optional<std::string> check(const Shape& shape) const {
        if (auto sentence = is_trained() ? check_recipe(shape) : check_folder()) return sentence;
        const auto known = known_model();
        const ModelConfig& config = known->config;
        if (layer >= config.layer_count())
            return fmt::format("construction.layer is {}; the model has layers 0 to {}", layer,
                               config.layer_count() - 1);
        if (head >= config.heads)
            return fmt::format("construction.head is {}; the model has heads 0 to {}", head, config.heads - 1);
        if (shape.head_dim != config.head_dim)
            return fmt::format("head_dim is {}; the model's heads have {} channels", shape.head_dim, config.head_dim);
        for (const Intervention& intervention : items_of<Intervention>(interventions))
            if (auto sentence = check_intervention(intervention, config, shape.seq_len))
                return "construction.interventions: " + *sentence;
        return check_tokens(shape, config);
    }

    /// Returns the run of the model that the head is part of. Trains the model first, if it is trained here.
    std::shared_ptr<ModelRun> run(const BuildContext& context) const {
        if (!is_trained()) return run_of(model.content, request(context));
        const int steps = step < 0 ? recipe.steps : step;
        return run_of(training_run_of(recipe)->model_after(steps, context.cancel, context.progress), request(context));
    }

    HeadInputs build(const BuildContext& context) const {
        const auto run = this->run(context);
        const auto capture = run->layer(layer, context.cancel, context.progress);
        run->require_finite(layer, head, context.cancel);
        const int key_head = run->model()->config.key_head(head);
        const PairLayout layout{context.shape.pairing, context.shape.head_dim, context.lowered.rotary_dim};
        const auto rows_of = [&](const LargeVector<float>& all, int row_head) {
            const float* const from = all.data() + std::size_t(row_head) * capture->tokens * capture->head_dim;
            return RowSource::of([capture, layout, from](int token, std::span<double> row) {
                read_in_pairs(layout, from + row.size() * static_cast<std::size_t>(token), row);
            });
        };
        HeadInputs inputs{.q = rows_of(capture->queries, head), .k = rows_of(capture->keys, key_head)};
        for (int token = 0; token < std::min(context.shape.seq_len, 4096); ++token) {
            context.cancel.check();
            inputs.labels.push_back(piece_of(*run->model(), run->request().tokens[static_cast<std::size_t>(token)]));
        }
        return inputs;
    }

    /// Returns what the model runs over: as many tokens as the experiment has.
    RunRequest request(const BuildContext& context) const {
        RunRequest request{.tokens = token_ids(context.shape.seq_len),
                           .targets = targets(context.shape.seq_len),
                           .interventions = items_of<Intervention>(interventions)};
        request.tokens.resize(static_cast<std::size_t>(context.shape.seq_len));
        if (scope == ModelScope::model) request.encoding = EncodingChange{context.lowered, layer};
        return request;
    }

  private:
    std::optional<std::string> check_folder() const {
        if (model.path.empty())
            return "construction.model names no folder; it must be a folder with config.json and .safetensors files";
        if (!model.content)
            return fmt::format(
                "construction.model is '{}', which could not be read; put the folder back and press Enter in its field",
                model.path);
        if (!tokens.empty()) return std::nullopt;
        const auto split = tokens_of_text(*model.content, text);
        if (split->problem.empty()) return std::nullopt;
        return fmt::format("construction.text cannot be split into tokens: {}; give their ids in construction.tokens",
                           split->problem);
    }

    std::optional<std::string> check_recipe(const Shape& shape) const {
        if (auto sentence = validate(recipe)) return "construction.recipe." + *sentence;
        if (step > recipe.steps)
            return fmt::format("construction.step is {}; the recipe has {} steps", step, recipe.steps);
        if (shape.seq_len > longest_trained)
            return fmt::format("seq_len is {}; models trained here read at most {} tokens", shape.seq_len,
                               longest_trained);
        return std::nullopt;
    }

    std::optional<std::string> check_tokens(const Shape& shape, const ModelConfig& config) const {
        for (const double token : tokens)
            if (token != std::floor(token) || token >= config.vocabulary)
                return fmt::format("construction.tokens has {}; each must be a whole number from 0 to {}",
                                   text_of(token), config.vocabulary - 1);
        const std::vector<int> ids = token_ids(shape.seq_len);
        for (const int token : ids)
            if (token < 0 || token >= config.vocabulary)
                return fmt::format("the text has token {}, but the model knows tokens 0 to {}", token,
                                   config.vocabulary - 1);
        const auto count = static_cast<int>(ids.size());
        if (count >= shape.seq_len && count > 0) return std::nullopt;
        return fmt::format("seq_len is {}, but the text has {} tokens; shorten the sequence, or write more text",
                           shape.seq_len, count);
    }
};

}  // namespace ropewalk
