// Shared runs: any step again from snapshots, files of finished runs, and a leader that alone trains.
#include "core/training/training_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "core/io/files.h"
#include "core/training/training_cache.h"
#include "tests/shared_runs.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

Recipe small_recipe(std::int64_t seed = 0) {
    return {.layers = 1,
            .heads = 1,
            .head_dim = 8,
            .width = 16,
            .feed_forward = 16,
            .vocabulary = 8,
            .context = 12,
            .batch = 4,
            .steps = 40,
            .seed = seed};
}

std::vector<float> parameters_after(const Recipe& recipe, int steps) {
    Trainer trainer(recipe, 1);
    while (trainer.steps_done() < steps) trainer.step();
    return {trainer.parameters().begin(), trainer.parameters().end()};
}

TEST(TrainingRun, EveryStepIsThatOfAnUninterruptedRun) {
    TrainingRun run(small_recipe());
    run.train_to(40);
    ASSERT_EQ(run.steps_done(), 40);
    for (const int steps : {0, 1, 17, 39, 40})
        EXPECT_EQ(run.state_after(steps)->parameters, parameters_after(small_recipe(), steps)) << steps;
    Trainer trainer(small_recipe(), 1);
    for (const BatchScore& score : run.scores()) EXPECT_EQ(score, trainer.step());
}

TEST(TrainingRun, ItsModelIsThatOfTheStep) {
    TrainingRun run(small_recipe());
    EXPECT_NE(run.model_after(40)->hash, run.model_after(0)->hash);
    EXPECT_EQ(run.model_after(100)->hash, run.model_after(40)->hash) << "a recipe has no more steps than it says";
}

TEST(TrainingRun, ARestedRunContinuesWhereItWas) {
    TrainingRun run(small_recipe());
    for (const int steps : {3, 4, 21}) {
        run.train_to(steps);
        run.rest();
        ASSERT_EQ(run.steps_done(), steps);
        EXPECT_EQ(run.state_after(steps)->parameters, parameters_after(small_recipe(), steps)) << steps;
    }
    run.train_to(40);
    EXPECT_EQ(run.state_after(40)->parameters, parameters_after(small_recipe(), 40));
    Trainer trainer(small_recipe(), 1);
    for (const BatchScore& score : run.scores()) EXPECT_EQ(score, trainer.step());
}

TEST(TrainingRun, GoingBackIsWork) {
    const Recipe recipe = small_recipe(23);
    const auto run = new_training_run_of(recipe);
    const double step = training_work(recipe, 1);
    EXPECT_GT(step, 0);
    EXPECT_EQ(replay_work(recipe, std::vector{5, 17}), 0) << "every step will be kept";
    run->train_to(17);
    EXPECT_EQ(training_work(recipe, 9), 0) << "it is kept";
    run->condense();  // keeps the start and the last step
    EXPECT_EQ(training_work(recipe, 0), 0);
    EXPECT_EQ(training_work(recipe, 9), 9 * step);
    EXPECT_EQ(training_work(recipe, 17), 0);
    EXPECT_EQ(training_work(recipe, 20), 3 * step);
    EXPECT_EQ(replay_work(recipe, std::vector{5, 9, 17, 30}), 9 * step);
    run->train_to(40);
    run->condense();
    EXPECT_EQ(training_work(recipe, 39), 39 * step);
    EXPECT_EQ(training_work(recipe, 40), 0);
    EXPECT_EQ(replay_work(recipe, std::vector{0, 10, 25, 40}), 25 * step);
}

TEST(TrainingRun, WorkKnowsHowFarApartSnapshotsWillBe) {
    Recipe recipe = small_recipe(24);
    recipe.width = 1024, recipe.vocabulary = 1024, recipe.steps = 20;  // 2.2 million parameters: ten snapshots
    const double step = training_work(recipe, 1);
    EXPECT_EQ(replay_work(recipe, std::vector{4, 7, 9, 20}), (3 + 1) * step);
    new_training_run_of(recipe);  // other tests start without it
}

TEST(TrainingRun, WhoeverIsCancelledDoesNotWaitForAnEarlierStep) {
    Recipe recipe = small_recipe();
    recipe.steps = 4000;
    TrainingRun run(recipe);
    run.train_to(recipe.steps);
    run.condense();  // an earlier step takes all steps up to it
    std::atomic<bool> is_done{false};
    std::thread other([&] {
        run.state_after(recipe.steps - 1);
        is_done = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::atomic<std::uint64_t> generation{1};
    EXPECT_THROW(run.state_after(recipe.steps - 2, Cancel(generation, 0)), Cancelled);
    EXPECT_THROW(run.model_after(recipe.steps - 2, Cancel(generation, 0)), Cancelled);
    EXPECT_FALSE(is_done);
    other.join();
}

TEST(TrainingRun, NobodyWaitsForARunThatWasLeft) {
    TrainingRun run(small_recipe());
    run.train_to(5);
    run.set_left(true);
    EXPECT_TRUE(run.is_under_way());
    EXPECT_EQ(run.state_after(5)->step, 5);
    run.train_to(40);  // because somebody needs it
    EXPECT_FALSE(run.is_under_way());
}

TEST(TrainingRun, ItsTimeIsThatOfItsSteps) {
    TrainingRun run(small_recipe(21), false);
    run.open();
    EXPECT_EQ(run.summary().seconds, 0);
    const auto begun = std::chrono::steady_clock::now();
    run.train_to(20);
    const double half = run.summary().seconds.value();
    EXPECT_GT(half, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // counts for nothing
    run.state_after(13);
    EXPECT_EQ(run.summary().seconds, half) << "going back is no training";
    run.train_to(40);
    EXPECT_GT(run.summary().seconds, half);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
    EXPECT_LT(run.summary().seconds, passed.count() - 0.05);
}

TEST(TrainingRun, ARunFromAFileHasNoTime) {
    const TemporaryFolder folder;
    keep_training_in(folder.path());
    TrainingRun(small_recipe(22)).train_to(40);
    const auto listed = [] {
        for (const RunSummary& run : listed_training_runs())
            if (run.recipe == small_recipe(22)) return run.seconds;
        return std::optional<double>();
    };
    const auto trained = listed();
    ASSERT_TRUE(trained);
    TrainingRun again(small_recipe(22));
    EXPECT_EQ(again.steps_done(), 0) << "nobody has asked for anything yet";
    list_training_run(again);
    again.open();
    keep_training_in(shared_runs());
    EXPECT_EQ(again.steps_done(), 40);
    EXPECT_EQ(again.summary().seconds, std::nullopt);
    EXPECT_EQ(listed(), trained) << "the list knows how long it took";
}

TEST(TrainingRun, FinishedRunsAndListedOnesAreOnTheList) {
    const auto listed = [](std::int64_t seed) {
        for (const RunSummary& run : listed_training_runs())
            if (run.recipe == small_recipe(seed)) return std::optional(run);
        return std::optional<RunSummary>();
    };
    training_run_of(small_recipe(31))->train_to(40);
    training_run_of(small_recipe(32))->train_to(4);
    training_run_of(small_recipe(33))->train_to(4);
    list_training_run(*training_run_of(small_recipe(33)));
    for (int other = 34; other < 40; ++other) training_run_of(small_recipe(other));  // these take their places
    EXPECT_EQ(find_training_run(small_recipe(31)), nullptr);
    EXPECT_EQ(find_training_run(small_recipe(32)), nullptr);
    EXPECT_NE(find_training_run(small_recipe(33)), nullptr) << "listed, but not finished";
    ASSERT_TRUE(listed(31) && listed(33));
    EXPECT_FALSE(listed(32));
    EXPECT_EQ(listed(31)->steps_done, 40);
    EXPECT_EQ(listed(33)->steps_done, 4);
    training_run_of(small_recipe(33))->train_to(9);
    EXPECT_EQ(listed(33)->steps_done, 9);
    EXPECT_EQ(listed(33)->last, training_run_of(small_recipe(33))->scores().back());
}

TEST(TrainingRun, UnfinishedRunsGoOnAfterManyOthers) {
    for (const int seed : {41, 42}) {
        training_run_of(small_recipe(seed))->train_to(17);
        list_training_run(*training_run_of(small_recipe(seed)));
    }
    for (int passed = 100; passed < 150; ++passed) training_run_of(small_recipe(passed))->train_to(1);  // as in a drag
    for (const int seed : {41, 42}) {
        const auto run = find_training_run(small_recipe(seed));
        ASSERT_NE(run, nullptr);
        EXPECT_EQ(run->steps_done(), 17);
        EXPECT_EQ(run->record().snapshots.size(), 2u) << "the start, and where it continues";
        EXPECT_EQ(run->state_after(9)->parameters, parameters_after(small_recipe(seed), 9));
        run->train_to(20);
        EXPECT_EQ(run->state_after(20)->parameters, parameters_after(small_recipe(seed), 20));
    }
    EXPECT_EQ(find_training_run(small_recipe(100)), nullptr) << "nobody listed it";
}

TEST(TrainingRun, UnfinishedRunsHaveAQuarterOfAGibibyte) {
    const auto large = [](std::int64_t seed) {
        Recipe recipe = small_recipe(seed);
        recipe.width = 1024, recipe.vocabulary = 1024, recipe.batch = 1;  // 2.2 million parameters: 50 MiB condensed
        return recipe;
    };
    for (int seed = 51; seed < 59; ++seed) {
        training_run_of(large(seed))->train_to(1);
        list_training_run(*training_run_of(large(seed)));
    }
    EXPECT_GT(training_run_of(large(58))->condensed_bytes(), std::size_t{48} << 20);
    for (int other = 60; other < 66; ++other) training_run_of(small_recipe(other))->open();
    for (int seed = 51; seed < 59; ++seed) EXPECT_EQ(find_training_run(large(seed)) != nullptr, seed >= 54) << seed;
    for (int seed = 51; seed < 59; ++seed)  // other tests start without them
        if (find_training_run(large(seed))) new_training_run_of(large(seed));
    for (int other = 66; other < 72; ++other) training_run_of(small_recipe(other))->open();
}

TEST(TrainingRun, ItsSnapshotsAreCountedInBytes) {
    TrainingRun run(small_recipe());
    EXPECT_EQ(run.snapshot_bytes(), 0u);
    run.train_to(5);
    const TrainingRecord record = run.record();
    std::size_t bytes = 0;
    for (const auto& [step, state] : record.snapshots)
        bytes +=
            sizeof(float) * (state->parameters.size() + state->first_moments.size() + state->second_moments.size());
    EXPECT_EQ(run.snapshot_bytes(), bytes);
}

TEST(TrainingRun, OnlyTheLeaderTrainsALedRun) {
    TrainingRun run(small_recipe());
    run.set_led(true);
    std::atomic<std::uint64_t> generation{0};
    std::thread follower([&] { EXPECT_THROW(run.train_to(5, Cancel(generation, 0)), Cancelled); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(run.steps_done(), 0);
    ++generation;
    follower.join();
    run.lead_to(3, {});
    run.train_to(3);
    EXPECT_EQ(run.steps_done(), 3);
}

TEST(TrainingCache, AFinishedRunIsReadBack) {
    const TemporaryFolder folder;
    TrainingRun run(small_recipe());
    run.train_to(40);
    write_training(folder.path(), run.recipe(), run.record());
    const auto kept = read_training(folder.path(), run.recipe());
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->scores, run.scores());
    EXPECT_EQ(*kept->snapshots.at(40), *run.state_after(40));
    EXPECT_FALSE(read_training(folder.path(), small_recipe(1))) << "another recipe";
}

TEST(TrainingCache, ADamagedFileIsIgnored) {
    const TemporaryFolder folder;
    TrainingRun run(small_recipe());
    run.train_to(40);
    write_training(folder.path(), run.recipe(), run.record());
    const std::string path = std::filesystem::directory_iterator(folder.path())->path().string();
    const std::string whole = read_file(path, 1 << 26);
    for (const std::size_t at : {std::size_t{3}, whole.size() / 2, whole.size() - 1}) {
        std::string damaged = whole;
        damaged[at] ^= 1;
        atomic_write(path, damaged);
        EXPECT_FALSE(read_training(folder.path(), run.recipe())) << at;
        atomic_write(path, whole.substr(0, at));
        EXPECT_FALSE(read_training(folder.path(), run.recipe())) << at;
    }
    atomic_write(path, whole);
    EXPECT_TRUE(read_training(folder.path(), run.recipe()));
}

}  // namespace
}  // namespace ropewalk
