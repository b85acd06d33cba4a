// Truncated spectra as a picture.
#include <gtest/gtest.h>

#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(TruncationFigure, WhatRotatedBeforeADragIsNotShownAsStill) {
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

}  // namespace
}  // namespace ropewalk
