// Which figures show something of a reference: those whose captions name it.
#include <gmock/gmock.h>

#include "app/figures/page.h"
#include "app/figures/view_io.h"
#include "core/settings.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

class ReferenceInPagesTest : public testing::TestWithParam<std::string> {
  protected:
    std::string svg(const Figure& figure, bool has_reference, bool has_caption) {
        const Experiment experiment = changed({.head_dim = 16, .seq_len = 64}, "construction=at_distance");
        Page page{.figures = {{figure}},
                  .experiment = experiment,
                  .options = {.cursor = {.query = 40, .key = 30, .pair = 2}}};
        page.options.parts.caption = has_caption;
        if (has_reference) page.options.reference = changed(experiment, "encoding.base=50");
        return make_page(page, evaluator_, "svg", {});
    }

    Evaluator evaluator_{open_backend("reference", 1)};
};

TEST_P(ReferenceInPagesTest, IsNamedWhereItIsDrawnAndNowhereElse) {
    const Figure figure = figure_called(GetParam(), {});
    EXPECT_EQ(svg(figure, true, false) != svg(figure, false, false), draws_reference(figure));
    EXPECT_EQ(svg(figure, true, true) != svg(figure, false, true), draws_reference(figure));
}

INSTANTIATE_TEST_SUITE_P(Figures, ReferenceInPagesTest, testing::ValuesIn(ids_of_figures()),
                         [](const auto& figure) { return figure.param; });

TEST(ReferenceInPages, ADifferenceIsOne) {
    EXPECT_FALSE(draws_reference(AttentionFigure{}));
    EXPECT_TRUE(draws_reference(AttentionFigure{.against = Against::reference}));
}

}  // namespace
}  // namespace ropewalk
