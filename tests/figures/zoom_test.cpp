// Zoomed axes of figures with curves.
#include "app/figures/parts/curves/zoom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figures/page/view_io.h"
#include "app/figures/parts/curves/curves.h"
#include "core/error.h"
#include "core/experiment/settings.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(Zoom, APlaceStaysWhileTheAxisIsEnlarged) {
    for (const AxisScale scale : {AxisScale::linear, AxisScale::logarithmic}) {
        const Axis whole{.low = 1, .high = 10'000, .scale = scale};
        Axis shown = whole;
        for (const double at : {0.25, 0.5, 0.9}) {
            const double value = shown.value(at);
            const auto range = zoomed_about(shown, whole, at, 0.5);
            ASSERT_EQ(range.size(), 2u);
            shown.low = range[0], shown.high = range[1];
            EXPECT_NEAR(shown.fraction(value), at, 1e-9);
        }
        EXPECT_NEAR(whole.fraction(shown.high) - whole.fraction(shown.low), 0.125, 1e-9) << "three times by a half";
        EXPECT_TRUE(zoomed_about(shown, whole, 0.5, 8).empty()) << "all of it";
        const auto moved = shifted_by(shown, whole, -100);
        EXPECT_NEAR(moved[0], whole.low, 1e-9) << "not beyond the beginning";
        EXPECT_NEAR(whole.fraction(moved[1]), 0.125, 1e-9);
    }
}

TEST(Zoom, ARangeWithoutCurveSaysSo) {
    const auto said = [](const char* id, const char* range) {
        Figure figure = figure_of(id);
        set_options(figure, {range});
        std::string all;
        for (const std::string& line : words(drawn(figure, {.seq_len = 4096}, {}, {0, 0, 900, 500}))) all += line + " ";
        return all;
    };
    const std::string sentence = "No part of the curve is between 5000 and 6000. It runs from ";
    EXPECT_THAT(said("decay", "x=5000:6000"), testing::HasSubstr(sentence + "0 to 4095."));
    EXPECT_THAT(said("phasor_bound", "x=5000:6000"), testing::HasSubstr(sentence + "1 to 4095."));
    EXPECT_THAT(said("decay", "x=4000:6000"), testing::Not(testing::HasSubstr("No part")));
}

TEST(Zoom, NamesAreBesideTheEndsOfWhatIsShown) {
    const auto results = results_for(DecayFigure{}, {}, {});
    FigureMemo memo;
    const FigureInput input{.results = *results, .theme = dark_theme(), .memo = memo};
    const auto rises_above = [&](double end, const std::vector<double>& x) {  // the rising line, at the end of the axis
        CurvePlot plot{.x = {.low = 0, .high = 10}, .y = {.low = 1, .high = 0}};
        std::vector<double> rising, falling;
        for (const double at : x) rising.push_back(at), falling.push_back(10 - at);
        plot.series = {{.label = "rising", .points = points_of(x, rising)},
                       {.label = "falling", .points = points_of(x, falling)}};
        plot.zoom.x = {0, end};
        RecordingCanvas canvas({0, 0, 600, 400});
        draw_curves({plot}, input, canvas, {0, 0, 600, 400});
        const auto place = [&](const char* name) {
            for (const DrawnText& text : canvas.texts())
                if (text.text == name) return text.box.centre();
            ADD_FAILURE() << name;
            return Point{};
        };
        EXPECT_NE(place("rising").y, place("falling").y) << "beside the plot";
        return place("rising").y < place("falling").y;
    };
    for (const std::vector<double>& x : {std::vector<double>{0, 2, 4, 6, 8, 10}, {10, 8, 6, 4, 2, 0}, {0, 10}}) {
        EXPECT_TRUE(rises_above(9, x));
        EXPECT_FALSE(rises_above(3, x));
    }
}

TEST(Zoom, AnAxisShowsItsRangeAndTheOtherFitsTheCurve) {
    const Experiment experiment = changed({}, "seq_len=4096 encoding=rope");
    Figure figure = figure_of("decay");
    set_options(figure, {"axis=linear", "x=2000:3000"});
    const auto results = results_for(figure, experiment, {});
    const auto values = results->find(DecayQuestion{})->mean;
    const auto [low, high] = std::minmax_element(values.begin() + 2000, values.begin() + 3001);
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 600, 400});
    const auto frame_of = [&] {
        return draw(figure, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 600, 400});
    };
    const Frame frame = frame_of();
    EXPECT_EQ(frame.x.low, 2000);
    EXPECT_EQ(frame.x.high, 3000);
    EXPECT_LT(frame.y.low, *low);
    EXPECT_GT(frame.y.low, *low - 0.1 * (*high - *low));
    EXPECT_GT(frame.y.high, *high);
    EXPECT_LT(frame.y.high, *high + 0.1 * (*high - *low));
    ASSERT_TRUE(frame.whole_x);
    EXPECT_LE(frame.whole_x->low, 0);
    EXPECT_GE(frame.whole_x->high, 4095);
    set_options(figure, {"y=-0.5:0.5"});
    EXPECT_EQ(frame_of().y.low, -0.5);
    EXPECT_EQ(frame_of().y.high, 0.5);
    show_all(figure);
    EXPECT_FALSE(frame_of().whole_x);
    EXPECT_EQ(zoom_of(figure), Zoom{});
}

TEST(Zoom, EveryFigureOfCurvesTakesRanges) {
    std::size_t zoomable = 0;
    for (const std::string& id : ids_of_figures()) {
        Figure figure = figure_of(id);
        if (!zoom_of(figure)) continue;
        ++zoomable;
        const bool has_y = id != "truncation";  // a row for each encoding
        set_options(figure, {"x=2:3"});
        if (has_y) set_options(figure, {"y=0.25:4"});
        EXPECT_EQ(zoom_of(figure), (Zoom{{2, 3}, has_y ? std::vector{0.25, 4.0} : std::vector<double>()})) << id;
        for (const char* wrong : {"x=3:2", "x=1", has_y ? "y=1:2:3" : "x=1:2:3", "x=2:2"})
            EXPECT_THROW(set_options(figure, {wrong}), InputError) << id << " " << wrong;
    }
    EXPECT_GE(zoomable, 21u);
}

/// Returns the frame of a figure with these options.
Frame frame_of(const char* id, const std::vector<std::string>& options, const Experiment& experiment) {
    Figure figure = figure_of(id);
    set_options(figure, options);
    const auto results = results_for(figure, experiment, {});
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 600, 400});
    return draw(figure, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 600, 400});
}

TEST(Zoom, FiguresOfPairsAndTokensShowTheirRanges) {
    const Experiment experiment = changed({}, "seq_len=4096 head_dim=128 encoding=rope construction=gaussian");
    for (const char* id : {"contributions", "wavelengths", "frequency_usage", "truncation"}) {
        SCOPED_TRACE(id);
        const Frame frame = frame_of(id, {"x=20:30"}, experiment);
        EXPECT_EQ(frame.x.low, 20);
        EXPECT_EQ(frame.x.high, 30);
        ASSERT_TRUE(frame.whole_x);
        EXPECT_GT(frame.whole_x->high, 30);
        for (const Frame& above : frame.above) EXPECT_EQ(above.x.high, 30);
    }
    const Frame whole = frame_of("contributions", {}, experiment),
                part = frame_of("contributions", {"x=50:60"}, experiment);
    EXPECT_LT(part.y.high - part.y.low, whole.y.high - whole.y.low) << "the sum's axis fits what is seen";
    EXPECT_EQ(frame_of("contributions", {"y=-0.5:0.5"}, experiment).above.front().y.high, 0.5);
    EXPECT_EQ(frame_of("wavelengths", {"y=10:100"}, experiment).y.low, 10);
}

TEST(Zoom, ZoomedUsageReadsOnlyTheShownTokens) {
    Figure figure = figure_of("frequency_usage");
    set_options(figure, {"x=1000.2:1010.4", "y=3:8"});
    const Experiment experiment = changed({}, "seq_len=4096 encoding=rope construction=gaussian");
    const auto results = results_for(figure, experiment, {});
    const auto usage = results->all_of<UsageQuestion>();
    ASSERT_EQ(usage.size(), 1u);
    EXPECT_EQ(usage.front().question.tokens, (Interval{1000, 1011}));
    EXPECT_EQ(usage.front().question.cells, 11) << "one cell per token";
    const auto all = results_for(figure_of("frequency_usage"), experiment, {}, {4096, 100});
    const auto every = all->all_of<UsageQuestion>().front().answer;
    for (int token = 0; token < 11; ++token)
        EXPECT_DOUBLE_EQ(usage.front().answer->query[static_cast<std::size_t>(5 * 11 + token)],
                         every->query[static_cast<std::size_t>(5 * 4096 + 1000 + token)]);
}

TEST(Zoom, AMarkIsShownWithWhatIsNearIt) {
    const Axis whole{.low = -50, .high = 4150, .whole = true};
    const auto range = zoomed_to(whole, whole, 2653);
    EXPECT_NEAR((range[0] + range[1]) / 2, 2653, 1e-9);
    EXPECT_NEAR(range[1] - range[0], 420, 1e-9);
    Axis shown = whole;
    shown.low = 2650, shown.high = 2660;
    const auto closest = zoomed_to(shown, whole, 2653);
    EXPECT_NEAR(closest[1] - closest[0], 20, 1e-9) << "some whole numbers around it";
    const auto first = zoomed_to(whole, whole, -50);
    EXPECT_EQ(first[0], -50) << "within the axis";
}

TEST(Zoom, ToAMarkAgainAndAgainKeepsALength) {
    Axis shown{.low = 1, .high = 4096, .scale = AxisScale::logarithmic};
    const Axis whole = shown;
    for (int times = 0; times < 40; ++times) {
        const auto range = zoomed_to(shown, whole, 1);
        ASSERT_EQ(range.size(), 2u);
        ASSERT_LT(range[0], range[1]) << times;
        shown.low = range[0], shown.high = range[1];
    }
}

}  // namespace
}  // namespace ropewalk
