#include <fmt/format.h>

#include "app/cli/bench/random_model.h"
#include "app/cli/bench/works.h"
#include "core/training/trainer.h"

namespace ropewalk {
namespace {

/// Returns the multiply-adds, doubled, of a step of training: three passes over the weights that multiply tokens, and
/// over the visible entries of all heads, forward once and backward twice.
double step_flop(const Recipe& recipe) {
    const double layers = recipe.layers, width = recipe.width, channels = recipe.heads * recipe.head_dim,
                 tokens = recipe.context;
    const double weights =
        layers * (4 * width * channels + 3 * width * recipe.feed_forward) + width * recipe.vocabulary;
    const double entries = layers * channels * tokens * (tokens + 1) / 2;
    return recipe.batch * (6 * weights * tokens + 12 * entries);
}

/// Times runs of models of known shapes, and the time until the first layer's heads are known. The longest run
/// takes minutes, so that it must be asked for.
void models(const Works& works) {
    for (const ModelShape& shape : {smollm_135m, llama_1b})
        for (const int tokens : {128, 512, 2048}) {
            const std::string all = fmt::format("model {} prefill N={}", shape.name, tokens),
                              first = fmt::format("model {} first head N={}", shape.name, tokens);
            const bool is_large = shape.width >= 2048, is_long = is_large && tokens > 512;
            if (is_long && !works.lists_names() && works.options.only.empty()) continue;
            const bool wants_first = works.wanted(first), wants_all = works.wanted(all);
            if (!wants_first && !wants_all) continue;
            const auto model = random_model(shape);
            const RunRequest request = prefill_request(*model, tokens);
            works.work(first, {.goals = {.milliseconds = 300}, .fewest_repetitions = 3},
                       works.in_threads([&] { ModelRun(model, request).layer(0, works.cancel); }));
            works.work(all,
                       {.flop = prefill_flop(*model, tokens),
                        .peak = &Machine::fp32,
                        .goals = {.of_peak = is_large && tokens == 512 ? 0.6 : 0},
                        .fewest_repetitions = 3},
                       works.in_threads([&] { ModelRun(model, request).outputs(works.cancel); }));
        }
}

/// Times a step of training of four sizes, from a lesson's to the largest that is still shown live.
void trainings(const Works& works) {
    struct Size {
        int layers, heads, head_dim, width, context, batch, vocabulary;
        double of_peak;  // the least share for AVX2
    };
    for (const Size& size : {Size{1, 1, 32, 64, 64, 32, 32, 0.65},
                             {2, 2, 32, 64, 64, 32, 32, 0.65},
                             {4, 4, 32, 128, 128, 16, 32, 0.65},
                             {6, 6, 64, 384, 256, 8, 96, 0.7}}) {
        const std::string name = fmt::format("train {} layer{} width {} N={}", size.layers, size.layers > 1 ? "s" : "",
                                             size.width, size.context);
        if (!works.wanted(name)) continue;
        Recipe recipe;
        recipe.layers = size.layers, recipe.heads = size.heads, recipe.head_dim = size.head_dim;
        recipe.width = size.width, recipe.feed_forward = 4 * size.width, recipe.vocabulary = size.vocabulary;
        recipe.context = size.context, recipe.batch = size.batch;
        Trainer trainer(recipe, works.options.backend.threads);
        works.work(name,
                   {.flop = step_flop(recipe),
                    .peak = &Machine::fp32,
                    .goals = {.of_peak = size.of_peak},
                    .fewest_repetitions = 5},
                   [&] { trainer.step(works.cancel); });
    }
}

}  // namespace

void learned_works(const Works& works) {
    models(works);
    trainings(works);
}

}  // namespace ropewalk
