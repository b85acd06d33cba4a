// The track beside a matrix: the divergence of rows from those of the reference.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/figures/figure_list.h"
#include "app/figures/page/view_io.h"
#include "core/attention/make_problem.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "tests/figures/pair_of_heads.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(DivergenceOfRows, IsBesideTheDifferenceAndNamesTheLargest) {
    const Pair pair(difference, gaussian_head, faster_head, {.query = 25, .key = 3}, {0, 0, 520, 340});
    EXPECT_THAT(pair.canvas.faults(), IsEmpty());
    const auto weights = [](const Experiment& experiment) {
        return open_backend("reference", 1)
            ->attend(make_problem(experiment), Viewport::one_to_one({0, 40}, {0, 40}), {})
            .weights.mean;
    };
    const auto p = weights(gaussian_head), q = weights(faster_head);
    std::vector<double> divergences(40);
    for (std::size_t i = 0; i < 40; ++i)
        for (std::size_t j = 0; j <= i; ++j) divergences[i] += p[40 * i + j] * std::log(p[40 * i + j] / q[40 * i + j]);
    const auto max = std::max_element(divergences.begin(), divergences.end());
    EXPECT_THAT(badge(difference, pair.input).text,
                HasSubstr(fmt::format(", max KL from the reference {} nats (row {})", readable(*max, 3),
                                      max - divergences.begin())));
    EXPECT_THAT(readout(difference, pair.input),
                HasSubstr(fmt::format("KL of the row {} nats", readable(divergences[25]))));
    // The bars' lengths are the rows' divergences, at the rows of the matrix.
    const std::vector<DrawnBand> areas = pair.areas(light_theme().series[0]);
    ASSERT_THAT(areas, testing::SizeIs(1)) << "no seams where bars touch";
    std::vector<Rect> bars;
    double longest = 0;
    for (std::size_t i = 0; i + 1 < areas[0].upper.size(); i += 2) {
        const Point foot = areas[0].lower[i], top = areas[0].upper[i], bottom = areas[0].upper[i + 1];
        bars.push_back({foot.x, top.y, top.x - foot.x, bottom.y - top.y});
        EXPECT_EQ(top.x, bottom.x);
        EXPECT_EQ(top.y, foot.y);
        EXPECT_GT(foot.x, pair.frame.plot.right());
        longest = std::max(longest, bars.back().width);
    }
    for (std::size_t i = 1; i < 40; ++i) {
        const double y = pair.frame.to_pixels(0, static_cast<double>(i)).y;
        const auto bar =
            std::find_if(bars.begin(), bars.end(), [&](const Rect& rect) { return rect.y <= y && y < rect.bottom(); });
        ASSERT_NE(bar, bars.end()) << i;
        EXPECT_NEAR(bar->width / longest, divergences[i] / *max, 1e-9) << i;
    }
    ASSERT_TRUE(pair.frame.color_bar);
    EXPECT_GT(pair.frame.color_bar->x, bars.front().x + longest) << "makes room";
}

TEST(DivergenceOfRows, IsShownOnRequestAndCountsItsSampledRows) {
    const Cursor cursor{.query = 25, .key = 3};
    const Pair plain(AttentionFigure{}, gaussian_head, faster_head, cursor);
    EXPECT_THAT(words(plain.canvas), Not(testing::Contains("KL (nats)")));
    EXPECT_THAT(needs_of(difference, gaussian_head, {200, 160}), testing::SizeIs(2))
        << "without a reference nothing is asked";
    // 2²¹ entries are looked at: at most 1310 of 1600 rows, evenly spaced, so every second one.
    const Experiment longer = changed(gaussian_head, "seq_len=1600 head_dim=2"),
                     other = changed(longer, "encoding.base=20");
    const Pair pooled(difference, longer, other, cursor);
    EXPECT_THAT(badge(difference, pooled.input).text, HasSubstr(", 800 of 1600 rows sampled)"));
    const Pair small(difference, gaussian_head, faster_head, cursor, {0, 0, 200, 200});
    EXPECT_THAT(small.canvas.omitted(), testing::Contains("the divergence of rows"));
}

TEST(DivergenceOfRows, NeedsEqualNumbersOfRows) {
    const Cursor cursor{.query = 25, .key = 3};
    const Experiment shorter = changed(faster_head, "seq_len=30");
    const Pair pair(difference, gaussian_head, shorter, cursor),
        plain(AttentionFigure{}, gaussian_head, shorter, cursor);
    EXPECT_THAT(words(pair.canvas), Not(testing::Contains("KL (nats)")));
    EXPECT_THAT(pair.canvas.omitted(), IsEmpty());
    EXPECT_EQ(pair.frame.plot.width, plain.frame.plot.width) << "the matrix has the room";
    const Badge said = badge(difference, pair.input);
    EXPECT_EQ(said.text, "showing values: the reference has 30 tokens");
    EXPECT_THAT(said.help, HasSubstr("The reference has 30 tokens and this head 40 tokens"));
    EXPECT_TRUE(said.is_fault);
    EXPECT_EQ(badge(AttentionFigure{}, plain.input).text, "") << "no difference was requested";
    EXPECT_THAT(needs_of(difference, gaussian_head, {200, 160}, &shorter), testing::SizeIs(2));
}

TEST(DivergenceOfRows, RowsThatWereNotSampledAreBlank) {
    const Pair pair(difference, gaussian_head, faster_head, {.query = 25, .key = 3});
    Results some = *pair.current;
    RowDivergences rows;  // every second row from row 7, which equals the reference; row 21 is not a number
    for (int row = 7; row < 40; row += 2) rows.push_back({row, row == 7 ? 0 : row == 21 ? nan : 0.5});
    for (auto& [question, known] : some.answers)
        if (std::holds_alternative<RowDivergencesQuestion>(question))
            known = std::make_shared<const RowDivergences>(rows);
    FigureMemo memo;
    const FigureInput input{.results = some,
                            .cursor = pair.input.cursor,
                            .theme = light_theme(),
                            .memo = memo,
                            .reference = pair.other.get()};
    const Rect rect{0, 0, 420, 340};
    RecordingCanvas canvas(rect);
    const Frame frame = draw(difference, input, canvas, rect);
    std::vector<Rect> backgrounds;
    for (const Drawn& drawn : canvas.drawn())
        if (const auto* one = std::get_if<DrawnRect>(&drawn.what);
            one && one->filled && one->color == light_theme().plot_background && one->rect.x > frame.plot.x)
            backgrounds.push_back(one->rect);
    ASSERT_THAT(backgrounds, testing::SizeIs(2));
    const auto y_of = [&](double row) { return frame.to_pixels(0, row).y; };
    EXPECT_NEAR(backgrounds[0].y, y_of(6), 1);
    EXPECT_NEAR(backgrounds[0].bottom(), y_of(20), 1);
    EXPECT_NEAR(backgrounds[1].y, y_of(22), 1);
    EXPECT_EQ(backgrounds[1].bottom(), frame.plot.bottom());
    EXPECT_THAT(badge(difference, input).text, HasSubstr(", max KL from the reference 0.5 nats (row 9, "));
}

TEST(DivergenceOfRows, InfiniteValuesAreBeyondTheScale) {
    const Cursor cursor{.query = 25, .key = 3};
    const Pair finite(difference, faster_head, gaussian_head, cursor),
        pair(difference, changed(faster_head, "mask=none"), gaussian_head, cursor);
    EXPECT_THAT(words(finite.canvas), Not(testing::Contains("∞")));
    EXPECT_THAT(words(pair.canvas), testing::Contains("∞"));
    EXPECT_THAT(badge(difference, pair.input).text, HasSubstr("max KL from the reference ∞ nats"));
    std::set<double> lengths;
    for (const Drawn& drawn : pair.canvas.drawn())
        if (const auto* bars = std::get_if<DrawnBand>(&drawn.what))
            for (std::size_t i = 0; i < bars->upper.size(); ++i) lengths.insert(bars->upper[i].x - bars->lower[i].x);
    ASSERT_THAT(lengths, testing::SizeIs(2)) << "the last row alone sees no key that the reference does not";
    EXPECT_LT(*lengths.begin(), *lengths.rbegin() - 10);
}

/// The numbers below the track, from the left.
std::vector<std::string> numbers_below(const Pair& pair) {
    std::vector<std::string> numbers;
    for (const DrawnText& text : pair.canvas.texts())
        if (text.box.x > pair.frame.plot.right() + 10 && text.box.y > pair.frame.plot.bottom() &&
            text.text != "KL (nats)")
            numbers.push_back(text.text);
    return numbers;
}

TEST(DivergenceOfRows, ZeroIsWrittenIfItFitsBesideTheScalesEnd) {
    const Cursor cursor{.query = 25, .key = 3};
    const Pair far(difference, gaussian_head, faster_head, cursor),
        near_it(difference, gaussian_head, changed(gaussian_head, "temperature=1.003"), cursor);
    EXPECT_THAT(numbers_below(far), testing::ElementsAre("0", Not(HasSubstr("10"))));
    EXPECT_THAT(numbers_below(near_it), testing::ElementsAre(HasSubstr("×10⁻")));
    EXPECT_THAT(far.canvas.faults(), IsEmpty());
    EXPECT_THAT(near_it.canvas.faults(), IsEmpty());
}

TEST(DivergenceOfRows, RoundingErrorsStayShort) {
    const Pair pair(difference, gaussian_head, changed(gaussian_head, "temperature=1.000001"), {.query = 25, .key = 3});
    EXPECT_THAT(numbers_below(pair), testing::Contains("10⁻⁹"));
    double longest = 0;
    for (const DrawnBand& area : pair.areas(light_theme().series[0]))
        for (std::size_t i = 0; i < area.upper.size(); ++i)
            longest = std::max(longest, area.upper[i].x - area.lower[i].x);
    EXPECT_GT(longest, 0);
    EXPECT_LT(longest, 0.5) << "pixels";
    for (const Drawn& one : pair.canvas.drawn()) {
        const auto* circle = std::get_if<DrawnCircle>(&one.what);
        EXPECT_FALSE(circle && circle->fill == light_theme().warning) << "no row is marked";
    }
}

}  // namespace
}  // namespace ropewalk
