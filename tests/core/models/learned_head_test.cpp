// The model in assets/models/induction, whose weights say what its heads do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "core/analysis/models/head_atlas.h"
#include "core/analysis/models/model_answers.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/conform.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

using testing::Each;
using testing::HasSubstr;

const FileAccess anywhere{.folder = "", .reach = FileAccess::Reach::anywhere};
constexpr auto text_read = "the cat sat on mat and the cat ran by the tree and the cat sat";

Experiment induction(const Settings& settings = {}) {
    Experiment experiment;
    for (const std::string& setting :
         {std::string("construction=model_head"), std::string("construction.model=bundled:induction"),
          std::string("construction.text=") + text_read})
        apply_setting(experiment, setting, anywhere);
    for (const std::string& setting : settings) apply_setting(experiment, setting, anywhere);
    return experiment;
}

template <class Q>
typename Q::Answer asked(const Q& question, const Experiment& experiment) {
    const auto backend = open_backend("cpu");
    const Problem problem = make_problem(experiment);
    return question.answer(AnalysisContext{experiment, problem, {.query = experiment.seq_len - 1}, *backend, {}});
}

TEST(LearnedHead, OpeningTakesOverWhatTheLayerWasTrainedWith) {
    const Experiment experiment = induction();
    EXPECT_EQ(validate(experiment).value_or(""), "");
    EXPECT_EQ(experiment.head_dim, 64);
    EXPECT_EQ(experiment.seq_len, 17);  // BOS and 16 words
    EXPECT_EQ(experiment.pairing, Pairing::half_split);
    EXPECT_EQ(experiment.scale, Scale::sqrt_d);
    EXPECT_EQ(id_of(experiment.encoding), std::string("rope"));
}

TEST(LearnedHead, WhatWasChangedStaysWhenTheLayerChanges) {
    const Experiment changed = induction({"encoding.base=500", "construction.layer=1"});
    EXPECT_EQ(number_at(changed, "encoding.base"), 500.0);
    EXPECT_EQ(changed.seq_len, 17);
    EXPECT_FALSE(as_trained(changed) == changed);
}

TEST(LearnedHead, EachHeadDoesWhatItsWeightsSay) {
    const auto previous = asked(AtlasQuestion{.measure = AtlasMeasure::previous}, induction());
    EXPECT_GT(previous.at(0, 0), 0.9);
    EXPECT_LT(previous.at(1, 0), 0.3);
    EXPECT_GT(asked(AtlasQuestion{.measure = AtlasMeasure::first}, induction()).at(0, 1), 0.9);
    EXPECT_GT(asked(AtlasQuestion{.measure = AtlasMeasure::induction}, induction()).at(1, 0), 0.9);
    // Fast pairs in the positional head, slow ones in the heads that compare words.
    const auto slow = asked(AtlasQuestion{.measure = AtlasMeasure::slow_share}, induction());
    EXPECT_LT(slow.at(0, 0), 0.01);
    EXPECT_GT(slow.at(1, 0), 0.2);
}

TEST(LearnedHead, TheAtlasIsTheMeanOfTheMatrix) {
    const Experiment experiment = induction();
    const auto backend = make_reference_backend();
    const int n = experiment.seq_len;
    const auto view = backend->attend(make_problem(experiment), Viewport::one_to_one({0, n}, {0, n}), {});
    double previous = 0, entropy = 0;
    for (int i = 0; i < n; ++i) {
        if (i > 0) previous += view.weights.mean[static_cast<std::size_t>(i * n + i - 1)] / (n - 1);
        for (int j = 0; j <= i; ++j)
            if (const double w = view.weights.mean[static_cast<std::size_t>(i * n + j)]; w > 0)
                entropy -= w * std::log(w) / n;
    }
    EXPECT_NEAR(asked(AtlasQuestion{.measure = AtlasMeasure::previous}, experiment).at(0, 0), previous, 1e-6);
    EXPECT_NEAR(asked(AtlasQuestion{.measure = AtlasMeasure::entropy}, experiment).at(0, 0), entropy, 1e-6);
}

TEST(LearnedHead, PicturesHaveTheMatrixInSmall) {
    const Experiment experiment = induction();
    const int n = experiment.seq_len;
    const auto pictures = asked(HeadPicturesQuestion{.cells = n}, experiment);
    const auto view =
        make_reference_backend()->attend(make_problem(experiment), Viewport::one_to_one({0, n}, {0, n}), {});
    ASSERT_EQ(pictures.pictures.size(), 4u);
    for (int cell = 0; cell < n * n; ++cell)
        EXPECT_NEAR(static_cast<double>(pictures.pictures[0][static_cast<std::size_t>(cell)]),
                    view.weights.mean[static_cast<std::size_t>(cell)], 1e-6);
}

TEST(LearnedHead, RepeatedWordsArePredicted) {
    const auto tokens = asked(TokensQuestion{}, induction());
    EXPECT_LT(tokens.loss[8], 0.25);  // the second "cat", after the second "the"
    EXPECT_GT(tokens.loss[2], 1.0);   // the first one
    const auto without = induction({"construction.scope=model", "encoding=nope"});
    EXPECT_GT(asked(TokensQuestion{}, without).loss[8], 1.0);  // without rotation nothing looks one back
}

TEST(LearnedHead, ACancelledRunGoesOnWhereItWas) {
    const Experiment experiment = induction({"construction.text=cat sat on mat and the cat sat"});
    const auto model = learned_head_of(experiment.construction)->model;
    const RunRequest request{.tokens = {0, 2, 3, 4, 5, 6, 1, 2, 3}};
    const auto whole = ModelRun(model, request).outputs();
    // Cancelled once the first layer is computed, then continued.
    ModelRun run(model, request);
    std::atomic<std::uint64_t> generation{0};
    const Cancel cancel(generation, 0);
    EXPECT_THROW(run.outputs(cancel, [&](double) { generation = 1; }), Cancelled);
    EXPECT_EQ(run.outputs()->loss, whole->loss);
}

TEST(LearnedHead, RefusesWhatTheModelLacks) {
    EXPECT_THAT(validate(induction({"construction.layer=2"})).value_or(""), HasSubstr("layers 0 to 1"));
    EXPECT_THAT(validate(induction({"construction.head=2"})).value_or(""), HasSubstr("heads 0 to 1"));
    EXPECT_THAT(validate(induction({"seq_len=18"})).value_or(""), HasSubstr("17 tokens"));
    EXPECT_THAT(validate(induction({"construction.tokens=1,99", "seq_len=2"})).value_or(""), HasSubstr("from 0 to 29"));
    EXPECT_THROW(induction({"construction.model=/nowhere"}), IoError);
}

TEST(EffectiveRank, IsTheNumberOfEqualDirections) {
    std::vector<float> matrix(8 * 12, 0.0f);
    for (int i = 0; i < 5; ++i) matrix[static_cast<std::size_t>(i * 12 + i)] = 3;
    EXPECT_NEAR(effective_rank(matrix, 8, 12), 5, 1e-9);
    EXPECT_EQ(effective_rank(std::vector<float>(96, 0.0f), 8, 12), 0);
    matrix.assign(96, 2.0f);
    EXPECT_NEAR(effective_rank(matrix, 8, 12), 1, 1e-6);
}

}  // namespace
}  // namespace ropewalk
