// The values of a sweep.
#include "app/figures/page/sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "app/figures/figure_list.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/settings.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(Sweep, RunsFromEndToEnd) {
    const Sweep linear{.from = 10, .to = 20, .steps = 5};
    const double expected[] = {10, 12.5, 15, 17.5, 20};
    for (int step = 0; step < 5; ++step) EXPECT_EQ(linear.value(step), expected[step]);
    const Sweep logarithmic{.from = 1e3, .to = 1e7, .steps = 5, .spacing = Spacing::logarithmic};
    const double powers[] = {1e3, 1e4, 1e5, 1e6, 1e7};
    for (int step = 0; step < 5; ++step) EXPECT_NEAR(logarithmic.value(step), powers[step], 1e-12 * powers[step]);
    EXPECT_EQ(logarithmic.value(4), 1e7) << "exactly";
    const Sweep backwards{.from = 3, .to = -3, .steps = 3};
    EXPECT_EQ(backwards.value(1), 0);
}

TEST(Sweep, LogarithmsNeedPositiveEnds) {
    EXPECT_FALSE((Sweep{.from = 1, .to = 2, .spacing = Spacing::logarithmic}).check());
    EXPECT_TRUE((Sweep{.from = 0, .to = 2, .spacing = Spacing::logarithmic}).check());
    EXPECT_FALSE((Sweep{.from = -1, .to = 2}).check());
}

TEST(Sweep, ItsEndsMustDiffer) {
    EXPECT_EQ((Sweep{.from = 2, .to = 2}).check(), "From and To must differ. Change one of them");
    EXPECT_TRUE((Sweep{.from = 2, .to = 2, .spacing = Spacing::logarithmic}).check());
    EXPECT_FALSE((Sweep{.from = 2, .to = 2.5}).check());
}

TEST(Sweep, BeginsWithTheRangeOfTheFieldsSlider) {
    const Experiment experiment = changed({}, "encoding=rope");
    const auto base = sweep_over(experiment, experiment.shape(), "encoding.base");
    ASSERT_TRUE(base);
    EXPECT_EQ(base->spacing, Spacing::logarithmic);
    EXPECT_LT(base->from, 1e4);
    EXPECT_GT(base->to, 1e6);
    EXPECT_FALSE(sweep_over(experiment, experiment.shape(), "encoding.nonsense"));
    EXPECT_FALSE(sweep_over(experiment, experiment.shape(), "pairing"));
}

TEST(Sweep, OfLayersAndHeadsEndsAtTheModelsLast) {
    const Experiment trained = changed({},
                                       "construction=model_head construction.source=trained "
                                       "construction.recipe.layers=3 construction.recipe.heads=4");
    EXPECT_EQ(sweep_over(trained, trained.shape(), "construction.layer")->to, 2);
    EXPECT_EQ(sweep_over(trained, trained.shape(), "construction.head")->to, 3);
    Experiment unknown;
    unknown.construction = ModelHead{};
    EXPECT_EQ(sweep_over(unknown, unknown.shape(), "construction.layer")->to, 31);
}

TEST(Sweep, ChangesOneFieldAndStaysComputable) {
    const Experiment experiment = changed({.head_dim = 64, .seq_len = 100}, "encoding=rope");
    const Sweep sweep{.path = "seq_len", .from = 100, .to = 200, .steps = 3};
    EXPECT_EQ(experiment_at(experiment, sweep, 1), changed(experiment, "seq_len=150"));
    const Sweep even{.path = "head_dim", .from = 2, .to = 16, .steps = 10};
    for (int step = 0; step < even.steps; ++step) {
        const int head_dim = experiment_at(experiment, even, step).head_dim;
        EXPECT_EQ(head_dim % 2, 0);
        EXPECT_NEAR(head_dim, even.value(step), 1) << "heads have pairs";
    }
    const Sweep far{.path = "seq_len", .from = -5, .to = 1e12, .steps = 2};
    EXPECT_EQ(experiment_at(experiment, far, 0).seq_len, 1);
    EXPECT_EQ(experiment_at(experiment, far, 1).seq_len, 1 << 20);
}

TEST(Sweep, RunsThroughAFiguresOptions) {
    const Experiment experiment{.head_dim = 16, .seq_len = 3000};
    const TruncationFigure truncation;
    const auto of_p = sweep_over(ConstChoiceRef(Figure(truncation)).fields(), experiment.shape(), "p");
    ASSERT_TRUE(of_p);
    EXPECT_EQ(of_p->from, 0.125) << "0 is the encoding's own";
    EXPECT_EQ(of_p->to, 1);
    EXPECT_EQ(figure_at(truncation, experiment, {.path = "p", .from = 0, .to = 1, .steps = 3}, 1),
              Figure(TruncationFigure{.p = 0.5}));
    const Figure methods = MethodsFigure{};
    const auto of_factor = sweep_over(ConstChoiceRef(methods).fields(), experiment.shape(), "factor");
    ASSERT_TRUE(of_factor);
    EXPECT_EQ(of_factor->from, 1);
    EXPECT_EQ(of_factor->to, 64);
    EXPECT_EQ(figure_at(methods, experiment, {.path = "of_another_figure"}, 1), methods);
    const Figure robustness = RobustnessFigure{};
    EXPECT_EQ(sweep_over(ConstChoiceRef(robustness).fields(), experiment.shape(), "target")->to, 3000)
        << "as far as the sequence";
}

/// Returns the ranges of a figure's vertical axes and colours.
std::string reach_of(const Frame& frame) {
    std::string text;
    for (const Frame& above : frame.above) text += reach_of(above);
    text += fmt::format("{} … {};", frame.y.low, frame.y.high);
    for (const Tick& tick : frame.color_bar_ticks) text += fmt::format(" {}", tick.value);
    return text + "\n";
}

TEST(Sweep, FractionsOfPairsAreWholePairs) {
    const Experiment experiment = changed({}, "encoding=p_rope head_dim=16");
    const Sweep sweep{.path = "encoding.p", .from = 0, .to = 1, .steps = 100};
    for (int step = 0; step < sweep.steps; ++step) {
        const double p = get<PRope>(experiment_at(experiment, sweep, step).encoding).p;
        EXPECT_NEAR(p * 8, std::round(p * 8), 1e-12);
        EXPECT_NEAR(p, step / 99.0, 0.5 / 8 + 1e-12);
    }
}

TEST(Sweep, FramesWithSharedRangesHaveTheSameScales) {
    const Rect rect{0, 0, 600, 500};
    const Cursor cursor{.query = 50, .key = 40};
    const struct {
        std::string settings;
        Sweep sweep;
    } cases[] = {{"construction=previous_token seq_len=64",
                  {.path = "construction.alpha", .from = 0.5, .to = 20, .steps = 3, .spacing = Spacing::logarithmic}},
                 {"construction=gaussian head_dim=16 seq_len=64",
                  {.path = "encoding.base", .from = 100, .to = 1e6, .steps = 3, .spacing = Spacing::logarithmic}}};
    int moving = 0;
    for (const auto& [settings, sweep] : cases)
        for_each_alternative<Figure>([&](const Figure& figure) {
            PlotRanges ranges;
            FigureMemo memo;
            const auto reach = [&](int step, PlotRanges* shared) {
                const auto results = results_for(figure, experiment_at(changed({}, settings), sweep, step), cursor);
                RecordingCanvas canvas(rect);
                const Frame frame = draw(
                    figure,
                    {.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo, .ranges = shared},
                    canvas, rect);
                EXPECT_TRUE(canvas.faults().empty()) << id_of(figure);
                return reach_of(frame);
            };
            for (int step = 0; step < sweep.steps; ++step) reach(step, &ranges);
            const std::string first = reach(0, &ranges);
            for (int step = 1; step < sweep.steps; ++step)
                EXPECT_EQ(reach(step, &ranges), first) << id_of(figure) << " of " << settings;
            moving += reach(0, nullptr) != reach(sweep.steps - 1, nullptr);
        });
    EXPECT_GT(moving, 20) << "by themselves";
}

/// Matrices are excepted: they fill their plots at every length.
TEST(Sweep, FramesWithSharedRangesHaveTheSameHorizontalAxis) {
    const Rect rect{0, 0, 600, 500};
    const Cursor cursor{.query = 12, .key = 4};
    const Experiment head = changed({.head_dim = 16, .seq_len = 32}, "construction=gaussian");
    std::set<std::string> moving;
    for (const Sweep& sweep : {Sweep{.path = "seq_len", .from = 16, .to = 64, .steps = 3},
                               Sweep{.path = "head_dim", .from = 8, .to = 32, .steps = 3}})
        for_each_alternative<Figure>([&](const Figure& figure) {
            if (is_square(figure) || has_color_bar(figure)) return;
            PlotRanges ranges;
            FigureMemo memo;
            const auto reach = [&](int step, PlotRanges* shared) {
                const auto results = results_for(figure, experiment_at(head, sweep, step), cursor);
                RecordingCanvas canvas(rect);
                const Frame last = draw(
                    figure,
                    {.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo, .ranges = shared},
                    canvas, rect);
                EXPECT_TRUE(canvas.faults().empty()) << id_of(figure);
                std::string text = fmt::format("{} … {}", last.x.low, last.x.high);
                for (const Frame& above : last.above) text += fmt::format(", {} … {}", above.x.low, above.x.high);
                return text;
            };
            for (int step = 0; step < sweep.steps; ++step) reach(step, &ranges);
            for (int step = 0; step + 1 < sweep.steps; ++step)
                EXPECT_EQ(reach(step, &ranges), reach(sweep.steps - 1, &ranges)) << id_of(figure) << ' ' << sweep.path;
            if (reach(0, nullptr) != reach(sweep.steps - 1, nullptr)) moving.insert(id_of(figure));
        });
    EXPECT_GT(moving.size(), 10u) << "by themselves";
}

}  // namespace
}  // namespace ropewalk
