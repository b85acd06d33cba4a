// The attention matrix: its cells, colours and ranges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/figures/figure_list.h"
#include "app/figures/page/view_io.h"
#include "app/figures/parts/cells/cell_values.h"
#include "app/figures/parts/cells/count_per_cell.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(CellValues, AreFormattedLikeReadouts) {
    const Experiment experiment{
        .head_dim = 2, .seq_len = 4, .construction = Bands{.amplitudes = {0.99}, .phases = {std::numbers::pi}}};
    const auto canvas = drawn(AttentionFigure{.quantity = Quantity::logits}, experiment, {}, {0, 0, 420, 340});
    const auto texts = words(canvas);
    EXPECT_EQ(std::count(texts.begin(), texts.end(), "−0.99"), 4) << "the diagonal, without trailing zeros";
    for (int r = 1; r < 4; ++r)
        EXPECT_EQ(std::count(texts.begin(), texts.end(), readable(-0.99 * std::cos(r), 3)), 4 - r) << r;
}

TEST(CellValues, AreInEveryCellOrInNone) {
    const Rect rect{0, 0, 420, 340};
    const auto printed = [&](std::vector<double> values, double cell_width) {
        const HeatMap map{.values = std::make_shared<const std::vector<double>>(values),
                          .rows = 2,
                          .columns = 2,
                          .scale = {ColorMap::viridis, 0, 1, false}};
        const Viewport viewport{.rows = {0, 2}, .columns = {0, 2}, .cells_down = 2, .cells_across = 2};
        const Frame frame{.outer = rect,
                          .plot = {10, 10, 2 * cell_width, 80},
                          .x = {.low = -0.5, .high = 1.5},
                          .y = {.low = -0.5, .high = 1.5, .downwards = true}};
        RecordingCanvas canvas(rect);
        draw_cell_values(map, viewport, frame, canvas, light_theme());
        std::vector<std::string> texts;
        for (const std::string& text : words(canvas))
            if (!text.empty()) texts.push_back(text);
        return texts;
    };
    using testing::ElementsAre, testing::IsEmpty;
    EXPECT_THAT(printed({1, 2.9e-29, 1e-64, 0}, 40), ElementsAre("1", "≈0", "≈0", "0"));
    EXPECT_THAT(printed({1, 2.9e-29, 1e-64, 0}, 90), ElementsAre("1", "2.9×10⁻²⁹", "10⁻⁶⁴", "0"));
    EXPECT_THAT(printed({1, 0.25, 0.5, 0}, 40), ElementsAre("1", "0.25", "0.5", "0"));
    EXPECT_THAT(printed({3e-29, 2.9e-29, 1e-64, 0}, 40), IsEmpty()) << "they are the largest";
}

TEST(Attention, FramesTheCursorsCellWhereValuesArePrinted) {
    const AttentionFigure zoomed{.rows = {10, 20}, .columns = {0, 10}};
    const Experiment experiment{.head_dim = 8, .seq_len = 40, .construction = Gaussian{}};
    const auto bands = [](const RecordingCanvas& canvas) {
        return std::count_if(canvas.drawn().begin(), canvas.drawn().end(), [](const Drawn& drawn) {
            const auto* rect = std::get_if<DrawnRect>(&drawn.what);
            return rect && rect->filled && rect->color.a > 0 && rect->color.a < 128;
        });
    };
    const Cursor cursor{.query = 15, .key = 4};
    EXPECT_EQ(bands(drawn(zoomed, experiment, cursor, {0, 0, 700, 620})), 0);
    EXPECT_EQ(bands(drawn(AttentionFigure{}, experiment, cursor, {0, 0, 700, 620})), 2);
}

TEST(Attention, ADivergingMapIsCentredOnZeroWithoutTheOutermostToo) {
    const Experiment experiment{.head_dim = 8, .seq_len = 40, .construction = PreviousToken{}};
    const AttentionFigure figure{.quantity = Quantity::logits, .range = RangeMode::percentile};
    const auto results = results_for(figure, experiment, {});
    FigureMemo memo;
    AttentionFigure locked = figure;
    locked.range = RangeMode::locked;
    locked.adopt(figure, {.results = *results, .theme = light_theme(), .memo = memo});
    EXPECT_EQ(locked.range_low, -locked.range_high);
    EXPECT_GT(locked.range_high, 0);
}

TEST(Attention, WeightsHaveTheSameColoursBeforeTheFirstRowIsComputed) {
    // The preview samples one row per cell, without the first row; the exact result uses all.
    const Experiment experiment{.head_dim = 8, .seq_len = 5000, .construction = AtDistance{.distance = 1000}};
    const AttentionFigure figure{.quantity = Quantity::weights, .pooling = Pooling::max};
    Evaluator evaluator(open_backend("cpu", 2));
    for (const Detail detail : {Detail::coarse, Detail::exact}) {
        const auto results = evaluator.evaluate({experiment, {}, needs_of(figure, experiment, {50, 50})}, detail, {});
        FigureMemo memo;
        AttentionFigure locked = figure;
        locked.range = RangeMode::locked;
        locked.adopt(figure, {.results = *results, .theme = light_theme(), .memo = memo});
        EXPECT_EQ(locked.range_high, 1);
    }
}

TEST(Attention, ColoursDoNotFollowTheZoom) {
    const Experiment experiment{.head_dim = 8, .seq_len = 60, .construction = Gaussian{}};
    const auto range_of = [&](AttentionFigure figure, const Experiment& head) {
        const auto results = results_for(figure, head, {});
        FigureMemo memo;
        AttentionFigure locked = figure;
        locked.range = RangeMode::locked;
        locked.adopt(figure, {.results = *results, .theme = light_theme(), .memo = memo});
        return std::pair{locked.range_low, locked.range_high};
    };
    Experiment open = experiment;
    open.mask = Mask::none;
    for (const Experiment& head : {experiment, open})
        for (const Quantity quantity : {Quantity::scores, Quantity::logits, Quantity::weights, Quantity::log_weights})
            for (const bool skips : {false, true}) {
                AttentionFigure figure{.quantity = quantity, .without_first_key = skips};
                const auto whole = range_of(figure, head);
                figure.show({.rows = {40, 50}, .columns = {20, 30}});
                EXPECT_EQ(range_of(figure, head), whole) << id_of(head.encoding) << static_cast<int>(quantity) << skips;
            }
}

TEST(Attention, APreviewNamesItsSample) {
    const Experiment experiment{.head_dim = 8, .seq_len = 5000, .construction = AtDistance{.distance = 1000}};
    const Cursor cursor{.query = 4321, .key = 1234};
    Evaluator evaluator(open_backend("cpu", 2));
    const auto said = [&](Quantity quantity, Pooling pooling) {
        const AttentionFigure figure{.quantity = quantity, .pooling = pooling};
        const auto results =
            evaluator.evaluate({experiment, cursor, needs_of(figure, experiment, {50, 50})}, Detail::coarse, {});
        FigureMemo memo;
        const FigureInput input{.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo};
        return badge(figure, input).text + "; " + figure.readout(input);
    };
    using testing::AllOf, testing::HasSubstr;
    EXPECT_THAT(said(Quantity::logits, Pooling::mean), AllOf(HasSubstr("mean of 100 × 100 entries per cell; "),
                                                             HasSubstr("mean of 100 × 100 entries: logit")));
    EXPECT_THAT(said(Quantity::weights, Pooling::max),
                AllOf(HasSubstr("entries per cell, sums sampled; "),
                      HasSubstr("max of 100 × 100 entries, sums sampled: weight")));
    EXPECT_THAT(said(Quantity::weights, Pooling::mean), AllOf(HasSubstr("entries per cell, rows sampled; "),
                                                              HasSubstr("in row 4350, mean of 100 entries: weight")));
}

TEST(Attention, RejectsRangesThatEndBeforeTheyBegin) {
    const auto refused = [](const std::vector<std::string>& options) {
        Figure figure = AttentionFigure{};
        try {
            set_options(figure, options);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(refused({"rows.low=8", "rows.high=4"}), "rows.low is 8 and rows.high is 4; high must not be below low");
    EXPECT_THAT(refused({"range=locked", "range_low=2"}), testing::HasSubstr("range_low is 2 and range_high is 1"));
    EXPECT_EQ(refused({"rows.high=4", "rows.low=1", "columns.low=3"}), "");
    EXPECT_THROW(
        {
            Scene scene = parse_scene(R"({"schema": 1, "view": {"figures": [
                {"id": "attention", "columns": {"low": 9, "high": 3}}]}})",
                                      "a.json", {});
            read_view(scene);
        },
        InputError);
}

TEST(AttentionFigure, TwoFiguresHaveCellsOfTheirOwnSizes) {
    const AttentionFigure figure{.quantity = Quantity::weights};
    const Experiment head{.head_dim = 16, .seq_len = 400};
    Needs needs = figure.needs(head, {200, 200});
    add_needs(needs, figure.needs(head, {40, 40}));
    Evaluator evaluator(open_backend("reference"));
    const auto results = evaluator.evaluate({head, {}, needs}, Detail::exact, {});
    FigureMemo memo;
    const auto remark = [&](std::optional<PlotPixels> pixels) {
        return badge(figure, {.results = *results, .theme = light_theme(), .memo = memo, .pixels = pixels}).text;
    };
    EXPECT_EQ(remark(PlotPixels{200, 200}), "max of 2 × 2 entries per cell");
    EXPECT_EQ(remark(PlotPixels{40, 40}), "max of 10 × 10 entries per cell");
    EXPECT_EQ(counts_per_cell(1.4, 1.4), "up to 2 × 2");
    EXPECT_EQ(counts_per_cell(345, 1), "345 × 1");
    EXPECT_EQ(remark(PlotPixels{41, 41}), remark(PlotPixels{40, 40})) << "the nearest, until its own arrive";
}

}  // namespace
}  // namespace ropewalk
