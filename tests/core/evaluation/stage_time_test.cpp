// What the cpu backend and the evaluator say their time went to.
#include "core/stage_time.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "core/attention/make_problem.h"
#include "core/evaluation/evaluate.h"
#include "core/experiment/settings.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

TEST(StageClock, GivesEveryStageTheTimeUpToItsEnd) {
    StageClock clock;
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
    clock.lap("first");
    clock.lap("second");
    std::this_thread::sleep_for(std::chrono::milliseconds(8));
    clock.lap({{"first", 1}, {"nothing", 0}, {"third", 3}});
    ASSERT_EQ(clock.times().size(), 3u);
    const StageTime &first = clock.times()[0], &second = clock.times()[1], &third = clock.times()[2];
    EXPECT_EQ(first.stage + second.stage + third.stage, "firstsecondthird");
    EXPECT_GE(first.milliseconds, 4 + 8 / 4);
    EXPECT_GE(third.milliseconds, 8 * 3 / 4);
    EXPECT_LT(second.milliseconds, first.milliseconds);
}

TEST(StageTimes, OfOneNameAreAddedPartByPart) {
    std::vector<StageTime> times;
    add_time(times, {"attention", 3, {{"products", 2}, {"softmax", 1}}});
    add_time(times, {"decay", 5});
    add_time(times, {"attention", 4, {{"softmax", 3}, {"cells", 1}}});
    ASSERT_EQ(times.size(), 2u);
    EXPECT_EQ(times[0].milliseconds, 7);
    ASSERT_EQ(times[0].parts.size(), 3u);
    EXPECT_EQ(times[0].parts[1].milliseconds, 4);
}

bool has_stage(const AttentionView& view, std::string_view stage) {
    return std::any_of(view.stages.begin(), view.stages.end(),
                       [&](const StageTime& time) { return time.stage == stage; });
}

TEST(CpuBackend, TheLengthOfConstantQueriesTouchesTheSoftmaxAlone) {
    Problem problem = make_problem(700, 32);
    make_constant(problem);
    const std::vector<double> direction = random_row(32, 1, 3);
    const Viewport viewport{.rows = {0, 700}, .columns = {0, 700}, .cells_down = 50, .cells_across = 70};
    const auto backend = make_cpu_backend(2);
    for (const double factor : {1.0, 3.7, 0.0, 1e30, -2.0}) {
        problem.inputs.q = RowSource::constant(direction, factor);
        const AttentionView view = backend->attend(problem, viewport, {});
        EXPECT_EQ(has_stage(view, attention_stage::products), factor == 1) << factor;
        EXPECT_TRUE(has_stage(view, attention_stage::softmax));
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem)) << factor;
        std::vector<double> row(32);
        problem.inputs.q.read(5, row);
        for (std::size_t channel = 0; channel < row.size(); ++channel)
            EXPECT_EQ(row[channel], factor * direction[channel]);
    }
}

TEST(CpuBackend, TellsWhatItsTimeWentTo) {
    Problem problem = make_problem(3000, 64);
    problem.inputs.q = repeated_row(random_row(64, 1, 3));
    problem.inputs.k = repeated_row(random_row(64, 1, 4));
    const Viewport viewport{.rows = {0, 3000},
                            .columns = {0, 3000},
                            .cells_down = 300,
                            .cells_across = 100,
                            .row_sampling = RowSampling::one_per_cell};
    const auto backend = make_cpu_backend(2);
    for (const double temperature : {1.0, 1.1, 1.2}) {
        problem.temperature = temperature;
        StageClock clock;
        const AttentionView view = backend->attend(problem, viewport, {});
        const double all = clock.lap();
        double sum = 0;
        for (const StageTime& time : view.stages) {
            EXPECT_GT(time.milliseconds, 0) << time.stage;
            sum += time.milliseconds;
        }
        EXPECT_LE(sum, all);
        EXPECT_EQ(has_stage(view, attention_stage::products), temperature < 1.15) << "scores are kept the second time";
        for (const std::string_view stage :
             {attention_stage::rotation, attention_stage::softmax, attention_stage::cells})
            EXPECT_TRUE(has_stage(view, stage)) << stage;
    }
}

TEST(CpuBackend, TellsWhatTheTimeOfAFewKeysWentTo) {
    Problem problem = make_problem(64, 16);
    const Viewport viewport{.rows = {0, 64}, .columns = {0, 64}, .cells_down = 64, .cells_across = 16};
    const auto backend = make_cpu_backend(1);
    for (const double temperature : {1.0, 1.1, 1.2}) {
        problem.temperature = temperature;
        const AttentionView view = backend->attend(problem, viewport, {});
        EXPECT_TRUE(has_stage(view, attention_stage::softmax));
        EXPECT_EQ(has_stage(view, attention_stage::products), temperature < 1.15) << "scores are kept the second time";
    }
}

TEST(CpuBackend, TellsWhatTheTimeOfTwoRegimesWentTo) {
    Experiment experiment{.head_dim = 32, .seq_len = 5000};
    apply_setting(experiment, "encoding=self_extend", {});
    const Problem problem = ropewalk::make_problem(experiment);
    const Viewport viewport{.rows = {0, 5000}, .columns = {0, 5000}, .cells_down = 30, .cells_across = 30};
    const AttentionView view = make_cpu_backend(1)->attend(problem, viewport, {});
    for (const std::string_view stage : {attention_stage::products, attention_stage::softmax, attention_stage::cells})
        EXPECT_TRUE(has_stage(view, stage)) << stage;
}

TEST(Evaluate, TellsThePartsOfWhatItHadToCompute) {
    Evaluator evaluator(make_cpu_backend(1));
    Request request{.experiment = {.head_dim = 64, .seq_len = 3000}, .cursor = {}, .needs = {}};
    evaluator.evaluate(request, Detail::exact, {});  // makes the problem, which may or may not take a noticeable time
    request.needs.push_back(
        ViewQuestion{.viewport = {.rows = {0, 3000}, .columns = {0, 3000}, .cells_down = 300, .cells_across = 300}});
    const auto computed = evaluator.evaluate(request, Detail::exact, {});
    ASSERT_EQ(computed->times.size(), 1u);
    EXPECT_EQ(computed->times[0].stage, "attention");
    double parts = 0;
    for (const StageTime& part : computed->times[0].parts) parts += part.milliseconds;
    EXPECT_GT(parts, 0);
    EXPECT_LE(parts, computed->times[0].milliseconds);
    EXPECT_TRUE(evaluator.evaluate(request, Detail::exact, {})->times.empty()) << "it is remembered";
}

}  // namespace
}  // namespace ropewalk
