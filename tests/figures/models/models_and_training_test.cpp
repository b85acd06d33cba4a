// Figures of models and of their training.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(TrainingFigures, TheRunBeforeAChangeIsDrawnFaintly) {
    const std::string settings =
        "construction=model_head construction.source=trained construction.recipe.layers=1 construction.recipe.heads=1 "
        "construction.recipe.head_dim=8 construction.recipe.width=16 construction.recipe.feed_forward=0 "
        "construction.recipe.context=16 construction.recipe.batch=2 construction.recipe.steps=8";
    const Experiment before = changed({}, settings), own = changed(before, "construction.recipe.seed=3");
    for (const Figure& figure : std::vector<Figure>{
             TrainingFigure{}, LengthTestFigure{.compared = "construction.recipe.seed=4", .sequences = 2}}) {
        const auto all_of = [&](const Experiment& experiment) {
            return Evaluator(open_backend("", 2))
                .evaluate({experiment, {}, needs_of(figure, experiment, {200, 160})}, Detail::complete, {});
        };
        const auto a = all_of(own), b = all_of(before);
        FigureMemo memo;
        const auto faint_lines = [&](const Results* ghost) {
            RecordingCanvas canvas({0, 0, 400, 300});
            draw(figure, {.results = *a, .theme = light_theme(), .memo = memo, .ghost = ghost}, canvas,
                 {0, 0, 400, 300});
            EXPECT_THAT(canvas.faults(), testing::IsEmpty()) << id_of(figure);
            return std::count_if(canvas.drawn().begin(), canvas.drawn().end(), [&](const Drawn& drawn) {
                const auto* line = std::get_if<DrawnLine>(&drawn.what);
                return line && line->stroke.color == ghost_stroke(light_theme()).color;
            });
        };
        EXPECT_EQ(faint_lines(b.get()), 2) << id_of(figure) << ": loss and accuracy, of no compared run";
        EXPECT_EQ(faint_lines(nullptr), 0) << id_of(figure);
    }
}

TEST(TrainingFigures, OfARunUnderWayHaveTheDataOfItsStepsOrSaySo) {
    const Experiment experiment = changed(
        {},
        "construction=model_head construction.source=trained construction.recipe.layers=1 construction.recipe.heads=1 "
        "construction.recipe.head_dim=8 construction.recipe.width=16 construction.recipe.feed_forward=0 "
        "construction.recipe.context=16 construction.recipe.batch=2 construction.recipe.steps=8 "
        "construction.recipe.seed=77 construction.step=3");
    const auto run = training_run_of(*recipe_of(experiment));
    run->set_led(true);
    run->lead_to(3, {});
    const auto data_of = [&](const Figure& figure) {
        const auto results = Evaluator(open_backend("", 2))
                                 .evaluate({experiment, {}, needs_of(figure, experiment, {})}, Detail::complete, {});
        return table_of(figure, *results);
    };
    EXPECT_EQ(data_of(TrainingFigure{})->shape[0], 3);
    EXPECT_EQ(data_of(LengthTestFigure{.sequences = 1})->shape[0], 5) << "of the step that is done";
    const auto needs_at_the_end = [&] {
        return needs_of(LengthTestFigure{}, changed(experiment, "construction.step=-1"), {});
    };
    EXPECT_THAT(needs_at_the_end(), testing::IsEmpty()) << "the test would begin again with each step";
    run->set_paused(true);
    EXPECT_EQ(needs_at_the_end().size(), 1u);
    run->set_paused(false);
    EXPECT_THROW(data_of(UsageOverTrainingFigure{}), InputError);
    const auto usage_now = [&] {
        const Needs needs = needs_of(UsageOverTrainingFigure{}, experiment, {});
        const auto results = Evaluator(open_backend("", 2)).evaluate({experiment, {}, needs}, Detail::complete, {});
        return *results->all_of<UsageOverTrainingQuestion>().at(0).answer;
    };
    const auto so_far = usage_now();
    run->set_led(false);
    const auto whole = usage_now();
    EXPECT_EQ(so_far.rows_done, 4u) << "steps 0 to 3";
    EXPECT_EQ(so_far.steps, whole.steps);
    ASSERT_EQ(so_far.shares.size(), whole.shares.size());
    for (std::size_t i = 0; i < so_far.shares.size(); ++i) {
        if (i < 4 * 4)
            EXPECT_EQ(so_far.shares[i], whole.shares[i]);
        else
            EXPECT_TRUE(std::isnan(so_far.shares[i])) << "a step to come";
    }
}

TEST(LengthTest, InterventionsChangeTheModel) {
    const Experiment experiment = open_scene("train-back").experiment,
                     unrotated = changed(experiment, "construction.interventions=kind=rotation_off");
    const LengthTestQuestion question{.sequences = 2};
    const auto points_of = [&](const Experiment& asked) {
        return *Evaluator(open_backend("", 2)).evaluate({asked, {}, {question}}, Detail::complete, {})->find(question);
    };
    Recipe recipe = *recipe_of(experiment);
    const auto state = training_run_of(recipe)->state_after(recipe.steps);
    recipe.encoding = NoPE{};
    const LengthTestQuestion::Answer points = points_of(unrotated);
    ASSERT_EQ(points.size(), 5u);
    for (const auto& [length, score] : points) {
        const BatchScore expected = evaluate(recipe, state->parameters, test_batch(recipe, length, 2));
        EXPECT_NEAR(score.loss, expected.loss, 1e-5 * expected.loss) << length;
        EXPECT_NEAR(score.accuracy, expected.accuracy, 2.001 / (2 * (length - 1))) << length;
    }
    EXPECT_LT(points.front().score.accuracy, 0.5);
    EXPECT_GT(points_of(experiment).front().score.accuracy, 0.9);
}

TEST(TrainingFigures, AskForNoComparedRunWhereNothingIsTrained) {
    const char* const compared = "construction.recipe.encoding=nope";
    const Experiment untrained = changed({}, "construction=gaussian");
    EXPECT_EQ(needs_of(TrainingFigure{.compared = compared}, untrained, {}).size(), 1u);
    EXPECT_EQ(needs_of(LengthTestFigure{.compared = compared}, untrained, {}).size(), 1u);
    EXPECT_THAT(words(drawn(TrainingFigure{.compared = compared}, untrained, {}, {0, 0, 600, 400})),
                testing::Contains(testing::HasSubstr("Nothing is trained here")));
}

TEST(TrainingFigures, WhatHasNoValueIsAGap) {
    CurvePlot plot;
    add_run(plot, {0, 1, 2, 3}, {2, nan, 1, infinity}, RunLook{.name = "RoPE", .stroke = {}}, true);
    ASSERT_EQ(plot.series.size(), 1u);
    const std::vector<Point>& points = plot.series[0].points;
    EXPECT_EQ(points[2].y, 1);
    EXPECT_TRUE(std::isnan(points[1].y) && std::isnan(points[3].y));
}

TEST(LossFigures, ATokenWithoutAnAnswerHasNoLoss) {
    const Experiment experiment = briefly_trained(open_scene("train-recall").experiment);
    const Cursor at_a_value{.query = 41, .key = 41};
    FigureMemo memo;
    const auto readout_of = [&](const Figure& figure) {
        const auto results =
            Evaluator(open_backend("", 2))
                .evaluate({experiment, at_a_value, needs_of(figure, experiment, {200, 160})}, Detail::complete, {});
        const FigureInput input{.results = *results, .cursor = at_a_value, .theme = light_theme(), .memo = memo};
        RecordingCanvas canvas({0, 0, 700, 400});
        draw(figure, input, canvas, {0, 0, 700, 400});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty()) << id_of(figure);
        return readout(figure, input);
    };
    EXPECT_THAT(readout_of(TokensFigure{.color = TokenColor::loss}), testing::HasSubstr("   loss none   weight "));
    EXPECT_THAT(readout_of(LossByPositionFigure{}), testing::HasSubstr("   loss none   "));
}

TEST(HeadAtlas, NamesItsMeasureAsWithinASentence) {
    const Experiment experiment = changed({}, "construction=model_head construction.model=bundled:induction");
    FigureMemo memo;
    const auto names = [&](AtlasMeasure measure) {
        const Figure figure = HeadAtlasFigure{.measure = measure};
        const auto results =
            Evaluator(open_backend("", 2))
                .evaluate({experiment, {}, needs_of(figure, experiment, {500, 400})}, Detail::complete, {});
        RecordingCanvas canvas({0, 0, 500, 400});
        draw(figure, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 500, 400});
        return words(canvas);
    };
    EXPECT_THAT(names(AtlasMeasure::slow_share), testing::Contains("slow quarter"));
    EXPECT_THAT(names(AtlasMeasure::spearman), testing::Contains("Spearman's ρ"));
}

TEST(ModelMap, APartIsReadableAndStaysWhereAClickInItLeadsTo) {
    EXPECT_TRUE(MapPart::around(7, 30, 30 * 14).is_whole());
    for (const double room : {3.0, 25.0, 160.0, 400.0})
        for (int selected = 0, covered = 0; selected < 30; ++selected) {
            const MapPart part = MapPart::around(selected, 30, room);
            EXPECT_TRUE(selected >= part.first && selected < part.first + part.count) << room;
            EXPECT_TRUE(part.count == 1 || room / part.count >= 22) << room;
            EXPECT_EQ(covered, selected == part.first ? selected : part.first + part.count) << "no gap, no overlap";
            covered = part.first + part.count;
            EXPECT_EQ(MapPart::around(part.first, 30, room).first, part.first);
        }
}

TEST(HeadMatrices, ShowsThePartWithTheSelectedLayer) {
    const Experiment experiment =
        changed({},
                "construction=model_head construction.source=trained construction.recipe.layers=16 "
                "construction.recipe.heads=2 construction.recipe.steps=1 construction.layer=6 construction.head=1");
    const Figure figure = HeadMatricesFigure{};
    const auto results = Evaluator(open_backend("", 2))
                             .evaluate({experiment, {}, needs_of(figure, experiment, {})}, Detail::complete, {});
    FigureMemo memo;
    const FigureInput input{.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo};
    const auto pictures = [](const RecordingCanvas& canvas) {
        return std::ranges::count_if(canvas.drawn(), [](const Drawn& each) {
            const auto* const image = std::get_if<DrawnImage>(&each.what);
            return image && image->rect.width > 11 && image->rect.width == image->rect.height;
        });
    };
    RecordingCanvas large({0, 0, 240, 400}), small({0, 0, 240, 240});
    draw(figure, input, large, {0, 0, 240, 400});
    EXPECT_EQ(pictures(large), 32);
    const Frame frame = draw(figure, input, small, {0, 0, 240, 240});
    EXPECT_THAT(small.faults(), testing::IsEmpty());
    const int first = static_cast<int>(std::lround(frame.y.low + 0.5)),
              last = static_cast<int>(std::lround(frame.y.high - 0.5));
    EXPECT_EQ(pictures(small), 2 * (last - first + 1));
    EXPECT_TRUE(first <= 6 && last >= 6 && last - first < 15) << first << " to " << last;
    EXPECT_EQ(frame.y.title, fmt::format("layers {}–{} of 16", first, last));
    EXPECT_THAT(small.omitted(), testing::ElementsAre(fmt::format("{} of 16 layers", 15 - last + first)));

    const auto at = [&](double x, double share) {
        return chosen(figure, input, frame, {x, frame.plot.y + share * frame.plot.height});
    };
    EXPECT_EQ(at(frame.plot.right() + 6, 0.05), "construction.layer=0 construction.head=1") << "on the track";
    EXPECT_EQ(at(frame.plot.right() + 6, 0.95), "construction.layer=15 construction.head=1");
    EXPECT_EQ(at(frame.plot.x + 2, 0.02), fmt::format("construction.layer={} construction.head=0", first));
}

TEST(Batch, LongSequencesAreWrappedToShowTheirTargets) {
    const Scene scene = open_scene("train-back-16");
    const RecordingCanvas canvas = drawn(BatchFigure{}, scene.experiment, {}, {0, 0, 200, 200});
    EXPECT_THAT(canvas.faults(), testing::IsEmpty());
    const auto texts = canvas.texts();
    EXPECT_TRUE(std::ranges::any_of(texts, [](const DrawnText& text) {
        return text.style.color == dark_theme().accent;
    })) << "the first target belongs to token 16";
}

TEST(Runs, EqualRunsAreBothSeenInBothPlots) {
    const Experiment experiment = briefly_trained(open_scene("train-back").experiment);
    const TrainingFigure figure{.compared = fmt::format("construction.recipe.seed={}", recipe_of(experiment)->seed)};
    const auto results = Evaluator(open_backend("", 2))
                             .evaluate({experiment, {}, needs_of(figure, experiment, {})}, Detail::complete, {});
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
    const auto results = Evaluator(open_backend("", 2))
                             .evaluate({experiment, {}, needs_of(figure, experiment, {})}, Detail::complete, {});
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
