// The strip below a zoomed curve.
#include "app/window/panels/overview.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/figures/figure_list.h"
#include "app/plot/omitted_canvas.h"
#include "core/evaluation/evaluate.h"
#include "core/evaluation/open_backend.h"

namespace ropewalk {
namespace {

struct Circles : OmittedCanvas {
    void circle(Point centre, double radius, Color, const Stroke&) override {
        ++count;
        top = std::min(top, centre.y - radius), bottom = std::max(bottom, centre.y + radius);
    }
    int count = 0;
    double top = infinity, bottom = -infinity;
};

TEST(Overview, HasRoomForDots) {
    const Rect strip{50, 300, 700, 18};
    const Experiment experiment;
    WavelengthsFigure zoomed;
    zoomed.x_range = {4, 20}, zoomed.y_range = {100, 1000};
    const auto results = Evaluator(open_backend("", 1)).evaluate({experiment, {}, {}}, Detail::exact, {});
    FigureMemo memo;
    const FigureInput input{.results = *results, .theme = dark_theme(), .memo = memo};
    const Figure shown = figure_in_strip(zoomed, input, strip);
    EXPECT_TRUE(zoom_of(shown)->x.empty()) << "all of the axis";
    Circles circles;
    const Frame frame = draw(shown, input, circles, strip);
    EXPECT_EQ(circles.count, experiment.head_dim / 2) << "every pair";
    EXPECT_GE(circles.top, frame.plot.y - 1e-6);
    EXPECT_LE(circles.bottom, frame.plot.bottom() + 1e-6);
}

}  // namespace
}  // namespace ropewalk
