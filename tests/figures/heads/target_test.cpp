// Amplitudes and phases, and target curves: readouts, drawing and presets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "app/figures/figure_list.h"
#include "app/figures/figures.h"
#include "app/figures/page/view_io.h"
#include "core/analysis/heads/decay.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

const Rect figure_page{0, 0, 600, 480};

/// A drawn figure with the input of its functions.
struct Shown {
    Shown(const Figure& figure, const Experiment& experiment, Cursor cursor = {.query = 20, .key = 5, .pair = 3})
        : results(Evaluator(open_backend("cpu", 2))
                      .evaluate({experiment, cursor, needs_of(figure, experiment, {400, 300})}, Detail::exact, {})),
          input{.results = *results, .cursor = cursor, .cursor_shown = true, .theme = light_theme(), .memo = memo},
          canvas(figure_page),
          frame(draw(figure, input, canvas, figure_page)) {}

    FigureMemo memo;
    std::shared_ptr<const Results> results;
    FigureInput input;
    RecordingCanvas canvas;
    Frame frame;
};

/// Returns a column of the table without the NaN at its end.
std::vector<double> column(const DataTable& table, const std::string& name) {
    const auto at =
        static_cast<std::size_t>(std::find(table.columns.begin(), table.columns.end(), name) - table.columns.begin());
    std::vector<double> values;
    for (std::size_t i = at; i < table.values.size(); i += table.columns.size())
        if (!std::isnan(table.values[i])) values.push_back(table.values[i]);
    return values;
}

std::vector<Band> bands_of(const Experiment& experiment) {
    return listed_bands(experiment).value_or(std::vector<Band>{});
}

BrushMove across(const Frame& plot, double from_x, double from_y, double to_x, double to_y, Brush brush = Brush::draw) {
    const Point from = plot.to_pixels(from_x, from_y), to = plot.to_pixels(to_x, to_y);
    return {.brush = brush, .start = from, .from = from, .to = to};
}

TEST(BandsFigure, ShowsTheNormsAndAnglesOfAnyConstantHead) {
    const Experiment experiment{.head_dim = 16, .seq_len = 40, .construction = PreviousToken{.alpha = 3}};
    const DataTable table = *table_of(BandsFigure{}, *Shown(BandsFigure{}, experiment).results);
    for (int t = 0; t < 8; ++t) {
        const double w = std::pow(10'000.0, -t / 8.0);
        EXPECT_NEAR(table.values[3 * t], 2 * std::numbers::pi / w, 1e-9 / w);
        EXPECT_NEAR(table.values[3 * t + 1], 3, 1e-12);
        EXPECT_NEAR(table.values[3 * t + 2], -w, 1e-12) << "one token back";
    }
}

TEST(TargetFigure, AStrokeThatTakesTooManyPointsIsRefused) {
    TargetFigure zigzag;
    zigzag.points.clear();
    for (int i = 0; i < 4096; ++i) zigzag.points.insert(zigzag.points.end(), {2.0 * i, i % 2 == 0 ? 1e3 : -1e3});
    Figure figure = zigzag;
    Experiment experiment{.head_dim = 8, .seq_len = 10'000};
    const Shown drawn(figure, experiment);
    const BrushMove stroke = across(drawn.frame.above.front(), 8500, 5, 9500, 700);
    try {
        draw_with(figure, stroke, drawn.frame, drawn.input, experiment);
        ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("at most 4096 points"));
    }
    EXPECT_EQ(get<TargetFigure>(figure).points, zigzag.points);
    zigzag.points.resize(2 * 4000);
    figure = zigzag;
    draw_with(figure, stroke, drawn.frame, drawn.input, experiment);
    EXPECT_EQ(get<TargetFigure>(figure).points.size(), 2u * 4002);
}

TEST(BandsFigure, ABrushDrawsALineAcrossPairs) {
    const Experiment before{.head_dim = 32, .seq_len = 40, .construction = PreviousToken{.alpha = 2}};
    Figure figure = BandsFigure{};
    const Shown drawn(figure, before);
    const Frame& upper = drawn.frame.above.front();
    EXPECT_TRUE(draws_at(figure, drawn.frame, upper.plot.centre()) &&
                draws_at(figure, drawn.frame, drawn.frame.plot.centre()));
    EXPECT_FALSE(draws_at(figure, drawn.frame, {1, 1}));
    for (const bool backwards : {false, true}) {
        Experiment experiment = before;
        draw_with(figure, backwards ? across(upper, 8, 2, 4, 0.4) : across(upper, 4, 0.4, 8, 2), drawn.frame,
                  drawn.input, experiment);
        const auto bands = bands_of(experiment);
        for (int pair = 0; pair < 16; ++pair) {
            EXPECT_NEAR(bands[pair].amplitude, pair < 4 || pair > 8 ? 2 : 0.4 + 0.4 * (pair - 4), 0.01) << pair;
            EXPECT_NEAR(bands[pair].phase, -std::pow(10'000.0, -pair / 16.0), 1e-12);
        }
    }
    Experiment experiment = before;
    draw_with(figure, across(drawn.frame, 10, 0.5, 12, -2), drawn.frame, drawn.input, experiment);
    auto bands = bands_of(experiment);
    EXPECT_NEAR(bands[10].phase, std::numbers::pi / 2, 0.02);
    EXPECT_EQ(bands[12].phase, -std::numbers::pi) << "the plot ends there";
    EXPECT_NEAR(bands[10].amplitude, 2, 1e-12);
    draw_with(figure, across(upper, 0, 1, 15, 1, Brush::erase), drawn.frame, drawn.input, experiment);
    for (const Band& band : bands_of(experiment)) EXPECT_EQ(band.amplitude, 0);
    draw_with(figure, across(upper, 3, -5, 3, -5), drawn.frame, drawn.input, experiment);
    EXPECT_EQ(bands_of(experiment)[3].amplitude, 0) << "none is negative";
}

TEST(BandsFigure, PresetsKeepTheSumOfAmplitudes) {
    const Experiment before{.head_dim = 32, .seq_len = 60, .construction = SameVector{.norm_squared = 7}};
    Figure figure = BandsFigure{};
    const Shown drawn(figure, before);
    for (std::size_t i = 0; i < presets_of(figure).size(); ++i) {
        Experiment experiment = before;
        apply_preset(figure, i, drawn.input, experiment);
        EXPECT_EQ(validate(experiment), std::nullopt);
        double sum = 0;
        for (const Band& band : bands_of(experiment)) sum += band.amplitude;
        EXPECT_NEAR(sum, 7, 1e-9) << presets_of(figure)[i].id;
        const auto curve = decay(make_problem(experiment), *open_backend("reference", 1), {}).mean;
        const auto max = std::max_element(curve.begin(), curve.end()) - curve.begin();
        const std::string name = presets_of(figure)[i].id;
        const int aim = name == "previous" ? 1 : name == "cursor" ? 15 : name == "in_phase" ? 0 : -1;
        EXPECT_TRUE(aim < 0 || max == aim) << name << ": " << max;
    }
}

TEST(TargetFigure, AnOptionGivesThePointsAndTheTableTheFit) {
    Figure figure = TargetFigure{};
    set_options(figure, {"points=0,2,10,5,20,-1", "ridge=0"});
    const Experiment experiment{.head_dim = 8, .seq_len = 30};
    const Shown drawn(figure, experiment);
    const DataTable table = *table_of(figure, *drawn.results);
    const auto target = column(table, "target"), fit = column(table, "fit"), left = column(table, "left_over"),
               cosine = column(table, "cosine"), sine = column(table, "sine");
    ASSERT_EQ(target.size(), 21u);
    double squares = 0;
    for (int r = 0; r <= 20; ++r) {
        EXPECT_NEAR(target[r], r <= 10 ? 2 + 0.3 * r : 5 - 0.6 * (r - 10), 1e-12);
        double logit = 0;
        for (int t = 0; t < 4; ++t)
            logit += cosine[t] * std::cos(r * std::pow(10, -t)) + sine[t] * std::sin(r * std::pow(10, -t));
        EXPECT_NEAR(fit[r], logit, 1e-6) << r;
        EXPECT_NEAR(left[r], fit[r] - target[r], 1e-12);
        squares += left[r] * left[r];
    }
    EXPECT_THAT(badge(figure, drawn.input).text, HasSubstr("rms " + readable(std::sqrt(squares / 21), 3)));
    EXPECT_THROW(set_options(figure, {"points=0,2,10"}), InputError);
    EXPECT_THROW(set_options(figure, {"points=3,2,1,0"}), InputError);
    EXPECT_THROW(set_options(figure, {"ridge=-1"}), InputError);
}

TEST(TargetFigure, ABrushDrawsOnEveryKindOfAxis) {
    const Experiment before{.head_dim = 32, .seq_len = 300};
    for (const AxisScale axis : {AxisScale::linear, AxisScale::logarithmic}) {
        Figure figure = TargetFigure{.axis = axis};
        const Shown drawn(figure, before);
        const Frame& plot = drawn.frame.above.front();
        Experiment experiment = before;
        EXPECT_TRUE(draws_at(figure, drawn.frame, plot.plot.centre()));
        EXPECT_FALSE(draws_at(figure, drawn.frame, drawn.frame.plot.centre())) << "pairs are shown there";
        draw_with(figure, across(plot, 100, 2, 120, 4), drawn.frame, drawn.input, experiment);
        EXPECT_EQ(experiment, before);
        const TargetCurve drawn_curve = TargetCurve::of_list(get<TargetFigure>(figure).points);
        const double pixel = (plot.y.high - plot.y.low) / plot.plot.height;
        EXPECT_NEAR(drawn_curve.at(100), 2, pixel);
        EXPECT_NEAR(drawn_curve.at(110), 3, pixel);
        EXPECT_NEAR(drawn_curve.at(120), 4, pixel);
        EXPECT_NEAR(drawn_curve.at(20), 6, pixel);
        EXPECT_NEAR(drawn_curve.at(200), 0, pixel);
        EXPECT_EQ(check(figure), std::nullopt);
        draw_with(figure, across(plot, 90, 1, 400, 1, Brush::erase), drawn.frame, drawn.input, experiment);
        EXPECT_EQ(TargetCurve::of_list(get<TargetFigure>(figure).points).points().back().distance, 89);
    }
}

TEST(TargetFigure, ProposesTheFitUntilItIsTheHead) {
    const Figure figure = TargetFigure{};
    const Experiment experiment{.head_dim = 32, .seq_len = 128};
    const Shown drawn(figure, experiment);
    const auto proposed = proposal_of(figure, drawn.input, experiment);
    ASSERT_TRUE(proposed.has_value());
    EXPECT_EQ(proposed->when, Proposal::When::drawn);
    const auto curve = decay(make_problem(proposed->experiment), *open_backend("reference", 1), {}).mean;
    const auto fit = column(*table_of(figure, *drawn.results), "fit");
    for (int r = 0; r < 128; ++r) EXPECT_NEAR(curve[r], fit[r], 1e-9);
    EXPECT_EQ(proposal_of(figure, drawn.input, proposed->experiment), std::nullopt);
    EXPECT_EQ(proposal_of(figure, drawn.input, changed(experiment, "encoding.base=500")), std::nullopt)
        << "the fit belongs to other frequencies";
    EXPECT_EQ(proposal_of(Figure(DecayFigure{}), drawn.input, experiment), std::nullopt);
}

TEST(TargetFigure, SaysWhyThereIsNoFit) {
    const auto said = [](const TargetFigure& figure, const Experiment& experiment) {
        std::string all;
        const Shown drawn(figure, experiment);
        EXPECT_THAT(drawn.canvas.faults(), testing::IsEmpty());
        for (const DrawnText& text : drawn.canvas.texts()) all += text.text + " ";
        return all;
    };
    EXPECT_THAT(said({}, changed({.seq_len = 20}, "encoding=sinusoidal")), HasSubstr("encoding that rotates"));
    EXPECT_THAT(said({.points = {}}, {.seq_len = 20}), HasSubstr("draw the logit"));
    EXPECT_THAT(said({.points = {3, 1, 2, 1}}, {.seq_len = 20}), HasSubstr("distances must increase"));
    EXPECT_THAT(said({.first_pair = 40}, {.seq_len = 20}), HasSubstr("between 40 and the last"));
}

}  // namespace
}  // namespace ropewalk
