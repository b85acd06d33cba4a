// A page's caption names the reference exactly if a figure draws it.
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "app/figures/page/page.h"
#include "app/figures/page/view_io.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
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

TEST_P(ReferenceInPagesTest, IsNamedOnlyIfItIsDrawn) {
    const Figure figure = figure_called(GetParam(), {});
    EXPECT_EQ(svg(figure, true, false) != svg(figure, false, false), draws_reference(figure));
    EXPECT_EQ(svg(figure, true, true).find("reference: ") != std::string::npos, draws_reference(figure));
}

INSTANTIATE_TEST_SUITE_P(Figures, ReferenceInPagesTest, testing::ValuesIn(ids_of_figures()),
                         [](const auto& figure) { return figure.param; });

/// With a longer reference, values beyond the end of the axis do not count.
TEST(ReferenceInPages, ALongerReferenceDoesNotCompressTheCurrentCurve) {
    const Experiment own{.head_dim = 16, .seq_len = 64}, longer{.head_dim = 16, .seq_len = 1024};
    const PositionMapFigure figure;
    const auto current = results_for(figure, own, {}), reference = results_for(figure, longer, {});
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 400, 300});
    const Frame frame = draw(
        figure, {.results = *current, .cursor = {}, .theme = light_theme(), .memo = memo, .reference = reference.get()},
        canvas, {0, 0, 400, 300});
    EXPECT_GT(frame.y.high, 63);
    EXPECT_LT(frame.y.high, 80);
}

/// In both heads, pairs that are not rotated are below all others.
TEST(ReferenceInPages, APairThatIsNotRotatedIsBelowRotatedOnes) {
    const Experiment own = changed({.head_dim = 16, .seq_len = 64}, "encoding=nope");
    const RotationsFigure figure;
    const auto current = results_for(figure, own, {}),
               reference = results_for(figure, {.head_dim = 16, .seq_len = 64}, {});
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 400, 300});
    draw(figure,
         {.results = *current, .cursor = {}, .theme = light_theme(), .memo = memo, .reference = reference.get()},
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

/// Even if the current head rotates all pairs, infinite wavelengths have a place for the reference.
TEST(ReferenceInPages, ItsPairsThatAreNotRotatedAreAtInfinity) {
    const Experiment own{.head_dim = 16, .seq_len = 64}, other = changed(own, "encoding=p_rope encoding.p=0.75");
    const WavelengthsFigure figure;
    const auto current = results_for(figure, own, {}), reference = results_for(figure, other, {});
    FigureMemo memo;
    RecordingCanvas canvas({0, 0, 400, 300});
    const Frame frame = draw(
        figure, {.results = *current, .cursor = {}, .theme = light_theme(), .memo = memo, .reference = reference.get()},
        canvas, {0, 0, 400, 300});
    EXPECT_THAT(words(canvas), testing::IsSupersetOf({"∞", "∞ (not rotated)"}));
    const auto shelf =
        std::find_if(frame.y_ticks.begin(), frame.y_ticks.end(), [](const Tick& tick) { return tick.label == "∞"; });
    ASSERT_NE(shelf, frame.y_ticks.end());
    int on_shelf = 0;
    for (const Drawn& one : canvas.drawn())
        if (const auto* circle = std::get_if<DrawnCircle>(&one.what); circle && frame.plot.contains(circle->centre)) {
            const bool lies_on_it = std::abs(circle->centre.y - frame.to_pixels(0, shelf->value).y) < 1e-9;
            on_shelf += lies_on_it && circle->fill == light_theme().text_dim;
            EXPECT_TRUE(lies_on_it || circle->centre.y > frame.to_pixels(0, shelf->value).y + 5);
        }
    EXPECT_EQ(on_shelf, 2) << "of eight pairs";
}

TEST(ReferenceInPages, TheTableOfPublishedBasesHasNone) {
    EXPECT_TRUE(draws_reference(BaseBoundFigure{}));
    EXPECT_FALSE(draws_reference(BaseBoundFigure{.part = BaseBoundPart::published}));
}

TEST(ReferenceInPages, ADifferenceIsOne) {
    EXPECT_FALSE(draws_reference(AttentionFigure{}));
    EXPECT_TRUE(draws_reference(AttentionFigure{.against = Against::reference}));
}

/// A reference of another length has no matching cells, and a message in place of curves has no curves beside it.
TEST(ReferenceInPages, CaptionsOmitAReferenceThatCannotBeDrawn) {
    Evaluator evaluator(open_backend("reference", 1));
    const auto names_it = [&](const Figure& figure, const std::string& own, const std::string& reference) {
        const Experiment experiment = changed({.head_dim = 16, .seq_len = 64}, own);
        Page page{.figures = {{figure}}, .experiment = experiment, .options = {.cursor = {.query = 40, .key = 30}}};
        page.options.reference = changed(experiment, reference);
        return make_page(page, evaluator, "svg", {}).find("reference: ") != std::string::npos;
    };
    const AttentionFigure difference{.against = Against::reference};
    EXPECT_TRUE(names_it(difference, "", "encoding.base=50"));
    EXPECT_FALSE(names_it(difference, "", "seq_len=50"));
    const DecayFigure weights{.quantity = DecayQuantity::weight};
    EXPECT_TRUE(names_it(weights, "", "seq_len=50"));
    EXPECT_FALSE(names_it(weights, "", "seq_len=20")) << "it has no such query";
    const RobustnessFigure semantic{.part = RobustnessPart::semantic};
    for (const Figure& figure : {Figure(semantic), Figure(RandomRopeDecayFigure{})}) {
        EXPECT_TRUE(names_it(figure, "", "encoding.base=50")) << id_of(figure);
        EXPECT_FALSE(names_it(figure, "", "encoding=sinusoidal")) << id_of(figure);
        EXPECT_FALSE(names_it(figure, "encoding=sinusoidal", "encoding=rope")) << id_of(figure);
    }
}

}  // namespace
}  // namespace ropewalk
