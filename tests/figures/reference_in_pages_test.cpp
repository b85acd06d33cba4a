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
    EXPECT_EQ(svg(figure, true, true).find("reference: ") != std::string::npos, draws_reference(figure));
}

INSTANTIATE_TEST_SUITE_P(Figures, ReferenceInPagesTest, testing::ValuesIn(ids_of_figures()),
                         [](const auto& figure) { return figure.param; });

/// A reference that is longer: what lies beyond the axis' end does not count.
TEST(ReferenceInPages, ALongerOneDoesNotSquashThePresent) {
    const Experiment own{.head_dim = 16, .seq_len = 64}, longer{.head_dim = 16, .seq_len = 1024};
    const PositionMapFigure figure;
    const auto present = results_for(figure, own, {}), reference = results_for(figure, longer, {});
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 400, 300});
    const Frame frame = draw(
        figure, {.results = *present, .cursor = {}, .theme = light_theme(), .memo = memo, .reference = reference.get()},
        canvas, {0, 0, 400, 300});
    EXPECT_GT(frame.y.high, 63);
    EXPECT_LT(frame.y.high, 80);
}

/// What does not turn stands below all that does, of either head.
TEST(ReferenceInPages, APairThatStandsStillIsBelowThoseThatTurn) {
    const Experiment own = changed({.head_dim = 16, .seq_len = 64}, "encoding=nope");
    const RotationsFigure figure;
    const auto present = results_for(figure, own, {}),
               reference = results_for(figure, {.head_dim = 16, .seq_len = 64}, {});
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 400, 300});
    draw(figure,
         {.results = *present, .cursor = {}, .theme = light_theme(), .memo = memo, .reference = reference.get()},
         canvas, {0, 0, 400, 300});
    double still = infinity, slowest = 0;
    for (const Drawn& one : canvas.drawn())
        if (const auto* circle = std::get_if<DrawnCircle>(&one.what); circle && circle->radius > 2) {
            if (circle->fill == light_theme().series[3]) still = std::min(still, circle->centre.y);
            if (circle->fill == light_theme().text_dim) slowest = std::max(slowest, circle->centre.y);
        }
    EXPECT_GT(slowest, 0);
    EXPECT_GT(still, slowest);
}

TEST(ReferenceInPages, TheTableOfPublishedBasesHasNone) {
    EXPECT_TRUE(draws_reference(BaseBoundFigure{}));
    EXPECT_FALSE(draws_reference(BaseBoundFigure{.part = BaseBoundPart::published}));
}

TEST(ReferenceInPages, ADifferenceIsOne) {
    EXPECT_FALSE(draws_reference(AttentionFigure{}));
    EXPECT_TRUE(draws_reference(AttentionFigure{.against = Against::reference}));
}

}  // namespace
}  // namespace ropewalk
