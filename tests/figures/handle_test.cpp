// Lines that represent a field: their places, and the values that dragging sets.
#include "app/figures/parts/marks/handle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/figures/figure_list.h"
#include "app/figures/figures.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

/// A figure of an experiment and its handles, with the cursor at query 20.
struct Handled {
    Figure figure;
    Experiment experiment;
    std::shared_ptr<const Results> results = results_for(figure, experiment, {.query = 20, .key = 7, .pair = 1});
    FigureMemo memo;

    std::vector<Handle> handles() {
        return handles_of(figure, {.results = *results,
                                   .cursor = results->request.cursor,
                                   .theme = light_theme(),
                                   .memo = memo,
                                   .has_handles = true});
    }
    bool move(const Handle& handle, double at) {
        return move_handle(handle, at, experiment, ChoiceRef(figure).fields());
    }
};

std::vector<std::string> paths(const std::vector<Handle>& handles) {
    std::vector<std::string> all;
    for (const Handle& handle : handles) all.push_back(handle.path);
    return all;
}

using testing::ElementsAre;
using testing::IsEmpty;

const Experiment looking_back{.head_dim = 64, .seq_len = 64, .construction = AtDistance{.distance = 5}};

TEST(Handles, ADistanceIsOnDistanceAxesAndInTheRowOfAQuery) {
    for (const Figure& figure : std::vector<Figure>{DecayFigure{}, DecayFigure{.quantity = DecayQuantity::weight},
                                                    RotationHeatmapFigure{}, RobustnessFigure{}}) {
        Handled handled{figure, looking_back};
        ASSERT_THAT(paths(handled.handles()), ElementsAre("construction.distance")) << id_of(figure);
        EXPECT_EQ(handled.handles()[0].mark.at, 5);
        EXPECT_EQ(handled.handles()[0].mark.label, "r₀ = 5");
        EXPECT_TRUE(handled.move(handled.handles()[0], 7.4));
        EXPECT_EQ(get<AtDistance>(handled.experiment.construction).distance, 7);
        EXPECT_TRUE(handled.move(handled.handles()[0], -3));
        EXPECT_EQ(get<AtDistance>(handled.experiment.construction).distance, 0);
    }
    Handled row{AttentionRowFigure{}, looking_back};
    ASSERT_EQ(row.handles().size(), 1u);
    EXPECT_EQ(row.handles()[0].mark.at, 15) << "five before the query";
    EXPECT_TRUE(row.move(row.handles()[0], 10.2));
    EXPECT_EQ(get<AtDistance>(row.experiment.construction).distance, 10);
    EXPECT_THAT(Handled(DecayFigure{}, {.head_dim = 8, .seq_len = 16}).handles(), IsEmpty());
}

TEST(Handles, AFirstChannelIsAtItsPair) {
    const Experiment matching{.head_dim = 64, .seq_len = 32, .construction = Semantic{.d0 = 32}};
    for (const Figure& figure : std::vector<Figure>{
             WavelengthsFigure{}, RotationsFigure{}, ContributionsFigure{}, MethodsFigure{.axis = MethodsAxis::pair},
             RobustnessFigure{.part = RobustnessPart::semantic}, FrequencyUsageFigure{}, RotationHeatmapFigure{}}) {
        Handled handled{figure, matching};
        ASSERT_THAT(paths(handled.handles()), ElementsAre("construction.d0")) << id_of(figure);
        EXPECT_EQ(handled.handles()[0].mark.at, 16);
        EXPECT_TRUE(handled.move(handled.handles()[0], 20.3));
        EXPECT_EQ(get<Semantic>(handled.experiment.construction).d0, 40);
        EXPECT_TRUE(handled.move(handled.handles()[0], 100));
        EXPECT_EQ(get<Semantic>(handled.experiment.construction).d0, 62) << "the last pair";
    }
}

int rotating(const Experiment& experiment) {
    const auto& inv_freq = lower(experiment.encoding, experiment.shape()).inv_freq;
    return static_cast<int>(std::count_if(inv_freq.begin(), inv_freq.end(), [](double w) { return w > 0; }));
}

TEST(Handles, AFractionIsAfterTheLastRotatedPair) {
    for (const Encoding& encoding : std::vector<Encoding>{PRope{.p = 0.25}, Partial{.fraction = 0.25}}) {
        for (const int head_dim : {2, 6, 98, 100, 1024}) {
            Handled handled{RotationsFigure{}, {.head_dim = head_dim, .seq_len = 16}};
            handled.experiment.encoding = encoding;
            if (validate(handled.experiment)) continue;
            handled = {RotationsFigure{}, handled.experiment};
            const auto handles = handled.handles();
            ASSERT_EQ(handles.size(), 1u);
            EXPECT_EQ(handles[0].mark.at, rotating(handled.experiment) - 0.5);
            for (int pairs = 0; pairs <= head_dim / 2; ++pairs) {
                EXPECT_TRUE(handled.move(handles[0], pairs - 0.6)) << pairs << " of " << head_dim / 2;
                EXPECT_EQ(rotating(handled.experiment), pairs) << "of " << head_dim / 2;
            }
        }
    }
    EXPECT_THAT(paths(Handled{RotationsFigure{}, {.head_dim = 16, .seq_len = 8, .encoding = Clipped{}}}.handles()),
                ElementsAre("encoding.p"));
    EXPECT_THAT(Handled(RotationsFigure{}, {.head_dim = 16, .seq_len = 8, .encoding = Clipped{.original_length = 64}})
                    .handles(),
                IsEmpty())
        << "the training length decides which pairs are slowed";
}

TEST(Handles, InTruncatedSpectraAFractionIsBetweenWavelengths) {
    // RoPE's wavelengths are 2π·base^(2t/d): the eighth pair is the last rotated one.
    Handled own{TruncationFigure{.p = 0.25}, {.head_dim = 64, .seq_len = 64}};
    ASSERT_THAT(paths(own.handles()), ElementsAre("p"));
    EXPECT_EQ(own.handles()[0].owner, Handle::Owner::figure);
    const auto wavelength = [](double pair) { return 2 * std::numbers::pi * std::pow(10'000, pair / 32); };
    EXPECT_NEAR(own.handles()[0].mark.at, wavelength(7.5), 1e-9 * wavelength(7.5));
    const Experiment before = own.experiment;
    EXPECT_TRUE(own.move(own.handles()[0], wavelength(12.4)));
    EXPECT_EQ(get<TruncationFigure>(own.figure).p, 13.0 / 32) << "pairs 0 to 12";
    EXPECT_EQ(own.experiment, before);
    Handled of_encoding{TruncationFigure{}, {.head_dim = 64, .seq_len = 64, .encoding = PRope{.p = 0.5}}};
    ASSERT_THAT(paths(of_encoding.handles()), ElementsAre("encoding.p"));
    EXPECT_TRUE(of_encoding.move(of_encoding.handles()[0], wavelength(3.4)));
    EXPECT_EQ(get<PRope>(of_encoding.experiment.encoding).p, 4.0 / 32);
    Handled compared{TruncationFigure{.p = 0.25}, {.head_dim = 64, .seq_len = 64, .encoding = PRope{.p = 0.5}}};
    ASSERT_THAT(paths(compared.handles()), ElementsAre("p")) << "its own is what it shows";
    EXPECT_NEAR(compared.handles()[0].mark.at, wavelength(7.5), 1e-9 * wavelength(7.5));
    EXPECT_TRUE(compared.move(compared.handles()[0], 1e-3)) << "one pair is left: 0 is the encoding's";
    EXPECT_EQ(get<TruncationFigure>(compared.figure).p, 1.0 / 32);
    Handled usual{TruncationFigure{}, {.head_dim = 64, .seq_len = 64}};
    ASSERT_THAT(paths(usual.handles()), ElementsAre("p"));
    EXPECT_EQ(usual.handles()[0].mark.label, "Compare at p = 0.25") << "what is dragged is what is seen";
    EXPECT_THAT(Handled(TruncationFigure{}, {.head_dim = 8, .seq_len = 8, .encoding = Rope{.base = 1}}).handles(),
                IsEmpty())
        << "all wavelengths are one";
}

TEST(Handles, ATrainingLengthIsTheEncodingsOrTheFigures) {
    const Experiment stretched{
        .head_dim = 16, .seq_len = 64, .encoding = SelfExtend{.window = 8, .original_length = 32}};
    Handled map{PositionMapFigure{}, stretched};
    ASSERT_THAT(paths(map.handles()), ElementsAre("encoding.original_length", "encoding.window"));
    EXPECT_EQ(map.handles()[0].mark.way, Mark::Way::across);
    EXPECT_EQ(map.handles()[0].mark.at, 32);
    EXPECT_EQ(map.handles()[1].mark.at, 8);
    EXPECT_TRUE(map.move(map.handles()[0], 40.2));
    EXPECT_EQ(get<SelfExtend>(map.experiment.encoding).original_length, 40);
    EXPECT_THAT(paths(Handled{WavelengthsFigure{}, stretched}.handles()), ElementsAre("encoding.original_length"));

    Handled own{PositionMapFigure{}, {.head_dim = 16, .seq_len = 64}};
    EXPECT_EQ(own.handles()[0].mark.label, "half of N = 32") << "RoPE has no training length";
    ASSERT_THAT(paths(own.handles()), ElementsAre("trained"));
    EXPECT_EQ(own.handles()[0].mark.at, 32) << "half the sequence, where nothing says how much";
    EXPECT_TRUE(own.move(own.handles()[0], 20.4));
    EXPECT_EQ(get<PositionMapFigure>(own.figure).trained, 20);
    Handled target{RobustnessFigure{.target = 3}, looking_back};
    ASSERT_THAT(paths(target.handles()), ElementsAre("target")) << "the figure's own target is used";
    EXPECT_TRUE(target.move(target.handles()[0], 9));
    EXPECT_EQ(get<RobustnessFigure>(target.figure).target, 9);
}

TEST(Handles, ThresholdsMoveTheirFields) {
    Handled methods{MethodsFigure{.axis = MethodsAxis::turns}, {.head_dim = 64, .seq_len = 16, .encoding = Yarn{}}};
    const auto handles = methods.handles();
    ASSERT_THAT(paths(handles), ElementsAre("encoding.beta_fast", "encoding.beta_slow"));
    EXPECT_EQ(handles[0].mark.at, 32);
    EXPECT_EQ(handles[1].mark.at, 1);
    EXPECT_TRUE(methods.move(handles[0], 20));
    EXPECT_EQ(get<Yarn>(methods.experiment.encoding).beta_fast, 20);
    EXPECT_FALSE(methods.move(handles[0], nan));
    EXPECT_EQ(get<Yarn>(methods.experiment.encoding).beta_fast, 20);
    EXPECT_TRUE(methods.move(methods.handles()[0], 0.5)) << "as far as β slow";
    EXPECT_FALSE(validate(methods.experiment).has_value());
    EXPECT_NEAR(get<Yarn>(methods.experiment.encoding).beta_fast, 1, 1e-4);
    EXPECT_TRUE(methods.move(methods.handles()[1], 0.25)) << "in the other direction there is no limit";
    EXPECT_EQ(get<Yarn>(methods.experiment.encoding).beta_slow, 0.25);
    EXPECT_TRUE(methods.move(methods.handles()[1], 100)) << "and back as far as β fast";
    EXPECT_NEAR(get<Yarn>(methods.experiment.encoding).beta_slow, 1, 1e-4);
    EXPECT_FALSE(validate(methods.experiment).has_value());
    Handled llama{MethodsFigure{.axis = MethodsAxis::turns}, {.head_dim = 64, .seq_len = 16, .encoding = Llama3{}}};
    EXPECT_THAT(paths(llama.handles()), ElementsAre("encoding.low_freq_factor", "encoding.high_freq_factor"));
}

/// In every figure of every head, moving a line to its own place changes nothing that is computed.
TEST(Handles, MovedToTheirOwnPlaceChangeNothing) {
    int checked = 0;
    for_each_alternative<Figure>([&](const Figure& figure) {
        for (const Encoding& encoding : alternatives_of<Encoding>())
            for (const Construction& construction : alternatives_of<Construction>()) {
                const Experiment experiment{
                    .head_dim = 16, .seq_len = 24, .encoding = encoding, .construction = construction};
                if (validate(experiment)) continue;
                Handled handled{figure, experiment};
                for (const Handle& handle : handled.handles()) {
                    SCOPED_TRACE(fmt::format("{} {} {}", id_of(figure), id_of(encoding), handle.path));
                    EXPECT_TRUE(handled.move(handle, handle.mark.at));
                    EXPECT_EQ(lower(handled.experiment.encoding, experiment.shape()),
                              lower(encoding, experiment.shape()));
                    EXPECT_EQ(handled.experiment.construction, construction);
                    ++checked;
                }
            }
    });
    EXPECT_GT(checked, 500);
}

TEST(MarkNames, AvoidTheLinesBetweenSamples) {
    const Frame frame{
        .outer = {0, 0, 400, 300}, .plot = {0, 0, 400, 300}, .x = {.low = 0, .high = 10}, .y = {.low = 0, .high = 1}};
    const std::vector<double> ends{0, 1};
    const Curve line{.y = ends, .step = 10};  // from the lower left to the upper right
    const Point path[] = {{0, 0}, {10, 1}};
    const Rect across{180, 130, 40, 40}, above{20, 20, 120, 100}, below{250, 200, 120, 80};
    EXPECT_GT(count_in(across, line, frame), 10u) << "though no sample is in it";
    EXPECT_GT(count_in(across, path, frame), 0u);
    for (const Rect& box : {above, below}) {
        EXPECT_EQ(count_in(box, line, frame), 0u);
        EXPECT_EQ(count_in(box, path, frame), 0u);
    }
    std::vector<double> dense(100'000);
    for (std::size_t i = 0; i < dense.size(); ++i) dense[i] = i % 2 == 0 ? 0.4 : 0.6;
    const Curve noisy{.y = dense, .step = 1e-4};
    EXPECT_GT(count_in({100, 140, 40, 20}, noisy, frame), 10u);
    EXPECT_EQ(count_in({100, 10, 40, 20}, noisy, frame), 0u);
}

/// Knobs are visible for every curve, cursor and label.
TEST(Handles, HaveVisibleKnobs) {
    for (const int distance : {1, 5}) {
        const Experiment experiment{.head_dim = 64, .seq_len = 64, .construction = AtDistance{.distance = distance}};
        for (const AxisScale axis : {AxisScale::linear, AxisScale::logarithmic}) {
            const Figure figure = DecayFigure{.axis = axis};
            const Cursor at_summit{.query = 40, .key = 40 - distance};
            const auto results = results_for(figure, experiment, at_summit);
            FigureMemo memo;
            const Rect rect{0, 0, 320, 180};
            RecordingCanvas canvas(rect);
            const FigureInput input{.results = *results,
                                    .cursor = at_summit,
                                    .cursor_shown = true,
                                    .theme = light_theme(),
                                    .memo = memo,
                                    .has_handles = true};
            const Frame frame = draw(figure, input, canvas, rect);
            EXPECT_THAT(canvas.faults(), IsEmpty());
            const auto handles = handles_of(figure, input);
            ASSERT_EQ(handles.size(), 1u);
            const auto grip = grip_of(handles[0].mark, frame);
            ASSERT_TRUE(grip);
            EXPECT_NEAR(grip->centre().x, *place_of(handles[0].mark, frame), 1e-9);
            const auto& all = canvas.drawn();
            const auto knob = std::find_if(all.begin(), all.end(), [&](const Drawn& one) {
                const auto* circle = std::get_if<DrawnCircle>(&one.what);
                return circle && circle->fill == light_theme().warning;
            });
            ASSERT_NE(knob, all.end());
            for (auto later = knob + 1; later != all.end(); ++later) {
                if (const auto* circle = std::get_if<DrawnCircle>(&later->what)) {
                    EXPECT_GT(std::hypot(circle->centre.x - grip->centre().x, circle->centre.y - grip->centre().y), 8);
                }
                if (const auto* text = std::get_if<DrawnText>(&later->what)) {
                    EXPECT_FALSE(text->box.overlaps(*grip)) << text->text;
                }
                if (const auto* ground = std::get_if<DrawnRect>(&later->what)) {
                    EXPECT_FALSE(ground->rect.overlaps(*grip));
                }
            }
        }
    }
}

/// Knobs, and lines that are only for dragging, are not drawn on pages.
TEST(Handles, AreDrawnOnlyWhereTheyCanBeDragged) {
    const auto drawn_things = [](const Experiment& experiment, const Figure& figure, bool has_handles) {
        const auto results = results_for(figure, experiment, {});
        FigureMemo memo;
        RecordingCanvas canvas({0, 0, 500, 400});
        draw(figure,
             {.results = *results,
              .cursor = results->request.cursor,
              .theme = light_theme(),
              .memo = memo,
              .has_handles = has_handles},
             canvas, {0, 0, 500, 400});
        return canvas.drawn().size();
    };
    const Experiment methods{.head_dim = 16, .seq_len = 16, .encoding = Yarn{}};
    EXPECT_EQ(drawn_things(methods, MethodsFigure{.axis = MethodsAxis::turns}, true),
              drawn_things(methods, MethodsFigure{.axis = MethodsAxis::turns}, false) + 2)
        << "two knobs";
    EXPECT_EQ(drawn_things(looking_back, DecayFigure{}, true), drawn_things(looking_back, DecayFigure{}, false) + 4)
        << "a line, its knob, its name and what the name stands on";
}

}  // namespace
}  // namespace ropewalk
