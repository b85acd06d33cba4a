// The model in assets/models/induction, whose weights say what its heads do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "core/analysis/models/copying.h"
#include "core/analysis/models/head_atlas.h"
#include "core/analysis/models/loss_by_position.h"
#include "core/analysis/models/masked_heads.h"
#include "core/analysis/models/model_answers.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/conform.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"
#include "core/models/open_model.h"
#include "core/models/run/model_run.h"
#include "core/training/batch.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::HasSubstr;
using testing::NanSensitiveDoubleEq;
using testing::NanSensitiveDoubleNear;
using testing::Pointwise;

const FileAccess anywhere{.folder = "", .reach = FileAccess::Reach::anywhere};
constexpr auto text_read = "the cat sat on mat and the cat ran by the tree and the cat sat";

Experiment induction(const Settings& settings = {}) {
    Experiment experiment;
    Settings all{"construction=model_head", "construction.model=bundled:induction"};
    all.push_back(std::string("construction.text=") + text_read);
    all.insert(all.end(), settings.begin(), settings.end());
    for (const std::string& setting : all) apply_setting(experiment, setting, anywhere);
    return experiment;
}

template <class Q>
typename Q::Answer asked(const Q& question, const Experiment& experiment) {
    const auto backend = open_backend("cpu");
    const Problem problem = make_problem(experiment);
    return question.answer(AnalysisContext{experiment, problem, {.query = experiment.seq_len - 1}, *backend, {}});
}

TEST(LearnedHead, ARunThatTakesTooMuchMemoryIsRefused) {
    ModelConfig config{.width = 8, .heads = 64, .key_heads = 64, .head_dim = 64, .feed_forward = 16};
    // The queries and keys of 40 000 tokens take 2 · 40 000 · 64 · 64 · 4 bytes per layer, and the run needs more.
    const double of_layer = 2.6e9;
    EXPECT_NO_THROW(require_memory_for_run(config, 40'000, 1, 3 * of_layer));
    EXPECT_THROW(require_memory_for_run(config, 40'000, 1, of_layer), LimitError);
    EXPECT_THROW(require_memory_for_run(config, 40'000, 3, 2 * of_layer), LimitError);
    EXPECT_NO_THROW(require_memory_for_run(config, 4'000, 3, 2 * of_layer));
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

TEST(LearnedHead, PairsAreThoseOfTheEncodingWithWhichAHeadAttends) {
    const auto losses_with = [](const std::string& interventions) {
        return asked(TokensQuestion{}, induction({"construction.interventions=" + interventions})).loss;
    };
    const std::string pairs = "kind=only_pairs pairs=4", encoding = "kind=encoding encoding=partial";
    EXPECT_THAT(losses_with(pairs + " | " + encoding),
                Pointwise(NanSensitiveDoubleEq(), losses_with(encoding + " | " + pairs)));
}

/// Returns a model with one head that is trained on the task, with the settings of the scene train-back.
Experiment trained_on(const std::string& task) {
    return changed({},
                   "construction=model_head construction.source=trained construction.recipe.layers=1 "
                   "construction.recipe.heads=1 construction.recipe.embedding_scale=0.02 "
                   "construction.recipe.learning_rate=0.003 construction.recipe.steps=100 "
                   "construction.recipe.task=" +
                       task);
}

/// Returns −ln p of a target at each token of a model's text, from its logits; NaN where the target is −1.
std::vector<double> losses_from_logits(const Experiment& experiment, const std::vector<int>& targets) {
    const auto run = run_of(experiment.construction,
                            {experiment.shape(), lower(experiment.encoding, experiment.shape()), Cancel{}, {}});
    std::vector<double> losses;
    for (int row = 0; row < experiment.seq_len; ++row) {
        const auto logits = run->next_token_logits({&row, 1});
        const int target = targets.at(static_cast<std::size_t>(row));
        double sum = 0;
        for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
        const float given = target < 0 ? std::nanf("") : logits[static_cast<std::size_t>(target)];
        losses.push_back(std::log(sum) - static_cast<double>(given));
    }
    return losses;
}

/// Returns the losses of what the task asks for in the sequence that a trained model reads.
std::vector<double> losses_of_task(const Experiment& experiment) {
    const Recipe recipe = trained_head_of(experiment.construction)->recipe;
    return losses_from_logits(experiment, test_batch(recipe, experiment.seq_len, 1).targets);
}

double mean_without_nan(const std::vector<double>& losses) {
    double sum = 0;
    int count = 0;
    for (const double loss : losses)
        if (!std::isnan(loss)) sum += loss, ++count;
    return sum / count;
}

constexpr double rounding = 1e-4;  // of single-precision logits

TEST(TrainedHead, TheLossIsThatOfItsTask) {
    for (const char* task : {"back", "recall", "both construction.recipe.steps=8", "induction",
                             "back construction.recipe.task.distance=0 construction.recipe.steps=8"}) {
        SCOPED_TRACE(task);
        const Experiment experiment = trained_on(task);
        const auto tokens = asked(TokensQuestion{}, experiment);
        EXPECT_THAT(tokens.loss, Pointwise(NanSensitiveDoubleNear(rounding), losses_of_task(experiment)));
        EXPECT_NEAR(tokens.mean_loss, mean_without_nan(losses_of_task(experiment)), rounding);
    }
    const auto recall = asked(TokensQuestion{}, trained_on("recall"));
    for (std::size_t i = 1; i < recall.loss.size(); i += 2) EXPECT_TRUE(std::isnan(recall.loss[i])) << "a value";
}

TEST(TrainedHead, AllLossesAreThoseOfItsTask) {
    const Experiment experiment = trained_on("back");
    const auto tokens = asked(TokensQuestion{}, experiment);
    EXPECT_LT(tokens.mean_loss, 0.1);
    const auto by_position = asked(LossByPositionQuestion{}, experiment);
    EXPECT_THAT(by_position.present, Pointwise(NanSensitiveDoubleEq(), tokens.loss));
    ASSERT_FALSE(by_position.methods.empty());
    for (const auto& method : by_position.methods) EXPECT_TRUE(std::isnan(method.loss.at(0))) << method.id;

    const auto mean_with = [&](const char* intervention) {
        return mean_without_nan(losses_of_task(changed(experiment, intervention)));
    };
    const double without_head = mean_with("construction.interventions=kind=zero_output"),
                 without_rope = mean_with("construction.interventions=kind=rotation_off");
    EXPECT_GT(without_head, 2) << "the only head finds the answer";
    EXPECT_GT(without_rope, 2);
    const auto atlas = [&](AtlasMeasure measure) {
        return asked(AtlasQuestion{.measure = measure}, experiment).at(0, 0);
    };
    EXPECT_NEAR(atlas(AtlasMeasure::loss_without_head), without_head, rounding);
    EXPECT_NEAR(atlas(AtlasMeasure::loss_without_rope), without_rope, rounding);
    const auto masked = asked(MaskedHeadsQuestion{.measure = AtlasMeasure::previous}, experiment);
    EXPECT_EQ(masked.loss, tokens.mean_loss);
    EXPECT_NEAR(masked.shares.at(0).loss, without_head, rounding);
}

TEST(TrainedHead, OfATextTheLossIsThatOfEachToken) {
    for (const Experiment& experiment :
         {trained_on("language construction.recipe.steps=8"),
          changed(trained_on("back construction.recipe.steps=8"), "construction.tokens=1,2,3,3 seq_len=4")}) {
        const auto tokens = asked(TokensQuestion{}, experiment);
        std::vector<int> next(tokens.ids.begin() + 1, tokens.ids.end());
        next.push_back(-1);
        std::vector<double> expected = losses_from_logits(experiment, next);
        EXPECT_NEAR(tokens.mean_loss, mean_without_nan(expected), rounding);
        expected.insert(expected.begin(), 0), expected.pop_back();
        EXPECT_THAT(tokens.loss, Pointwise(DoubleNear(rounding), expected));
    }
}

TEST(TrainedHead, WithoutATargetThereIsNoLoss) {
    const Experiment experiment = changed(trained_on("back construction.recipe.steps=8"),
                                          "seq_len=1 seed=9007199254740991");  // the largest one
    EXPECT_TRUE(std::isnan(asked(TokensQuestion{}, experiment).mean_loss));
    const auto masked = asked(MaskedHeadsQuestion{.measure = AtlasMeasure::loss_without_head}, experiment);
    EXPECT_TRUE(std::isnan(masked.loss));
    EXPECT_TRUE(masked.shares.at(0).heads.empty()) << "no head has a measure";
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

TEST(LearnedHead, AFileThatChangesStaysRefused) {
    namespace fs = std::filesystem;
    const std::pair<const char*, void (*)(const std::string&)> changes[] = {
        {"empty", [](const std::string& file) { fs::resize_file(file, 0); }},
        {"shorter by less than a page",
         [](const std::string& file) { fs::resize_file(file, fs::file_size(file) - 1); }},
        {"written over",
         [](const std::string& file) {
             std::fstream(file, std::ios::in | std::ios::out).seekp(-4, std::ios::end) << 1;
         }},
    };
    for (const auto& [what, change] : changes) {
        const TemporaryFolder folder;
        for (const auto& entry : fs::directory_iterator(ROPEWALK_SOURCE_DIR "/assets/models/induction"))
            fs::copy(entry, folder.path());
        const std::string weights = folder.file("model.safetensors");
        fs::last_write_time(weights, fs::last_write_time(weights) - std::chrono::hours(1));
        const auto model = open_model(folder.path());
        const RunRequest request{.tokens = {0, 2, 3, 4}};
        ModelRun begun(model, request), fresh(model, request);
        begun.layer(0);
        change(weights);
        for (int time = 0; time < 4; ++time) {
            EXPECT_THROW(begun.layer(1), IoError) << what << time;
            EXPECT_THROW(begun.outputs(), IoError) << what << time;
            EXPECT_THROW(fresh.layer(0), IoError) << what << time;
        }
        EXPECT_THROW(copying_of(*model, 0, 0, {}), IoError) << what;
        EXPECT_NE(begun.layer(0), nullptr) << what << ": it was computed before";
    }
}

TEST(LearnedHead, RefusesWhatTheModelLacks) {
    EXPECT_THAT(validate(induction({"construction.layer=2"})).value_or(""), HasSubstr("layers 0 to 1"));
    EXPECT_THAT(validate(induction({"construction.head=2"})).value_or(""), HasSubstr("heads 0 to 1"));
    EXPECT_THAT(validate(induction({"seq_len=18"})).value_or(""), HasSubstr("17 tokens"));
    EXPECT_THAT(validate(induction({"construction.tokens=1,99", "seq_len=2"})).value_or(""), HasSubstr("from 0 to 29"));
    EXPECT_THROW(induction({"construction.model=/nowhere"}), IoError);
}

/// A reference into a model that others displace is seen under AddressSanitizer only.
TEST(TrainedHead, IsCheckedWhileOthersUseMoreModelsThanAreKept) {
    const Experiment experiment = trained_on("back");
    const auto check_many = [&](int first) {
        for (int i = 0; i < 100; ++i) {
            const Experiment other =
                changed(experiment, "construction.recipe.embedding_scale=0." + std::to_string(first + i % 10));
            EXPECT_EQ(validate(other), std::nullopt);
        }
    };
    std::thread beside(check_many, 100);
    check_many(200);
    beside.join();
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
