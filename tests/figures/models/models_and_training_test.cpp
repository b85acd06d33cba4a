// Figures of models and of their training.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figures/figure_list.h"
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

}  // namespace
}  // namespace ropewalk
