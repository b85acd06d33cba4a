// Details of single figures.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include "app/figures/figure_list.h"
#include "app/figures/page/view_io.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(Methods, ShowTheHeadsEncodingUnchanged) {
    for (const char* settings :
         {"encoding=yarn encoding.factor=32 encoding.original_length=8192",
          "encoding=llama3 encoding.factor=4 encoding.original_length=100", "encoding=linear encoding.factor=3",
          "encoding=ntk encoding.factor=5", "encoding=dynamic_ntk encoding.original_length=50 seq_len=200",
          "encoding=clex encoding.original_length=50 seq_len=200"}) {
        const Experiment experiment = changed({.head_dim = 64, .seq_len = 300}, settings);
        const auto results = results_for(MethodsFigure{}, experiment, {});
        const DataTable table = *table_of(MethodsFigure{}, *results);
        const auto column = std::find(table.columns.begin(), table.columns.end(), id_of(experiment.encoding));
        ASSERT_NE(column, table.columns.end()) << settings;
        const LoweredEncoding lowered = lower(experiment.encoding, experiment.shape());
        for (std::size_t pair = 0; pair < 32; ++pair) {
            const double plain = std::pow(10'000.0, -static_cast<double>(pair) / 32),
                         divisor = table.values[pair * table.columns.size() +
                                                static_cast<std::size_t>(column - table.columns.begin())];
            EXPECT_NEAR(divisor * static_cast<double>(lowered.inv_freq[pair]) / plain, 1, 1e-12) << settings;
        }
    }
}

TEST(RandomRopeDecay, HasEveryGapOfTheEncodingsOwnRange) {
    const Experiment experiment = changed({.head_dim = 8, .seq_len = 300}, "encoding=random_rope encoding.upper=700");
    const auto results = results_for(RandomRopeDecayFigure{}, experiment, {});
    const DataTable table = *table_of(RandomRopeDecayFigure{}, *results);
    ASSERT_EQ(table.shape[0], 299);
    for (int gap = 1; gap < 300; ++gap) {
        EXPECT_EQ(table.values[(gap - 1) * 4], gap);
        EXPECT_NEAR(table.values[(gap - 1) * 4 + 1], gap * 701.0 / 301, 1e-9);
    }
}

TEST(Rotation, NamesItsPooling) {
    const Figure figure = RotationHeatmapFigure{};
    for (const auto& [seq_len, said] : {std::pair{26200, "each cell averages 131 distances"}, {150, ""}}) {
        const auto results = results_for(figure, {.seq_len = seq_len}, {});
        FigureMemo memo;
        EXPECT_EQ(badge(figure, {.results = *results, .theme = light_theme(), .memo = memo}).text, said);
    }
}

TEST(FrequencyUsage, IsLabelledOnceAndPickedInBothHalves) {
    const FrequencyUsageFigure figure;
    const Experiment experiment{.head_dim = 32, .seq_len = 50, .construction = Gaussian{}};
    const auto results = results_for(figure, experiment, {});
    FigureMemo memo;
    const Rect rect{0, 0, 320, 300};
    RecordingCanvas canvas(rect);
    const FigureInput input{.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo};
    const Frame frame = draw(figure, input, canvas, rect);
    EXPECT_THAT(canvas.faults(), testing::IsEmpty());
    const auto said = words(canvas);
    EXPECT_EQ(std::count(said.begin(), said.end(), "token"), 1);
    EXPECT_EQ(std::count(said.begin(), said.end(), "pair t"), 2);
    ASSERT_EQ(frame.above.size(), 1u);
    EXPECT_NEAR(frame.above[0].plot.height, frame.plot.height, 1);
    EXPECT_EQ(frame.above[0].plot.x, frame.plot.x);
    for (const Frame& half : {frame.above[0], frame}) {
        const auto picked = pick(figure, input, frame, half.to_pixels(17, 5));
        ASSERT_TRUE(picked);
        EXPECT_EQ(picked->query, 17);
        EXPECT_EQ(picked->pair, 5);
    }
    EXPECT_FALSE(pick(figure, input, frame, {frame.plot.centre().x, frame.plot.y - 3})) << "between them";
}

TEST(Reference, DifferencesAndDivergenceAreThoseOfTheValues) {
    const Experiment own{.head_dim = 8, .seq_len = 30, .construction = Gaussian{}},
        other{.head_dim = 8, .seq_len = 30, .encoding = NoPE{}, .construction = Gaussian{}};
    const Cursor cursor{.query = 25, .key = 3};
    const AttentionFigure figure{.against = Against::reference};
    const auto a = results_for(figure, own, cursor, {30, 30}), b = results_for(figure, other, cursor, {30, 30});
    FigureMemo memo;
    const FigureInput input{
        .results = *a, .cursor = cursor, .theme = light_theme(), .memo = memo, .reference = b.get()};
    double max = 0, sum = 0, size = 0;
    const auto& ours = a->all_of<ViewQuestion>()[0].answer->weights.mean;
    const auto& theirs = b->all_of<ViewQuestion>()[0].answer->weights.mean;
    for (int i = 0; i < 30; ++i)
        for (int j = 0; j <= i; ++j) {
            const double apart = std::abs(ours[i * 30 + j] - theirs[i * 30 + j]);
            max = std::max(max, apart), sum += apart, size += theirs[i * 30 + j];
        }
    EXPECT_EQ(badge(figure, input).text, fmt::format("max |Δ| {}, mean {}, {} % of the reference", readable(max, 3),
                                                     readable(sum / 465, 3), readable(100 * sum / size, 3)));

    const auto row = results_for(AttentionRowFigure{}, own, cursor)->find(RowQuestion{}),
               other_row = results_for(AttentionRowFigure{}, other, cursor)->find(RowQuestion{});
    double divergence = 0;
    for (int j = 0; j <= 25; ++j) divergence += row->weights[j] * std::log(row->weights[j] / other_row->weights[j]);
    const auto rows = results_for(AttentionRowFigure{}, own, cursor),
               other_rows = results_for(AttentionRowFigure{}, other, cursor);
    EXPECT_GT(divergence, 0.01);
    EXPECT_EQ(
        badge(AttentionRowFigure{},
              {.results = *rows, .cursor = cursor, .theme = light_theme(), .memo = memo, .reference = other_rows.get()})
            .text,
        "KL from the reference " + readable(divergence));
}

TEST(Reference, TheGhostOfADragIsDrawnButNotNamed) {
    const Experiment own{.seq_len = 40}, before{.seq_len = 40, .encoding = Rope{.base = 50}};
    for (const Figure& figure :
         std::vector<Figure>{DecayFigure{}, AttentionRowFigure{}, EntropyFigure{}, RotationsFigure{},
                             PhasorBoundFigure{}, WavelengthsFigure{}, ContributionsFigure{}, AlignmentFigure{},
                             NumberFormatsFigure{}, PhasorsFigure{}, TruncationFigure{}}) {
        const Cursor cursor{.query = 39, .key = 20};
        const auto a = results_for(figure, own, cursor), b = results_for(figure, before, cursor);
        FigureMemo memo;
        const auto drawn_with = [&](const Results* ghost) {
            RecordingCanvas canvas({0, 0, 400, 300});
            draw(figure, {.results = *a, .cursor = cursor, .theme = light_theme(), .memo = memo, .ghost = ghost},
                 canvas, {0, 0, 400, 300});
            EXPECT_THAT(canvas.faults(), testing::IsEmpty()) << id_of(figure);
            for (const DrawnText& text : canvas.texts())
                EXPECT_EQ(text.text.find("set"), std::string::npos) << id_of(figure) << ": " << text.text;
            const Color faint = ghost_stroke(light_theme()).color;
            return std::count_if(canvas.drawn().begin(), canvas.drawn().end(), [&](const Drawn& drawn) {
                const auto* line = std::get_if<DrawnLine>(&drawn.what);
                const auto* dot = std::get_if<DrawnCircle>(&drawn.what);
                return (line && line->stroke.color == faint) || (dot && dot->fill == faint);
            });
        };
        EXPECT_GT(drawn_with(b.get()), 0) << id_of(figure);
        EXPECT_EQ(drawn_with(nullptr), 0) << id_of(figure);
    }
}

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

TEST(EntropyFigure, DropsAPlotIfTwoWouldBeTooSmall) {
    const auto plots_in = [](double height) {
        const auto canvas = drawn(EntropyFigure{}, {.seq_len = 30}, {.query = 20}, {0, 0, 400, height});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        const std::vector<std::string> texts = words(canvas);
        EXPECT_NE(std::find(texts.begin(), texts.end(), "entropy"), texts.end()) << height;
        EXPECT_NE(std::find(texts.begin(), texts.end(), "query position i"), texts.end()) << height;
        return std::count(texts.begin(), texts.end(), "largest weight");
    };
    EXPECT_EQ(plots_in(110), 0);
    EXPECT_EQ(plots_in(300), 1);
}

TEST(PhasorsFigure, TheTrackMovesTheCursorThroughTheRow) {
    const PhasorsFigure figure;
    const Experiment experiment{.head_dim = 8, .seq_len = 64};
    const Cursor cursor{.query = 60, .key = 30, .pair = 2};
    const auto results = results_for(figure, experiment, cursor);
    FigureMemo memo;
    FigureInput input{
        .results = *results, .cursor = cursor, .cursor_shown = true, .theme = light_theme(), .memo = memo};
    const Rect rect{0, 0, 500, 300};
    RecordingCanvas canvas(rect);
    const Frame frame = figure.draw(input, canvas, rect);
    const double y = rect.bottom() - 10;
    EXPECT_EQ(figure.pick(input, frame, {0, y}), (Cursor{60, 60, 2}));
    EXPECT_EQ(figure.pick(input, frame, {250, y}), (Cursor{60, 30, 2}));
    EXPECT_EQ(figure.pick(input, frame, {499, y}), (Cursor{60, 0, 2}));
    input.cursor_shown = false;
    EXPECT_EQ(figure.pick(input, frame, {250, y}), std::nullopt) << "on a page there is none";
}

TEST(Rotations, AQuarterTurnIsMarkedIfItIsVisible) {
    const Rect rect{0, 0, 500, 300};
    const auto shown = [&](const char* settings) {
        return words(drawn(RotationsFigure{}, changed({.head_dim = 32, .seq_len = 256}, settings), {}, rect));
    };
    EXPECT_THAT(shown("encoding.base=10000"), testing::Contains("quarter turn"));
    EXPECT_THAT(shown("encoding.base=10"), testing::Not(testing::Contains("quarter turn"))) << "all complete a turn";
}

TEST(Robustness, ShowsTheCurrentNorm) {
    const Rect rect{0, 0, 500, 400};
    const auto shown = [&](double norm_squared) {
        return words(drawn(RobustnessFigure{.target = 0},
                           {.seq_len = 64, .construction = AtDistance{.norm_squared = norm_squared}}, {}, rect));
    };
    EXPECT_THAT(shown(20), testing::Contains("current 20"));
    // The last row sees all N tokens: its weight at distance 0 is 1 / Σ exp(logit(r) − logit(0)).
    const Experiment experiment{.seq_len = 64, .construction = AtDistance{.distance = 0, .norm_squared = 20}};
    const auto results = results_for(RobustnessFigure{.target = 0}, experiment, {});
    const auto found = results->find(RobustnessQuestion{.target = 0});
    double sum = 0;
    for (int r = 0; r < 64; ++r) {
        double cosines = 0;
        for (int pair = 0; pair < 32; ++pair) cosines += std::cos(r * std::pow(1e4, -pair / 32.0));
        sum += std::exp(20 * (cosines / 32 - 1));
    }
    EXPECT_NEAR((*found)->weight, 1 / sum, 1e-12);
    EXPECT_THAT(shown(1e9), testing::Not(testing::Contains(testing::HasSubstr("now")))) << "it is off the axis";
}

TEST(AttentionRow, NamesItsQuery) {
    EXPECT_THAT(words(drawn(AttentionRowFigure{}, {.seq_len = 32}, {.query = 21, .key = 3}, {0, 0, 500, 300})),
                testing::Contains("weight of query 21"));
}

/// Bars of positive and negative logits stand on the same line, that of 0.
TEST(AttentionRow, DrawsABarPerVisibleKey) {
    for (const RowQuantity quantity : {RowQuantity::weights, RowQuantity::logits}) {
        const auto canvas =
            drawn(AttentionRowFigure{.quantity = quantity}, changed({.seq_len = 32}, "construction=gaussian"),
                  {.query = 21, .key = 3}, {0, 0, 500, 300});
        std::vector<Rect> bars;
        for (const Drawn& one : canvas.drawn())
            if (const auto* bar = std::get_if<DrawnRect>(&one.what); bar && bar->color == dark_theme().series[0])
                bars.push_back(bar->rect);
        ASSERT_EQ(bars.size(), 22u);
        const auto above = [&](double line) {
            return std::count_if(bars.begin(), bars.end(),
                                 [&](const Rect& bar) { return std::abs(bar.bottom() - line) < 0.01; });
        };
        const auto below = [&](double line) {
            return std::count_if(bars.begin(), bars.end(),
                                 [&](const Rect& bar) { return std::abs(bar.y - line) < 0.01; });
        };
        const double zero = above(bars[0].bottom()) > 1 ? bars[0].bottom() : bars[0].y;
        EXPECT_EQ(above(zero) + below(zero), 22);
        EXPECT_EQ(below(zero) == 0, quantity == RowQuantity::weights);
    }
}

TEST(NumberFormats, NameTheLimitOfAFormat) {
    // 65 504 is the largest number of fp16.
    const Figure figure = NumberFormatsFigure{.positions = NumberFormat::fp16};
    const Cursor cursor{.query = 7, .key = 7};
    const auto results = results_for(figure, changed({.head_dim = 8, .seq_len = 8}, "positions.start=1000000"), cursor);
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 500, 400});
    const FigureInput input{.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo};
    draw(figure, input, canvas, {0, 0, 500, 400});
    EXPECT_THAT(words(canvas), testing::Contains(testing::HasSubstr("without overflows")));
    EXPECT_THAT(readout(figure, input), testing::HasSubstr("no score: overflow in these formats"));
    EXPECT_THAT(readout(figure, input), testing::Not(testing::HasSubstr("NaN")));
}

TEST(NumberFormats, HaveTheSameAxesAtEveryResolution) {
    const Experiment head{.head_dim = 16, .seq_len = 3000};
    const Cursor cursor{.query = 2999, .key = 0};
    const Rect rect{0, 0, 600, 400};
    const Figure figure = NumberFormatsFigure{};
    std::vector<std::vector<double>> reached;
    for (const PlotPixels pixels : {PlotPixels{64, 64}, {560, 300}, {1680, 900}}) {
        const auto results = results_for(figure, head, cursor, pixels);
        FigureMemo memo;
        RecordingCanvas canvas(rect);
        const Frame frame =
            draw(figure, {.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo}, canvas, rect);
        reached.push_back({frame.y.low, frame.y.high, frame.plot.x});
        std::vector<DrawnText> texts = canvas.texts();
        for (const DrawnText& text : texts) reached.back().push_back(text.box.x);
    }
    EXPECT_EQ(reached[1], reached[0]);
    EXPECT_EQ(reached[2], reached[0]);
}

/// 1024 distances in 200 cells are 5.12 per cell, so pairs faster than π/5.12 rad per token span half a turn.
TEST(RotationMap, AliasedPairsHaveTheColourOfZero) {
    const auto covered = [](int seq_len) {
        const RecordingCanvas canvas =
            drawn(RotationHeatmapFigure{}, {.head_dim = 32, .seq_len = seq_len}, {}, {0, 0, 500, 400});
        const auto table = table_of(ColorMap::diverging);
        double height = 0, of_map = 1;
        for (const Drawn& one : canvas.drawn()) {
            const auto* rect = std::get_if<DrawnRect>(&one.what);
            if (rect && rect->filled && rect->color == table[table.size() / 2]) height += rect->rect.height;
            const auto* image = std::get_if<DrawnImage>(&one.what);
            if (image && image->rows == 16) of_map = image->rect.height;
        }
        return 16 * height / of_map;
    };
    int fast = 0;
    for (int pair = 0; pair < 16; ++pair) fast += std::pow(1e4, -pair / 16.0) * 5.12 >= std::numbers::pi ? 1 : 0;
    EXPECT_EQ(fast, 1);
    EXPECT_NEAR(covered(1024), fast, 1e-9);
    EXPECT_EQ(covered(128), 0) << "each distance has its own cell";
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

TEST(CrossHair, LeavesTheColoursOfLargeCells) {
    const auto veils = [](const char* settings) {
        const RecordingCanvas canvas =
            drawn(AttentionFigure{}, changed({}, settings), {.query = 2, .key = 1}, {0, 0, 300, 300});
        return std::ranges::count_if(canvas.drawn(), [](const Drawn& each) {
            const auto* const rect = std::get_if<DrawnRect>(&each.what);
            return rect && rect->filled && rect->color.a > 0 && rect->color.a < 255;
        });
    };
    EXPECT_EQ(veils("seq_len=4") + 2, veils("seq_len=64"));
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
        if (text.text != "this run" && text.text != "NoPE") continue;
        runs.push_back(text.text);
        EXPECT_EQ(text.style.weight == Weight::semibold, text.text == "this run") << text.text;
    }
    EXPECT_THAT(runs, testing::ElementsAre("this run", "NoPE"));
}

TEST(SmallPanels, ThePlotKeepsHalfOfTheHeight) {
    const Experiment experiment{.head_dim = 64, .seq_len = 256, .construction = AtDistance{}};
    const Cursor cursor{.query = 200, .key = 120};
    for (const Figure& figure : {Figure(RobustnessFigure{}), Figure(PhasorsFigure{}), Figure(MethodsFigure{}),
                                 Figure(WavelengthsFigure{}), Figure(EntropyFigure{})})
        for (const double height : {200.0, 245.0, 290.0}) {
            if (std::string_view(id_of(figure)) == "phasors" && height < 240) continue;  // the clocks are a plot, too
            const Rect rect{0, 0, 205, height};
            const auto results = results_for(figure, experiment, cursor);
            FigureMemo memo;
            RecordingCanvas canvas(rect);
            const Frame frame =
                draw(figure,
                     {.results = *results, .cursor = cursor, .cursor_shown = true, .theme = dark_theme(), .memo = memo},
                     canvas, rect);
            double filled = frame.plot.height;
            for (const Frame& above : frame.above) filled += above.plot.height;
            EXPECT_GE(filled, 0.5 * height) << id_of(figure) << ", " << height;
            EXPECT_THAT(canvas.faults(), testing::IsEmpty()) << id_of(figure);
        }
}

TEST(Methods, CurvesThatCoincideAreBothSeen) {
    const RecordingCanvas canvas =
        drawn(MethodsFigure{}, changed({.head_dim = 64}, "encoding=yarn encoding.factor=16"), {}, {0, 0, 600, 400});
    std::vector<DrawnLine> lines;
    for (const Drawn& each : canvas.drawn())
        if (const auto* line = std::get_if<DrawnLine>(&each.what); line && line->points.size() == 32)
            lines.push_back(*line);
    int twins = 0;
    for (std::size_t above = 0; above < lines.size(); ++above)
        for (std::size_t below = 0; below < above; ++below)
            if (lines[below].points == lines[above].points) {
                ++twins;
                EXPECT_NE(lines[below].stroke.color, lines[above].stroke.color);
                EXPECT_GE(lines[below].stroke.width, lines[above].stroke.width + 2);
            }
    EXPECT_EQ(twins, 1) << "NTK-aware and dynamic NTK";
}

TEST(Properties, FillALargePanelWithLargerTextButNotAPage) {
    const auto largest_text = [](const Rect& rect, const Theme& theme) {
        const Experiment experiment{.head_dim = 64, .seq_len = 64};
        const auto results = results_for(PropertiesFigure{}, experiment, {});
        FigureMemo memo;
        RecordingCanvas canvas(rect);
        draw(PropertiesFigure{}, {.results = *results, .cursor = {}, .theme = theme, .memo = memo}, canvas, rect);
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        double size = 0;
        for (const DrawnText& text : canvas.texts()) size = std::max(size, text.style.size);
        return size;
    };
    EXPECT_GE(largest_text({0, 0, 500, 500}, dark_theme()), 17);
    EXPECT_EQ(largest_text({0, 0, 210, 190}, dark_theme()), dark_theme().label_size);
    EXPECT_EQ(largest_text({0, 0, 500, 500}, paper_theme()), paper_theme().label_size);
}

TEST(Robustness, NamesOfNeighbouringLinesAreOnTheirFreeSide) {
    const Rect rect{0, 0, 600, 400};
    const RobustnessFigure figure{.target = 0};
    const Experiment head{.seq_len = 1024, .construction = AtDistance{.distance = 0, .norm_squared = 136}};
    const auto results = results_for(figure, head, {});
    FigureMemo memo;
    RecordingCanvas canvas(rect);
    const Frame frame =
        figure.draw({.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo}, canvas, rect);
    int names = 0;
    for (const DrawnText& text : canvas.texts())
        if (text.text.starts_with("required") || text.text.starts_with("current")) {
            ++names;
            EXPECT_GT(text.box.x, frame.above.front().to_pixels(136, 0).x) << text.text;
        }
    EXPECT_EQ(names, 2);
}

TEST(RotationMap, LabelsOfMarkedDistancesLieOverNoOther) {
    const Rect rect{0, 0, 800, 245};
    const RecordingCanvas canvas =
        drawn(RotationHeatmapFigure{.axis = AxisScale::logarithmic, .distances = 131072, .marked = {4096, 32768}},
              {.head_dim = 128, .seq_len = 4096}, {}, rect);
    std::vector<double> lines;
    for (const Drawn& each : canvas.drawn())
        if (const auto* line = std::get_if<DrawnLine>(&each.what);
            line && line->points.size() == 2 && line->stroke.color == dark_theme().warning)
            lines.push_back(line->points[0].x);
    ASSERT_EQ(lines.size(), 2u);
    int labels = 0;
    for (const DrawnText& text : canvas.texts()) {
        if (!text.text.starts_with("r = ")) continue;
        ++labels;
        for (const double x : lines) EXPECT_FALSE(text.box.x < x && text.box.right() > x) << text.text;
    }
    EXPECT_EQ(labels, 2);
}

}  // namespace
}  // namespace ropewalk
