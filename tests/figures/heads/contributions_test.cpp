// The figure of contributions: marks of dominant pairs, and the sum if it fits.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "app/figures/figure_list.h"
#include "core/constructions/construction_list.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

std::vector<double> marked_pairs(const RecordingCanvas& canvas) {
    std::vector<double> found;
    for (const Drawn& drawn : canvas.drawn())
        if (const auto* circle = std::get_if<DrawnCircle>(&drawn.what); circle && circle->fill == dark_theme().warning)
            found.push_back(circle->centre.x);
    std::sort(found.begin(), found.end());
    return found;
}

TEST(Contributions, MarkNoneOfEqualsAndNothingThatIsZero) {
    const Rect rect{0, 0, 500, 300};
    // At distance 0 every pair contributes the same, up to rounding.
    const auto equal =
        marked_pairs(drawn(ContributionsFigure{}, {.head_dim = 64, .construction = AtDistance{.distance = 64}},
                           Cursor{.query = 64, .key = 0}, rect));
    EXPECT_TRUE(equal.empty());
    // At distance 6 all slow pairs still contribute nearly the same: none visibly exceeds the others.
    const auto alike =
        marked_pairs(drawn(ContributionsFigure{}, {.head_dim = 64, .construction = AtDistance{.distance = 64}},
                           Cursor{.query = 70, .key = 0}, rect));
    EXPECT_TRUE(alike.empty());
    std::vector<double> growing(32);
    std::iota(growing.begin(), growing.end(), 1.0);
    const auto unequal =
        marked_pairs(drawn(ContributionsFigure{}, {.head_dim = 64, .construction = Bands{.amplitudes = growing}},
                           Cursor{.query = 5, .key = 5}, rect));
    EXPECT_EQ(unequal.size(), 5u);
    const auto two = marked_pairs(drawn(ContributionsFigure{},
                                        {.head_dim = 64,
                                         .construction = Bands{.amplitudes =
                                                                   [] {
                                                                       std::vector<double> amplitudes(32);
                                                                       amplitudes[3] = 2, amplitudes[9] = -1;
                                                                       return amplitudes;
                                                                   }()}},
                                        Cursor{.query = 5, .key = 5}, rect));
    EXPECT_EQ(two.size(), 1u) << "a negative contribution is not among the largest";
}

TEST(Contributions, KeepTheirLabelsInALowPanel) {
    for (const double height : {60.0, 90.0, 128.0, 200.0}) {
        const auto canvas = drawn(ContributionsFigure{}, {.head_dim = 64, .construction = AtDistance{.distance = 64}},
                                  Cursor{.query = 100, .key = 0}, {0, 0, 480, height});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        const auto texts = canvas.texts();
        const auto says = [&](const char* text) {
            return std::count_if(texts.begin(), texts.end(),
                                 [&](const DrawnText& drawn) { return drawn.text == text; });
        };
        EXPECT_EQ(says("30"), 1) << "pairs are labelled once, at height " << height;
        const auto upright = std::count_if(texts.begin(), texts.end(), [](const DrawnText& drawn) {
            return drawn.box.right() < 60 && drawn.text.find_first_of("0123456789") != std::string::npos;
        });
        EXPECT_GE(upright, 2) << "one number alone does not define a scale, at height " << height;
    }
}

TEST(Contributions, ShowTheirSumIfTwoPlotsFit) {
    for (const double height : {149.0, 150.0}) {
        const auto canvas = drawn(ContributionsFigure{}, {.head_dim = 64, .construction = AtDistance{.distance = 64}},
                                  Cursor{.query = 100, .key = 0}, {0, 0, 480, height});
        const bool has_sum = height >= 150;
        EXPECT_EQ(testing::Value(words(canvas), testing::Contains("Σ gₜ")), has_sum);
        EXPECT_EQ(testing::Value(canvas.omitted(), testing::Contains("the running sum")), !has_sum);
        const auto is_bar = [](const Drawn& one) {
            const auto* rect = std::get_if<DrawnRect>(&one.what);
            return rect && (rect->color == dark_theme().series[0] || rect->color == dark_theme().series[1]);
        };
        EXPECT_GT(std::count_if(canvas.drawn().begin(), canvas.drawn().end(), is_bar), 20) << "bars in either";
        const auto is_sum = [](const Drawn& one) {
            const auto* line = std::get_if<DrawnLine>(&one.what);
            return line && line->stroke == dark_theme().curve(0);
        };
        EXPECT_EQ(std::any_of(canvas.drawn().begin(), canvas.drawn().end(), is_sum), has_sum) << height;
    }
}

}  // namespace
}  // namespace ropewalk
