// Bars, steps and areas between two curves.
#include <cmath>

#include "core/numbers/numbers.h"
#include "tests/figures/plot/marks_fixture.h"

namespace ropewalk {
namespace {

using testing::SizeIs;

const Stroke outline_stroke{{10, 20, 30}, 1.5, 5};

TEST_F(Marks, TheLineAtZeroKeepsClearOfTheAxis) {
    const auto lines = [](const Axis& y) {
        RecordingCanvas canvas({0, 0, 420, 320});
        draw_zero_line(frame({}, y), canvas, light_theme());
        return canvas.drawn().size();
    };
    EXPECT_EQ(lines({.low = -1, .high = 1}), 1u);
    EXPECT_EQ(lines({.low = -1, .high = 0}), 1u) << "no axis is at the top";
    EXPECT_EQ(lines({.low = 0, .high = 1}), 0u) << "the axis itself";
    EXPECT_EQ(lines({.low = -0.016, .high = 0.984}), 0u) << "4.8 of 300 pixels above it";
    EXPECT_EQ(lines({.low = -0.018, .high = 0.982}), 1u);
    EXPECT_EQ(lines({.low = 1, .high = 2}), 0u);
    EXPECT_EQ(lines({.low = 0.1, .high = 2, .scale = AxisScale::logarithmic}), 0u);
}

TEST_F(Marks, NarrowBarsTouch) {
    const std::vector<double> y(150, 1.0);
    const Frame plot = frame({.low = -0.5, .high = 149.5}, {});
    draw_bars({y}, 0.8, {1, 1, 1}, {2, 2, 2}, plot, canvas_);
    const auto bars = drawn<DrawnRect>();
    ASSERT_THAT(bars, SizeIs(150));
    for (std::size_t i = 1; i < bars.size(); ++i)
        EXPECT_NEAR(bars[i].rect.x, bars[i - 1].rect.right(), 1e-9) << "gaps of unequal pixels would be a pattern";
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

TEST_F(Marks, ColumnsOfAnAreaHaveItsExtent) {
    std::vector<double> y(4000);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 2 == 0 ? 0.25 : i == 2345 ? 1 : 0.5;
    const Frame plot = frame({.low = 0, .high = 4000}, {});
    draw_column_of_area({y}, 2347, outline_stroke, plot, canvas_);
    const auto lines = drawn<DrawnLine>();
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_EQ(lines[0].points, (std::vector<Point>{{244.5, 235}, {244.5, 10}}));
    draw_column_of_area({std::span(y).first(200)}, 20, outline_stroke, frame({.low = 0, .high = 200}, {}), canvas_);
    EXPECT_THAT(drawn<DrawnLine>(), SizeIs(1)) << "samples that have columns of their own";
}

TEST_F(Marks, APeakIsNoArea) {
    std::vector<double> y(2000);
    const auto wave = [&](double height) {
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.5 + height * std::sin(static_cast<double>(i) / 100);
        return Curve{y};
    };
    const Frame plot = frame({.low = 0, .high = 1999}, {});
    EXPECT_FALSE(has_area(wave(0.4), plot)) << "although a column may contain a peak";
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 2 == 0 ? 0.5 : 0.6;
    EXPECT_TRUE(has_area({y}, plot));
}

}  // namespace
}  // namespace ropewalk
