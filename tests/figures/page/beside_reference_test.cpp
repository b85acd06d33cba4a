// Figures with a reference: the divergence of rows, the reference's curves, and the colours of encodings.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/figures/figure_list.h"
#include "app/figures/page/view_io.h"
#include "app/figures/parts/cells/difference_badge.h"
#include "app/figures/parts/curves/compared_curves.h"
#include "app/figures/parts/curves/place_of_encoding.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/settings.h"
#include "tests/figures/pair_of_heads.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Reference, ItsMatrixHasTheSamePlaceAsTheDifference) {
    const Experiment loud = changed(gaussian_head, "construction.samples=1 scale=none temperature=0.0001"),
                     near_it = changed(loud, "encoding.base=9999.9999");
    for (const Quantity quantity : {Quantity::logits, Quantity::weights}) {
        const AttentionFigure figure{.quantity = quantity, .against = Against::reference};
        const Rect rect{0, 0, 420, 340};
        const Pair pair(figure, loud, near_it, {.query = 25, .key = 3}, rect);
        RecordingCanvas canvas(rect);
        const Frame in_place = draw(figure, pair.input.swapped(), canvas, rect);
        EXPECT_EQ(in_place.plot, pair.frame.plot);
        EXPECT_THAT(words(pair.canvas), testing::Contains(testing::StartsWith("Δ ")));
        EXPECT_THAT(words(canvas), Not(testing::Contains(testing::StartsWith("Δ "))));
    }
}

/// A canvas that records tooltips.
class ExplainedCanvas : public RecordingCanvas {
  public:
    using RecordingCanvas::RecordingCanvas;
    void add_tooltip(const Rect& rect, std::string_view title, std::string_view text) override {
        explained.push_back({rect, std::string(title), std::string(text)});
    }
    struct Explained {
        Rect rect;
        std::string title, text;
    };
    std::vector<Explained> explained;
};

TEST(DifferenceMap, RoundingHasNoColour) {
    const auto results = results_for(AttentionFigure{}, {.head_dim = 4, .seq_len = 2}, {});
    FigureMemo memo;
    const FigureInput input{.results = *results, .cursor = {}, .theme = light_theme(), .memo = memo};
    const auto scale_of = [&](double other) {
        const HeatMap map{.values = SharedNumbers::of(std::vector{0.5, 0.25}), .rows = 1, .columns = 2};
        return difference_map(map, SharedNumbers::of(std::vector{other, 0.25}), input).scale.max;
    };
    EXPECT_NEAR(scale_of(0.4), 0.1, 1e-12);
    EXPECT_NEAR(scale_of(0.5 - 1e-9), 0.5e-6, 1e-12);
}

TEST(DivergenceOfRows, HasATooltip) {
    const Rect rect{0, 0, 520, 340};
    const Pair pair(difference, gaussian_head, faster_head, {.query = 25, .key = 3}, rect);
    ExplainedCanvas canvas(rect);
    draw(difference, pair.input, canvas, rect);
    const auto track = std::find_if(canvas.explained.begin(), canvas.explained.end(),
                                    [](const auto& one) { return one.title == "KL from the reference"; });
    ASSERT_NE(track, canvas.explained.end());
    EXPECT_THAT(track->text, HasSubstr("Σ p ln(p/p_ref)"));
    EXPECT_THAT(track->text, Not(HasSubstr("not sampled")));
    EXPECT_GT(track->rect.x, pair.frame.plot.right());
    EXPECT_LT(track->rect.right(), pair.frame.color_bar->x);
}

TEST(ColourBars, SayWhenTheirScaleIsLogarithmic) {
    for (const Quantity quantity : {Quantity::weights, Quantity::log_weights}) {
        const AttentionFigure figure{.quantity = quantity};
        const Pair pair(figure, gaussian_head, faster_head, {.query = 25, .key = 3});
        const Rect rect{0, 0, 420, 340};
        ExplainedCanvas canvas(rect);
        draw(figure, pair.input, canvas, rect);
        ASSERT_THAT(canvas.explained, testing::SizeIs(1));
        const bool is_said = canvas.explained[0].text.find(" on a logarithmic scale") != std::string::npos;
        EXPECT_EQ(is_said, quantity == Quantity::log_weights) << canvas.explained[0].text;
    }
}

TEST(DecayOfWeights, CurvesAreReversedOnceForAllFrames) {
    const Pair pair(DecayFigure{.quantity = DecayQuantity::weight}, gaussian_head, faster_head,
                    {.query = 30, .key = 3});
    const auto once = compared_rows(pair.input), again = compared_rows(pair.input);
    ASSERT_THAT(once, testing::SizeIs(1));
    ASSERT_THAT(again, testing::SizeIs(1));
    EXPECT_EQ(once[0].values, again[0].values);
    const auto row = pair.current->find(RowQuestion{});
    const SharedNumbers own = weights_by_distance(row, pair.input);
    EXPECT_EQ(own, weights_by_distance(row, pair.input));
    EXPECT_NE(own, once[0].values);
    ASSERT_THAT(*own, testing::SizeIs(31));
    for (std::size_t r = 0; r <= 30; ++r) EXPECT_EQ((*own)[r], row->weights[30 - r]);
}

TEST(DecayOfWeights, HasTheReferencesCurve) {
    const DecayFigure figure{.quantity = DecayQuantity::weight, .axis = AxisScale::linear};
    const Pair pair(figure, gaussian_head, faster_head, {.query = 30, .key = 3});
    EXPECT_THAT(words(pair.canvas), testing::Contains("reference"));
    const auto dashed = pair.lines(reference_stroke(light_theme()).color);
    const auto row = pair.other->find(RowQuestion{});
    const auto curve = std::find_if(dashed.begin(), dashed.end(), [](const auto& line) { return line.size() == 31; });
    ASSERT_NE(curve, dashed.end());
    for (int r = 0; r <= 30; ++r) {
        const Point expected = pair.frame.to_pixels(r, row->weights[static_cast<std::size_t>(30 - r)]);
        EXPECT_NEAR((*curve)[static_cast<std::size_t>(r)].x, expected.x, 1e-9) << r;
        EXPECT_NEAR((*curve)[static_cast<std::size_t>(r)].y, expected.y, 1e-9) << r;
    }
    EXPECT_GE(pair.frame.y.high, *std::max_element(row->weights.begin(), row->weights.end()));
    const Pair shorter(figure, gaussian_head, changed(faster_head, "seq_len=20"), {.query = 30, .key = 3});
    EXPECT_THAT(words(shorter.canvas), Not(testing::Contains("reference"))) << "that row is another query's";
}

TEST(Reference, ItsRowIsDrawnAsBarsIfTheRowIs) {
    const Experiment few = changed(gaussian_head, "seq_len=12");
    const Pair pair(AttentionRowFigure{}, few, changed(few, "encoding.base=20"), {.query = 8, .key = 3});
    const auto row = pair.other->find(RowQuestion{});
    const auto dashed = pair.lines(reference_stroke(light_theme()).color);
    const auto outline = std::find_if(dashed.begin(), dashed.end(), [](const auto& line) { return line.size() > 2; });
    ASSERT_NE(outline, dashed.end());
    ASSERT_EQ(outline->size(), 2 * 9 + 2u) << "a tread for each of the nine keys, and down at both ends";
    for (std::size_t j = 0; j < 9; ++j) {
        const double y = pair.frame.to_pixels(0, row->weights[j]).y;
        for (const auto& [corner, x] : {std::pair{(*outline)[1 + 2 * j], static_cast<double>(j) - 0.5},
                                        {(*outline)[2 + 2 * j], static_cast<double>(j) + 0.5}}) {
            EXPECT_NEAR(corner.x, pair.frame.to_pixels(x, 0).x, 1e-9) << j;
            EXPECT_NEAR(corner.y, y, 1e-9) << j;
        }
    }
    const Pair parts(ContributionsFigure{}, few, changed(few, "encoding.base=20"), {.query = 8, .key = 3});
    std::set<std::size_t> sizes;
    for (const auto& line : parts.lines(reference_stroke(light_theme()).color)) sizes.insert(line.size());
    EXPECT_THAT(sizes, testing::IsSupersetOf({2 * 8 + 2u, 8u})) << "bars of eight pairs, and a line of their sum";
}

TEST(EncodingLooks, AreTheSameInEveryFigure) {
    const Experiment head = changed({.head_dim = 16, .seq_len = 64}, "encoding=yarn");
    const DecayFigure decay{.compared = "encoding.factor=2 | encoding=ntk | encoding=dynamic_ntk"};
    const auto results = results_for(decay, head, {});
    FigureMemo memo;
    const FigureInput input{.results = *results, .cursor = {}, .theme = dark_theme(), .memo = memo};
    const auto curves = compared_curves(input, {"encoding.factor=2", "encoding=ntk", "encoding=dynamic_ntk"}, {});
    ASSERT_EQ(curves.size(), 3u);
    const auto look_of = [&](const char* id) { return dark_theme().curve(place_of_encoding(id, head)); };
    EXPECT_TRUE(look_of("yarn").dash.is_solid()) << "the head's own";
    EXPECT_EQ(curves[1].stroke, look_of("ntk"));
    EXPECT_EQ(curves[2].stroke, look_of("dynamic_ntk"));
    EXPECT_NE(curves[0].stroke.color, curves[1].stroke.color) << "it gives way";
    EXPECT_NE(curves[0].stroke.color, curves[2].stroke.color);
    const auto methods = drawn(MethodsFigure{}, head, {}, {0, 0, 600, 400});
    for (const char* id : {"ntk", "dynamic_ntk", "linear"}) {
        const bool is_on_another = id == std::string_view("dynamic_ntk");  // it equals NTK-aware, so that it has gaps
        const auto has_look = [&](const Drawn& one) {
            const auto* line = std::get_if<DrawnLine>(&one.what);
            return line && line->stroke.color == look_of(id).color &&
                   (is_on_another ? !line->stroke.dash.is_solid() : line->stroke.dash == look_of(id).dash);
        };
        EXPECT_EQ(std::count_if(methods.drawn().begin(), methods.drawn().end(), has_look), 1) << id;
    }
}

TEST(EncodingLooks, TruncationsDifferByTheirColoursAlone) {
    const Experiment head;
    for (const char* one : {"rope", "p_rope", "clipped", "partial"})
        for (const char* other : {"rope", "p_rope", "clipped", "partial"})
            if (one != other) {
                EXPECT_NE(Theme::series_of_curve(place_of_encoding(one, head)),
                          Theme::series_of_curve(place_of_encoding(other, head)))
                    << one << " and " << other;
            }
}

TEST(EncodingLooks, NoTwoAreEqual) {
    const Experiment head = changed({}, "encoding=yarn");
    std::vector<Stroke> looks;
    for_each_alternative<Encoding>(
        [&](const auto& encoding) { looks.push_back(dark_theme().curve(place_of_encoding(encoding.id, head))); });
    for (std::size_t a = 0; a < looks.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) EXPECT_NE(looks[a], looks[b]) << a << ' ' << b;
}

TEST(Phasors, NameTheSumOfCosinesIfNoPairRotates) {
    const Cursor cursor{.query = 30, .key = 7};
    const Experiment head = changed({.head_dim = 16, .seq_len = 40}, "encoding=sinusoidal");
    const auto canvas = drawn(PhasorsFigure{}, head, cursor, {0, 0, 600, 400});
    double product = 0;  // of the waves added at both positions
    for (int t = 0; t < 8; ++t) {
        const double w = std::pow(10'000.0, -2 * t / 16.0);
        product += std::sin(30 * w) * std::sin(7 * w) + std::cos(30 * w) * std::cos(7 * w);
    }
    EXPECT_THAT(words(canvas), testing::Contains(fmt::format("pₘ·pₙ = Σ cos = {} at r = 23", readable(product))));
    EXPECT_THAT(words(drawn(PhasorsFigure{}, changed(head, "encoding=rope"), cursor, {0, 0, 600, 400})),
                testing::Contains(testing::StartsWith("Σ cos = ")));
}

}  // namespace
}  // namespace ropewalk
