// Training in the window: the run before a change stays as it was, and runs of a drag are not listed.
#include "app/window/session/live_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/figures/figure_list.h"
#include "app/plot/axes.h"
#include "app/window/cards/export_card.h"
#include "app/window/session/session.h"
#include "core/experiment/conform.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

/// Returns a head whose training does not end within a test.
Experiment endless(int seed) {
    return changed({}, fmt::format("construction=model_head construction.source=trained construction.recipe.layers=1 "
                                   "construction.recipe.heads=1 construction.recipe.head_dim=8 "
                                   "construction.recipe.width=16 construction.recipe.feed_forward=0 "
                                   "construction.recipe.batch=2 construction.recipe.context=16 "
                                   "construction.recipe.steps=100000 construction.recipe.seed={}",
                                   seed));
}
Recipe recipe(int seed) {
    return trained_head_of(endless(seed).construction)->recipe;
}
int steps_of(int seed) {
    const auto run = find_training_run(recipe(seed));
    return run ? run->steps_done() : 0;
}
void wait_for_step(int seed, int step) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (steps_of(seed) < step && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_GE(steps_of(seed), step);
}
bool is_listed(int seed) {
    const auto all = listed_training_runs();
    return std::any_of(all.begin(), all.end(), [&](const RunSummary& run) { return run.recipe == recipe(seed); });
}

TEST(LiveTraining, TheRunBeforeAChangeStaysAsItWas) {
    LiveTraining training(nullptr);
    const Experiment one = endless(101), two = endless(102);
    training.follow(one);
    wait_for_step(101, 5);
    training.follow(two, &one, true);
    wait_for_step(102, 5);
    const int stayed = steps_of(101);
    EXPECT_EQ(number_at(training.shown(one), "construction.step"), stayed);
    EXPECT_TRUE(find_training_run(recipe(101))->is_under_way()) << "no figure waits for its end";
    EXPECT_TRUE(is_listed(101));
    EXPECT_FALSE(is_listed(102)) << "a drag may leave it at once";
    training.follow(two, &one, false);
    EXPECT_TRUE(is_listed(102));
    wait_for_step(102, 10);
    EXPECT_EQ(steps_of(101), stayed);
    training.follow(two);
    EXPECT_FALSE(find_training_run(recipe(101))->is_under_way());
    training.follow(one);
    wait_for_step(101, stayed + 5);  // continues where it was left
}

TEST(LiveTraining, APausedRunIsUnderWayButDoesNotAdvance) {
    LiveTraining training(nullptr);
    training.follow(endless(108));
    const auto run = find_training_run(recipe(108));
    EXPECT_TRUE(run->is_advancing());
    training.pause_or_continue();
    EXPECT_FALSE(run->is_advancing()) << "figures may ask for its last step";
    EXPECT_TRUE(run->is_under_way());
    training.pause_or_continue();
    EXPECT_TRUE(run->is_advancing());
    training.do_one_step();
    EXPECT_FALSE(run->is_advancing());
}

TEST(LiveTraining, APausedRunStaysPausedWhileOthersAreTried) {
    LiveTraining training(nullptr);
    training.follow(endless(111));
    wait_for_step(111, 2);
    training.pause_or_continue();
    training.follow(endless(112));
    EXPECT_EQ(training.state(), LiveTraining::State::training) << "a change of the recipe trains it";
    training.follow(endless(111));
    EXPECT_EQ(training.state(), LiveTraining::State::paused);
    training.pause_or_continue();
    training.follow(endless(112));
    training.follow(endless(111));
    EXPECT_EQ(training.state(), LiveTraining::State::training);
}

TEST(LiveTraining, NothingThatAFrameAsksOpensARun) {
    const Experiment large =
        changed(endless(110),
                "construction.recipe.layers=6 construction.recipe.heads=8 construction.recipe.head_dim=128 "
                "construction.recipe.width=256 construction.recipe.feed_forward=512 construction.recipe.context=256 "
                "construction.recipe.batch=64");
    const auto trained = *trained_head_of(large.construction);
    EXPECT_EQ(validate(large), std::nullopt);
    EXPECT_EQ(learned_head_of(large.construction)->model->config.layer_count(), 6);
    EXPECT_EQ(as_trained(large), large);
    EXPECT_EQ(find_training_run(trained.recipe), nullptr);
    const auto run = training_run_of(trained.recipe);
    EXPECT_FALSE(run->is_under_way());
    EXPECT_TRUE(run->scores().empty());
    EXPECT_TRUE(run->record().snapshots.empty()) << "making the start weights takes longer than a frame";
}

TEST(LiveTraining, TheHeadBeforeIsShownAtTheStepOfTheChange) {
    Session session({.title = "", .experiment = endless(103)}, {.trains_live = true});
    const Figure figure = TrainingFigure{};
    const Needs needs{TokensQuestion{}};
    const auto frame = [&] {
        session.refresh();
        session.computation.ask(needs);
        session.computation.ask(Other::before, needs);
        session.computation.wait();
    };
    const auto step_in = [](const std::shared_ptr<const Results>& results) {
        return results ? number_at(results->request.experiment, "construction.step").value_or(-2) : -2;
    };
    for (int i = 0; i < 1000 && step_in(session.computation.results_for(needs)) < 3; ++i) frame();
    ASSERT_GE(step_in(session.computation.results_for(needs)), 3);
    session.document.edit(endless(104), Gesture::ongoing);
    for (const bool is_dragging : {true, false}) {
        if (!is_dragging) session.document.end_gesture();
        for (int i = 0; i < 3; ++i) frame();
        const auto before = session.computation.results_for(Other::before, needs);
        ASSERT_TRUE(before) << is_dragging;
        EXPECT_EQ(recipe_of(before->request.experiment), recipe(103));
        EXPECT_GE(step_in(before), 3);
        EXPECT_LE(step_in(before), steps_of(103));
        EXPECT_TRUE(needs_of(figure, before->request.experiment, {64, 64}).empty()) << "nothing that waits for its end";
    }
    wait_for_step(104, steps_of(104) + 3);
    const int stayed = steps_of(103);
    wait_for_step(104, steps_of(104) + 3);
    EXPECT_EQ(steps_of(103), stayed);
    session.document.forget_before();
    frame();
    EXPECT_EQ(session.computation.results_for(Other::before, needs), nullptr);
}

/// Returns a head whose training and length test end soon.
Experiment brief(int seed) {
    return changed(endless(seed), "construction.recipe.steps=8");
}

TEST(Computation, TheHeadBeforeKeepsTheAnswersThatWereShown) {
    Session session({.title = "", .experiment = brief(121)});
    const LengthTestQuestion question{.sequences = 1};
    const Needs needs{question, TrainingQuestion{}};
    const auto frame = [&] {
        session.refresh();
        session.computation.ask(needs);
        session.computation.ask(Other::before, needs);
        session.computation.wait();
        session.refresh();
    };
    frame();
    const auto first = session.computation.results_for(needs)->find(question);
    ASSERT_TRUE(first);
    const auto before = [&] {
        const auto results = session.computation.results_for(Other::before, needs);
        return results ? results->find(question) : nullptr;
    };
    session.document.edit(brief(122), Gesture::ongoing);
    EXPECT_EQ(before(), first);
    frame();
    session.document.edit(brief(121), Gesture::ongoing);  // a drag comes back to its start and continues
    session.document.edit(brief(123), Gesture::ongoing);
    EXPECT_EQ(before(), first) << "though other results were shown when the change began";
    session.document.end_gesture();
    frame();
    EXPECT_EQ(before(), first) << "not computed again";
    session.document.undo();
    session.computation.ask({});  // as while nothing may be asked about a training
    session.computation.wait();
    frame();
    EXPECT_EQ(session.computation.results_for(needs)->find(question), first) << "nor after undo";
}

/// What is exported is what is shown: nothing waits for the end of a training, which may be paused.
TEST(LiveTraining, WhatIsExportedIsTheModelAfterTheStepsDone) {
    Session session(Scene{.experiment = endless(105)}, {.trains_live = true});
    session.refresh();
    wait_for_step(105, 3);
    session.training.pause_or_continue();
    const Page page = session.exports.page_of({{TrainingFigure{}}}, {}, session.exports.shown());
    const auto step = number_at(page.experiment, "construction.step");
    EXPECT_GE(step, 3);
    EXPECT_LE(step, steps_of(105));
    Evaluator evaluator(open_backend("cpu", 1));
    EXPECT_GE(numbers_of(page, evaluator, {}).shape[0], 3);
    EXPECT_EQ(session.training.description().substr(0, 12), "Paused: step");
}

class LiveTrainingWindow : public MainWindowTest {
  protected:
    /// Shows a head whose model is trained.
    void show(int seed) {
        session_.document.edit(endless(seed), Gesture::complete);
        session_.training.follow(experiment());
        robot_.settle();
    }
    std::string label_of(const char* id) {
        const RegisteredWidget* found = gui_.ui().registry.find(id);
        return found ? found->label : "";
    }
};

TEST_F(LiveTrainingWindow, ButtonsAboveTheControlsLeadTheTraining) {
    EXPECT_EQ(label_of("sidebar.train_again"), "") << "nothing is trained";
    show(106);
    wait_for_step(106, 3);
    EXPECT_EQ(label_of("sidebar.train"), "Pause");
    robot_.click("sidebar.train");
    robot_.settle();
    EXPECT_EQ(session_.training.state(), LiveTraining::State::paused);
    EXPECT_EQ(label_of("sidebar.train"), "Resume");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the step under way ends
    const int done = steps_of(106);
    robot_.click("sidebar.train_one_step");
    wait_for_step(106, done + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(steps_of(106), done + 1);
    EXPECT_EQ(session_.training.description(), fmt::format("Paused: step {} of {}", readable(done + 1), "100 000"));
    robot_.click("sidebar.train_again");
    EXPECT_EQ(session_.training.state(), LiveTraining::State::training);
}

/// A page that changed with each step would never be drawn.
TEST_F(LiveTrainingWindow, APageIsPreparedAtOneStep) {
    show(107);
    wait_for_step(107, 3);
    ExportCard card;
    card.open(0, session_);
    const Page page = card.page(session_);
    EXPECT_GE(number_at(page.experiment, "construction.step"), 3);
    wait_for_step(107, steps_of(107) + 5);
    EXPECT_EQ(card.page(session_).experiment, page.experiment);
}

}  // namespace
}  // namespace ropewalk
