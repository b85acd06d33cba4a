// Legends and chips.
#include <algorithm>

#include "app/plot/legible.h"
#include "tests/figures/plot/marks_fixture.h"

namespace ropewalk {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST_F(Marks, ALegendWrapsLeavesThePlotItsRoomAndCountsWhatIsMissing) {
    const std::vector<LegendEntry> entries(5, {"a curve by name", {1, 1, 1}});
    const auto shown = [&](double width, double height) {
        RecordingCanvas canvas({0, 0, 420, 320});
        const Rect rect{0, 0, width, height}, room = without_legend(entries, rect, canvas, light_theme());
        EXPECT_EQ(room.bottom(), rect.bottom());
        draw_legend(entries, rect, room, frame({}, {}), canvas, light_theme());
        EXPECT_THAT(canvas.faults(), IsEmpty());
        for (const DrawnText& text : canvas.texts()) EXPECT_LE(text.box.bottom(), room.y);
        return std::tuple{room.y, canvas.texts().size(), canvas.texts().empty() ? "" : canvas.texts().back().text};
    };
    const std::string name = "a curve by name";
    EXPECT_EQ(shown(420, 300), std::tuple(63.0, 5u, name));
    EXPECT_GT(std::get<0>(shown(200, 300)), 40);
    EXPECT_EQ(std::get<1>(shown(200, 300)), 5u);
    EXPECT_EQ(shown(420, 120), std::tuple(25.0, 3u, std::string("+ 3 more")));
    EXPECT_EQ(shown(420, 90), std::tuple(25.0, 3u, std::string("+ 3 more")));  // one row, at the plot's cost
    EXPECT_EQ(shown(420, 60), std::tuple(0.0, 0u, std::string()));
    EXPECT_EQ(without_legend({}, {0, 0, 400, 300}, canvas_, light_theme()), (Rect{0, 0, 400, 300}));
}

TEST_F(Marks, ALegendOfOneRowCountsWhatIsMissingEvenIfTheOnlyNameIsLong) {
    const std::vector<LegendEntry> entries{{.label = "Distance r 2 · RoPE", .color = {1, 1, 1}},
                                           {.label = "NoPE", .color = {2, 2, 2}}};
    bool is_ever_cut = false;
    for (double width = 70; width < 320; width += 7) {
        RecordingCanvas canvas({0, 0, width, 90});
        const Rect rect{0, 0, width, 90}, room = without_legend(entries, rect, canvas, light_theme());
        if (room == rect) continue;
        draw_legend(entries, rect, room, frame({}, {}), canvas, light_theme());
        EXPECT_THAT(canvas.faults(), IsEmpty()) << width;
        std::vector<std::string> texts;
        for (const DrawnText& text : canvas.texts()) texts.push_back(text.text);
        ASSERT_THAT(texts, Not(IsEmpty())) << width;
        EXPECT_TRUE(texts.back() == "NoPE" || texts.back() == "+ 1 more" || texts.back() == "+ 2 more") << width;
        is_ever_cut |= texts.front().ends_with("…");
    }
    EXPECT_TRUE(is_ever_cut);
}

TEST_F(Marks, LinesInALegendAreEquallyLongAndEndInInkWhateverTheirDashes) {
    std::vector<Dashes> all{{}, 2.5, 4, 5, 6, 8};
    for (std::size_t place = 0; place < Theme::curves; ++place) all.push_back(light_theme().curve(place).dash);
    for (const Dashes& dash : all) {
        RecordingCanvas canvas({0, 0, 420, 320});
        const LegendEntry entries[] = {{.label = "one", .color = {1, 1, 1}, .dash = dash}};
        const Rect rect{0, 0, 400, 300};
        draw_legend(entries, rect, without_legend(entries, rect, canvas, light_theme()), frame({}, {}), canvas,
                    light_theme());
        std::vector<Rect> ink;
        for (const Drawn& one : canvas.drawn())
            if (const auto* drawn = std::get_if<DrawnRect>(&one.what)) ink.push_back(drawn->rect);
        ASSERT_THAT(ink, Not(IsEmpty()));
        EXPECT_EQ(ink.front().x, 0);
        EXPECT_NEAR(ink.back().right(), 22, 1e-9);
        for (std::size_t i = 0; i + 1 < ink.size(); ++i) {
            const double times = ink[0].width / dash.length(0);
            EXPECT_NEAR(times, 1, 0.25) << "it is still these dashes";
            EXPECT_NEAR(ink[i].width, times * dash.length(2 * i), 1e-9);
            EXPECT_NEAR(ink[i + 1].x - ink[i].right(), times * dash.length(2 * i + 1), 1e-9);
        }
    }
}

TEST_F(Marks, LabelsBesideAPlotShowWhichLineTheyName) {
    const std::vector<LegendEntry> entries{{.label = "bound", .color = {90, 90, 90}, .end = 0.6},
                                           {.label = "now", .color = light_theme().series[0], .end = 0.4}};
    const auto draw_on = [&](const Theme& theme) {
        RecordingCanvas canvas({0, 0, 420, 320});
        const Rect rect{0, 0, 420, 320}, room = without_legend(entries, rect, canvas, theme);
        EXPECT_EQ(room.height, rect.height) << "beside the plot";
        Frame drawn = frame({}, {});
        drawn.plot.width = room.right() - drawn.plot.x;
        draw_legend(entries, rect, room, drawn, canvas, theme);
        EXPECT_THAT(canvas.faults(), IsEmpty());
        return canvas;
    };
    const RecordingCanvas on_screen = draw_on(light_theme()), on_paper = draw_on(paper_theme());
    ASSERT_THAT(on_screen.drawn(), SizeIs(2)) << "the names have the colours of their lines";
    for (const DrawnText& text : on_screen.texts())
        EXPECT_EQ(text.style.weight, text.text == "now" ? Weight::semibold : Weight::regular);
    ASSERT_THAT(on_paper.drawn(), SizeIs(4)) << "a line of the same colour is before each black name";
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& line = std::get<DrawnLine>(on_paper.drawn()[2 * i].what);
        const auto& name = std::get<DrawnText>(on_paper.drawn()[2 * i + 1].what);
        EXPECT_EQ(line.stroke.color, entries[i].color);
        EXPECT_EQ(line.stroke.width, entries[i].width) << "as thick as the curve";
        EXPECT_LT(line.points.back().x, name.box.x);
        EXPECT_NEAR(line.points.back().y, name.box.centre().y, 4);
    }
}

TEST_F(Marks, NamesBesideAPlotAreLegibleInEveryColourOfACurveAndItsFadedTones) {
    for (const Theme* theme : {&light_theme(), &dark_theme(), &paper_theme()})
        for (const Color& full : theme->series)
            for (const double share : {1.0, 0.7, 0.55}) {
                const LegendEntry entries[] = {{.label = "one", .color = theme->faded(full, share), .end = 0.5}};
                const Rect rect{0, 0, 420, 320};
                RecordingCanvas canvas(rect);
                Frame drawn = frame({}, {});
                drawn.plot.width = without_legend(entries, rect, canvas, *theme).right() - drawn.plot.x;
                draw_legend(entries, rect, rect, drawn, canvas, *theme);
                ASSERT_THAT(canvas.texts(), SizeIs(1));
                const Color name = canvas.texts().front().style.color;
                EXPECT_GE(contrast(name, theme->ground()), 4.5) << theme->id << ' ' << share;
                const bool is_enough = share == 1 && contrast(full, theme->ground()) >= 4.5;
                if (is_enough && !theme->is_paper) {
                    EXPECT_EQ(name, full);
                }
            }
}

TEST_F(Marks, ALabelOfTwoLinesBesideAPlotIsOneEntry) {
    const std::vector<LegendEntry> entries{
        {.label = "Random positions · Range L 2048", .color = {90, 90, 90}, .end = 0.6},
        {.label = "NoPE", .color = {20, 90, 90}, .end = 0.6}};
    const Rect rect{0, 0, 420, 320};
    RecordingCanvas canvas(rect);
    const Rect room = without_legend(entries, rect, canvas, light_theme());
    Frame drawn = frame({}, {});
    drawn.plot.width = room.right() - drawn.plot.x;
    draw_legend(entries, rect, room, drawn, canvas, light_theme());
    std::vector<DrawnText> lines = canvas.texts();
    std::sort(lines.begin(), lines.end(),
              [](const DrawnText& a, const DrawnText& b) { return a.box.centre().y < b.box.centre().y; });
    ASSERT_EQ(lines.size(), 3u);
    const double first = lines[1].box.centre().y - lines[0].box.centre().y,
                 second = lines[2].box.centre().y - lines[1].box.centre().y;
    const bool two_lines_come_first = lines[0].text == "Random positions";
    EXPECT_GT(two_lines_come_first ? second : first, 1.2 * (two_lines_come_first ? first : second));
}

}  // namespace
}  // namespace ropewalk
