// Proofs of the scenes of a model whose weights are set by hand.
#include "core/analysis/models/head_atlas.h"
#include "core/analysis/models/model_answers.h"
#include "tests/core/experiment/scene_proofs.h"

namespace ropewalk {
namespace {

template <class Q>
typename Q::Answer about_model(const Q& question, const Experiment& experiment) {
    const auto backend = open_backend("cpu", 2);
    const Problem problem = make_problem(experiment);
    return question.answer(AnalysisContext{experiment, problem, {.query = experiment.seq_len - 1}, *backend, {}});
}

}  // namespace

void add_models(Proofs& proofs) {
    proofs["model-previous-token"] = [](const Experiment& e) {
        on_both_backends(e, {1, e.seq_len}, {0, e.seq_len}, [&](const AttentionView& view) {
            for (int row = 0; row + 1 < e.seq_len; ++row)
                EXPECT_GT(view.weights.mean[static_cast<std::size_t>(row * e.seq_len + row)], 0.9);
        });
    };
    // After the second "the" (token 7), the head looks at what followed the first (token 2), and the model says "cat".
    proofs["model-induction"] = [](const Experiment& e) {
        on_both_backends(e, {7, 8}, {2, 3}, [](const AttentionView& view) { EXPECT_GT(view.weights.mean[0], 0.9); });
        const auto tokens = about_model(TokensQuestion{}, e);
        EXPECT_LT(tokens.loss[8], 0.25);
        EXPECT_GT(tokens.loss[2], 1.0);
    };
    proofs["model-atlas"] = [](const Experiment& e) {
        const auto slow = about_model(AtlasQuestion{.measure = AtlasMeasure::slow_share}, e);
        EXPECT_LT(slow.at(0, 0), 0.01);
        EXPECT_GT(slow.at(1, 0), 0.2);
    };
}

}  // namespace ropewalk
