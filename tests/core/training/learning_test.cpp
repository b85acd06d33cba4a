// What training shows beyond the proofs of the bundled scenes, for several seeds, with a margin to what was measured.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/encodings/encoding_list.h"
#include "core/models/run/model_run.h"
#include "core/training/network/parameter_list.h"
#include "core/training/tasks/task_list.h"
#include "core/training/trained_model.h"
#include "core/training/trainer.h"

namespace ropewalk::training_test {
namespace {

std::vector<float> trained(const Recipe& recipe) {
    Trainer trainer(recipe, 1);  // tests run side by side
    while (trainer.steps_done() < recipe.steps) trainer.step();
    return {trainer.parameters().begin(), trainer.parameters().end()};
}

double accuracy_of(const Recipe& recipe, const std::vector<float>& parameters) {
    return evaluate(recipe, parameters, test_batch(recipe, recipe.context, 64), 1).accuracy;
}

/// Returns a recipe with another encoding, to test with it what was trained without.
Recipe with(Recipe recipe, const Encoding& encoding) {
    recipe.encoding = encoding;
    return recipe;
}

Recipe back_recipe(int distance, int seed) {
    Recipe recipe;
    recipe.task = Back{.distance = distance};
    recipe.layers = recipe.heads = 1, recipe.embedding_scale = 0.02, recipe.learning_rate = 3e-3, recipe.steps = 100;
    recipe.seed = seed;
    return recipe;
}

/// Returns RoPE whose fastest quarter of 16 pairs hardly turns at all.
Encoding without_fastest_quarter() {
    LongRope encoding{.factor = 1, .original_length = 4096};
    encoding.short_factor.assign(16, 1);
    for (int pair = 0; pair < 4; ++pair) encoding.short_factor[pair] = 1e9;
    return encoding;
}

/// Returns the mean weight that the only head of a model with RoPE, base 10 000, puts on the token `distance` back.
double weight_on_target(const Recipe& recipe, const std::vector<float>& parameters, int distance) {
    const int pairs = recipe.head_dim / 2;
    ModelRun run(trained_model(recipe, parameters),
                 {.tokens = test_batch(recipe, recipe.context, 1).tokens, .encoding = {}, .interventions = {}});
    const auto capture = run.layer(0);
    const auto exponential = [&](int i, int j) {
        const auto q = capture->query(0, i), k = capture->key(0, j);
        double logit = 0;
        for (int t = 0; t < pairs; ++t) {
            const double phase = (i - j) * std::pow(10'000.0, -2.0 * t / recipe.head_dim);
            logit += (q[t] * k[t] + q[t + pairs] * k[t + pairs]) * std::cos(phase) +
                     (q[t] * k[t + pairs] - q[t + pairs] * k[t]) * std::sin(phase);
        }
        return std::exp(logit / std::sqrt(recipe.head_dim));
    };
    double mean = 0;
    for (int i = distance; i < recipe.context; ++i) {
        double sum = 0;
        for (int j = 0; j <= i; ++j) sum += exponential(i, j);
        mean += exponential(i, i - distance) / sum / (recipe.context - distance);
    }
    return mean;
}

TEST(Learning, LookingBackNeedsFastPairs) {
    for (int seed = 0; seed < 5; ++seed)
        for (const int distance : {1, 16}) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", distance " + std::to_string(distance));
            const Recipe recipe = back_recipe(distance, seed);
            const std::vector<float> parameters = trained(recipe);
            EXPECT_GE(accuracy_of(recipe, parameters), 0.99);
            EXPECT_GE(accuracy_of(with(recipe, PRope{.p = 0.5}), parameters), 0.99);
            EXPECT_LE(accuracy_of(with(recipe, without_fastest_quarter()), parameters), distance == 1 ? 0.6 : 0.2);
            EXPECT_GE(weight_on_target(recipe, parameters, distance), 0.75);
        }
}

/// The standard deviation of n numbers has a standard error of 1/√(2n) of itself; six of them are allowed.
TEST(Learning, StartsWithSmallerWeightsInLayersThanInTheOutput) {
    const Recipe recipe;
    const std::vector<float> start = initial_parameters(network_shape(recipe), recipe.embedding_scale, recipe.seed);
    for (const ParameterTensor& tensor : parameter_list(network_shape(recipe))) {
        double squares = 0;
        for (std::size_t i = 0; i < tensor.count(); ++i) squares += std::pow(start[tensor.offset + i], 2);
        const double variance = squares / static_cast<double>(tensor.count());
        const double expected = tensor.name == "model.embed_tokens.weight" ? std::pow(recipe.embedding_scale, 2)
                                : tensor.name.ends_with("norm.weight")     ? 1
                                : tensor.name == "lm_head.weight"          ? 1.0 / tensor.columns()
                                                                           : 1.0 / (4 * tensor.columns());
        EXPECT_NEAR(std::sqrt(variance / expected), 1, 6 / std::sqrt(2.0 * static_cast<double>(tensor.count())))
            << tensor.name;
    }
}

}  // namespace
}  // namespace ropewalk::training_test
