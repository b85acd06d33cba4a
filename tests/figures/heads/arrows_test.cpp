// The figure of arrows: its marks on the line of tokens, its pairs, and what it says.
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "app/figures/parts/marks/dial.h"
#include "app/figures/parts/marks/token_line.h"
#include "core/analysis/heads/contributions.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/scene_io.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

class ArrowsFigureTest : public testing::Test {
  protected:
    static constexpr Rect rect{0, 0, 500, 400};

    /// Draws the figure and drags the mouse from one token of its line to another. Returns the cursor after that.
    std::optional<Cursor> dragged(const Experiment& experiment, const Cursor& cursor, double from, double to) {
        const Figure figure = ArrowsFigure{};
        const auto results = results_for(figure, experiment, cursor);
        FigureMemo memo;
        RecordingCanvas canvas(rect);
        const FigureInput input{
            .results = *results, .cursor = cursor, .cursor_shown = true, .theme = dark_theme(), .memo = memo};
        const Frame frame = draw(figure, input, canvas, rect);
        const double y = rect.bottom() - TokenLine::height / 2;
        const Point pressed{frame.to_pixels(from, 0).x, y}, now{frame.to_pixels(to, 0).x, 0};
        EXPECT_TRUE(scrubs_at(figure, input, frame, pressed));
        EXPECT_FALSE(scrubs_at(figure, input, frame, {pressed.x, 100}));
        return scrubbed(figure, input, frame, {cursor, pressed, now});
    }
    /// Returns the marks of the query and of the key, as drawn.
    std::vector<DrawnCircle> marks_at(const Cursor& cursor) {
        std::vector<DrawnCircle> marks;
        const RecordingCanvas canvas = drawn(ArrowsFigure{}, head_, cursor, rect);
        for (const Drawn& each : canvas.drawn())
            if (const auto* circle = std::get_if<DrawnCircle>(&each.what))
                if (circle->centre.y > rect.bottom() - TokenLine::height && circle->radius > 4)
                    marks.push_back(*circle);
        return marks;
    }

    /// Draws the figure after a change from another head.
    static RecordingCanvas drawn_after(const Experiment& before, const ArrowsFigure& figure, const Experiment& now) {
        const Cursor cursor{9, 3, 0};
        const auto results = results_for(figure, now, cursor), ghost = results_for(figure, before, cursor);
        FigureMemo memo;
        RecordingCanvas canvas(rect);
        draw(figure,
             {.results = *results,
              .cursor = cursor,
              .cursor_shown = true,
              .theme = dark_theme(),
              .memo = memo,
              .ghost = ghost.get()},
             canvas, rect);
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        return canvas;
    }
    /// Returns the radius of the largest circle.
    static double radius_in(const RecordingCanvas& canvas) {
        double radius = 0;
        for (const Drawn& each : canvas.drawn())
            if (const auto* circle = std::get_if<DrawnCircle>(&each.what)) radius = std::max(radius, circle->radius);
        return radius;
    }
    /// Returns the lengths of the straight lines of the state before a change, without those of arrow heads.
    static std::vector<double> ghosts_in(const RecordingCanvas& canvas) {
        std::vector<double> lengths;
        for (const Drawn& each : canvas.drawn())
            if (const auto* line = std::get_if<DrawnLine>(&each.what))
                if (line->stroke.color == ghost_stroke(dark_theme()).color && line->points.size() == 2)
                    lengths.push_back(
                        std::hypot(line->points[1].x - line->points[0].x, line->points[1].y - line->points[0].y));
        return lengths;
    }

    const Experiment head_{.head_dim = 8, .seq_len = 64, .construction = Gaussian{}};
};

TEST_F(ArrowsFigureTest, MarksMoveQueryAndKey) {
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 40, 50), (Cursor{50, 10, 2}));
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 10, 3), (Cursor{40, 3, 2}));
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 40, 500), (Cursor{63, 10, 2}));
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 60, 60), (Cursor{60, 10, 2})) << "beside the marks the nearer one follows";
}

TEST_F(ArrowsFigureTest, MarksAtTheSameTokenAreBothSeen) {
    const auto marks = marks_at({40, 40, 2});
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_GE(marks[0].centre.x - marks[1].centre.x, marks[0].radius + marks[1].radius - 1e-9)
        << "the key's is at the left, where it can be dragged to";
}

TEST_F(ArrowsFigureTest, PressingAMarkMovesNothing) {
    const auto token_at = [&](double x) { return (x - 12) / (rect.width - 24) * (head_.seq_len - 1); };
    for (const Cursor cursor : {Cursor{40, 40, 2}, Cursor{40, 39, 2}, Cursor{63, 63, 2}, Cursor{0, 0, 2}}) {
        for (const DrawnCircle& mark : marks_at(cursor))
            for (const double beside : {-0.8, 0.0, 0.8}) {
                const double pressed = token_at(mark.centre.x + beside * mark.radius);
                EXPECT_EQ(dragged(head_, cursor, pressed, pressed), cursor) << cursor.query << " " << mark.radius;
            }
    }
    const double query = token_at(marks_at({40, 40, 2})[0].centre.x), key = token_at(marks_at({40, 40, 2})[1].centre.x);
    EXPECT_EQ(dragged(head_, {40, 40, 2}, query, query + 1), (Cursor{41, 40, 2}));
    EXPECT_EQ(dragged(head_, {40, 40, 2}, key, key - 1), (Cursor{40, 39, 2}));
}

TEST_F(ArrowsFigureTest, NamesOfTokensGiveWayToNumbersIfManyDoNotFit) {
    const auto text_below = [&](int tokens, const std::string& sentence = Text{}.text) {
        Experiment named = head_;
        named.seq_len = tokens;
        named.construction = Text{.text = sentence};
        std::string all;
        for (const DrawnText& text : drawn(ArrowsFigure{}, named, {8, 4, 0}, rect).texts())
            if (text.box.y > rect.bottom() - 20) all += text.text + " ";
        return all;
    };
    EXPECT_NE(text_below(10).find("BOS"), std::string::npos);
    EXPECT_NE(text_below(10, "an extraordinarily internationalised cat sat on it").find("sat"), std::string::npos)
        << text_below(10, "an extraordinarily internationalised cat sat on it");
    EXPECT_EQ(text_below(400).find("BOS"), std::string::npos);
    EXPECT_NE(text_below(400).find("200"), std::string::npos);
}

TEST_F(ArrowsFigureTest, BetweenTheMarksBothMove) {
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 25, 30), (Cursor{45, 15, 2}));
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 25, -100), (Cursor{30, 0, 2}));
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 25, 100), (Cursor{63, 33, 2}));
}

TEST_F(ArrowsFigureTest, TheMaskKeepsTheKeyBeforeItsQuery) {
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 40, 3), (Cursor{10, 10, 2}));
    EXPECT_EQ(dragged(head_, {40, 10, 2}, 10, 60), (Cursor{40, 40, 2}));
    Experiment open = head_;
    open.mask = Mask::none;
    EXPECT_EQ(dragged(open, {40, 10, 2}, 10, 60), (Cursor{40, 60, 2}));
    EXPECT_EQ(dragged(open, {10, 40, 2}, 25, 30), (Cursor{15, 45, 2}));
    EXPECT_EQ(dragged(open, {10, 40, 2}, 40, 45), (Cursor{10, 45, 2})) << "the key is on the right";
}

TEST_F(ArrowsFigureTest, DialsAreWhereTheyAreLarger) {
    struct Dials {
        Rect before, after;
        double radius;
    };
    const auto dials = [&](double width, double height) {
        const RecordingCanvas canvas = drawn(ArrowsFigure{}, head_, {40, 10, 2}, {0, 0, width, height});
        EXPECT_THAT(canvas.faults(), testing::IsEmpty());
        Dials found{};
        for (const DrawnText& text : canvas.texts()) {
            if (text.text == "before rotation") found.before = text.box;
            if (text.text == "after rotation") found.after = text.box;
        }
        for (const Drawn& one : canvas.drawn())
            if (const auto* circle = std::get_if<DrawnCircle>(&one.what))
                found.radius = std::max(found.radius, circle->radius);
        EXPECT_GT(found.before.width, 0);
        for (const std::string& text : words(canvas)) EXPECT_FALSE(text.ends_with("…")) << text << " is cut";
        return found;
    };
    dials(210, 220);
    const Dials wide = dials(240, 220), high = dials(240, 420);
    EXPECT_EQ(wide.before.y, wide.after.y);
    EXPECT_GT(wide.after.x, wide.before.right());
    EXPECT_GT(high.after.y, high.before.bottom());
    EXPECT_GT(high.radius, 1.3 * wide.radius);
}

TEST_F(ArrowsFigureTest, ShowsPairsFromTheFastestToTheSlowestAndPicksThem) {
    const ArrowsFigure figure{.pairs = 3};
    const Cursor cursor{40, 10, 2};
    const Experiment head{.head_dim = 16, .seq_len = 64, .construction = Gaussian{}};
    const auto results = results_for(figure, head, cursor);
    FigureMemo memo;
    RecordingCanvas canvas(rect);
    const FigureInput input{.results = *results, .cursor = cursor, .theme = dark_theme(), .memo = memo};
    const Frame frame = draw(figure, input, canvas, rect);
    EXPECT_THAT(words(canvas), testing::IsSupersetOf({"pair 0", "pair 4", "pair 7"}));
    for (const DrawnText& text : canvas.texts()) {
        if (text.text != "pair 4") continue;
        EXPECT_EQ(pick(figure, input, frame, text.box.centre()), (Cursor{40, 10, 4}));
    }
    const DataTable table = *table_of(figure, *results);
    EXPECT_EQ(table.shape, (std::vector<std::int64_t>{3, 11}));
}

TEST_F(ArrowsFigureTest, SaysWhatEncodingsDo) {
    const auto said = [&](const Encoding& encoding, int pair) {
        Experiment head = head_;
        head.encoding = encoding;
        return words(drawn(ArrowsFigure{}, head, {40, 10, pair}, rect));
    };
    EXPECT_THAT(said(Rope{}, 1), testing::IsSupersetOf({"before rotation", "after rotation", "q", "k"}));
    EXPECT_THAT(said(Rope{}, 0), testing::Contains(testing::StartsWith("pair 0 · one turn in 6.283 tokens")));
    EXPECT_THAT(said(PRope{.p = 0.5}, 3), testing::Contains("pair 3 · not rotated"));
    EXPECT_THAT(said(Sinusoidal{}, 0), testing::IsSupersetOf({"as constructed", "with waves added"}));
}

TEST_F(ArrowsFigureTest, APairOfANarrowerHeadIsNotShownBehindThatOfAWiderOne) {
    const Experiment narrow{.head_dim = 2, .seq_len = 12}, wide{.head_dim = 64, .seq_len = 12};
    const ArrowsFigure figure{.pairs = 8};
    const RecordingCanvas canvas = drawn_after(narrow, figure, wide);
    EXPECT_EQ(radius_in(canvas), radius_in(drawn(figure, wide, {9, 3, 0}, rect)));
    EXPECT_THAT(ghosts_in(canvas), testing::IsEmpty());
}

TEST_F(ArrowsFigureTest, MuchLongerArrowsBeforeAChangeLeaveRoomForTheCurrentOnes) {
    const auto with_norm = [](double norm_squared) {
        return Experiment{.head_dim = 8, .seq_len = 12, .construction = SameVector{.norm_squared = norm_squared}};
    };
    constexpr double outside = 0.5;  // logical pixels: half of the stroke
    const double whole = radius_in(drawn(ArrowsFigure{}, with_norm(1), {9, 3, 0}, rect)) - outside;
    for (const double longer : {1.0, 1.5, 3.0, 100.0}) {
        const RecordingCanvas canvas = drawn_after(with_norm(longer * longer), ArrowsFigure{}, with_norm(1));
        EXPECT_NEAR(radius_in(canvas) - outside, whole / std::min(longer, 2.0), 1e-6 * whole) << longer;
        const std::vector<double> ghosts = ghosts_in(canvas);
        EXPECT_EQ(ghosts.size(), 4u) << "of query and key, before and after rotation";
        for (const double length : ghosts) {
            EXPECT_LE(length, whole + 1e-6);
            EXPECT_EQ(std::abs(length - whole) < 1e-6, longer > 2) << longer << ": only lines that go on have no head";
        }
    }
}

TEST_F(ArrowsFigureTest, ThinArrowsAreExplained) {
    class Canvas : public RecordingCanvas {
      public:
        using RecordingCanvas::RecordingCanvas;
        void add_tooltip(const Rect& /*rect*/, std::string_view title, std::string_view /*text*/) override {
            titles.emplace_back(title);
        }
        std::vector<std::string> titles;
    };
    for (const int pairs : {1, 4}) {
        const Figure figure = ArrowsFigure{.pairs = pairs};
        const Cursor cursor{40, 10, 0};
        const auto results = results_for(figure, head_, cursor);
        FigureMemo memo;
        Canvas canvas(rect);
        draw(figure, {.results = *results, .cursor = cursor, .theme = dark_theme(), .memo = memo}, canvas, rect);
        EXPECT_EQ(std::count(canvas.titles.begin(), canvas.titles.end(), "Before rotation") > 0, pairs == 4);
    }
}

TEST_F(ArrowsFigureTest, TheReadoutHasTheScoreOfAllPairs) {
    const Cursor cursor{40, 10, 2};
    const auto results = results_for(ArrowsFigure{}, head_, cursor);
    FigureMemo memo;
    const FigureInput input{.results = *results, .cursor = cursor, .theme = dark_theme(), .memo = memo};
    const std::string said = ArrowsFigure{}.readout(input);
    double score = 0;
    for (const double part : contributions(*results->problem, 40, 10)) score += part;
    EXPECT_THAT(said, testing::HasSubstr("   score " + readable(score) + "   ")) << said;
}

TEST_F(ArrowsFigureTest, APairThatTheHeadBeforeLacksHasNoValueBefore) {
    const auto said = [](int pair) {
        const Figure figure = ArrowsFigure{};
        const auto before = results_for(figure, {.head_dim = 2, .seq_len = 12}, {9, 3, 0}),
                   now = results_for(figure, {.head_dim = 64, .seq_len = 12}, {9, 3, pair});
        FigureMemo memo;
        return readout_with_before(
            figure,
            {.results = *now, .cursor = {9, 3, pair}, .theme = dark_theme(), .memo = memo, .ghost = before.get()});
    };
    for (const int pair : {0, 4}) {
        const std::string text = said(pair), of_pair = text.substr(text.find("   pair "));
        EXPECT_THAT(text, testing::ContainsRegex("score [^ ]+ → ")) << "of all pairs";
        EXPECT_EQ(of_pair.find(" → ") != of_pair.npos, pair == 0) << of_pair;
    }
}

TEST_F(ArrowsFigureTest, AShortArrowBesideALongOneIsVisibleAndSaysSo) {
    const Dial dial{.radius = 100, .longest = 20, .shortest = 0.35};
    for (const auto& [length, drawn_length] :
         {std::pair{0.0, 0.0}, {1.0, 35.0}, {7.0, 35.0}, {10.0, 50.0}, {20.0, 100.0}})
        EXPECT_NEAR(dial.length_of(std::polar(length, 2.0)), drawn_length, 1e-9) << length;
    const Experiment unequal = open_scene("barbero-fig1").experiment;
    const auto is_said = [](const Experiment& head) {
        const std::vector<std::string> all = words(drawn(ArrowsFigure{}, head, {6, 5, 0}, rect));
        return std::any_of(all.begin(), all.end(),
                           [](const std::string& each) { return each.ends_with(" · lengths not to scale"); });
    };
    EXPECT_TRUE(is_said(unequal)) << "the query is 20 times as long as the key";
    EXPECT_FALSE(is_said({.head_dim = 2, .seq_len = 12}));
}

TEST_F(ArrowsFigureTest, NamesAZeroArrow) {
    const Experiment head{.head_dim = 8, .seq_len = 64, .construction = Bands{.amplitudes = {0, 1, 1, 1}}};
    EXPECT_THAT(words(drawn(ArrowsFigure{}, head, {40, 10, 0}, rect)), testing::Contains("q = k = 0 on this pair"));
}

}  // namespace
}  // namespace ropewalk
