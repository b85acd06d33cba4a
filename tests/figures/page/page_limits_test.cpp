// Pages that are too large.
#include <gtest/gtest.h>

#include "app/figures/figure_list.h"
#include "app/figures/page/page.h"
#include "app/figures/page/view_io.h"
#include "core/error.h"
#include "tests/core/evaluation/fake_backend.h"

namespace ropewalk {
namespace {

TEST(PageLimits, AnImageThatIsTooLargeIsRefusedBeforeItIsComputed) {
    FakeBackend::Log log;
    Evaluator evaluator(std::make_unique<FakeBackend>(log));
    const Page page{.figures = {{figure_called("attention", {})}},
                    .experiment = {.head_dim = 8, .seq_len = 16},
                    .options = {.width = 10'000, .height = 10'000}};
    EXPECT_THROW(make_page(page, evaluator, "png", {}), LimitError);
    EXPECT_THROW(picture_of(page, {}, evaluator, {}), LimitError);
    EXPECT_EQ(log.asked, 0);
}

TEST(PageLimits, AVectorGraphicHasNoMoreCellsThanTheLargestImageHasPixels) {
    const auto expect_cells = [](double across, double down, int across_kept, int down_kept) {
        const PlotPixels cells = limited_cells(across, down);
        EXPECT_EQ(cells.across, across_kept);
        EXPECT_EQ(cells.down, down_kept);
    };
    expect_cells(16'384, 16'384, 8192, 8192);
    expect_cells(8192, 32'768, 4096, 16'384);
    expect_cells(700.9, 300.2, 700, 300);
    expect_cells(0, 5, 1, 5);
    expect_cells(-2, 5, 1, 5);
}

}  // namespace
}  // namespace ropewalk
