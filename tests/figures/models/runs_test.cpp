// Figures that compare runs of a training: the run before, those that are compared, those that are pinned.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/figures/figure_list.h"
#include "app/figures/page/view_io.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "core/training/training_run.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

/// Returns the results of an experiment for one figure, with those that take long.
std::shared_ptr<const Results> all_results(const Figure& figure, const Experiment& experiment) {
    return Evaluator(open_backend("", 2))
        .evaluate({experiment, {}, needs_of(figure, experiment, {200, 160})}, Detail::complete, {});
}

/// Returns the words that a figure shows on a large canvas.
std::vector<std::string> words_of(const Figure& figure, FigureInput input) {
    RecordingCanvas canvas({0, 0, 700, 400});
    draw(figure, input, canvas, {0, 0, 700, 400});
    EXPECT_THAT(canvas.faults(), testing::IsEmpty());
    return words(canvas);
}

TEST(Runs, EqualRunsAreBothSeenInBothPlots) {
    const Experiment experiment = briefly_trained(open_scene("train-back").experiment);
    const TrainingFigure figure{.compared = fmt::format("construction.recipe.seed={}", recipe_of(experiment)->seed)};
    const auto results = all_results(figure, experiment);
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 500, 400});
    draw(figure, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 500, 400});
    std::vector<DrawnLine> lines;
    for (const Drawn& each : canvas.drawn())
        if (const auto* line = std::get_if<DrawnLine>(&each.what); line && line->points.size() == 8)
            lines.push_back(*line);
    ASSERT_EQ(lines.size(), 4u);
    for (const std::size_t below : {0u, 2u}) {
        EXPECT_EQ(lines[below].points, lines[below + 1].points);
        EXPECT_GT(lines[below].stroke.width, lines[below + 1].stroke.width);
    }
}

TEST(Runs, ThisRunIsNamedFirst) {
    const Experiment experiment = briefly_trained(open_scene("train-language").experiment);
    const LengthTestFigure figure{.compared = "construction.recipe.encoding=nope", .sequences = 2};
    const auto results = all_results(figure, experiment);
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 700, 400});
    draw(figure, {.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 700, 400});
    std::vector<std::string> runs;
    for (const DrawnText& text : canvas.texts()) {
        if (text.text != "RoPE" && text.text != "NoPE") continue;
        runs.push_back(text.text);
        EXPECT_EQ(text.style.weight == Weight::semibold, text.text == "RoPE") << text.text;
    }
    EXPECT_THAT(runs, testing::ElementsAre("RoPE", "NoPE"));
    const auto circles = std::ranges::count_if(
        canvas.drawn(), [](const Drawn& each) { return std::holds_alternative<DrawnCircle>(each.what); });
    EXPECT_GT(circles, 2 * 5) << "markers for each length, in both plots";
}

TEST(Runs, TheRunBeforeIsNamedByWhatDiffersAndReadAtTheSameStep) {
    const Experiment before = briefly_trained(open_scene("train-recall").experiment),
                     own = changed(before,
                                   "construction.recipe.encoding=p_rope construction.recipe.encoding.p=0.5 "
                                   "construction.step=3");
    const Figure figure = TrainingFigure{};
    const auto a = all_results(figure, own), b = all_results(figure, before);
    FigureMemo memo;
    const FigureInput input{.results = *a, .theme = light_theme(), .memo = memo, .ghost = b.get()};
    EXPECT_THAT(words_of(figure, input), testing::Contains("before: RoPE"));
    EXPECT_THAT(words_of(figure, input), testing::Contains(testing::HasSubstr("Fraction p 0.5")));
    RecordingCanvas canvas({0, 0, 700, 400});
    draw(figure, input, canvas, {0, 0, 700, 400});
    for (const DrawnText& text : canvas.texts())
        if (text.text == "before: RoPE") {
            EXPECT_EQ(text.style.color, light_theme().text_dim) << "legible";
        }
    EXPECT_THAT(readout_with_before(figure, input), testing::StartsWith("step 3   "));
    const FigureInput same{.results = *b, .theme = light_theme(), .memo = memo, .ghost = b.get()};
    EXPECT_THAT(words_of(figure, same), testing::Not(testing::Contains(testing::HasSubstr("before"))));
}

TEST(Runs, TheLastStepIsMarkedOnlyWhereItCanBeDragged) {
    const Experiment experiment = briefly_trained(open_scene("train-back").experiment);
    const Figure figure = TrainingFigure{};
    const auto at_end = all_results(figure, experiment),
               earlier = all_results(figure, changed(experiment, "construction.step=3"));
    FigureMemo memo;
    const auto words_with = [&](const Results& results, bool has_handles) {
        return words_of(figure, {.results = results, .theme = light_theme(), .memo = memo, .has_handles = has_handles});
    };
    EXPECT_THAT(words_with(*at_end, false), testing::Not(testing::Contains("step 8")));
    EXPECT_THAT(words_with(*at_end, true), testing::Contains("step 8"));
    EXPECT_THAT(words_with(*earlier, false), testing::Contains("step 3"));
    RecordingCanvas canvas({0, 0, 700, 400});
    draw(figure, {.results = *earlier, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 700, 400});
    std::vector<double> dashes;
    for (const Drawn& each : canvas.drawn())
        if (const auto* line = std::get_if<DrawnLine>(&each.what); line && line->points.size() == 2 &&
                                                                   line->points[0].x == line->points[1].x &&
                                                                   line->stroke.color == light_theme().accent)
            dashes.push_back(line->stroke.dash.length(0));
    ASSERT_EQ(dashes.size(), 2u) << "one in each plot";
    EXPECT_EQ(dashes[0], dashes[1]);
}

TEST(Runs, ComparedRunsAreNamedBeforeTheyAreTrainedAndStay) {
    const Experiment experiment =
        changed(briefly_trained(open_scene("train-back").experiment), "construction.recipe.seed=91");
    const Figure figure = TrainingFigure{.compared = "construction.recipe.encoding=nope"};
    const auto results =
        Evaluator(open_backend("", 2)).evaluate({experiment, {}, {TrainingQuestion{}}}, Detail::complete, {});
    FigureMemo memo;
    const FigureInput input{.results = *results, .theme = light_theme(), .memo = memo};
    EXPECT_THAT(words_of(figure, input), testing::Contains("NoPE (training)"));
    const auto run = training_run_of(*recipe_of(changed(experiment, "construction.recipe.encoding=nope")));
    run->train_to(8);
    EXPECT_THAT(words_of(figure, input), testing::Contains("NoPE")) << "the results need not have it";
}

TEST(Runs, APinnedRunStaysWhateverChanges) {
    const Experiment first = changed(briefly_trained(open_scene("train-back").experiment),
                                     "construction.recipe.encoding=p_rope construction.recipe.encoding.p=0.25"),
                     own = changed(briefly_trained(open_scene("train-recall").experiment),
                                   "construction.recipe.steps=6 construction.recipe.vocabulary=16");
    for (Figure figure : std::vector<Figure>{TrainingFigure{}, LengthTestFigure{.sequences = 2}}) {
        EXPECT_THAT(*obstacle_to_pin(figure, Experiment{}), "nothing is trained here");
        ASSERT_TRUE(can_pin(figure, first));
        const Figure without = figure;
        pin(figure, first);
        const Figure with_one = figure;
        pin(figure, first);
        EXPECT_EQ(figure, with_one) << "pinned already";
        const auto results = all_results(figure, own);
        FigureMemo memo;
        const FigureInput input{.results = *results, .theme = light_theme(), .memo = memo};
        RecordingCanvas canvas({0, 0, 700, 400});
        const Frame frame = draw(figure, input, canvas, {0, 0, 700, 400});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        EXPECT_THAT(words(canvas), testing::Contains(testing::HasSubstr("p-RoPE"))) << id_of(figure);
        ASSERT_EQ(frame.chips.size(), 1u);
        EXPECT_GT(frame.chips[0].width, 20);
        EXPECT_THAT(pin_text(figure, input, 0), testing::HasSubstr("p-RoPE"));
        const auto same = all_results(figure, first);
        EXPECT_THAT(words_of(figure, {.results = *same, .theme = light_theme(), .memo = memo}),
                    testing::Contains(testing::HasSubstr("(pinned)")));
        unpin(figure, 0);
        EXPECT_EQ(figure, without);
    }
}

TEST(Runs, APinnedRunIsThatOfItsRecipeAndStep) {
    const Experiment first = changed(briefly_trained(open_scene("train-back").experiment), "construction.step=3"),
                     own = changed(first, "construction.recipe.encoding=nope construction.step=-1");
    const auto pinned_in = [&]<class Q>(Figure figure, const Q&) {
        pin(figure, first);
        for (const auto& [question, answer] : all_results(figure, own)->all_of<Q>())
            if (question.run.is_pinned) return answer;
        throw InputError("nothing is pinned");
    };
    const auto scores = pinned_in(TrainingFigure{}, TrainingQuestion{});
    EXPECT_EQ(*scores, training_run_of(*recipe_of(first))->scores());
    const LengthTestFigure test{.sequences = 2};
    const auto points = pinned_in(test, LengthTestQuestion{}),
               expected = all_results(test, first)->find(test.question());
    ASSERT_EQ(points->size(), expected->size());
    for (std::size_t i = 0; i < points->size(); ++i) EXPECT_EQ((*points)[i].score, (*expected)[i].score);
}

TEST(Runs, PinnedRunsHaveColoursOfTheirOwn) {
    const Experiment experiment = briefly_trained(open_scene("train-back").experiment);
    const std::string compared = "construction.recipe.encoding=nope | construction.recipe.encoding=alibi";
    Figure figure = TrainingFigure{.compared = compared};
    for (int seed = 1; seed < 4; ++seed)
        pin(figure, changed(experiment, fmt::format("construction.recipe.seed={}", seed)));
    const auto looks = [&] {
        std::vector<std::size_t> all;
        for (const RunBeside& run : RunLists{compared, get<TrainingFigure>(figure).pinned}.all())
            all.push_back(run.look);
        return all;
    };
    EXPECT_THAT(looks(), testing::ElementsAre(0, 1, 6, 5, 4));
    unpin(figure, 1);
    EXPECT_THAT(looks(), testing::ElementsAre(0, 1, 6, 4)) << "the others keep theirs";
    pin(figure, experiment);
    EXPECT_THAT(looks(), testing::ElementsAre(0, 1, 6, 5, 4)) << "on the free place";
    while (can_pin(figure, experiment))
        pin(figure, changed(experiment, fmt::format("construction.recipe.seed={}", 10 + looks().size())));
    EXPECT_THAT(*obstacle_to_pin(figure, experiment), testing::HasSubstr("the maximum of 6 curves is pinned"));
    const std::vector<std::size_t> all = looks();
    EXPECT_EQ(std::set<std::size_t>(all.begin(), all.end()).size(), 8u);
}

TEST(Runs, FinishedPinsAreAskedForWhileAnotherRunIsUnderWay) {
    const Experiment first = briefly_trained(open_scene("train-back").experiment),
                     own = changed(first, "construction.recipe.seed=79");
    training_run_of(*recipe_of(first))->train_to(8);
    const auto run = training_run_of(*recipe_of(own));
    run->set_led(true);
    for (Figure figure : std::vector<Figure>{TrainingFigure{}, LengthTestFigure{}}) {
        pin(figure, first);
        EXPECT_EQ(needs_of(figure, own, {}).size(), 1u) << id_of(figure);
        pin(figure, changed(first, "construction.recipe.seed=80"));
        EXPECT_EQ(needs_of(figure, own, {}).size(), 1u) << "nothing waits for a training";
    }
    run->set_led(false);
}

TEST(LengthTest, TheCurveBeforeStaysUntilThereIsANewOne) {
    const Experiment before = briefly_trained(open_scene("train-back").experiment),
                     own = changed(before, "construction.recipe.encoding=nope");
    const Figure figure = LengthTestFigure{.sequences = 2};
    const auto b = all_results(figure, before);
    const auto nothing_yet = Evaluator(open_backend("", 2)).evaluate({own, {}, {}}, Detail::complete, {});
    FigureMemo memo;
    const auto all_words =
        words_of(figure, {.results = *nothing_yet, .theme = light_theme(), .memo = memo, .ghost = b.get()});
    EXPECT_THAT(all_words, testing::Contains("before: RoPE"));
    EXPECT_THAT(all_words, testing::Contains("NoPE (computing)"));
    EXPECT_THAT(all_words, testing::Not(testing::Contains(still_computing)));
    EXPECT_THAT(words_of(figure, {.results = *nothing_yet, .theme = light_theme(), .memo = memo}),
                testing::Contains(still_computing));
}

TEST(LengthTest, NamesAllRunsOfItsSceneInASmallWindow) {
    Scene scene = open_scene("train-recall-length");
    const Figure figure = read_view(scene).figures.front();
    const Experiment experiment = briefly_trained(scene.experiment);
    Figure few = figure;
    set_options(few, {"sequences=1"});
    const auto results = all_results(few, experiment);
    FigureMemo memo;
    const Rect rect{0, 0, 422, 470};  // of a window of 1100 × 700
    RecordingCanvas canvas(rect);
    draw(few, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, rect);
    EXPECT_THAT(canvas.faults(), testing::IsEmpty());
    EXPECT_THAT(canvas.omitted(), testing::Each(testing::Not(testing::HasSubstr("legend"))));
    const auto starting_with = [all = words(canvas)](std::string_view start) {
        return std::ranges::count_if(all, [&](const std::string& text) { return text.starts_with(start); });
    };
    EXPECT_EQ(starting_with("RoPE · Base θ "), 2);
    EXPECT_EQ(starting_with("p-RoPE · Fraction p "), 3);
    EXPECT_EQ(starting_with("NoPE"), 1);
}

}  // namespace
}  // namespace ropewalk
