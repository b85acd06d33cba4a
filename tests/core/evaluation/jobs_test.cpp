// Long questions beside the worker: they come with progress, survive a moving cursor, and end when nobody wants them.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "core/attention/make_problem.h"
#include "core/evaluation/open_backend.h"
#include "core/evaluation/worker.h"
#include "core/experiment/settings.h"

namespace ropewalk {
namespace {

using std::chrono::steady_clock;

Job job_of(const Question& question, const Experiment& experiment) {
    auto problem = std::make_shared<const Problem>(make_problem(experiment));
    return {key_of(question, {experiment, problem->lowered, {}}), experiment, problem, {}};
}

/// Whether a condition holds before long.
template <class F>
bool soon(F&& holds) {
    for (const auto end = steady_clock::now() + std::chrono::seconds(60); steady_clock::now() < end;) {
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

TEST(Jobs, AnswersComeInAndExactResultsDoNotWaitForThem) {
    Worker worker(open_backend("reference"), [] {});
    const MinBaseQuestion question{.context_length = 1000, .head_dim = 128};
    worker.request({.experiment = {.seq_len = 16}, .needs = {question, RowQuestion{}}});
    const WorkerState state = worker.wait();
    EXPECT_TRUE(state.results->jobs.empty());
    ASSERT_TRUE(answers(*state.results, {question, RowQuestion{}}));
    EXPECT_NEAR(state.results->find(question)->certified->feasible.value_or(0), 4206.02, 0.01);
    EXPECT_EQ(state.results->find(question)->on_grid, 4.3e3);  // Men et al. 2024, the table's first entry
}

TEST(Jobs, ATrainingThatDivergedHasACurveAndASentence) {
    Worker worker(open_backend("reference"), [] {});
    const Experiment diverging = changed(
        {},
        "construction=model_head construction.source=trained construction.recipe.task=recall head_dim=4 "
        "construction.recipe.learning_rate=1 construction.recipe.weight_decay=10 "
        "construction.recipe.embedding_scale=10 construction.recipe.batch=1 construction.recipe.context=16 seq_len=16 "
        "construction.recipe.steps=300 construction.recipe.width=8 construction.recipe.heads=1 "
        "construction.recipe.head_dim=4 construction.recipe.feed_forward=8");
    worker.request({.experiment = diverging, .needs = {TrainingQuestion{}, RowQuestion{}}});
    const WorkerState state = worker.wait();
    EXPECT_TRUE(state.error.starts_with("the training diverged: ")) << state.error;
    ASSERT_TRUE(state.results);
    EXPECT_FALSE(answers(*state.results, {RowQuestion{}}));
    const auto curve = state.results->find(TrainingQuestion{});
    ASSERT_TRUE(curve);
    ASSERT_GT(curve->size(), 1u);
    EXPECT_TRUE(std::isfinite(curve->front().loss));
    EXPECT_TRUE(curve->back().has_diverged());
}

// Threads of our own alone, for ThreadSanitizer: Debian's TBB is not instrumented.
TEST(Threads, AJobIsDoneBesideTheWorker) {
    Worker worker(open_backend("reference"), [] {});
    const TopPairsQuestion question{.cells = 40'000};
    Request request{.experiment = {.head_dim = 16, .seq_len = 64}, .needs = {question, RowQuestion{}}};
    for (int query = 0; query < 20; ++query) {
        request.cursor.query = query;
        worker.request(request);
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    const WorkerState state = worker.wait();
    ASSERT_TRUE(answers(*state.results, request.needs));
    double sum = 0;
    for (const double share : *state.results->find(question)) sum += share;
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(state.results->find(RowQuestion{})->query, 19);
}

TEST(Jobs, ContinuesWhenWantedAgainAndReportsProgress) {
    JobRunner runner([] {});
    const Job job = job_of(MinBaseQuestion{.context_length = 100'000, .head_dim = 128}, {});
    runner.want({job});
    ASSERT_TRUE(soon([&] { return runner.progress() && runner.progress()->fraction > 0; }));
    EXPECT_EQ(runner.progress()->stage, "min base");
    double before = runner.progress()->fraction;
    std::vector<JobRunner::Finished> finished;
    ASSERT_TRUE(soon([&] {
        runner.want({job});  // as every move of the cursor does
        if (const auto progress = runner.progress()) {
            EXPECT_GE(progress->fraction, before) << "it was begun again";
            before = progress->fraction;
        }
        finished = runner.take_finished();
        return !finished.empty();
    }));
    EXPECT_EQ(finished[0].key, job.key);
    EXPECT_EQ(finished[0].error, "");
    EXPECT_TRUE(finished[0].answer);
    EXPECT_FALSE(runner.progress());
}

TEST(Jobs, EndsWhenNobodyWantsIt) {
    JobRunner runner([] {});
    runner.want({job_of(MinBaseQuestion{.context_length = 1 << 20, .head_dim = 128}, {})});
    ASSERT_TRUE(soon([&] { return runner.progress().has_value(); }));
    const auto start = steady_clock::now();
    runner.want({});
    ASSERT_TRUE(soon([&] { return !runner.progress(); }));
    EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(5));  // it takes longer to its end
    EXPECT_TRUE(runner.take_finished().empty());
}

TEST(Jobs, OneThatFailedLeavesTheWorkerFree) {
    Worker worker(open_backend("reference"), [] {});
    const RandomPositionsQuestion impossible{.tokens = 20'000, .upper = 10'000};
    Request request{.experiment = {.head_dim = 16, .seq_len = 64}, .needs = {impossible, RowQuestion{}}};
    worker.request(request);
    EXPECT_NE(worker.wait().error.find("random positions need"), std::string::npos);
    request.cursor.query = 3;
    worker.request(request);
    WorkerState state = worker.wait();
    EXPECT_EQ(state.results->find(RowQuestion{})->query, 3);
    EXPECT_NE(state.error.find("random positions need"), std::string::npos) << "it is wanted still";
    request.needs = {impossible, RandomPositionsQuestion{.tokens = 30'000, .upper = 10'000}, RowQuestion{}};
    worker.request(request);
    EXPECT_NE(worker.wait().error, "");
    request.needs = {RowQuestion{}};
    worker.request(request);
    EXPECT_EQ(worker.wait().error, "");
}

TEST(Jobs, ASettingThatCannotBeSpoilsOnlyItsOwnCurve) {
    Worker worker(open_backend("reference"), [] {});
    worker.request({.experiment = {.seq_len = 16},
                    .needs = {DecayQuestion{.settings = "head_dim=7"}, DecayQuestion{.settings = "encoding=nope"}}});
    const WorkerState state = worker.wait();
    EXPECT_EQ(state.error, "");
    EXPECT_NE(state.results->find(DecayQuestion{.settings = "head_dim=7"})->complaint.find("head_dim is 7"),
              std::string::npos);
    EXPECT_EQ(state.results->find(DecayQuestion{.settings = "encoding=nope"})->mean.size(), 16u);
}

TEST(Jobs, ACurveThatTrainsAnotherModelLeavesTheWorkerFree) {
    const DecayQuestion compared{.settings =
                                     "construction=model_head construction.source=trained "
                                     "construction.recipe.steps=100000 construction.recipe.seed=77"};
    const DecayQuestion short_one{.settings = "encoding=nope"};
    Request request{.experiment = {.seq_len = 64}, .needs = {compared, short_one, RowQuestion{}}};
    Evaluator evaluator(open_backend("cpu", 1));
    for (const Detail detail : {Detail::coarse, Detail::prompt, Detail::exact}) {
        const auto results = evaluator.evaluate(request, detail, {});
        EXPECT_FALSE(results->find(compared));
        EXPECT_TRUE(results->find(short_one));
        EXPECT_EQ(results->jobs.size(), detail == Detail::exact ? 1u : 0u);
    }
    request.experiment = changed(request.experiment, compared.settings);
    EXPECT_FALSE(compared.is_about_long_head(request.experiment)) << "the head needs that training anyway";
}

}  // namespace
}  // namespace ropewalk
