// Queries and keys are built before all answers, on the worker, with progress, and only as long as somebody wants them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/evaluation/open_backend.h"
#include "core/evaluation/worker.h"
#include "core/experiment/settings.h"

namespace ropewalk {
namespace {

using std::chrono::milliseconds;

/// A builder that takes as long as it is told, like the forward pass of a model.
struct SlowBuilder {
    std::atomic<int> started = 0, finished = 0;
    std::atomic<bool> holds = true;  // at half of the way

    InputsBuilder builder() {
        return [this](const Construction& construction, const BuildContext& context) {
            ++started;
            if (context.progress) context.progress(0.5);
            while (holds && context.shape.seq_len > 8) {
                context.cancel.check();
                std::this_thread::sleep_for(milliseconds(1));
            }
            ++finished;
            return build(construction, context);
        };
    }
};

bool soon(const auto& holds) {
    for (int i = 0; i < 10'000; ++i, std::this_thread::sleep_for(milliseconds(1)))
        if (holds()) return true;
    return false;
}

TEST(Inputs, AreBuiltOnTheWorkerWithProgress) {
    SlowBuilder slow;
    Worker worker(
        open_backend("reference"), [] {}, usual_backend, slow.builder());
    worker.request({.experiment = {.seq_len = 16}, .needs = {RowQuestion{}}});
    ASSERT_TRUE(soon([&] { return worker.state().job.has_value(); }));
    const WorkerState state = worker.state();
    EXPECT_EQ(state.job->stage, inputs_stage);
    EXPECT_EQ(state.job->fraction, 0.5);
    EXPECT_TRUE(state.busy);
    EXPECT_FALSE(state.results);
    slow.holds = false;
    const WorkerState done = worker.wait();
    EXPECT_FALSE(done.job);
    ASSERT_TRUE(answers(*done.results, {RowQuestion{}}));
    ASSERT_FALSE(done.results->times.empty());
    EXPECT_EQ(done.results->times.front().stage, inputs_stage);
    EXPECT_EQ(slow.finished, 1);
}

TEST(Inputs, OfAStaleRequestAreNotFinished) {
    SlowBuilder slow;
    Worker worker(
        open_backend("reference"), [] {}, usual_backend, slow.builder());
    worker.request({.experiment = {.seq_len = 16}, .needs = {RowQuestion{}}});
    ASSERT_TRUE(soon([&] { return slow.started == 1; }));
    worker.request({.experiment = {.seq_len = 8}, .needs = {RowQuestion{}}});
    const WorkerState state = worker.wait();
    EXPECT_FALSE(state.job);
    ASSERT_TRUE(state.results);
    EXPECT_EQ(state.results->request.experiment.seq_len, 8);
    EXPECT_EQ(slow.started, 2);
    EXPECT_EQ(slow.finished, 1);
}

TEST(Inputs, AreKeptWhileOnlyTheEncodingChanges) {
    SlowBuilder slow;
    slow.holds = false;
    Evaluator evaluator(open_backend("reference"), slow.builder());
    for (const char* base : {"encoding.base=10000", "encoding.base=500000"})
        evaluator.evaluate({.experiment = changed({.seq_len = 16}, base), .needs = {RowQuestion{}}}, Detail::complete,
                           Cancel{});
    EXPECT_EQ(slow.started, 1);
}

TEST(Inputs, AreTimedForTheirOwnRequestOnly) {
    SlowBuilder slow;
    slow.holds = false;
    Evaluator evaluator(open_backend("reference"), [&](const Construction& construction, const BuildContext& context) {
        std::this_thread::sleep_for(milliseconds(2));
        return slow.builder()(construction, context);
    });
    const Request one{.experiment = {.seq_len = 16}, .needs = {RowQuestion{}}};
    evaluator.evaluate(one, Detail::complete, Cancel{});
    evaluator.prepare({.seq_len = 8}, Cancel{});
    const auto again = evaluator.evaluate(one, Detail::complete, Cancel{});
    for (const StageTime& time : again->times) EXPECT_NE(time.stage, inputs_stage);
    const auto other =
        evaluator.evaluate({.experiment = {.seq_len = 8}, .needs = {RowQuestion{}}}, Detail::complete, {});
    ASSERT_FALSE(other->times.empty());
    EXPECT_EQ(other->times.front().stage, inputs_stage);
}

TEST(Dependence, IsWhatTheAnswerNeedsAndNothingElse) {
    const LoweredEncoding none;
    const Experiment one{.seq_len = 16}, other{.seq_len = 16, .temperature = 2};
    const Question table = PublishedBasesQuestion{}, row = RowQuestion{};
    EXPECT_EQ(key_of(table, {one, none, {}}), key_of(table, {other, none, {}}));
    EXPECT_NE(key_of(row, {one, none, {}}), key_of(row, {other, none, {}}));
    EXPECT_NE(key_of(row, {one, none, {.query = 1}}), key_of(row, {one, none, {.query = 2}}));
    EXPECT_EQ(key_of(row, {one, none, {.query = 1, .key = 1}}), key_of(row, {one, none, {.query = 1}}));
}

}  // namespace
}  // namespace ropewalk
