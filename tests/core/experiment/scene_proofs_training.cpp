// Proofs of the scenes whose models are trained here. Those of one layer are tried with five seeds, the others with
// one, because each run takes seconds.
#include "core/constructions/construction.h"
#include "core/experiment/settings.h"
#include "core/training/batch.h"
#include "core/training/training_run.h"
#include "tests/core/experiment/scene_proofs.h"

namespace ropewalk {
namespace {

/// Calls visit(accuracy) with that of held-out sequences, `times` as long as those of the training, for seeds 0 to
/// `seeds` − 1 of the scene's recipe with `settings` applied.
template <class Visit>
void for_seeds(const Experiment& scene, const std::string& settings, int seeds, int times, Visit visit) {
    for (int seed = 0; seed < seeds; ++seed) {
        Recipe recipe = trained_head_of(changed(scene, settings).construction)->recipe;
        recipe.seed = seed;
        TrainingRun run(recipe);
        const Batch batch = test_batch(recipe, times * recipe.context, 16);
        SCOPED_TRACE(settings + ", seed " + std::to_string(seed));
        visit(evaluate(recipe, run.state_after(recipe.steps)->parameters, batch).accuracy);
    }
}

}  // namespace

void add_training(Proofs& proofs) {
    proofs["train-back"] = [](const Experiment& e) {
        for_seeds(e, "", 5, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.99); });
        for_seeds(e, "construction.recipe.encoding=nope", 5, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.2); });
    };
    proofs["train-back-16"] = [](const Experiment& e) {
        for_seeds(e, "", 5, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.9); });
        for (const char* encoding : {"nope", "alibi"})
            for_seeds(e, std::string("construction.recipe.encoding=") + encoding, 5, 1,
                      [](double accuracy) { EXPECT_LT(accuracy, 0.2); });
    };
    proofs["train-recall"] = [](const Experiment& e) {
        for_seeds(e, "", 1, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.99); });
        for_seeds(e, "construction.recipe.encoding=nope", 1, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.75); });
    };
    proofs["train-recall-length"] = [](const Experiment& e) {
        for_seeds(e, "", 1, 16, [](double accuracy) { EXPECT_LT(accuracy, 0.75); });
        for_seeds(e, "construction.recipe.encoding=p_rope construction.recipe.encoding.p=0.25", 1, 16,
                  [](double accuracy) { EXPECT_GT(accuracy, 0.85); });
    };
    proofs["train-induction"] = [](const Experiment& e) {
        for_seeds(e, "", 1, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.95); });
        for_seeds(e, "construction.recipe.encoding=nope", 1, 1, [](double accuracy) { EXPECT_LT(accuracy, 0.35); });
    };
    proofs["train-gates"] = [](const Experiment& e) {
        for_seeds(e, "", 1, 1, [](double accuracy) { EXPECT_GT(accuracy, 0.95); });
    };
}

}  // namespace ropewalk
