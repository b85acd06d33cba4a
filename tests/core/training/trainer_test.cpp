// Training runs: the same bytes whatever computes them, AdamW, going on from a state, and the model of a run.
#include "core/training/trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/encodings/encoding_list.h"
#include "core/error.h"
#include "core/models/run/model_run.h"
#include "core/numbers/hash.h"
#include "core/training/network/parameter_list.h"
#include "core/training/trained_model.h"
#include "tests/core/attention/cpu_instruction_sets.h"

namespace ropewalk::training_test {
namespace {

Recipe small_recipe() {
    Recipe recipe;
    recipe.layers = 2, recipe.heads = 2, recipe.head_dim = 8, recipe.width = 20, recipe.feed_forward = 24;
    recipe.vocabulary = 12, recipe.context = 20, recipe.batch = 6, recipe.steps = 60, recipe.learning_rate = 5e-3;
    return recipe;
}

std::uint64_t hash_of_bytes(std::span<const float> numbers) {
    return hash_text({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

/// Returns the hash of a run's parameters and of all its scores after some steps.
std::uint64_t hash_after(const Recipe& recipe, int steps, int threads) {
    Trainer trainer(recipe, threads);
    std::uint64_t hash = 0;
    for (int i = 0; i < steps; ++i) {
        const BatchScore score = trainer.step();
        hash = hash_text({reinterpret_cast<const char*>(&score), sizeof(score)}, hash);
    }
    return hash ^ hash_of_bytes(trainer.parameters());
}

std::vector<Recipe> recipes_of_many_kinds() {
    std::vector<Recipe> recipes(5, small_recipe());
    recipes[1].encoding = Yarn{.original_length = 8}, recipes[1].rope_heads = "learned";
    recipes[2].encoding = SelfExtend{.window = 7}, recipes[2].head_dim = 32, recipes[2].width = 48;
    recipes[3].encoding = XPos{.scale_base = 20}, recipes[3].feed_forward = 0, recipes[3].rope_heads = "0;none";
    recipes[4].encoding = Alibi{}, recipes[4].context = 70, recipes[4].width = 150, recipes[4].vocabulary = 70;
    return recipes;
}

/// Returns whether the current instruction set has fused multiply-adds, without which training is slow.
bool fuses() {
    return (hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL | HWY_NEON)) != 0;
}

TEST(Trainer, GivesTheSameBytesForAnyInstructionSetAndThreads) {
    for (const Recipe& recipe : recipes_of_many_kinds()) {
        SCOPED_TRACE(id_of(recipe.encoding));
        ASSERT_EQ(validate(recipe), std::nullopt);
        constexpr int some = 2, many = 20;
        const std::uint64_t after_some = hash_after(recipe, some, 1), after_many = hash_after(recipe, many, 1);
        for (const int threads : {2, 3}) EXPECT_EQ(hash_after(recipe, many, threads), after_many);
        cpu_test::on_every_instruction_set(
            [&] { EXPECT_EQ(hash_after(recipe, fuses() ? many : some, 2), fuses() ? after_many : after_some); });
    }
}

TEST(Trainer, GoesOnFromAStateAsIfItHadNotStopped) {
    const Recipe recipe = small_recipe();
    Trainer whole(recipe, 1), first(recipe, 1), second(recipe, 2);
    for (int i = 0; i < 9; ++i) whole.step();
    for (int i = 0; i < 4; ++i) first.step();
    second.step();
    second.restore(first.state());
    for (int i = 4; i < 9; ++i) second.step();
    EXPECT_EQ(whole.steps_done(), 9);
    EXPECT_EQ(whole.state(), second.state());
}

TEST(Trainer, IsAsBeforeAfterACancelledStep) {
    Trainer trainer(small_recipe(), 1);
    trainer.step();
    const TrainingState before = trainer.state();
    const std::atomic<std::uint64_t> generation{2};
    EXPECT_THROW(trainer.step(Cancel(generation, 1)), Cancelled);
    EXPECT_EQ(trainer.state(), before);
    Trainer other(small_recipe(), 1);
    other.step();
    EXPECT_EQ(trainer.step(), other.step());
}

/// One update: gradients follow from the change of the first moments, m ← 0.9 m + 0.1 g, to float's precision.
TEST(Trainer, UpdatesLikeAdamWInDouble) {
    const Recipe recipe = small_recipe();
    Trainer trainer(recipe, 1);
    std::vector<double> second(trainer.parameters().size());
    for (int step = 0; step < 5; ++step) {
        const TrainingState before = trainer.state();
        trainer.step();
        const TrainingState after = trainer.state();
        const double rate = recipe.learning_rate * std::min(1.0, (step + 1) / 50.0) *
                            (0.1 + 0.45 * (1 + std::cos(std::numbers::pi * step / recipe.steps)));
        for (std::size_t i = 0; i < second.size(); ++i) {
            const double first = after.first_moments[i];
            const double gradient = (first - 0.9 * static_cast<double>(before.first_moments[i])) / 0.1;
            second[i] = 0.98 * second[i] + 0.02 * gradient * gradient;
            // Gradients recovered from a difference of moments are less precise than either.
            EXPECT_NEAR(static_cast<double>(after.second_moments[i]), second[i], 1e-4 * second[i] + 1e-12);
            const double first_hat = first / (1 - std::pow(0.9, step + 1)),
                         second_hat = static_cast<double>(after.second_moments[i]) / (1 - std::pow(0.98, step + 1)),
                         parameter = static_cast<double>(before.parameters[i]);
            const double expected =
                parameter - rate * (first_hat / (std::sqrt(second_hat) + 1e-8) + recipe.weight_decay * parameter);
            ASSERT_NEAR(static_cast<double>(after.parameters[i]), expected, 1e-7 * std::abs(parameter) + 1e-6 * rate);
        }
    }
}

TEST(Trainer, EvaluatesABatchAsAStepDoes) {
    for (const Recipe& recipe : recipes_of_many_kinds()) {
        Trainer trainer(recipe, 1);
        for (int i = 0; i < 3; ++i) trainer.step();
        const std::vector<float> parameters(trainer.parameters().begin(), trainer.parameters().end());
        const BatchScore read = evaluate(recipe, parameters, batch_of(recipe, 3), 2);
        EXPECT_EQ(read, trainer.step());
    }
}

TEST(Trainer, ABatchThatAsksForNothingHasNoScore) {
    Recipe recipe = small_recipe();
    recipe.vocabulary = 4, recipe.context = 3, recipe.batch = 1;  // the second of two keys is often another
    Trainer trainer(recipe, 1);
    int asking = 0;
    for (int step = 0; step < 20; ++step) {
        const Batch batch = batch_of(recipe, step);
        const bool asks = std::ranges::any_of(batch.targets, [](int target) { return target != no_target; });
        const BatchScore read = evaluate(recipe, trainer.parameters(), batch, 1), score = trainer.step();
        for (const BatchScore& each : {score, read}) {
            EXPECT_EQ(each.has_targets(), asks) << step;
            EXPECT_EQ(std::isnan(each.loss), !asks) << step;
            EXPECT_FALSE(each.has_diverged()) << step;
        }
        asking += asks;
    }
    EXPECT_TRUE(asking > 0 && asking < 20);
}

TEST(Trainer, RejectsALengthThatTheEncodingDoesNotAccept) {
    Recipe recipe = small_recipe();
    recipe.encoding = RandomRope{.upper = 30};
    const Trainer trainer(recipe, 1);
    EXPECT_GT(evaluate(recipe, trainer.parameters(), test_batch(recipe, 24, 2)).loss, 0);
    EXPECT_THROW(evaluate(recipe, trainer.parameters(), test_batch(recipe, 60, 2)), InputError);
}

TEST(Trainer, ALongSequenceEndsWhenNobodyWantsIt) {
    Recipe recipe = small_recipe();
    recipe.heads = 16, recipe.context = 512, recipe.batch = 1;
    Trainer trainer(recipe, 1);
    const std::vector<float> start(trainer.parameters().begin(), trainer.parameters().end());
    const Batch batch = test_batch(recipe, 2048, 1);
    const std::atomic<std::uint64_t> generation{1};
    const auto soon = [&] {  // when the sequence has begun
        return Cancel(generation, 0).spared_until(Cancel::Clock::now() + std::chrono::milliseconds(1));
    };
    EXPECT_THROW(evaluate(recipe, trainer.parameters(), batch, 1, soon()), Cancelled);
    EXPECT_THROW(trainer.step(soon()), Cancelled);
    EXPECT_TRUE(std::ranges::equal(trainer.parameters(), start));
    Trainer undisturbed(recipe, 1);
    EXPECT_EQ(trainer.step(), undisturbed.step());
    EXPECT_TRUE(std::ranges::equal(trainer.parameters(), undisturbed.parameters()));
}

/// A loss of the model that a network becomes, over the positions that predict the next token.
double model_loss(const Recipe& recipe, std::span<const float> parameters, const std::vector<int>& tokens) {
    ModelRun run(trained_model(recipe, parameters), {.tokens = tokens, .encoding = {}, .interventions = {}});
    double sum = 0;
    for (const double loss : run.outputs()->loss) sum += loss;
    return sum / static_cast<double>(tokens.size() - 1);
}

TEST(TrainedModel, PredictsAsTheNetworkDoes) {
    std::vector<Recipe> recipes = recipes_of_many_kinds();
    recipes.push_back(recipes[2]), recipes.back().rope_heads = "learned";
    recipes.push_back(recipes[3]), recipes.back().rope_heads = "learned";
    recipes.push_back(recipes[4]), recipes.back().rope_heads = "learned";
    recipes.push_back(small_recipe()), recipes.back().encoding = Sinusoidal{};
    recipes.push_back(small_recipe()), recipes.back().encoding = RandomRope{.upper = 90}, recipes.back().seed = 5;
    for (const Recipe& recipe : recipes) {
        SCOPED_TRACE(std::string(id_of(recipe.encoding)) + " " + recipe.rope_heads);
        Trainer trainer(recipe, 2);
        for (int i = 0; i < 10; ++i) trainer.step();
        // At the training length, because some encodings draw or scale positions by the length.
        Batch next = batch_of(recipe, 0);
        next.sequences = 1;
        next.tokens.resize(static_cast<std::size_t>(recipe.context));
        next.targets.assign(next.tokens.begin() + 1, next.tokens.end());
        next.targets.push_back(no_target);
        const double expected = evaluate(recipe, trainer.parameters(), next).loss;
        EXPECT_NEAR(model_loss(recipe, trainer.parameters(), next.tokens), expected, 2e-6 * expected);
    }
}

}  // namespace
}  // namespace ropewalk::training_test
