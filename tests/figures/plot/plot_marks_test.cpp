#include <cmath>
#include <random>

#include "app/plot/dense_curve.h"
#include "core/numbers/numbers.h"
#include "tests/figures/plot/marks_fixture.h"

namespace ropewalk {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

const Stroke mark_stroke{{10, 20, 30}, 1.5, 0};

/// Returns minimum and maximum pixel of y per pixel column by brute force.
std::vector<std::pair<double, double>> brute_force(const Curve& curve, const Frame& frame) {
    std::vector<std::pair<double, double>> columns(static_cast<std::size_t>(frame.plot.width), {infinity, -infinity});
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
        const Point at = frame.to_pixels(curve.first + static_cast<double>(i) * curve.step, curve.y[i]);
        const double column = std::floor(at.x - frame.plot.x);
        if (!(column >= 0 && column < frame.plot.width) || std::isnan(at.y)) continue;
        auto& [min, max] = columns[static_cast<std::size_t>(column)];
        min = std::min(min, at.y);
        max = std::max(max, at.y);
    }
    return columns;
}

/// Returns the extremes over each column and its neighbours in an area.
std::vector<std::pair<double, double>> over_neighbours(const std::vector<std::pair<double, double>>& columns) {
    std::vector<std::pair<double, double>> wide = columns;
    for (std::size_t i = 0; i < columns.size(); ++i)
        for (std::size_t j = i < area_window ? 0 : i - area_window; j < std::min(columns.size(), i + area_window + 1);
             ++j)
            wide[i] = {std::min(wide[i].first, columns[j].first), std::max(wide[i].second, columns[j].second)};
    return wide;
}

std::vector<std::pair<double, double>> columns_of(const std::vector<DrawnLine>& lines, const Frame& frame) {
    std::vector<std::pair<double, double>> columns(static_cast<std::size_t>(frame.plot.width), {infinity, -infinity});
    for (const DrawnLine& line : lines)
        for (const Point& point : line.points) {
            const double column = std::floor(point.x - frame.plot.x);
            if (!(column >= 0 && column < frame.plot.width)) continue;
            auto& [min, max] = columns[static_cast<std::size_t>(column)];
            min = std::min(min, point.y);
            max = std::max(max, point.y);
        }
    return columns;
}

TEST_F(Marks, EnvelopeEqualsBruteForce) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> y(20'000);
    for (double& value : y) value = uniform(random);
    for (const AxisScale scale : {AxisScale::linear, AxisScale::logarithmic}) {
        RecordingCanvas canvas({0, 0, 420, 320});
        // 1/3 keeps the samples away from the columns' edges, where rounding would matter.
        const Frame f = frame({.low = 1, .high = 20'000, .scale = scale}, {.low = -1, .high = 1});
        const Curve curve{y, 1.0 / 3, 1};
        draw_curve(curve, mark_stroke, f, canvas);
        std::vector<DrawnLine> edges;  // and the lines where samples are sparse
        for (const Drawn& one : canvas.drawn())
            if (const auto* band = std::get_if<DrawnBand>(&one.what)) {
                EXPECT_LE(band->upper.size(), 402u);
                edges.push_back({band->upper, {}}), edges.push_back({band->lower, {}});
            } else {
                edges.push_back(std::get<DrawnLine>(one.what));
            }
        const auto own = brute_force(curve, f), found = columns_of(edges, f), expected = over_neighbours(own);
        for (std::size_t column = 0; column < expected.size(); ++column) {
            if (own[column].first == infinity) continue;
            // Where samples are sparse, the lines are those of the column alone.
            const auto& min = scale == AxisScale::linear ? expected[column] : own[column];
            EXPECT_LE(found[column].first, min.first + 1e-9) << column;
            EXPECT_GE(found[column].second, min.second - 1e-9) << column;
            EXPECT_GE(found[column].first, expected[column].first - 1e-9) << column;
            EXPECT_LE(found[column].second, expected[column].second + 1e-9) << column;
        }
    }
}

/// Returns all corners of lines and bands, in order.
std::vector<Point> all_points(const RecordingCanvas& canvas) {
    std::vector<Point> points;
    const auto add = [&](const std::vector<Point>& more) { points.insert(points.end(), more.begin(), more.end()); };
    for (const Drawn& one : canvas.drawn()) {
        if (const auto* line = std::get_if<DrawnLine>(&one.what)) add(line->points);
        if (const auto* band = std::get_if<DrawnBand>(&one.what)) add(band->upper), add(band->lower);
        if (const auto* circle = std::get_if<DrawnCircle>(&one.what)) add({circle->centre});
    }
    return points;
}

/// With or without cached extents, a curve is drawn in the same way.
TEST_F(Marks, KnownExtentsChangeNothing) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (const std::size_t size : {0u, 1u, 63u, 64u, 65u, 4000u, 30'011u}) {
        std::vector<double> values(size), spread(size);
        for (double& value : values) value = random() % 50 == 0 ? nan : normal(random);
        for (double& value : spread) value = std::abs(normal(random));
        const Curve plain{values, 3, 1}, low{values, 3, 1, spread, -2}, high{values, 3, 1, spread, 2};
        const auto quick = [](Curve curve) {
            curve.extents = std::make_shared<const CurveExtents>(curve);
            return curve;
        };
        std::vector<double> added;
        for (std::size_t i = 0; i < size; ++i) added.push_back(values[i] + 2 * spread[i]);
        for (int part = 0; part < 100 && size > 0; ++part) {
            const std::size_t a = random() % size, b = random() % (size + 1), begin = std::min(a, b),
                              end = std::max(a, b);
            Extent expected;
            for (std::size_t i = begin; i < end; ++i) expected.take(added[i]);
            for (const Curve& curve : {high, quick(high)}) {
                EXPECT_EQ(curve.extent(begin, end).min, expected.min);
                EXPECT_EQ(curve.extent(begin, end).max, expected.max);
            }
        }
        const Curve quick_plain = quick(plain);  // remembers how it was drawn last
        const double end = static_cast<double>(size) + 10;
        for (const auto& [scale, high_x] : {std::pair{AxisScale::linear, end},
                                            {AxisScale::logarithmic, end},
                                            {AxisScale::logarithmic, 9.0},
                                            {AxisScale::linear, end},
                                            {AxisScale::linear, end}}) {
            const Frame plot = frame({.low = 2, .high = high_x, .scale = scale}, {.low = -4, .high = 4});
            RecordingCanvas slowly({0, 0, 420, 320}), quickly({0, 0, 420, 320});
            draw_band(low, high, Color{1, 2, 3}, plot, slowly);
            draw_curve(plain, mark_stroke, plot, slowly);
            draw_band(quick(low), quick(high), Color{1, 2, 3}, plot, quickly);
            draw_curve(quick_plain, mark_stroke, plot, quickly);
            EXPECT_EQ(all_points(slowly), all_points(quickly)) << size << " up to " << high_x;
            EXPECT_EQ(DenseCurve::of(quick_plain, plot), DenseCurve::of(quick_plain, plot)) << "is kept";
            EXPECT_NE(DenseCurve::of(plain, plot), DenseCurve::of(plain, plot)) << "has nowhere to be kept";
            Frame moved = plot;
            moved.plot.x += 1, moved.plot.width -= 1;
            Curve shifted = quick_plain;
            shifted.first += 1;
            for (const auto& [curve, at] : {std::pair(quick_plain, moved), {shifted, plot}}) {
                const auto kept = DenseCurve::of(curve, at);
                const DenseCurve fresh(curve, at);
                ASSERT_EQ(kept->columns.size(), fresh.columns.size());
                for (std::size_t i = 0; i < fresh.columns.size(); ++i) {
                    EXPECT_EQ(kept->columns[i].first, fresh.columns[i].first);
                    EXPECT_EQ(kept->columns[i].middle, fresh.columns[i].middle);
                }
            }
        }
    }
}

TEST_F(Marks, EnvelopeKeepsASpikeOfOneSampleInAMillion) {
    for (const std::size_t at : {0u, 1u, 400'003u, 999'999u}) {
        RecordingCanvas canvas({0, 0, 420, 320});
        std::vector<double> y(1'000'000, 0.0);
        y[at] = 1;
        const Frame f = frame({.low = 0, .high = 999'999}, {.low = -1, .high = 1});
        draw_curve({y}, mark_stroke, f, canvas);
        double top = infinity;
        for (const Drawn& one : canvas.drawn())
            for (const Point& point : std::get<DrawnLine>(one.what).points)
                top = std::min(top, point.y);  // a peak, not an area
        EXPECT_EQ(top, f.plot.y) << at;
    }
}

TEST_F(Marks, FewSamplesAreJoinedWhereTheyAre) {
    const std::vector<double> y{0, 1, 0.5};
    const Frame f = frame({.low = 0, .high = 2}, {});
    draw_curve({y}, mark_stroke, f, canvas_);
    ASSERT_THAT(drawn<DrawnLine>(), SizeIs(1));
    EXPECT_THAT(drawn<DrawnLine>()[0].points, testing::ElementsAre(Point{10, 310}, Point{210, 10}, Point{410, 160}));
}

TEST_F(Marks, LinesContinueBeyondTheEdgesOfTheView) {
    const std::vector<double> y{0, 1, 0, 1};
    draw_curve({y}, mark_stroke, frame({.low = 0.5, .high = 2.5}, {}), canvas_);
    const auto points = drawn<DrawnLine>()[0].points;
    ASSERT_THAT(points, SizeIs(4));
    EXPECT_LT(points[0].x, 10);
    EXPECT_GT(points[3].x, 410);
}

TEST_F(Marks, NanInterruptsACurve) {
    const std::vector<double> y{0, 1, nan, 0.5, nan, 1, 0};
    draw_curve({y}, mark_stroke, frame({.low = 0, .high = 6}, {}), canvas_);
    EXPECT_THAT(drawn<DrawnLine>(), SizeIs(2));
    EXPECT_THAT(drawn<DrawnCircle>(), SizeIs(1)) << "the single sample";
}

TEST_F(Marks, NanInterruptsAnEnvelopeWhereAColumnHasNothingElse) {
    std::vector<double> y(400'000, 0.5);
    std::fill(y.begin() + 100'000, y.begin() + 103'000, nan);  // three columns
    y[300'000] = nan;
    draw_curve({y}, mark_stroke, frame({.low = 0, .high = 400'000}, {}), canvas_);
    EXPECT_THAT(drawn<DrawnLine>(), SizeIs(2));
}

TEST_F(Marks, HugeAndInfiniteValuesStayFinite) {
    const std::vector<double> y{0, 1e300, -1e300, infinity, -infinity, 0.5};
    draw_curve({y}, mark_stroke, frame({.low = 0, .high = 5}, {}), canvas_);
    draw_curve({y}, mark_stroke,
               frame({.low = 0, .high = 5}, {.low = 1e-5, .high = 1, .scale = AxisScale::logarithmic}), canvas_);
    for (const DrawnLine& line : drawn<DrawnLine>())
        for (const Point& point : line.points) EXPECT_LT(std::abs(point.y), 1e6);
    EXPECT_THAT(drawn<DrawnLine>(), SizeIs(2));
}

TEST_F(Marks, ACurveOfNothingDrawsNothing) {
    draw_curve({}, mark_stroke, frame({}, {}), canvas_);
    const std::vector<double> y(3, nan);
    draw_curve({y}, mark_stroke, frame({.low = 0, .high = 2}, {}), canvas_);
    EXPECT_THAT(canvas_.drawn(), IsEmpty());
}

TEST_F(Marks, DistanceZeroHasNoPlaceOnALogarithmicAxis) {
    const std::vector<double> y{1, 0.5, 0.25};
    draw_curve({y}, mark_stroke, frame({.low = 1, .high = 2, .scale = AxisScale::logarithmic}, {}), canvas_);
    EXPECT_THAT(drawn<DrawnLine>()[0].points, SizeIs(2));
}

TEST_F(Marks, BandPoolsSmallestOfLowToLargestOfHigh) {
    std::vector<double> low(40'000, 0.25), high(40'000, 0.5);
    low[20'050] = 0;
    high[20'060] = 1;
    draw_band({low}, {high}, {1, 2, 3}, frame({.low = 0, .high = 40'000}, {}), canvas_);
    ASSERT_THAT(drawn<DrawnBand>(), SizeIs(1));
    const DrawnBand band = drawn<DrawnBand>()[0];
    ASSERT_EQ(band.upper.size(), band.lower.size());
    double top = infinity, bottom = -infinity;
    for (std::size_t i = 0; i < band.upper.size(); ++i) {
        EXPECT_EQ(band.upper[i].x, band.lower[i].x);
        top = std::min(top, band.upper[i].y);
        bottom = std::max(bottom, band.lower[i].y);
    }
    EXPECT_EQ(top, 10);
    EXPECT_EQ(bottom, 310);
    EXPECT_LT(band.upper.size(), 410u);
}

TEST_F(Marks, BandIsInterruptedByNan) {
    const std::vector<double> low{0, 0, nan, 0, 0}, high{1, 1, 1, 1, 1};
    draw_band({low}, {high}, {1, 2, 3}, frame({.low = 0, .high = 4}, {}), canvas_);
    EXPECT_THAT(drawn<DrawnBand>(), SizeIs(2));
}

TEST_F(Marks, BarsStartAtZeroInTheColourOfTheirSign) {
    const std::vector<double> y{0.5, -1, 0};
    draw_bars({y}, 0.5, {1, 1, 1}, {2, 2, 2}, frame({.low = -0.5, .high = 2.5}, {.low = -1, .high = 1}), canvas_);
    const auto bars = drawn<DrawnRect>();
    ASSERT_THAT(bars, SizeIs(2));
    EXPECT_EQ(bars[0].color, (Color{1, 1, 1}));
    EXPECT_EQ(bars[0].rect.y, 85);
    EXPECT_EQ(bars[0].rect.bottom(), 160);
    EXPECT_NEAR(bars[0].rect.width, 400 / 3.0 / 2, 1);
    EXPECT_EQ(bars[1].color, (Color{2, 2, 2}));
    EXPECT_EQ(bars[1].rect.y, 160);
    EXPECT_EQ(bars[1].rect.bottom(), 310);
}

TEST_F(Marks, CrowdedBarsArePooled) {
    std::vector<double> y(100'000, 0.1);
    y[54'321] = 1;
    y[54'322] = -1;
    draw_bars({y}, 0.8, {1, 1, 1}, {2, 2, 2}, frame({.low = 0, .high = 100'000}, {.low = -1, .high = 1}), canvas_);
    const auto bars = drawn<DrawnRect>();
    EXPECT_LT(bars.size(), 410u);
    const auto reaches = [&](double height) {
        return std::any_of(bars.begin(), bars.end(), [&](const DrawnRect& bar) { return bar.rect.height == height; });
    };
    EXPECT_TRUE(reaches(150));
}

TEST_F(Marks, RulesAndPointsOutsideTheViewAreLeftOut) {
    const Frame f = frame({.low = 1, .high = 10, .scale = AxisScale::logarithmic}, {});
    draw_vertical_rule(0, f, canvas_, mark_stroke);
    draw_vertical_rule(11, f, canvas_, mark_stroke);
    draw_horizontal_rule(-0.1, f, canvas_, mark_stroke);
    draw_horizontal_rule(nan, f, canvas_, mark_stroke);
    draw_point({-1, 0.5}, 4, {}, f, canvas_, light_theme());
    EXPECT_THAT(canvas_.drawn(), IsEmpty());
    draw_vertical_rule(10, f, canvas_, mark_stroke);
    draw_horizontal_rule(0, f, canvas_, mark_stroke);
    draw_point({1, 1}, 4, {}, f, canvas_, light_theme());
    EXPECT_THAT(canvas_.drawn(), SizeIs(3));
    for (const DrawnLine& line : drawn<DrawnLine>())
        for (const Point& point : line.points) EXPECT_TRUE(f.plot.inset(-0.01).contains(point));
}

TEST_F(Marks, HeatMapsShowHatchOnlyWhereSomethingIsMasked) {
    const Frame f = frame({}, {});
    HeatMap map{.values = SharedNumbers::of(std::vector<double>(4, 0.5)), .rows = 2, .columns = 2};
    draw_heat_map(map, f, canvas_);
    EXPECT_THAT(canvas_.drawn(), SizeIs(1));
    map.visible = std::make_shared<std::vector<Interval>>(std::vector<Interval>{{0, 1}, {0, 2}});
    draw_heat_map(map, f, canvas_);
    EXPECT_GT(drawn<DrawnLine>().size(), 20u);
    EXPECT_THAT(drawn<DrawnImage>(), SizeIs(2));
    EXPECT_TRUE(std::holds_alternative<DrawnImage>(canvas_.drawn().back().what)) << "the cells lie on the hatch";
}

TEST_F(Marks, SeveralDenseCurvesAreAllVisible) {
    std::vector<double> y(20'000);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = 0.2 + 0.5 * std::sin(0.7 * static_cast<double>(i));
    const Curve curve{y};
    const Frame frame = Marks::frame({.low = -0.5, .high = 19'999.5}, {.low = -1, .high = 1});
    draw_curve(curve, mark_stroke, frame, canvas_, CurvePart::area);
    const auto areas = drawn<DrawnBand>();
    ASSERT_THAT(areas, SizeIs(1));
    EXPECT_EQ(areas[0].color, mark_stroke.color.with_alpha(area_alpha)) << "what is behind shows through";
    const auto extremes = over_neighbours(brute_force(curve, frame));
    ASSERT_THAT(areas[0].upper, SizeIs(400));
    for (std::size_t column = 0; column < 400; ++column) {
        EXPECT_NEAR(areas[0].upper[column].y, extremes[column].first, 1e-9) << column;
        EXPECT_NEAR(areas[0].lower[column].y, extremes[column].second, 1e-9) << column;
    }
    const auto edges = drawn<DrawnLine>();
    ASSERT_THAT(edges, SizeIs(2));
    for (const DrawnLine& edge : edges) EXPECT_LT(edge.stroke.color.a, 255) << "paler than the line";
    for (std::size_t column = 0; column < 400; ++column) {
        EXPECT_EQ(edges[0].points[column].y, areas[0].upper[column].y);
        EXPECT_EQ(edges[1].points[column].y, areas[0].lower[column].y);
    }
    draw_curve(curve, mark_stroke, frame, canvas_, CurvePart::line);
    const auto lines = drawn<DrawnLine>();
    ASSERT_THAT(lines, SizeIs(3));
    ASSERT_THAT(lines[2].points, SizeIs(400));
    for (std::size_t column = 0; column < 400; ++column) {
        double sum = 0;
        const std::size_t begin = 50 * (column < area_window ? 0 : column - area_window),
                          end = 50 * std::min<std::size_t>(400, column + area_window + 1);
        for (std::size_t i = begin; i < end; ++i) sum += y[i];
        EXPECT_NEAR(lines[2].points[column].y, frame.to_pixels(0, sum / static_cast<double>(end - begin)).y, 1e-6)
            << column;
    }
}

TEST_F(Marks, APeakAtTheBeginningOfADenseCurveIsDrawn) {
    std::vector<double> y(20'000);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = i == 0 ? 0.9 : 0.3 * std::sin(0.7 * static_cast<double>(i));
    const Frame frame = Marks::frame({.low = 0, .high = 19'999}, {.low = -1, .high = 1});
    draw_curve({y}, mark_stroke, frame, canvas_, CurvePart::line);
    const auto lines = drawn<DrawnLine>();
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_NEAR(lines[0].points.front().y, frame.to_pixels(0, 0.9).y, 1e-9);
    EXPECT_NEAR(lines[0].points[1].y, frame.to_pixels(0, 0).y, 5) << "then their mean";
}

TEST_F(Marks, ShortPiecesOfAnAreaWithinALineAreDrawnExactly) {
    std::vector<double> y(800);  // two samples per column, of which some zigzag
    const auto areas_with_zigzag_of = [&](std::size_t samples) {
        for (std::size_t i = 0; i < y.size(); ++i)
            y[i] = 1e-3 * static_cast<double>(i) + (i >= 400 && i < 400 + samples && i % 2 == 0 ? 0.1 : 0);
        canvas_ = RecordingCanvas({0, 0, 420, 320});
        draw_curve({y}, mark_stroke, frame({.low = -0.25, .high = 799.75}, {.low = 0, .high = 1}), canvas_);
        return drawn<DrawnBand>().size();
    };
    EXPECT_EQ(areas_with_zigzag_of(10), 0u);
    const auto lines = drawn<DrawnLine>();
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_THAT(lines[0].points, SizeIs(800)) << "every sample is drawn";
    EXPECT_EQ(areas_with_zigzag_of(120), 0u) << "patches of band would alternate with the line";
    EXPECT_EQ(areas_with_zigzag_of(400), 1u) << "where it is half of the curve";
}

TEST_F(Marks, DenseColumnsBetweenSparseOnesHaveTheirRanges) {
    std::vector<double> y(1400);  // alternately four and three samples per column
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = i % 7 == 1 ? 0.8 : i % 7 == 2 ? -0.6 : 0.1;
    const Frame frame = Marks::frame({.low = -0.25, .high = 1399.75}, {.low = -1, .high = 1});
    draw_curve({y}, mark_stroke, frame, canvas_, CurvePart::area);
    const auto areas = drawn<DrawnBand>();
    ASSERT_THAT(areas, SizeIs(1)) << "a zigzag of three samples per column is a smear, too";
    for (const auto& [edge, value] : {std::pair{areas[0].upper, 0.8}, {areas[0].lower, -0.6}})
        for (const Point& point : edge) EXPECT_NEAR(point.y, frame.to_pixels(0, value).y, 1e-9);
}

TEST_F(Marks, SmoothCurvesAmongOthersAreTheLinesThatTheyAreAlone) {
    std::vector<double> y(5000);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::exp(-static_cast<double>(i) / 900);
    const Frame frame = Marks::frame({.low = 1, .high = 4999, .scale = AxisScale::logarithmic}, {.low = -1, .high = 1});
    draw_curve({y}, mark_stroke, frame, canvas_, CurvePart::area);
    EXPECT_THAT(canvas_.drawn(), IsEmpty());
    draw_curve({y}, mark_stroke, frame, canvas_);
    draw_curve({y}, mark_stroke, frame, canvas_, CurvePart::line);
    const auto lines = drawn<DrawnLine>();
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].points, lines[1].points);
}

}  // namespace
}  // namespace ropewalk
