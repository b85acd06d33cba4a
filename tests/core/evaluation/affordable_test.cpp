// The estimated work of questions.
#include "core/evaluation/affordable.h"

#include <gtest/gtest.h>

#include <string>

#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

const std::string trained_model = "construction=model_head construction.source=trained ";
const std::string trained_one_step = trained_model + "construction.recipe.steps=1 ";

/// Returns the estimated work of a question about the head with these settings.
double work_for(const std::string& settings, const Question& question) {
    static const auto backend = open_backend("cpu", 1);
    return work_of(changed({}, settings), {question}, *backend, {});
}

TEST(Affordable, OnlyLongTimesAreTold) {
    EXPECT_EQ(long_time_of(1e12), std::nullopt);
    EXPECT_EQ(long_time_of(3.3e14), "3 hours");
    EXPECT_GT(training_work({.steps = 100'000, .seed = 91}, 100'000), 2e13);
    EXPECT_EQ(training_work({.steps = 100'000, .seed = 91}, 0), 0);
}

TEST(Affordable, NumberFormatsAndRowsHaveACost) {
    constexpr NumberFormat half = NumberFormat::fp16;
    const NumberFormatQuestion formats{.formats = {half, half, half, half, half}, .cells = 1};
    EXPECT_GT(work_for("seq_len=1048576 head_dim=256", formats), 5e11);
    EXPECT_EQ(work_for("seq_len=1024", formats), 0);
    EXPECT_GT(work_for("seq_len=1048576", RobustnessQuestion{.target = 5}), 1e11);
    EXPECT_GT(work_for("seq_len=1048576 head_dim=128 construction=gaussian", EntryQuestion{}), 1e11);
    EXPECT_GT(work_for("seq_len=1048576 head_dim=128 construction=gaussian", OneRowStatisticsQuestion{}), 1e11);
    EXPECT_LT(work_for("seq_len=1048576 head_dim=128", EntryQuestion{}), 1e9);
}

TEST(Affordable, PropertiesCostMoreWhereTheyDependOnPositions) {
    EXPECT_EQ(work_for("seq_len=1024 head_dim=64", PropertiesQuestion{}), 0);
    const double one_row = work_for("seq_len=1048576 head_dim=256", PropertiesQuestion{});
    EXPECT_GT(one_row, 3e10);
    EXPECT_LT(one_row, 2e11);
    EXPECT_GT(work_for("seq_len=1048576 head_dim=256 encoding=self_extend", PropertiesQuestion{}), 1e13);
    EXPECT_LT(work_for("seq_len=1048576 head_dim=64 encoding=self_extend", PropertiesQuestion{}), 8e12);
    EXPECT_GT(work_for("seq_len=32768 head_dim=256 encoding=random_rope encoding.upper=16777216", PropertiesQuestion{}),
              1e12);
}

TEST(Affordable, SumsOfPhasorsCostMoreWhereTheyDependOnPositions) {
    const PartialSumsQuestion sums{.count = 1 << 20};
    const AbelQuestion bounds{.count = 1 << 20};
    for (const Question& question : {Question(sums), Question(bounds)}) {
        EXPECT_LT(work_for("seq_len=1048576 head_dim=256", question), 1e10);
        EXPECT_GT(work_for("seq_len=1048576 head_dim=256 encoding=self_extend", question), 3e11);
        EXPECT_GT(work_for("seq_len=1048576 head_dim=256 encoding=random_rope encoding.upper=1048576", question), 3e11);
    }
    EXPECT_GT(work_for("seq_len=1048576 head_dim=256 encoding=xpos", bounds), 1e11);
    EXPECT_EQ(work_for("seq_len=1048576 head_dim=256", AbelQuestion{.count = 256}), 0);
}

TEST(Affordable, TrainingsCostTheirSteps) {
    const double train = work_for(trained_one_step + "seq_len=64", TrainingQuestion{});
    EXPECT_GT(train, 1e8);
    EXPECT_LT(train, 1e10);
    EXPECT_GT(work_for(trained_one_step + "construction.recipe.context=1024", LengthTestQuestion{}), 5e11);
    // A sequence of 16 times this training length would take 4 GiB, and one of 8 times 2 GiB.
    const Experiment large = changed({}, trained_one_step +
                                             "construction.recipe.width=16 construction.recipe.head_dim=16 "
                                             "construction.recipe.feed_forward=4096 construction.recipe.batch=1 "
                                             "construction.recipe.vocabulary=4096 construction.recipe.context=4096");
    EXPECT_LT(LengthTestQuestion{}.model_work(large), 2e12);
    EXPECT_GT(work_for(trained_model + "construction.recipe.steps=100000 construction.step=1", TrainingQuestion{}),
              1e13)
        << "the curve goes to the last step, whatever step is shown";
}

TEST(Affordable, ComparedCurvesCostWhatTheirHeadsCost) {
    const std::string long_training =
        trained_model + "construction.recipe.steps=100000 construction.recipe.context=1024";
    const std::string many_samples = "construction=gaussian construction.samples=10000 seq_len=1048576";
    for (const std::string& settings : {long_training, many_samples}) {
        EXPECT_GT(work_for("seq_len=64", DecayQuestion{.settings = settings}), 1e13) << settings;
        EXPECT_GT(work_for("seq_len=64", PinnedDecayQuestion{.settings = settings}), 1e13) << settings;
    }
    const std::string own = trained_one_step + "construction.recipe.seed=8 seq_len=64";
    work_for(own, RowQuestion{});  // trains
    EXPECT_LT(work_for(own, DecayQuestion{.settings = "encoding=nope"}), 1e6) << "the same run";
}

TEST(Affordable, GoingBackCostsTheStepsThatAreNotKept) {
    const std::string run_settings =
        trained_model + "construction.recipe.steps=9 construction.recipe.seed=7 seq_len=64 ";
    const std::string eighth = run_settings + "construction.step=8";
    const Experiment last_shown = changed({}, run_settings);
    const Recipe recipe = *recipe_of(last_shown);
    const auto run = new_training_run_of(recipe);
    const double step = training_work(recipe, 1);
    run->train_to(9);
    const double kept = UsageOverTrainingQuestion{}.model_work(last_shown);
    run->condense();
    EXPECT_DOUBLE_EQ(work_for(eighth, TrainingQuestion{}), 8 * step);
    EXPECT_DOUBLE_EQ(work_for(run_settings, TrainingQuestion{}), 0);
    EXPECT_NEAR(UsageOverTrainingQuestion{}.model_work(last_shown) - kept, 8 * step, 0.01 * step);
    EXPECT_GE(work_for(run_settings, DecayQuestion{.settings = "construction.step=8"}), 8 * step);
    EXPECT_LT(work_for(eighth, DecayQuestion{.settings = "encoding=nope"}), 9 * step) << "the same step";
}

TEST(Affordable, ModelsCostAllTheirHeads) {
    // Narrow heads take less time than their statistics, if all tokens are equal.
    const Experiment narrow = changed({}, trained_one_step +
                                              "construction.recipe.heads=8 construction.recipe.head_dim=8 head_dim=8 "
                                              "seq_len=65536");
    const std::shared_ptr<const Model> model = learned_head_of(narrow.construction)->model;
    const double weights = 8 * model->config.layer_count() * 65536. * 65536 / 2;
    EXPECT_GT(run_work(narrow) - run_work(*model, 65536), 20 * weights);

    const std::string wide = trained_one_step +
                             "construction.recipe.layers=16 construction.recipe.heads=8 "
                             "construction.recipe.head_dim=64 head_dim=64 seq_len=65536";
    EXPECT_GT(work_for(wide, AtlasQuestion{}), 1e13);
    EXPECT_GT(work_for(wide, TokensQuestion{}), 1e13);
    EXPECT_GT(work_for(wide, AtlasQuestion{.measure = AtlasMeasure::loss_without_head}), 1e15);
}

}  // namespace
}  // namespace ropewalk
