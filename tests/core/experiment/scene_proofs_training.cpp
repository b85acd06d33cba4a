// Proofs of the scenes whose models are trained here, with one or two seeds, because some runs take seconds. No
// bound is beyond the ranges in assets/scenes/README.md.
#include "core/constructions/construction.h"
#include "core/experiment/scene_io.h"
#include "core/experiment/settings.h"
#include "core/training/batch.h"
#include "core/training/training_run.h"
#include "tests/core/experiment/scene_proofs.h"

namespace ropewalk {
namespace {

/// Returns how the model of the scene's recipe, with `settings` applied and this seed, does on held-out sequences, as
/// many times as long as those of the training as `times` say.
std::vector<BatchScore> scores_of(const Experiment& scene, const std::string& settings, int seed,
                                  const std::vector<int>& times, int sequences) {
    Recipe recipe = trained_head_of(changed(scene, settings).construction)->recipe;
    recipe.seed = seed;
    TrainingRun run(recipe);
    const auto trained = run.state_after(recipe.steps);
    std::vector<BatchScore> scores;
    for (const int factor : times)
        scores.push_back(evaluate(recipe, trained->parameters, test_batch(recipe, factor * recipe.context, sequences)));
    return scores;
}

/// Calls visit(accuracy) for seeds 0 to `seeds` − 1.
template <class Visit>
void for_seeds(const Experiment& scene, const std::string& settings, int seeds, int times, Visit visit) {
    for (int seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE(settings + ", seed " + std::to_string(seed));
        visit(scores_of(scene, settings, seed, {times}, 16)[0].accuracy);
    }
}

}  // namespace

void add_training(Proofs& proofs) {
    proofs["train-back"] = [](const Experiment& e) {
        for_seeds(e, "", 2, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.99); });
        for_seeds(e, "construction.recipe.encoding=nope", 2, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.2); });
    };
    proofs["train-back-16"] = [](const Experiment& e) {
        for_seeds(e, "", 2, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.9); });
        for (const char* encoding : {"nope", "alibi"})
            for_seeds(e, std::string("construction.recipe.encoding=") + encoding, 2, 1,
                      [](double accuracy) { EXPECT_LT(accuracy, 0.2); });
    };
    proofs["train-p-back"] = [](const Experiment& e) {
        for (const std::string distance : {"1", "16"}) {
            const std::string pairs = "construction.recipe.task.distance=" + distance +
                                      " construction.recipe.encoding=p_rope construction.recipe.encoding.p=";
            for_seeds(e, pairs + "0.125", 2, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.99); });
            for_seeds(e, pairs + "0.0625", 2, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.615); });
        }
    };
    proofs["train-both"] = [](const Experiment& e) {
        for_seeds(e, "", 1, 4, [](double accuracy) { EXPECT_GT(accuracy, 0.9885); });
        for_seeds(e, "construction.recipe.encoding=rope", 1, 4, [](double accuracy) { EXPECT_LT(accuracy, 0.855); });
        for_seeds(e, "construction.recipe.encoding=nope", 1, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.715); });
    };
    proofs["train-recall"] = [](const Experiment& e) {
        const auto rope = scores_of(e, "", 0, {1, 16}, 16);
        EXPECT_GT(rope[0].accuracy, 0.9995);
        EXPECT_LT(rope[1].accuracy, 0.765) << "as train-recall-length shows";
        for_seeds(e, "construction.recipe.encoding=nope", 1, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.725); });
    };
    proofs["train-recall-length"] = [](const Experiment& e) {
        const auto recipe_in = [](const Experiment& scene) { return trained_head_of(scene.construction)->recipe; };
        EXPECT_EQ(recipe_in(e), recipe_in(open_scene("train-recall").experiment)) << "whose proof trains it";
        for_seeds(e, "construction.recipe.encoding=p_rope construction.recipe.encoding.p=0.25", 1, 16,
                  [](double accuracy) { EXPECT_GT(accuracy, 0.925); });
    };
    proofs["train-induction"] = [](const Experiment& e) {
        for_seeds(e, "", 1, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.99); });
        for_seeds(e, "construction.recipe.encoding=nope", 1, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.2); });
    };
    proofs["train-language"] = [](const Experiment& e) {
        const auto loss = [&](const std::string& encoding) {
            return scores_of(e, "construction.recipe.encoding=" + encoding, 0, {1}, 64)[0].loss;
        };
        const double rope = loss("rope");
        EXPECT_GT(loss("nope"), rope + 0.0255);
        EXPECT_NEAR(loss("p_rope construction.recipe.encoding.p=0.25"), rope, 0.007);
    };
    proofs["train-gates"] = [](const Experiment& e) {
        for_seeds(e, "", 1, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.95); });
    };
}

}  // namespace ropewalk
