// The figure of dominant pairs.
#include <gtest/gtest.h>

#include "app/figures/figure_list.h"
#include "core/constructions/construction_list.h"
#include "core/evaluation/open_backend.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(DominanceFigure, ManyDotsAreLargeEnoughToSee) {
    const Experiment experiment{.head_dim = 16, .seq_len = 200, .construction = Gaussian{}};
    const Figure figure = DominanceFigure{};
    Evaluator evaluator(open_backend("", 2));
    const auto results =
        evaluator.evaluate({experiment, {}, needs_of(figure, experiment, {400, 300})}, Detail::complete, {});
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 400, 300});
    draw(figure, {.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 400, 300});
    int seen = 0;
    for (const Drawn& one : canvas.drawn()) {
        const auto* dot = std::get_if<DrawnCircle>(&one.what);
        seen += dot && 2 * dot->radius >= 5 ? 1 : 0;  // pixels
    }
    EXPECT_GT(seen, 2 * 70) << "of both series";
}

}  // namespace
}  // namespace ropewalk
