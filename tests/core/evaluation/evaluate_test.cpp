// Stages, previews, and the cursor.
#include "core/evaluation/evaluate.h"

#include <gtest/gtest.h>

#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "tests/core/evaluation/fake_backend.h"

namespace ropewalk {
namespace {

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
