// Stages, the cursor, and the worker: the latest request wins, results are whole, errors are sentences.
#include "core/evaluation/evaluate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/error.h"
#include "core/evaluation/affordable.h"
#include "core/evaluation/open_backend.h"
#include "core/evaluation/worker.h"
#include "core/experiment/settings.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

/// Answers at once, or waits for as long as it is told to, and counts what it was asked.
class FakeBackend : public Backend {
  public:
    struct Log {
        std::atomic<int> asked{0}, finished{0}, cancelled{0};
        std::atomic<bool> slow{false};
    };
    explicit FakeBackend(Log& log) : log_(log) {}
    std::string_view id() const override { return "fake"; }
    std::string_view description() const override { return "fake"; }
    Precision precision() const override { return Precision::fp64; }
    double cost(const Problem&, const Viewport&) const override { return 1; }
    AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) override {
        ++log_.asked;
        while (log_.slow) {
            if (cancel.requested()) {
                ++log_.cancelled;
                throw Cancelled{};
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ++log_.finished;
        AttentionView view{.viewport = viewport};
        const auto cells = static_cast<std::size_t>(viewport.cells_down) * viewport.cells_across;
        view.logits = {viewport.cells_down, viewport.cells_across, Numbers(cells, problem.seq_len), {}, {}};
        view.weights = view.logits;
        return view;
    }

  private:
    Log& log_;
};

Request request_of(int seq_len) {
    Request request{.experiment = {.seq_len = seq_len}};
    request.needs = {ViewQuestion{.viewport = Viewport::one_to_one({0, seq_len}, {0, seq_len})}};
    return request;
}

std::shared_ptr<const AttentionView> view_of(const Results& results) {
    return results.all_of<ViewQuestion>().at(0).answer;
}

TEST(Evaluate, RemembersWhatDoesNotChange) {
    FakeBackend::Log log;
    Evaluator evaluator(std::make_unique<FakeBackend>(log));
    Request request = request_of(8);
    const auto first = evaluator.evaluate(request, Detail::exact, {});
    request.cursor.key = 3;
    request.needs.push_back(ContributionsQuestion{});
    const auto second = evaluator.evaluate(request, Detail::exact, {});
    EXPECT_EQ(log.asked, 1);
    EXPECT_EQ(view_of(*first), view_of(*second));
    EXPECT_TRUE(second->find(ContributionsQuestion{}));
    EXPECT_FALSE(first->find(ContributionsQuestion{}));
    request.experiment.temperature = 2;
    evaluator.evaluate(request, Detail::exact, {});
    EXPECT_EQ(log.asked, 2);
}

TEST(Evaluate, TakesOverTheAnswersOfAnother) {
    const Request request{
        .experiment = {.seq_len = 16},
        .needs = {MinBaseQuestion{.context_length = 1000, .head_dim = 128}, RowQuestion{}, DecayQuestion{},
                  DecayQuestion{.settings = "encoding=nope"}, DecayQuestion{.settings = "encoding=alibi"}}};
    const auto known = Evaluator(open_backend("reference")).evaluate(request, Detail::complete, {});
    Evaluator other(open_backend("reference"));
    EXPECT_EQ(other.evaluate(request, Detail::exact, {})->jobs.size(), 1u);
    other.remember(*known);
    const auto results = other.evaluate(request, Detail::exact, {});
    EXPECT_TRUE(results->jobs.empty());
    Evaluator fresh(open_backend("reference"));
    fresh.remember(*known);
    EXPECT_EQ(fresh.evaluate(request, Detail::exact, {})->answers, known->answers) << "the same objects";
}

TEST(Evaluate, RefusesWhatIsNotValid) {
    FakeBackend::Log log;
    Evaluator evaluator(std::make_unique<FakeBackend>(log));
    Request request = request_of(8);
    request.experiment.head_dim = 7;
    EXPECT_THROW(evaluator.evaluate(request, Detail::exact, {}), InputError);
    EXPECT_EQ(log.asked, 0);
}

TEST(Evaluate, TheCurveOfARunNeedsNoHead) {
    int built = 0;
    Evaluator evaluator(open_backend("cpu", 1), [&](const Construction& construction, const BuildContext& context) {
        ++built;
        return build(construction, context);
    });
    Request request{.experiment = changed({},
                                          "construction=model_head construction.source=trained "
                                          "construction.recipe.layers=1 construction.recipe.steps=2"),
                    .needs = {TrainingQuestion{}}};
    EXPECT_EQ(evaluator.evaluate(request, Detail::complete, {})->find(TrainingQuestion{})->size(), 2u);
    EXPECT_EQ(built, 0);
    request.needs.push_back(UsageOverTrainingQuestion{});
    EXPECT_EQ(evaluator.evaluate(request, Detail::complete, {})->answers.size(), 2u);
    EXPECT_EQ(built, 1);
    request.experiment.seq_len = 0;
    request.needs = {TrainingQuestion{}};
    EXPECT_THROW(evaluator.evaluate(request, Detail::complete, {}), InputError);
}

TEST(Affordable, OnlyLongTimesAreTold) {
    EXPECT_EQ(long_time_of(1e12), std::nullopt);
    EXPECT_EQ(long_time_of(3.3e14), "3 hours");
    EXPECT_GT(training_work({.steps = 100'000, .seed = 91}, 100'000), 2e13);
    EXPECT_EQ(training_work({.steps = 100'000, .seed = 91}, 0), 0);
}

TEST(Affordable, TestsAndNumberFormatsHaveACost) {
    const auto backend = open_backend("cpu", 1);
    const auto work = [&](const char* settings, const Question& question) {
        return work_of(changed({}, settings), {question}, *backend, {});
    };
    constexpr NumberFormat half = NumberFormat::fp16;
    const NumberFormatQuestion formats{.formats = {half, half, half, half, half}, .cells = 1};
    EXPECT_GT(work("seq_len=1048576 head_dim=256", formats), 5e11);
    EXPECT_EQ(work("seq_len=1024", formats), 0);
    EXPECT_GT(work("seq_len=1048576", RobustnessQuestion{.target = 5}), 1e11);
    EXPECT_GT(work("seq_len=1048576 head_dim=128 construction=gaussian", EntryQuestion{}), 1e11);
    EXPECT_GT(work("seq_len=1048576 head_dim=128 construction=gaussian", OneRowStatisticsQuestion{}), 1e11);
    EXPECT_LT(work("seq_len=1048576 head_dim=128", EntryQuestion{}), 1e9);

    EXPECT_EQ(work("seq_len=1024 head_dim=64", PropertiesQuestion{}), 0);
    const double one_row = work("seq_len=1048576 head_dim=256", PropertiesQuestion{});
    EXPECT_GT(one_row, 3e10);
    EXPECT_LT(one_row, 2e11);
    EXPECT_GT(work("seq_len=1048576 head_dim=256 encoding=self_extend", PropertiesQuestion{}), 1e13);
    EXPECT_LT(work("seq_len=1048576 head_dim=64 encoding=self_extend", PropertiesQuestion{}), 8e12);
    EXPECT_GT(work("seq_len=32768 head_dim=256 encoding=random_rope encoding.upper=16777216", PropertiesQuestion{}),
              1e12);
    const PartialSumsQuestion sums{.count = 1 << 20};
    const AbelQuestion bounds{.count = 1 << 20};
    for (const Question& question : {Question(sums), Question(bounds)}) {
        EXPECT_LT(work("seq_len=1048576 head_dim=256", question), 1e10);
        EXPECT_GT(work("seq_len=1048576 head_dim=256 encoding=self_extend", question), 3e11);
        EXPECT_GT(work("seq_len=1048576 head_dim=256 encoding=random_rope encoding.upper=1048576", question), 3e11);
    }
    EXPECT_GT(work("seq_len=1048576 head_dim=256 encoding=xpos", bounds), 1e11);
    EXPECT_EQ(work("seq_len=1048576 head_dim=256", AbelQuestion{.count = 256}), 0);

    const std::string trained = "construction=model_head construction.source=trained construction.recipe.steps=1 ";
    const double train = work((trained + "seq_len=64").c_str(), TrainingQuestion{});
    EXPECT_GT(train, 1e8);
    EXPECT_LT(train, 1e10);
    EXPECT_GT(work((trained + "construction.recipe.context=1024").c_str(), LengthTestQuestion{}), 5e11);
    // A sequence of 16 times this training length would take 4 GiB, and one of 8 times 2 GiB.
    const Experiment large = changed({}, trained +
                                             "construction.recipe.width=16 construction.recipe.head_dim=16 "
                                             "construction.recipe.feed_forward=4096 construction.recipe.batch=1 "
                                             "construction.recipe.vocabulary=4096 "
                                             "construction.recipe.context=4096");
    EXPECT_LT(LengthTestQuestion{}.model_work(large), 2e12);
    // The curve goes to the last step, whatever step is shown.
    EXPECT_GT(work("construction=model_head construction.source=trained construction.recipe.steps=100000 "
                   "construction.step=1",
                   TrainingQuestion{}),
              1e13);
    // Curves of other heads, compared or pinned, cost what those heads cost.
    const std::string long_training =
        "construction=model_head construction.source=trained "
        "construction.recipe.steps=100000 construction.recipe.context=1024";
    EXPECT_GT(work("seq_len=64", DecayQuestion{.settings = long_training}), 1e13);
    EXPECT_GT(work("seq_len=64", PinnedDecayQuestion{.settings = long_training}), 1e13);
    const std::string many_samples = "construction=gaussian construction.samples=10000 seq_len=1048576";
    EXPECT_GT(work("seq_len=64", DecayQuestion{.settings = many_samples}), 1e13);
    EXPECT_GT(work("seq_len=64", PinnedDecayQuestion{.settings = many_samples}), 1e13);
    const std::string own = trained + "seq_len=64";
    work(own.c_str(), RowQuestion{});  // trains
    EXPECT_LT(work(own.c_str(), DecayQuestion{.settings = "encoding=nope"}), 1e6) << "the same run";

    // Going back to a step that is not kept takes the steps before it again.
    const std::string longer =
        "construction=model_head construction.source=trained construction.recipe.steps=9 construction.recipe.seed=7 "
        "seq_len=64 ";
    const Recipe recipe = *recipe_of(changed({}, longer));
    const auto run = new_training_run_of(recipe);
    const double step = training_work(recipe, 1);
    run->train_to(9);
    const double kept = UsageOverTrainingQuestion{}.model_work(changed({}, longer));
    run->condense();
    EXPECT_DOUBLE_EQ(work((longer + "construction.step=8").c_str(), TrainingQuestion{}), 8 * step);
    EXPECT_DOUBLE_EQ(work(longer.c_str(), TrainingQuestion{}), 0);
    EXPECT_NEAR(UsageOverTrainingQuestion{}.model_work(changed({}, longer)) - kept, 8 * step, 0.01 * step);
    EXPECT_GE(work(longer.c_str(), DecayQuestion{.settings = "construction.step=8"}), 8 * step);
    EXPECT_LT(work((longer + "construction.step=8").c_str(), DecayQuestion{.settings = "encoding=nope"}), 9 * step)
        << "the same step";

    const std::string wide = trained +
                             "construction.recipe.layers=16 construction.recipe.heads=8 "
                             "construction.recipe.head_dim=64 head_dim=64 seq_len=65536";
    // Narrow heads take less time than their statistics, if all tokens are equal.
    const Experiment narrow = changed({}, trained +
                                              "construction.recipe.heads=8 construction.recipe.head_dim=8 head_dim=8 "
                                              "seq_len=65536");
    const std::shared_ptr<const Model> model = learned_head_of(narrow.construction)->model;
    const double weights = 8 * model->config.layer_count() * 65536. * 65536 / 2;
    EXPECT_GT(run_work(narrow) - run_work(*model, 65536), 20 * weights);

    EXPECT_GT(work(wide.c_str(), AtlasQuestion{}), 1e13);
    EXPECT_GT(work(wide.c_str(), TokensQuestion{}), 1e13);
    EXPECT_GT(work(wide.c_str(), AtlasQuestion{.measure = AtlasMeasure::loss_without_head}), 1e15);
}

TEST(Evaluate, AnsweringMeansEveryNeed) {
    FakeBackend::Log log;
    Evaluator evaluator(std::make_unique<FakeBackend>(log));
    Request request = request_of(8);
    request.needs.push_back(RowQuestion{});
    EXPECT_TRUE(answers(*evaluator.evaluate(request, Detail::exact, {}), request.needs));
    EXPECT_FALSE(answers(*evaluator.evaluate(request, Detail::coarse, {}), request.needs));
    Needs other = request.needs;
    std::get<ViewQuestion>(other[0]).of_scores = true;
    EXPECT_FALSE(answers(*evaluator.evaluate(request, Detail::exact, {}), other));
}

/// A preview takes no longer than a frame, for any figures and any length.
TEST(Evaluate, PreviewsFitInAFrame) {
    const auto backend = open_backend("cpu", 2);
    for (const int seq_len : {1 << 13, 1 << 16, 1 << 17, 1 << 18, 1 << 20})
        for (const int head_dim : {64, 128})
            for (const bool logits : {false, true})
                for (const auto& [zoomed, encoding] : std::initializer_list<std::pair<bool, Encoding>>{
                         {false, Rope{}}, {true, Rope{}}, {false, XPos{}}, {true, XPos{}}}) {
                    const Problem problem = make_problem(
                        {.head_dim = head_dim, .seq_len = seq_len, .encoding = encoding, .construction = Gaussian{}});
                    const Interval all{0, seq_len}, part{seq_len / 4, seq_len / 2};
                    const ViewQuestion first =
                        ViewQuestion{.viewport = {.rows = all,
                                                  .columns = zoomed ? part : all,
                                                  .cells_down = 900,
                                                  .cells_across = 900,
                                                  .content = {.logits = logits, .weights = !logits}}}
                            .coarsened(problem);
                    EXPECT_LE(backend->cost(problem, first.viewport), 1.1 * frame_cost)
                        << seq_len << " d " << head_dim << (logits ? " logits" : " weights") << (zoomed ? " part" : "");
                    const bool is_damped = std::holds_alternative<XPos>(*encoding);
                    EXPECT_GE(first.viewport.cells_down, is_damped ? 8 : 64);
                }
}

TEST(Evaluate, OneViewServesAllWhoLookAtTheSameCells) {
    FakeBackend::Log log;
    Evaluator evaluator(std::make_unique<FakeBackend>(log));
    Request request = request_of(8);
    const auto view_with = [](CellContent content) {
        ViewQuestion view{.viewport = Viewport::one_to_one({0, 8}, {0, 8})};
        view.viewport.content = content;
        return view;
    };
    const Question logits = view_with({.weights = false}), weights = view_with({.logits = false});
    Question both = logits;
    EXPECT_TRUE(take_in(both, weights));
    EXPECT_EQ(both, Question(view_with({})));
    request.needs = {both};
    const auto results = evaluator.evaluate(request, Detail::exact, {});
    EXPECT_TRUE(answers(*results, {logits, weights}));
    request.needs = {logits};
    EXPECT_FALSE(answers(*evaluator.evaluate(request, Detail::exact, {}), {weights}));
    Question other = ViewQuestion{.viewport = Viewport::one_to_one({0, 7}, {0, 8})};
    EXPECT_FALSE(take_in(other, logits));
}

TEST(Evaluate, CursorStaysInTheMatrix) {
    const Experiment experiment{.head_dim = 8, .seq_len = 10};
    EXPECT_EQ((Cursor{99, -5, 99}.clamped(experiment)), (Cursor{9, 0, 3}));
    EXPECT_EQ((Cursor{4, 2, 1}.at_distance(3, 10)), (Cursor{4, 1, 1}));
    EXPECT_EQ((Cursor{4, 2, 1}.at_distance(7, 10)), (Cursor{7, 0, 1}));
}

TEST(Evaluate, RowsAreSampledOnlyWhereAllWouldCostTooMuch) {
    FakeBackend::Log log;
    FakeBackend backend(log);
    const auto sampling = [&](const Experiment& experiment, int cells) {
        const Interval all{0, experiment.seq_len};
        const Problem problem = make_problem(experiment);
        const ViewQuestion pooled{
            .viewport = {.rows = all, .columns = all, .cells_down = cells, .cells_across = cells}};
        return pooled.answer({experiment, problem, {}, backend, Cancel{}}).viewport.row_sampling;
    };
    EXPECT_EQ(sampling({.head_dim = 64, .seq_len = 1 << 20, .construction = Ones{}}, 2000), RowSampling::all);
    EXPECT_EQ(sampling({.head_dim = 64, .seq_len = 1 << 20, .construction = Gaussian{}}, 2000),
              RowSampling::one_per_cell);
    EXPECT_EQ(sampling({.head_dim = 128, .seq_len = 8192, .construction = Gaussian{}}, 100), RowSampling::all);
}

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

TEST(Evaluate, APreviewHasACurveThatIsQuick) {
    const auto holds_curve = [](const Experiment& experiment) {
        return DecayQuestion{}.coarsened(make_problem(experiment)) == DecayQuestion{};
    };
    EXPECT_TRUE(holds_curve({.head_dim = 128, .seq_len = 1 << 20, .construction = AtDistance{}}));
    EXPECT_FALSE(holds_curve({.head_dim = 128, .seq_len = 1 << 13, .construction = Gaussian{}})) << "its samples";
}

TEST(Evaluate, APreviewHasEntriesWhereOneRowIsQuick) {
    Evaluator evaluator(open_backend("cpu", 1));
    const auto holds_entry = [&](const Experiment& experiment) {
        const Needs entry{EntryQuestion{.query = experiment.seq_len - 1, .key = 5}};
        return answers(*evaluator.evaluate({experiment, {}, entry}, Detail::coarse, {}), entry);
    };
    EXPECT_TRUE(holds_entry({.head_dim = 64, .seq_len = 1 << 16, .construction = AtDistance{}}));
    EXPECT_TRUE(holds_entry({.head_dim = 64, .seq_len = 1 << 20, .construction = AtDistance{}}));
    EXPECT_TRUE(holds_entry({.head_dim = 64, .seq_len = 1 << 10, .construction = Gaussian{}}));
    EXPECT_FALSE(holds_entry({.head_dim = 64, .seq_len = 1 << 20, .construction = Gaussian{}})) << "that takes longer";
}

}  // namespace
}  // namespace ropewalk
