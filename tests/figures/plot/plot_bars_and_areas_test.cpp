// Bars, steps and areas between two curves.
#include <cmath>

#include "core/numbers/numbers.h"
#include "tests/figures/plot/marks_fixture.h"

namespace ropewalk {
namespace {

using testing::SizeIs;

const Stroke outline_stroke{{10, 20, 30}, 1.5, 5};

/// Bars of 128 pairs in a narrow panel are lines with gaps, not a slab.
TEST_F(Marks, NarrowBarsLeaveGaps) {
    for (const std::size_t count : {100u, 128u, 150u, 199u}) {
        RecordingCanvas canvas({0, 0, 420, 320});
        const std::vector<double> y(count, 1.0);
        const Frame plot = frame({.low = -0.5, .high = static_cast<double>(count) - 0.5}, {});
        draw_bars({y}, 0.8, {1, 1, 1}, {2, 2, 2}, plot, canvas);
        std::vector<Rect> bars;
        for (const Drawn& one : canvas.drawn()) bars.push_back(std::get<DrawnRect>(one.what).rect);
        ASSERT_THAT(bars, SizeIs(count));
        for (std::size_t i = 1; i < bars.size(); ++i) {
            EXPECT_GE(bars[i].x - bars[i - 1].right(), 0.8) << count;
            EXPECT_NEAR(bars[i].width, bars[0].width, 1e-9);
        }
    }
}

TEST_F(Marks, StepsGoUpWhereBarsBegin) {
    const std::vector<double> y{0.5, 1, nan, 0.25};
    const Frame plot = frame({.low = -0.5, .high = 3.5}, {});
    draw_bars({y}, 1, {1, 1, 1}, {2, 2, 2}, plot, canvas_);
    draw_steps({y}, outline_stroke, plot, canvas_);
    const auto lines = drawn<DrawnLine>();
    ASSERT_THAT(lines, SizeIs(2)) << "NaN interrupts them";
    std::vector<Point> corners = lines[0].points;
    corners.insert(corners.end(), lines[1].points.begin(), lines[1].points.end());
    EXPECT_EQ(corners, (std::vector<Point>{{10, 310},
                                           {10, 160},
                                           {110, 160},
                                           {110, 10},
                                           {210, 10},
                                           {210, 310},
                                           {310, 310},
                                           {310, 235},
                                           {410, 235},
                                           {410, 310}}));
    for (const DrawnRect& bar : drawn<DrawnRect>())
        for (const Point& corner : {Point{bar.rect.x, bar.rect.y}, Point{bar.rect.right(), bar.rect.y}})
            EXPECT_THAT(corners, testing::Contains(corner));
}

TEST_F(Marks, StepsThatAreTooNarrowAreACurve) {
    const std::vector<double> y{0, 1, 0.5};
    const Frame plot = frame({.low = 0, .high = 200}, {});
    EXPECT_FALSE(has_room_for_bars({y}, plot));
    draw_steps({y}, outline_stroke, plot, canvas_);
    draw_curve({y}, outline_stroke, plot, canvas_);
    const auto lines = drawn<DrawnLine>();
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].points, lines[1].points);
}

TEST_F(Marks, ABandOfOneSampleIsVisible) {
    const std::vector<double> low{nan, 0, nan, 0, 0}, high{1, 0.5, 1, 1, 1};
    draw_band({low}, {high}, {1, 2, 3}, frame({.low = 0, .high = 4}, {}), canvas_);
    const auto bands = drawn<DrawnBand>();
    ASSERT_THAT(bands, SizeIs(2));
    EXPECT_EQ(bands[0].upper, (std::vector<Point>{{109.5, 160}, {110.5, 160}}));
    EXPECT_EQ(bands[0].lower, (std::vector<Point>{{109.5, 310}, {110.5, 310}}));
}

TEST_F(Marks, APeakIsNoArea) {
    std::vector<double> y(2000);
    const Frame plot = frame({.low = 0, .high = 1999}, {});
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.5 + 0.4 * std::sin(static_cast<double>(i) / 100);
    draw_curve({y}, outline_stroke, plot, canvas_);
    EXPECT_THAT(drawn<DrawnBand>(), SizeIs(0)) << "although a column may contain a peak";
    EXPECT_FALSE(drawn<DrawnLine>()[0].stroke.dash.is_solid());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 2 == 0 ? 0.5 : 0.6;
    draw_curve({y}, outline_stroke, plot, canvas_);
    EXPECT_THAT(drawn<DrawnBand>(), SizeIs(1));
    EXPECT_TRUE(drawn<DrawnLine>()[1].stroke.dash.is_solid()) << "dashes of an oscillating curve are illegible";
}

/// Where a logarithmic axis lets an oscillation become dense, no raw samples are left among the means.
TEST_F(Marks, AnOscillationIsOneArea) {
    for (const double width : {400.0, 610.0, 820.0, 1000.0}) {
        const Rect rect{0, 0, width + 20, 320};
        RecordingCanvas canvas(rect);
        std::vector<double> y(4096);
        for (std::size_t r = 0; r < y.size(); ++r) {
            const auto distance = static_cast<double>(r);
            y[r] = 0.5 + 0.05 * std::cos(distance) + 0.04 * std::cos(0.75 * distance);
        }
        Frame plot = frame({.low = 1, .high = 4095, .scale = AxisScale::logarithmic}, {});
        plot.plot.width = width;
        draw_curve({y}, outline_stroke, plot, canvas);
        int bands = 0;
        for (const Drawn& one : canvas.drawn()) bands += std::holds_alternative<DrawnBand>(one.what);
        EXPECT_EQ(bands, 1) << width;
    }
}

TEST_F(Marks, ASmoothStepBetweenTwoOscillationsIsALine) {
    std::vector<double> y(4000);
    const Frame plot = frame({.low = 0, .high = 3999}, {});  // ten samples a pixel
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double along = (static_cast<double>(i) - 1900) / 200,  // the step is 20 pixels wide
            swing = 0.1 * std::sin(1.3 * static_cast<double>(i));
        y[i] = along < 0 ? 0.2 + swing : along > 1 ? 0.7 + swing : 0.2 + 0.5 * along;
    }
    draw_curve({y}, outline_stroke, plot, canvas_);
    EXPECT_THAT(drawn<DrawnBand>(), SizeIs(2));
}

TEST_F(Marks, LabelsBesideTheEndsDoNotOverlap) {
    const Rect rect{0, 0, 700, 320};
    std::vector<LegendEntry> entries;
    for (const double end : {0.5, 0.52, 0.51, 0.0, 1.0}) entries.push_back({.label = "a curve", .end = end});
    RecordingCanvas canvas(rect);
    const Rect room = without_legend(entries, rect, canvas, light_theme());
    EXPECT_LT(room.width, rect.width);
    EXPECT_EQ(room.height, rect.height) << "no legend above";
    Frame plot = frame({}, {});
    const auto places = draw_legend(entries, rect, room, plot, canvas, light_theme());
    ASSERT_THAT(places, SizeIs(5));
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_GE(places[i].x, plot.plot.right());
        for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(places[i].inset(0.01).overlaps(places[j])) << i << ' ' << j;
    }
    EXPECT_LT(places[1].y, places[2].y) << "in the order of the curves";
    EXPECT_LT(places[2].y, places[0].y);
    entries[0].end = nan;  // bars or dots: a legend is needed
    EXPECT_EQ(without_legend(entries, rect, canvas, light_theme()).width, rect.width);
}

}  // namespace
}  // namespace ropewalk
