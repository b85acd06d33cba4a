// Shared runs: any step again from snapshots, files of finished runs, and a leader that alone trains.
#include "core/training/training_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "core/io/files.h"
#include "core/training/training_cache.h"
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
    EXPECT_NE(run.model_after(40)->hash, run.start()->hash);
    EXPECT_EQ(run.model_after(0), run.start());
    EXPECT_EQ(run.model_after(100)->hash, run.model_after(40)->hash) << "a recipe has no more steps than it says";
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
