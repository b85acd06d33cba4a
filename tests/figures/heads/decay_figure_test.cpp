// The figure of decay curves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/figure_list.h"
#include "app/figures/parts/curves/place_of_encoding.h"
#include "app/lessons/formula.h"
#include "core/experiment/settings.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

TEST(DecayFigure, ComparedCurvesAreCalledByTheirTitles) {
    const Experiment experiment = changed({}, "encoding=p_rope construction=single_frequency");
    const DecayFigure figure{.compared = "encoding=nope | encoding=rope encoding.base=5e5 | seq_len=nonsense"};
    const auto canvas = drawn(figure, experiment, {}, {0, 0, 600, 400});
    EXPECT_THAT(words(canvas),
                testing::IsSupersetOf({"p-RoPE", "Base θ 10 000 (current)", "NoPE", "RoPE · Base θ 500 000"}))
        << "invalid settings are ignored";
    const auto results = results_for(figure, experiment, {});
    FigureMemo memo;
    const Badge said = badge(figure, {.results = *results, .theme = light_theme(), .memo = memo});
    EXPECT_EQ(said.text, "1 of 3 compared curves cannot be computed");
    EXPECT_THAT(said.help, testing::StartsWith("seq_len=nonsense: "));
}

/// cos(π/2) in doubles is 6e-17, the rounding error of π/2: not a score that anybody should read.
TEST(DecayFigure, AScoreOfNothingButRoundingErrorsIsZero) {
    const auto readout_with = [](const char* phase) {
        const Experiment experiment =
            changed({}, std::string("head_dim=2 construction=bands construction.phases=") + phase);
        const auto results = results_for(DecayFigure{}, experiment, {});
        FigureMemo memo;
        return readout(DecayFigure{}, {.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo});
    };
    EXPECT_EQ(readout_with("1.5707963267948966"), "r = 0   score 0");
    EXPECT_THAT(readout_with("1.570796326"), testing::StartsWith("r = 0   score 7.9")) << "8e-10 is a score";
}

TEST(DecayFigure, CallsTheLogitAsTheFormulaDoes) {
    const std::pair<const char*, const char*> heads[] = {{"scale=none", "score"},
                                                         {"scale=value scale_value=1", "score"},
                                                         {"scale=value scale_value=2", "logit"},
                                                         {"temperature=2", "logit"}};
    for (const auto& [settings, word] : heads) {
        const Experiment experiment = changed({}, settings);
        const auto results = results_for(DecayFigure{}, experiment, {});
        FigureMemo memo;
        EXPECT_THAT(readout(DecayFigure{}, {.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo}),
                    testing::StartsWith(std::string("r = 0   ") + word))
            << settings;
        const FormulaClause clause = formula_of(experiment, *results->problem, false).front();
        EXPECT_THAT(clause.front().text.front().text, testing::StartsWith(word)) << settings;
    }
}

TEST(DecayFigure, TheDotIsHollowIfTheCurveIsOfAnotherQuery) {
    const Experiment experiment = changed({.head_dim = 16, .seq_len = 18}, "construction=text");
    for (const int query : {17, 9}) {
        const bool is_own = query == 17;
        const Cursor cursor{query, query - 4};
        const auto canvas = drawn(DecayFigure{}, experiment, cursor, {0, 0, 500, 300});
        const Color color = dark_theme().series[0];
        const auto dots = [&](auto&& is_wanted) {
            return std::count_if(canvas.drawn().begin(), canvas.drawn().end(), [&](const Drawn& one) {
                const auto* circle = std::get_if<DrawnCircle>(&one.what);
                return circle && is_wanted(*circle);
            });
        };
        EXPECT_EQ(dots([&](const DrawnCircle& dot) { return dot.fill == color; }), is_own ? 1 : 0);
        EXPECT_EQ(dots([&](const DrawnCircle& dot) { return dot.fill == dark_theme().plot_background; }),
                  is_own ? 0 : 1);
        const auto results = results_for(DecayFigure{}, experiment, cursor);
        FigureMemo memo;
        EXPECT_THAT(
            readout(DecayFigure{}, {.results = *results, .cursor = cursor, .theme = light_theme(), .memo = memo}),
            testing::ContainsRegex(is_own ? "^r = 4   score [^ ]+$" : "^r = 4   score of query 17 = [^ ]+$"));
    }
}

TEST(DecayFigure, OneRangeHoldsTheBandsOfHeadAndReference) {
    const Experiment narrow = changed({}, "construction=gaussian"), wide = changed(narrow, "temperature=0.2");
    const auto a = results_for(DecayFigure{}, narrow, {}), b = results_for(DecayFigure{}, wide, {});
    FigureMemo memo;
    const auto range = [&](const Results& own, const Results& other) {
        RecordingCanvas canvas({0, 0, 600, 400});
        const Frame frame =
            draw(DecayFigure{}, {.results = own, .theme = light_theme(), .memo = memo, .reference = &other}, canvas,
                 {0, 0, 600, 400});
        return std::pair{frame.y.low, frame.y.high};
    };
    EXPECT_EQ(range(*a, *b), range(*b, *a)) << "nothing moves when the reference is shown in place";
}

TEST(DecayFigure, CoincidingCurvesAreBothVisible) {
    const Experiment experiment = changed({}, "encoding=p_rope encoding.p=0.5 construction=single_frequency");
    const auto canvas = drawn(DecayFigure{.compared = "encoding=nope | encoding=rope | encoding.p=0.25"}, experiment,
                              {}, {0, 0, 600, 400});
    std::vector<Stroke> strokes;  // of the curves, in the order in which they are drawn
    for (const Drawn& one : canvas.drawn())
        if (const auto* line = std::get_if<DrawnLine>(&one.what);
            line && line->stroke.color.a == 255)  // no band's edge
            strokes.push_back(line->stroke);
    const Theme& theme = dark_theme();
    const auto look_of = [&](const char* id) { return theme.curve(place_of_encoding(id, experiment)); };
    ASSERT_EQ(strokes.size(), 4u);
    EXPECT_EQ(strokes[0].color, look_of("nope").color);
    EXPECT_EQ(strokes[1].color, look_of("rope").color);
    EXPECT_EQ(strokes[3], theme.curve(0)) << "the current head";
    EXPECT_GE(strokes[1].width, strokes[3].width + 2) << "RoPE shows on both sides of the current head, its equal";
    EXPECT_GE(std::abs(strokes[0].width - strokes[2].width), 2) << "NoPE and p = 0.25 are constant";
}

TEST(DecayFigure, LineAndBandAreNamedWhereThereIsABand) {
    const auto names = [](const char* settings) {
        const std::vector<std::string> all = words(drawn(DecayFigure{}, changed({}, settings), {}, {0, 0, 600, 400}));
        return std::count(all.begin(), all.end(), "line: mean per pixel, band: min–max");
    };
    EXPECT_EQ(names("construction=ones seq_len=8192"), 1);
    EXPECT_EQ(names("construction=ones seq_len=64"), 0) << "every value is drawn";
    EXPECT_EQ(names("construction=gaussian seq_len=8192"), 0) << "its band is ± σ";
}

/// Where the line goes through means, the value at the cursor may be beside the line.
TEST(DecayFigure, TheCursorsPointIsOnInk) {
    const Experiment experiment = changed({.head_dim = 32, .seq_len = 8192}, "construction=ones");
    const DecayFigure figure{.axis = AxisScale::linear, .compared = "encoding.base=500"};
    for (const int distance : {4321, 4325, 6000}) {
        const auto canvas = drawn(figure, experiment, {.query = 8191, .key = 8191 - distance}, {0, 0, 400, 300});
        const auto& all = canvas.drawn();
        const Color color = dark_theme().series[0];
        const auto point = std::find_if(all.begin(), all.end(), [&](const Drawn& one) {
            const auto* circle = std::get_if<DrawnCircle>(&one.what);
            return circle && circle->fill == color;
        });
        ASSERT_NE(point, all.end());
        const Point at = std::get<DrawnCircle>(point->what).centre;
        EXPECT_TRUE(std::any_of(all.begin(), point, [&](const Drawn& one) {
            const auto* band = std::get_if<DrawnBand>(&one.what);
            if (!band || band->color != color.with_alpha(area_alpha)) return false;
            for (std::size_t i = 0; i < band->upper.size(); ++i)
                if (std::abs(band->upper[i].x - at.x) <= 0.5 && band->upper[i].y <= at.y && at.y <= band->lower[i].y)
                    return true;
            return false;
        })) << distance;
    }
}

TEST(DecayFigure, SaysWhyASingleTokenHasNoLogarithmicCurve) {
    const auto texts = drawn(DecayFigure{}, {.seq_len = 1}, {}, {0, 0, 400, 300}).texts();
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(),
                            [](const DrawnText& text) { return text.text.starts_with("The sequence has one token"); }));
}

}  // namespace
}  // namespace ropewalk
