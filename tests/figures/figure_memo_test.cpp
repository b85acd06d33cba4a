// What figures keep between two drawings.
#include "app/figures/parts/figure_memo.h"

#include <gmock/gmock.h>

#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(FigureMemo, KeepsNoResultsAlive) {
    const Experiment experiment{.head_dim = 8, .seq_len = 40};
    FigureMemo memo;
    std::weak_ptr<const AttentionView> view;
    {
        const auto results = results_for(AttentionFigure{}, experiment, {});
        RecordingCanvas canvas({0, 0, 300, 300});
        draw(AttentionFigure{}, {.results = *results, .theme = light_theme(), .memo = memo}, canvas, {0, 0, 300, 300});
        view = results->all_of<ViewQuestion>()[0].answer;
        EXPECT_FALSE(view.expired());
    }
    EXPECT_TRUE(view.expired());
}

TEST(FigureMemo, KeepsTheExtentsOfAllLongCurvesOfAFigure) {
    FigureMemo memo;
    std::vector<SharedNumbers> all;
    std::vector<std::shared_ptr<const CurveExtents>> extents;
    for (std::size_t i = 0; i < FigureMemo::most_long_curves; ++i) {
        all.push_back(SharedNumbers::of(Numbers(std::size_t{1} << 14, static_cast<double>(i))));
        extents.push_back(memo.quick({*all.back()}, all.back()).extents);
        ASSERT_TRUE(extents.back());
    }
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(memo.quick({*all[i]}, all[i]).extents, extents[i]) << i;
}

}  // namespace
}  // namespace ropewalk
