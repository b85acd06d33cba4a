// Zoomed axes of figures with curves.
#include "app/figures/parts/zoom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figures/page/view_io.h"
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
        set_options(figure, {"x=2:3", "y=0.25:4"});
        EXPECT_EQ(zoom_of(figure), (Zoom{{2, 3}, {0.25, 4}})) << id;
        for (const char* wrong : {"x=3:2", "x=1", "y=1:2:3", "x=2:2"})
            EXPECT_THROW(set_options(figure, {wrong}), InputError) << id << " " << wrong;
    }
    EXPECT_GE(zoomable, 17u);
}

}  // namespace
}  // namespace ropewalk
