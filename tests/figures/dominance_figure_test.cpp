// The dominant dimension as a picture.
#include <gtest/gtest.h>

#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(DominanceFigure, ManyDotsAreLargeEnoughToBeSeen) {
    const auto canvas =
        drawn(DominanceFigure{}, {.head_dim = 16, .seq_len = 200, .construction = Gaussian{}}, {}, {0, 0, 400, 300});
    int seen = 0;
    for (const Drawn& one : canvas.drawn()) {
        const auto* dot = std::get_if<DrawnCircle>(&one.what);
        seen += dot && 2 * dot->radius >= 5 ? 1 : 0;  // pixels
    }
    EXPECT_GT(seen, 2 * 70) << "of both series";
}

}  // namespace
}  // namespace ropewalk
