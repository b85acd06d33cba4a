// Figures of heads that need one or two tests.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figures/figure_list.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

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

}  // namespace
}  // namespace ropewalk
