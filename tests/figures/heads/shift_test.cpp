// The figure of shifted tokens: its verdict, its mark and its numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/figure_list.h"
#include "app/figures/figures.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

struct ShiftPage {
    ShiftPage(const ShiftFigure& figure, const char* settings)
        : experiment(changed({}, settings)),
          results(Evaluator(open_backend("cpu", 2))
                      .evaluate({experiment, {.query = 90, .key = 70}, needs_of(figure, experiment, {400, 300})},
                                Detail::exact, {})),
          input{.results = *results, .cursor = {.query = 90, .key = 70}, .theme = light_theme(), .memo = memo},
          frame(draw(figure, input, canvas, {0, 0, 600, 400})) {}

    FigureMemo memo;
    Experiment experiment;
    std::shared_ptr<const Results> results;
    FigureInput input;
    RecordingCanvas canvas{{0, 0, 600, 400}};
    Frame frame;
};

TEST(ShiftFigure, TellsWhetherOnlyTheDistanceMatters) {
    const ShiftFigure figure;
    EXPECT_EQ(badge(figure, ShiftPage(figure, "construction=gaussian").input).text, "depends on distance only");
    EXPECT_THAT(badge(figure, ShiftPage(figure, "encoding=sinusoidal").input).text, HasSubstr("changes by up to"));
    EXPECT_EQ(badge(figure, ShiftPage(figure, "encoding=random_rope").input).text, "");
}

TEST(ShiftFigure, TheMarkFollowsTheMouse) {
    ShiftFigure figure{.shift = 10, .max = 200};
    const ShiftPage page(figure, "encoding=sinusoidal");
    Figure moved = figure;
    const Point at = page.frame.to_pixels(150, 0);
    ASSERT_TRUE(draws_at(moved, page.frame, {at.x, page.frame.plot.centre().y}));
    Experiment same = page.experiment;
    draw_with(moved, {.start = at, .from = at, .to = at}, page.frame, page.input, same);
    EXPECT_EQ(get<ShiftFigure>(moved).shift, 150);
    EXPECT_EQ(same, page.experiment);
    const DataTable table = *table_of(figure, *page.results);
    EXPECT_EQ(table.shape, (std::vector<std::int64_t>{201, 3}));
    EXPECT_THAT(readout(figure, page.input), HasSubstr(readable(table.values[10 * 3 + 1])));
}

}  // namespace
}  // namespace ropewalk
