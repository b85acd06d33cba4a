// The figure of truncated spectra.
#include <gtest/gtest.h>

#include "app/figures/figure_list.h"
#include "core/encodings/encoding_list.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(TruncationFigure, PairsRotatedBeforeADragAreNotShownAtInfinity) {
    const Experiment own{.seq_len = 40, .encoding = Rope{.base = 100}},
        before{.seq_len = 40, .encoding = Rope{.base = 1e9}};
    const auto a = results_for(TruncationFigure{}, own, {}), b = results_for(TruncationFigure{}, before, {});
    FigureMemo memo;
    const Rect rect{0, 0, 600, 400};
    RecordingCanvas canvas(rect);
    const Frame frame =
        draw(TruncationFigure{}, {.results = *a, .theme = light_theme(), .memo = memo, .ghost = b.get()}, canvas, rect);
    int ghosts = 0;
    for (const Drawn& drawn : canvas.drawn())
        if (const auto* line = std::get_if<DrawnLine>(&drawn.what);
            line && line->stroke.color == ghost_stroke(light_theme()).color) {
            const bool is_of_rope = line->points[0].y < frame.plot.y + frame.plot.height / 4;
            ++ghosts;
            EXPECT_FALSE(is_of_rope && line->points[0].x > frame.plot.x + 0.9 * frame.plot.width);
        }
    EXPECT_GT(ghosts, 0);
}

TEST(TruncationFigure, PairsThatAreNotRotatedArePickedAtInfinity) {
    const Experiment head{.head_dim = 16, .encoding = PRope{.p = 0.5}};
    const TruncationFigure figure;
    const auto results = results_for(figure, head, {});
    FigureMemo memo;
    const Rect rect{0, 0, 600, 400};
    RecordingCanvas canvas(rect);
    const FigureInput input{.results = *results, .theme = light_theme(), .memo = memo};
    const Frame frame = draw(figure, input, canvas, rect);
    const double of_p_rope = frame.to_pixels(10, 1).y;  // the second row
    const auto at_shelf = pick(figure, input, frame, {frame.plot.right() - 1, of_p_rope}),
               at_start = pick(figure, input, frame, {frame.plot.x + 1, of_p_rope});
    ASSERT_TRUE(at_shelf && at_start);
    EXPECT_EQ(at_shelf->pair, 4) << "the first that does not rotate";
    EXPECT_EQ(at_start->pair, 0);
}

}  // namespace
}  // namespace ropewalk
