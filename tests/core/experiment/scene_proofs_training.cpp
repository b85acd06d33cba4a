// Proofs of the scenes whose models are trained here: what they show holds for five seeds.
#include "core/constructions/construction.h"
#include "core/experiment/settings.h"
#include "core/training/batch.h"
#include "core/training/training_run.h"
#include "tests/core/experiment/scene_proofs.h"

namespace ropewalk {
namespace {

/// Calls visit(accuracy) with that of held-out sequences, `times` as long as those of the training, for five seeds of
/// the scene's recipe with `settings` applied.
template <class Visit>
void for_five_seeds(const Experiment& scene, const std::string& settings, int times, Visit visit) {
    for (int seed = 0; seed < 5; ++seed) {
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
        for_five_seeds(e, "", 1, [](double accuracy) { EXPECT_GT(accuracy, 0.99); });
        for_five_seeds(e, "construction.recipe.encoding=nope", 1, [](double accuracy) { EXPECT_LT(accuracy, 0.2); });
    };
    proofs["train-back-16"] = [](const Experiment& e) {
        for_five_seeds(e, "", 1, [](double accuracy) { EXPECT_GT(accuracy, 0.9); });
        for (const char* encoding : {"nope", "alibi"})
            for_five_seeds(e, std::string("construction.recipe.encoding=") + encoding, 1,
                           [](double accuracy) { EXPECT_LT(accuracy, 0.2); });
    };
}

}  // namespace ropewalk
