#include <gmock/gmock.h>

#include <cmath>

#include "app/plot/axes.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

using testing::IsEmpty;

HeatMap scale_only(double min, double max, bool logarithmic) {
    return {.scale = {ColorMap::viridis, min, max, logarithmic}};
}

/// Returns the options of a square matrix over named tokens.
PlotOptions tokens(int count) {
    auto names = std::make_shared<std::vector<std::string>>();
    for (int token = 0; token < count; ++token)
        names->push_back(token == 3 ? "an uncommonly long token that nobody reads to its end" : "word");
    const Axis axis{.title = "token", .low = -0.5, .high = count - 0.5, .whole = true, .names = names};
    PlotOptions options{.x = axis, .y = axis, .square_cells = true, .grid = false};
    options.y.downwards = true;
    return options;
}

/// Kinds of plots that stress the layout in different ways.
std::vector<PlotOptions> samples() {
    return {
        {.x = {.title = "key position j", .high = 256, .whole = true},
         .y = {.title = "query position i", .high = 256, .downwards = true, .whole = true},
         .color_bar = ColorBar{scale_only(1e-4, 1, true), "weight"},
         .square_cells = true,
         .grid = false},
        {.x = {.title = "distance Δ", .low = 1, .high = 1e5, .scale = AxisScale::logarithmic},
         .y = {.title = "f(Δ) / d", .low = -0.4, .high = 1.05}},
        {.x = {.low = -1e-12, .high = 3.3e-12}, .y = {.low = -123'456, .high = 1e6}},
        {.x = {.title = "a very long title of an axis that will hardly ever fit", .low = 1e15, .high = 1e15 + 40},
         .y = {.title = "pair", .low = 1e-300, .high = 1e300, .scale = AxisScale::logarithmic},
         .color_bar = ColorBar{scale_only(-1, 1, false), ""},
         .grid = false},
        {.x = {.low = 5, .high = 5}, .y = {.low = 0, .high = 0}},
        tokens(9),
        {.x = tokens(40).x, .y = {.title = "weight"}},
    };
}

class LayoutAtEverySize : public testing::TestWithParam<const Theme*> {};

TEST_P(LayoutAtEverySize, NeverOverlapsNorLeavesItsRectangle) {
    const Theme& theme = *GetParam();
    const double sizes[] = {0, 3, 20, 27, 35, 44, 58, 75, 90, 117, 160, 240, 333.3, 480, 720, 1111, 2000};
    for (const PlotOptions& options : samples())
        for (const double width : sizes)
            for (const double height : sizes) {
                const Rect outer{7.3, 11.8, width, height};
                RecordingCanvas canvas(outer);
                const Frame frame = layout(options, canvas, outer, theme);
                draw_background(options, frame, canvas, theme);
                draw_axes(options, frame, canvas, theme);
                ASSERT_THAT(canvas.faults(), IsEmpty()) << options.x.title << " at " << width << " × " << height;
                ASSERT_GE(frame.plot.width, 0);
                ASSERT_GE(frame.plot.height, 0);
            }
}

INSTANTIATE_TEST_SUITE_P(Themes, LayoutAtEverySize, testing::Values(&light_theme(), &dark_theme()),
                         [](const auto& tested) { return std::string(tested.param->id); });

class PlotLayout : public testing::Test {
  protected:
    Frame arrange(const PlotOptions& options, double width, double height) {
        const Frame frame = layout(options, canvas_, {0, 0, width, height}, light_theme());
        draw_background(options, frame, canvas_, light_theme());
        draw_axes(options, frame, canvas_, light_theme());
        return frame;
    }

    const DrawnText* text(const std::string& wanted) {
        texts_ = canvas_.texts();
        for (const DrawnText& text : texts_)
            if (text.text == wanted) return &text;
        return nullptr;
    }

    RecordingCanvas canvas_{{0, 0, 4000, 4000}};
    std::vector<DrawnText> texts_;
};

TEST_F(PlotLayout, ShowsEverythingThatFits) {
    arrange(samples()[0], 700, 640);
    for (const char* wanted : {"key position j", "query position i", "weight", "0", "250", "10⁻²"})
        EXPECT_NE(text(wanted), nullptr) << wanted;
}

TEST_F(PlotLayout, HasAtMostSevenLabelsAnAxis) {
    const auto labels = [](const std::vector<Tick>& ticks) {
        return std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.label.empty(); });
    };
    for (const PlotOptions& options : samples())
        for (const double size : {200, 700, 1600, 3000}) {
            const Frame frame = layout(options, canvas_, {0, 0, size, size}, light_theme());
            for (const auto* ticks : {&frame.x_ticks, &frame.y_ticks, &frame.color_bar_ticks}) {
                if (!options.x.names) {
                    EXPECT_LE(labels(*ticks), 7) << size;
                }
            }
        }
}

TEST_F(PlotLayout, WholeAxesHaveWholeLabels) {
    const PlotOptions options{.x = {.low = -0.5, .high = 0.5, .whole = true}, .y = {.low = -1, .high = 1}};
    const Frame frame = layout(options, canvas_, {0, 0, 400, 300}, light_theme());
    ASSERT_EQ(frame.x_ticks.size(), 1u);
    EXPECT_EQ(frame.x_ticks[0].label, "0");
}

TEST_F(PlotLayout, LeavesRoomForLabelsAtTheVeryEnds) {
    arrange(samples()[1], 356, 276);
    EXPECT_NE(text("1"), nullptr);
    EXPECT_NE(text("100k"), nullptr);
}

TEST_F(PlotLayout, DropsTitlesBeforeLabels) {
    const Frame frame = arrange(samples()[1], 140, 80);
    EXPECT_GE(frame.plot.width, 48);
    EXPECT_GE(frame.plot.height, 30);
    EXPECT_EQ(text("distance Δ"), nullptr);
    EXPECT_GE(texts_.size(), 3u) << "labels";
}

TEST_F(PlotLayout, NamesThatWouldBeCutAreReplacedByNumbers) {
    const auto names = std::make_shared<const std::vector<std::string>>(
        std::vector<std::string>{"marvellous", "splendid", "a", "certainly"});
    const PlotOptions options{.x = {.low = -0.5, .high = 3.5, .whole = true, .names = names}, .y = {.high = 1}};
    const auto labels = [&](double width, double height) {
        std::vector<std::string> shown;
        for (const Tick& tick : layout(options, canvas_, {0, 0, width, height}, light_theme()).x_ticks)
            shown.push_back(tick.label);
        return shown;
    };
    EXPECT_EQ(labels(700, 500), *names);
    EXPECT_EQ(labels(160, 120), (std::vector<std::string>{"0", "2"}));
}

TEST_F(PlotLayout, TheMatrixStaysWhereItIsWhenTheLabelsOfItsColorBarChange) {
    PlotOptions options = samples()[0];
    const auto plot_for = [&](double min, double max) {
        options.color_bar = ColorBar{scale_only(min, max, false), "weight"};
        return arrange(options, 520, 500).plot;
    };
    const Rect usual = plot_for(0, 1);
    for (const auto& [min, max] : {std::pair{0.0, 0.04}, {0.0, 0.1}, {0.0, 20.0}, {-3.0, 3.0}, {-0.5, 0.5}})
        EXPECT_EQ(plot_for(min, max), usual) << min << " … " << max;
    EXPECT_EQ(plot_for(0, 3e-5).y, usual.y) << "of long ones it gives way";
}

TEST_F(PlotLayout, TheReplacementOfAColorBarFitsToo) {
    PlotOptions options = samples()[0];
    const ColorBar values{scale_only(-3e-5, 3e-5, false), "logit"},
        differences{scale_only(-0.5, 0.5, false), "Δ logit"};
    for (const double width : {280.0, 520.0, 600.0}) {
        const auto plot_of = [&](const ColorBar& shown, const ColorBar& other) {
            options.color_bar = shown;
            options.color_bar->in_turn = std::make_shared<const ColorBar>(other);
            return layout(options, canvas_, {0, 0, width, 400}, light_theme()).plot;
        };
        EXPECT_EQ(plot_of(values, differences), plot_of(differences, values)) << width;
        options.color_bar = differences;
        const Rect alone = layout(options, canvas_, {0, 0, width, 400}, light_theme()).plot;
        EXPECT_GT(alone.right(), plot_of(values, differences).right()) << "it needs less";
    }
}

TEST_F(PlotLayout, ShortensTitlesInsteadOfCuttingThem) {
    PlotOptions options = samples()[1];
    options.x.title = "distance r = i − j (tokens)", options.x.brief = "distance r";
    options.y.title = "divisor of the frequency", options.y.brief = "divisor";
    const auto forms = [&](const std::string& (*title_of)(const Frame&), Point min) {
        std::vector<std::string> said;
        for (double share = 1; share >= 0; share -= 0.01) {
            const Rect rect{0, 0, std::lerp(min.x, 400, share), std::lerp(min.y, 400, share)};
            const Frame frame = layout(options, canvas_, rect, light_theme());
            const std::string& title = title_of(frame);
            if (!title.empty() && std::find(said.begin(), said.end(), title) == said.end()) said.push_back(title);
        }
        return said;
    };
    EXPECT_THAT(forms([](const Frame& frame) -> const std::string& { return frame.x.title; }, {130, 400}),
                testing::ElementsAre("distance r = i − j (tokens)", "distance r = i − j", "distance r"));
    EXPECT_THAT(forms([](const Frame& frame) -> const std::string& { return frame.y.title; }, {400, 60}),
                testing::ElementsAre("divisor of the frequency", "divisor"));
    options.square_cells = true;
    const RecordingCanvas small = [&] {
        RecordingCanvas canvas({0, 0, 120, 90});
        const Frame frame = layout(options, canvas, {0, 0, 120, 90}, light_theme());
        draw_axes(options, frame, canvas, light_theme());
        return canvas;
    }();
    EXPECT_THAT(small.faults(), IsEmpty());
    const auto texts = small.texts();
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const DrawnText& text) {
        return text.text == "distance r";
    })) << "longer than the plot, if need be";
    EXPECT_THAT(small.omitted(), testing::Contains("the title “distance r = i − j (tokens)”"));
}

TEST_F(PlotLayout, MakesMatricesSquareAndKeepsTheColorBarBesideThem) {
    for (const auto& [width, height] : {std::pair{900, 500}, std::pair{560, 500}}) {
        const Frame frame = arrange(samples()[0], width, height);
        EXPECT_EQ(frame.plot.width, frame.plot.height);
        ASSERT_TRUE(frame.color_bar);
        EXPECT_EQ(frame.color_bar->y, frame.plot.y);
        EXPECT_EQ(frame.color_bar->height, frame.plot.height);
        EXPECT_GT(frame.color_bar->x, frame.plot.right());
        EXPECT_LT(frame.color_bar->x, frame.plot.right() + 20);
    }
}

TEST_F(PlotLayout, TheColorBarOfAMatrixInANarrowHighPanelIsBelowIt) {
    PlotOptions options = samples()[0];
    options.color_bar->some_above = options.color_bar->some_below = true;
    const Frame beside = layout(options, canvas_, {0, 0, 236, 240}, light_theme());
    const Frame frame = arrange(options, 236, 500);
    ASSERT_TRUE(frame.color_bar);
    EXPECT_GT(frame.plot.width, 1.4 * beside.plot.width);
    EXPECT_GT(frame.color_bar->y, frame.plot.bottom() + 30) << "below the axis' labels and title";
    EXPECT_EQ(frame.color_bar->x - 9, frame.plot.x) << "with its point";
    EXPECT_EQ(frame.color_bar->right() + 9, frame.plot.right());
    ASSERT_GE(frame.color_bar_ticks.size(), 2u);
    const DrawnText *weight = text("weight"), *key = text("key position j");
    ASSERT_TRUE(weight && key);
    EXPECT_GT(weight->box.y, frame.color_bar->bottom());
    EXPECT_LT(weight->box.bottom(), 500);
}

TEST_F(PlotLayout, EndsAColorBarInAPointIfValuesAreBeyondIt) {
    PlotOptions options = samples()[0];
    const auto points = [&] {  // areas with a corner beyond the bar, and their side
        RecordingCanvas canvas({0, 0, 900, 500});
        const Frame frame = layout(options, canvas, {0, 0, 900, 500}, light_theme());
        draw_axes(options, frame, canvas, light_theme());
        std::pair<int, int> above_and_below;
        for (const Drawn& drawn : canvas.drawn())
            if (const auto* area = std::get_if<DrawnBand>(&drawn.what)) {
                EXPECT_EQ(area->upper.size(), 3);
                above_and_below.first += area->upper[1].y < frame.color_bar->y;
                above_and_below.second += area->lower[1].y > frame.color_bar->bottom();
            }
        EXPECT_EQ(frame.color_bar->y > frame.plot.y, above_and_below.first == 1);
        EXPECT_EQ(frame.color_bar->bottom() < frame.plot.bottom(), above_and_below.second == 1);
        return above_and_below;
    };
    EXPECT_EQ(points(), std::pair(0, 0));
    options.color_bar->some_above = true;
    EXPECT_EQ(points(), std::pair(1, 0));
    options.color_bar->some_below = true;
    EXPECT_EQ(points(), std::pair(1, 1));
}

TEST_F(PlotLayout, ASmallMatrixHasShortTitlesBesideIt) {
    PlotOptions options = samples()[0];
    options.y.brief = "query i";
    options.color_bar->title = "score, before the mask";
    const Frame small = layout(options, canvas_, {0, 0, 230, 125}, light_theme());
    EXPECT_EQ(small.color_bar_title, "score");
    EXPECT_EQ(small.y.title, "query i") << "in one line";
    EXPECT_GE(small.plot.width, 70);
    const Frame large = layout(options, canvas_, {0, 0, 600, 500}, light_theme());
    EXPECT_EQ(large.color_bar_title, "score, before the mask");
    EXPECT_EQ(large.y.title, "query position i");
    options.color_bar->title = "a title that says a great deal more than has room beside so small a matrix";
    EXPECT_EQ(layout(options, canvas_, {0, 0, 230, 150}, light_theme()).color_bar_title, "");
}

TEST_F(PlotLayout, UsesWholePixels) {
    const Frame frame = layout(samples()[0], canvas_, {0.4, 10.7, 611.1, 503.9}, light_theme());
    for (const double edge : {frame.plot.x, frame.plot.y, frame.plot.width, frame.plot.height})
        EXPECT_EQ(edge, std::round(edge));
}

TEST_F(PlotLayout, GivesSquareMatricesTheSameTicksOnBothAxes) {
    for (const int size : {300, 420, 560, 700, 1000}) {
        const Frame frame = layout(samples()[0], canvas_, {0, 0, size + 120.0, size * 1.0}, light_theme());
        EXPECT_GT(frame.x_ticks.size(), 2u);
        EXPECT_TRUE(frame.x_ticks == frame.y_ticks) << size;
    }
}

TEST_F(PlotLayout, NamesTwoRoundValuesOfALowAxis) {
    const auto labels = [&](double low, double high, AxisScale scale = AxisScale::linear, double height = 72) {
        const PlotOptions options{.x = {.high = 10}, .y = {.low = low, .high = high, .scale = scale}};
        std::vector<std::string> found;
        for (const Tick& tick : layout(options, canvas_, {0, 0, 300, height}, light_theme()).y_ticks)
            if (!tick.label.empty()) found.push_back(tick.label);
        return found;
    };
    EXPECT_THAT(labels(-0.019, 0.017), testing::ElementsAre("−0.01", "0.01")) << "0 between them does not fit";
    EXPECT_THAT(labels(-0.0142, 0.0047), testing::ElementsAre("−0.01", "0"));
    EXPECT_THAT(labels(0.21, 1.9, AxisScale::logarithmic), testing::ElementsAre("0.4", "1.4"));
    EXPECT_THAT(labels(-1, 1, AxisScale::linear, 90), testing::ElementsAre("−1", "0", "1")) << "no need";
}

TEST_F(PlotLayout, NamesTokensIfTheNamesFit) {
    const auto count = [&](const std::string& wanted) {
        const auto texts = canvas_.texts();
        return std::count_if(texts.begin(), texts.end(), [&](const DrawnText& text) { return text.text == wanted; });
    };
    const Frame wide = arrange(tokens(9), 900, 900);
    EXPECT_EQ(count("word"), 16) << "eight on either axis";
    EXPECT_EQ(count("3"), 0);
    EXPECT_THAT(canvas_.omitted(), IsEmpty());
    EXPECT_EQ(wide.x_label_rotation, Rotation::none);
    EXPECT_TRUE(wide.x_ticks == wide.y_ticks);
    EXPECT_THAT(wide.x_ticks[3].label, testing::AllOf(testing::StartsWith("an un"), testing::EndsWith("…")));

    canvas_ = RecordingCanvas({0, 0, 4000, 4000});
    const Frame narrow = arrange(tokens(9), 300, 300);
    EXPECT_EQ(count("word"), 16);
    EXPECT_EQ(narrow.x_label_rotation, Rotation::quarter_left);
    EXPECT_THAT(canvas_.faults(), IsEmpty());

    canvas_ = RecordingCanvas({0, 0, 4000, 4000});
    const Frame small = arrange(tokens(9), 150, 150);
    EXPECT_EQ(count("word"), 0) << "numbers where names would touch";
    EXPECT_GE(count("0"), 2);
    EXPECT_EQ(small.x.names, nullptr);
    EXPECT_THAT(canvas_.omitted(), testing::ElementsAre("the names of the tokens")) << "of both axes";

    canvas_ = RecordingCanvas({0, 0, 4000, 4000});
    arrange(tokens(400), 900, 900);
    EXPECT_THAT(canvas_.omitted(), IsEmpty()) << "no page has room for all of them";

    PlotOptions beyond = tokens(9);
    beyond.x.low = 20.5, beyond.x.high = 29.5;
    EXPECT_EQ(arrange(beyond, 900, 900).x.names, nullptr) << "tokens without a name are numbers";
    EXPECT_THAT(canvas_.omitted(), IsEmpty());
}

TEST_F(PlotLayout, MapsDataToPixelsAndBack) {
    const Frame frame = layout(samples()[1], canvas_, {20, 30, 500, 400}, light_theme());
    const Point pixel = frame.to_pixels(100, 0.5);
    EXPECT_NEAR(frame.x_at(pixel.x), 100, 1e-9);
    EXPECT_NEAR(frame.y_at(pixel.y), 0.5, 1e-12);
    EXPECT_NEAR(pixel.x, frame.plot.x + 0.4 * frame.plot.width, 1e-9);
    EXPECT_EQ(frame.to_pixels(1, -0.4), (Point{frame.plot.x, frame.plot.bottom()}));
    const Frame matrix = layout(samples()[0], canvas_, {20, 30, 500, 400}, light_theme());
    EXPECT_EQ(matrix.to_pixels(0, 0), (Point{matrix.plot.x, matrix.plot.y}));
}

TEST_F(PlotLayout, DrawsTheColorBarFromItsTable) {
    const Frame frame = arrange(samples()[0], 700, 640);
    int images = 0;
    for (const Drawn& drawn : canvas_.drawn())
        if (const auto* image = std::get_if<DrawnImage>(&drawn.what)) {
            EXPECT_EQ(image->rows, 256);
            EXPECT_EQ(image->rect, *frame.color_bar);
            ++images;
        }
    EXPECT_EQ(images, 1);
}

TEST_F(PlotLayout, TheColorBarIsWhereTheMatrixIsLarger) {
    const PlotOptions options = samples()[0];
    for (const double width : {220.0, 420.0, 720.0}) {
        const Frame high = arrange(options, width, 1.2 * width), wide = arrange(options, 1.2 * width, width);
        EXPECT_GT(high.color_bar->y, high.plot.bottom());
        EXPECT_GT(wide.color_bar->x, wide.plot.right());
        EXPECT_GT(high.plot.width, 0.6 * width) << "little is left empty";
    }
}

TEST_F(PlotLayout, TheColorBarMovesBelowAMatrixThatThisEnlarges) {
    const Frame almost_square = arrange(samples()[0], 440, 430);
    EXPECT_GT(almost_square.color_bar->y, almost_square.plot.bottom());
    EXPECT_GT(almost_square.plot.width, 1.05 * (440 - 160)) << "than beside it";
}

}  // namespace
}  // namespace ropewalk
