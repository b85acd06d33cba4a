// Where the label of a line across a plot is drawn.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "app/figures/parts/curves/curves.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

class MarkNamesInAPlot : public testing::Test {
  protected:
    /// Returns the label's place, in fractions of the plot's width, beside a line that a curve crosses again and again
    /// where `is_crossed`.
    std::pair<double, double> place(const std::function<bool(double x)>& is_crossed) {
        CurvePlot plot{.x = {.low = 0, .high = 1}, .y = {.low = 0, .high = 10}};
        Series curve;
        for (int i = 0; i <= 200; ++i) {
            const double x = i / 200.0, crossing = i % 2 == 0 ? 3 : 7;
            curve.points.push_back({x, is_crossed(x) ? crossing : 9});
        }
        plot.series = {curve};
        plot.marks = {{.way = Mark::Way::across, .at = 5, .label = "chance"}};
        const auto results = results_for(DecayFigure{}, {}, {});
        FigureMemo memo;
        RecordingCanvas canvas({0, 0, 600, 400});
        const Frame frame =
            draw_curves({plot}, {.results = *results, .theme = dark_theme(), .memo = memo}, canvas, {0, 0, 600, 400});
        for (const DrawnText& text : canvas.texts())
            if (text.text == "chance") return {frame.x_at(text.box.x), frame.x_at(text.box.right())};
        ADD_FAILURE() << "no label";
        return {};
    }
};

TEST_F(MarkNamesInAPlot, AreAtTheRightIfNothingIsThere) {
    EXPECT_GT(place([](double x) { return x < 0.8; }).second, 0.95);
}

TEST_F(MarkNamesInAPlot, FindTheOnlyGap) {
    const auto [begin, end] = place([](double x) { return x < 0.57 || x > 0.74; });
    EXPECT_GT(begin, 0.57);
    EXPECT_LT(end, 0.74);
}

TEST_F(MarkNamesInAPlot, AreWhereTheyHideFewestPoints) {
    const auto [begin, end] = place([](double x) { return x < 0.6 || x > 0.64; });
    EXPECT_LT(begin, 0.62) << "the gap is narrower than the label";
    EXPECT_GT(end, 0.62);
}

TEST(MarksThatSpareCurves, AreNamedBesideTheirPlotOrWhereTheyHideNothing) {
    const auto results = results_for(DecayFigure{}, {}, {});
    for (const bool is_crossed : {false, true})
        for (const double width : {600.0, 300.0}) {
            Series curve;
            for (int i = 0; i <= 200; ++i)
                curve.points.push_back({i / 200.0, !is_crossed ? 9.0 : i % 2 == 0 ? 3.0 : 7.0});
            CurvePlot plot{.x = {.low = 0, .high = 1}, .y = {.low = 0, .high = 10}};
            plot.series = {curve};
            plot.marks = {{.way = Mark::Way::across, .at = 5, .label = "chance", .spares_curves = true}};
            FigureMemo memo;
            const Rect rect{0, 0, width, 400};
            RecordingCanvas canvas(rect);
            const Frame frame =
                draw_curves({plot}, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, rect);
            bool is_named = false;
            for (const DrawnText& text : canvas.texts())
                if (text.text == "chance") {
                    is_named = true;
                    EXPECT_EQ(text.box.x > frame.plot.right(), width > 400) << width;
                }
            const bool has_place = width > 400 || !is_crossed;
            EXPECT_EQ(is_named, has_place) << width << is_crossed;
            EXPECT_EQ(canvas.omitted().empty(), has_place) << width << is_crossed;
        }
}

}  // namespace
}  // namespace ropewalk
