// Figures of encodings that need one or two tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figures/figure_list.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
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
    for (const auto& [seq_len, said] : {std::pair{26200, "each cell averages 131 distances"},
                                        {1470, "each cell averages up to 8 distances"},
                                        {150, ""}}) {
        const auto results = results_for(figure, {.seq_len = seq_len}, {});
        FigureMemo memo;
        EXPECT_EQ(badge(figure, {.results = *results, .theme = light_theme(), .memo = memo}).text, said);
    }
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

TEST(RotationMap, SaysOnceWhyPairsAreBlank) {
    const auto said = [](const RotationHeatmapFigure& figure, double width) {
        std::vector<std::string> reasons;
        const auto canvas = drawn(figure, {.head_dim = 128, .seq_len = 131'072}, {}, {0, 0, width, 500});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        for (const std::string& text : words(canvas))
            if (text.find("fast") != text.npos) reasons.push_back(text);
        return reasons;
    };
    using testing::ElementsAre;
    const RotationHeatmapFigure logarithmic{.axis = AxisScale::logarithmic, .marked = {4096, 32'768}};
    EXPECT_THAT(said({}, 500), ElementsAre("faster than the pixels can show: mean 0"));
    EXPECT_THAT(said(logarithmic, 900), ElementsAre("faster than the pixels can show: mean 0"));
    EXPECT_THAT(said(logarithmic, 480), ElementsAre("too fast to show"));
    EXPECT_THAT(said(logarithmic, 260), testing::IsEmpty());
}

TEST(PhasorsFigure, LeavesOutClocksThatAreTooSmallToRead) {
    const auto omitted = [](int head_dim, const Rect& rect) {
        const auto canvas = drawn(PhasorsFigure{}, {.head_dim = head_dim, .seq_len = 64}, {}, rect);
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        const std::vector<std::string>& parts = canvas.omitted();
        return std::find(parts.begin(), parts.end(), "the clocks") != parts.end();
    };
    EXPECT_TRUE(omitted(256, {0, 0, 280, 300}));
    EXPECT_FALSE(omitted(64, {0, 0, 280, 300}));
    EXPECT_FALSE(omitted(256, {0, 0, 700, 500}));
}

TEST(PhasorsFigure, TheLastSumsDotIsNotCut) {
    const Rect rect{0, 0, 600, 300};
    const PhasorsFigure figure{.sums = PhasorDrawing::lengths};
    const Experiment head{.head_dim = 64, .seq_len = 64};
    const auto results = results_for(figure, head, {});
    FigureMemo memo;
    RecordingCanvas canvas(rect);
    const Frame frame = figure.draw({.results = *results, .theme = light_theme(), .memo = memo}, canvas, rect);
    const double right = frame.to_pixels(32, 0).x;
    EXPECT_LE(right + 4, frame.plot.right()) << "the dot's radius";
}

TEST(PhasorBound, ReadoutHasEnoughDigitsOrSaysEqual) {
    const PhasorBoundFigure figure;
    const Experiment constant{.head_dim = 128, .seq_len = 4096};
    const Cursor cursor = Cursor{4095, 4095, 0}.at_distance(100, 4096);
    const auto results = results_for(figure, constant, cursor);
    FigureMemo memo;
    const std::string text =
        figure.readout({.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo});
    EXPECT_THAT(text, testing::ContainsRegex("\\|Σ\\| = 0\\.49[0-9]* = 0\\.49[0-9]* ≤ 10\\.23"));
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
                EXPECT_TRUE(lines[below].stroke.dash.is_solid());
                EXPECT_FALSE(lines[above].stroke.dash.is_solid()) << "both are seen without colours, too";
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

TEST(Properties, SayInWholeSentencesWhatWasTested) {
    const auto canvas = drawn(PropertiesFigure{}, {.head_dim = 64, .seq_len = 64}, {}, {0, 0, 500, 500});
    std::string all;
    for (const std::string& text : words(canvas)) all += text + " ";
    EXPECT_THAT(all, testing::HasSubstr("The test covers 64 tokens."));
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
        if (!text.text.starts_with("$r$ = ")) continue;
        ++labels;
        for (const double x : lines) EXPECT_FALSE(text.box.x < x && text.box.right() > x) << text.text;
    }
    EXPECT_EQ(labels, 2);
}

TEST(RotationMap, LabelsOfMarksHaveABackgroundOnTransparentPages) {
    Theme transparent = light_theme();
    transparent.plot_background = transparent.panel = Color{0, 0, 0, 0};
    const Figure map = RotationHeatmapFigure{.marked = {80}}, curve = DecayFigure{};
    const Experiment experiment = changed({.head_dim = 64, .seq_len = 256}, "construction=ones encoding.base=100");
    const Rect rect{0, 0, 400, 260};
    const auto grounds = [&](const Figure& figure) {  // translucent and filled, in the colour of the light theme
        const auto results = results_for(figure, experiment, {});
        FigureMemo memo;
        RecordingCanvas canvas(rect);
        draw(figure, {.results = *results, .cursor = {}, .theme = transparent, .memo = memo}, canvas, rect);
        return std::count_if(canvas.drawn().begin(), canvas.drawn().end(), [](const Drawn& drawn) {
            const auto* box = std::get_if<DrawnRect>(&drawn.what);
            return box && box->filled && box->color == light_theme().plot_background.with_alpha(0.85);
        });
    };
    EXPECT_EQ(grounds(map), 1);
    EXPECT_EQ(grounds(curve), 0) << "beside a curve the page shows through";
}

}  // namespace
}  // namespace ropewalk
