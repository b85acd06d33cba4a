// The worker: the latest request wins, results are whole, errors are sentences.
#include "core/evaluation/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "tests/core/evaluation/fake_backend.h"

namespace ropewalk {
namespace {

TEST(Worker, LatestRequestWinsAndStaleWorkIsDropped) {
    FakeBackend::Log log;
    std::atomic<int> published = 0;
    Worker worker(std::make_unique<FakeBackend>(log), [&] { ++published; });
    log.slow = true;
    worker.request(request_of(10));
    while (log.asked == 0) std::this_thread::yield();
    for (int n = 11; n < 40; ++n) worker.request(request_of(n));
    while (log.cancelled == 0) std::this_thread::yield();
    log.slow = false;
    const WorkerState state = worker.wait();
    ASSERT_TRUE(state.results);
    EXPECT_EQ(state.results->request.experiment.seq_len, 39);
    EXPECT_EQ(view_of(*state.results)->logits.mean[0], 39);
    EXPECT_FALSE(state.busy);
    EXPECT_LE(log.asked, 4);  // never one after the other
    EXPECT_GE(published, 1);
}

TEST(Worker, ResultsAreAlwaysOfOneRequest) {
    FakeBackend::Log log;
    Worker worker(std::make_unique<FakeBackend>(log), [] {});
    for (int n = 1; n < 300; ++n) {
        worker.request(request_of(n));
        if (const auto results = worker.state().results) {
            EXPECT_EQ(results->request.experiment.seq_len, results->problem->seq_len);
            EXPECT_EQ(view_of(*results)->logits.mean[0], results->request.experiment.seq_len);
        }
    }
    EXPECT_EQ(worker.wait().results->request.experiment.seq_len, 299);
}

/// What takes seconds keeps nobody waiting for the rest.
TEST(Worker, WhatIsPromptDoesNotWaitForWhatTakesPatience) {
    class PatientBackend : public FakeBackend {
      public:
        explicit PatientBackend(Log& log) : FakeBackend(log), log_(log) {}
        double cost(const Problem&, const Viewport& viewport) const override {
            return viewport.row_sampling == RowSampling::all ? 1e12 : 1;
        }
        AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) override {
            log_.slow = viewport.row_sampling == RowSampling::all && !is_let_go;
            return FakeBackend::attend(problem, viewport, cancel);
        }
        std::atomic<bool> is_let_go{false};

      private:
        Log& log_;
    };
    FakeBackend::Log log;
    auto owned = std::make_unique<PatientBackend>(log);
    PatientBackend& backend = *owned;
    Worker worker(std::move(owned), [] {});
    Request request = request_of(50);
    request.needs.push_back(DecayQuestion{});
    worker.request(request);
    while (!log.slow) std::this_thread::yield();
    const WorkerState first = worker.state();
    EXPECT_TRUE(first.busy);
    EXPECT_FALSE(first.results);
    ASSERT_TRUE(first.coarse);
    EXPECT_TRUE(first.coarse->coarse);
    EXPECT_TRUE(answers(*first.coarse, request.needs));
    EXPECT_EQ(first.coarse->find(DecayQuestion{})->mean.size(), 50u);
    EXPECT_EQ(view_of(*first.coarse)->viewport.row_sampling, RowSampling::one_sum_per_cell);
    backend.is_let_go = true;
    log.slow = false;
    const WorkerState last = worker.wait();
    EXPECT_EQ(view_of(*last.results)->viewport.row_sampling, RowSampling::all);
    EXPECT_EQ(last.results->find(DecayQuestion{}), first.coarse->find(DecayQuestion{}));
}

TEST(Worker, APreviewOfAnotherHeadIsNotReplacedByTheHeadBeforeIt) {
    const auto view_question = [](int cells) {
        return ViewQuestion{
            .viewport = {.rows = {0, 60}, .columns = {0, 60}, .cells_down = cells, .cells_across = cells}};
    };
    const auto results_with = [&](const Experiment& head, bool coarse, int cells) {
        auto results = std::make_shared<Results>();
        results->request.experiment = head;
        results->coarse = coarse;
        results->answers.emplace_back(view_question(cells), std::make_shared<AttentionView>());
        return results;
    };
    const Experiment head{.seq_len = 60}, other{.seq_len = 61};
    WorkerState state;
    state.results = results_with(head, false, 20);
    state.coarse = results_with(other, true, 20);
    EXPECT_EQ(state.newest({view_question(20)}), state.coarse);
    EXPECT_EQ(state.newest({view_question(19)}), state.coarse) << "other labels change the size of a plot";
    EXPECT_EQ(state.newest({view_question(20), DecayQuestion{}}), state.results) << "it has no decay";
    state.coarse = results_with(head, true, 20);
    EXPECT_EQ(state.newest({view_question(19)}), state.results) << "the exact results of the same head";
    state.coarse = nullptr;
    EXPECT_EQ(state.newest({view_question(19)}), state.results);
}

TEST(Worker, ErrorsAreSentencesAndTheLastGoodResultsStay) {
    FakeBackend::Log log;
    Worker worker(std::make_unique<FakeBackend>(log), [] {});
    worker.request(request_of(5));
    worker.wait();
    Request broken = request_of(6);
    broken.experiment.head_dim = 3;
    worker.request(broken);
    const WorkerState state = worker.wait();
    EXPECT_EQ(state.error, "head_dim is 3; it must be an even number from 2 to 1024");
    EXPECT_EQ(state.results->request.experiment.seq_len, 5);
    worker.request(request_of(7));
    EXPECT_EQ(worker.wait().error, "");
}

/// Requests that come faster than they can be answered exactly, as from a drag that never pauses.
TEST(Worker, WhatACoarseLookLeavesOutFollowsADragThatNeverPauses) {
    class SteadyBackend : public FakeBackend {
      public:
        using FakeBackend::FakeBackend;
        double cost(const Problem&, const Viewport& viewport) const override {
            return viewport.row_sampling == RowSampling::all ? 2 * frame_cost : 1;
        }
        AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) override {
            for (int i = 0; i < 10 && viewport.row_sampling == RowSampling::all; ++i) {
                cancel.check();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            return FakeBackend::attend(problem, viewport, cancel);
        }
    };
    FakeBackend::Log log;
    Worker worker(std::make_unique<SteadyBackend>(log), [] {});
    std::set<int> exact, coarse;
    for (int n = 1; n < 200; ++n) {
        worker.request(request_of(50 + n));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const WorkerState state = worker.state();
        if (state.results) exact.insert(state.results->request.experiment.seq_len);
        if (state.coarse) coarse.insert(state.coarse->request.experiment.seq_len);
    }
    EXPECT_GE(exact.size(), 2u);
    EXPECT_GE(coarse.size(), 20u) << "between them the picture follows as before";
    const WorkerState last = worker.wait();
    EXPECT_EQ(last.results->request.experiment.seq_len, 249);
    EXPECT_FALSE(last.coarse);
}

TEST(Cancel, SparesStaleWorkForAWhileButNotBeyondTheEnd) {
    std::atomic<std::uint64_t> generation{1};
    const Cancel cancel(generation, 1);
    const auto now = Cancel::Clock::now();
    const Cancel spared = cancel.spared_until(now + std::chrono::hours(1)),
                 was_spared = cancel.spared_until(now - std::chrono::milliseconds(1));
    for (const Cancel& each : {cancel, spared, was_spared}) EXPECT_FALSE(each.requested());
    generation = 2;
    EXPECT_TRUE(cancel.requested());
    EXPECT_FALSE(spared.requested());
    EXPECT_TRUE(was_spared.requested());
    generation = Cancel::ended;
    EXPECT_TRUE(spared.requested());
}

TEST(Worker, EndsWhileItWorks) {
    FakeBackend::Log log;
    log.slow = true;
    {
        Worker worker(std::make_unique<FakeBackend>(log), [] {});
        worker.request(request_of(9));
        while (log.asked == 0) std::this_thread::yield();
    }
    EXPECT_EQ(log.cancelled, 1);
}

}  // namespace
}  // namespace ropewalk
