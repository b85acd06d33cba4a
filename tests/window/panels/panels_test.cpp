// Maximised and duplicate panels.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/figures/figure_list.h"
#include "app/plot/fonts.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class PanelsTest : public MainWindowTest {
  protected:
    bool shows(int panel) { return gui_.ui().registry.find(fmt::format("panel{}.plot", panel)) != nullptr; }
    double width(int panel) { return gui_.ui().registry.find(fmt::format("panel{}.plot", panel))->rect.width; }
    View& view() { return session_.document.view; }
    void choose(int panel, const char* entry) {
        robot_.click(fmt::format("panel{}.menu", panel));
        robot_.click(fmt::format("panel{}.{}", panel, entry));
        robot_.settle();
    }
};

TEST_F(PanelsTest, OneIsMaximisedAndRestored) {
    const double before = width(1);
    const auto expect_maximised = [&](const char* how) {
        EXPECT_EQ(view().maximised(), 1) << how;
        ASSERT_TRUE(shows(1)) << how;
        EXPECT_GT(width(1), 2 * before) << how;
        for (const int other : {0, 2, 3, 4}) EXPECT_FALSE(shows(other)) << how;
    };
    const auto expect_restored = [&](const char* how) {
        EXPECT_EQ(view().maximised(), std::nullopt) << how;
        for (int panel = 0; panel < most_places; ++panel) EXPECT_TRUE(shows(panel)) << how;
        EXPECT_EQ(width(1), before) << how;
    };
    choose(1, "maximise");
    expect_maximised("menu");
    choose(1, "maximise");
    expect_restored("menu");
    robot_.double_click("panel1.figure");
    robot_.settle();
    expect_maximised("double click");
    EXPECT_EQ(gui_.ui().registry.find("panel1.figure/Attention"), nullptr) << "the list of figures is closed again";
    robot_.double_click("panel1.figure");
    robot_.settle();
    expect_restored("double click");
    robot_.hover("panel1.plot");
    robot_.key("Ctrl+M");
    expect_maximised("key");
    robot_.key("Ctrl+M");
    expect_restored("key");
    EXPECT_EQ(gui_.ui().registry.find("panel1.restore"), nullptr);
    robot_.key("Ctrl+M");
    robot_.click("panel1.restore");
    robot_.settle();
    expect_restored("button");
}

TEST_F(PanelsTest, AFigureIsFoundInTheListByTypingAndByArrows) {
    view().figures[1] = DecayFigure{.axis = AxisScale::linear};
    frame();
    robot_.click("panel1.figure");
    robot_.type("pha");
    robot_.settle();
    EXPECT_STREQ(id_of(view().figures[1]), "phasors");
    ASSERT_NE(gui_.ui().registry.find("panel1.figure.sought"), nullptr);
    EXPECT_EQ(gui_.ui().registry.find("panel1.figure.sought")->value, "pha");
    robot_.key("Down");
    const std::string next = id_of(view().figures[1]);
    EXPECT_NE(next, "phasors");
    robot_.key("Up");
    EXPECT_STREQ(id_of(view().figures[1]), "phasors");
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(view().figures[1], Figure(DecayFigure{.axis = AxisScale::linear})) << "with its options";
    robot_.click("panel1.figure");
    robot_.type("w");
    robot_.key("Enter");
    robot_.settle();
    EXPECT_STREQ(id_of(view().figures[1]), "wavelengths");
    EXPECT_EQ(gui_.ui().registry.find("panel1.figure/Attention"), nullptr) << "the list is closed";
}

TEST_F(PanelsTest, FiguresAreAddedClosedAndMadeTheMainOne) {
    view().show_only({AttentionFigure{}, DecayFigure{}});
    robot_.settle();
    robot_.key("Ctrl+K");
    robot_.type("add figure");
    robot_.key("Enter");
    robot_.type("entropy");
    robot_.key("Enter");
    robot_.settle();
    ASSERT_EQ(view().places(), 3);
    EXPECT_STREQ(id_of(view().figures[2]), "entropy");
    EXPECT_TRUE(shows(2));
    choose(1, "make_main");
    EXPECT_STREQ(id_of(view().figures[0]), "decay");
    EXPECT_GT(gui_.ui().registry.find("panel0.figure")->rect.height,
              gui_.ui().registry.find("panel1.figure")->rect.height);
    choose(0, "close");
    EXPECT_STREQ(id_of(view().figures[0]), "attention");
    choose(1, "close");
    ASSERT_EQ(view().panels(), 1);
    robot_.click("panel0.menu");
    EXPECT_EQ(gui_.ui().registry.find("panel0.close"), nullptr) << "the last one stays";
    robot_.key("Esc");
    for (int step = 0; step < 4; ++step) robot_.key("Ctrl+Z");
    EXPECT_EQ(view().figures, (std::vector<Figure>{AttentionFigure{}, DecayFigure{}}));
}

TEST_F(PanelsTest, DroppingATitleSwapsTwoPanels) {
    const Figure first = view().figures[1], second = view().figures[2];
    const auto carry_to = [&](const char* target) {
        const Rect from = gui_.ui().registry.find("panel1.figure")->rect;
        const Point to = gui_.ui().registry.find(target)->rect.centre();
        robot_.drag("panel1.figure", 0.3, (to.x - from.x) / from.width, 0.5, (to.y - from.y) / from.height);
        robot_.settle();
    };
    carry_to("panel2.plot");
    EXPECT_EQ(view().figures[1], second);
    EXPECT_EQ(view().figures[2], first);
    EXPECT_EQ(gui_.ui().registry.find("panel1.figure/Attention"), nullptr) << "it was not a click on the title";
    robot_.key("Ctrl+Z");
    EXPECT_EQ(view().figures[1], first);
    EXPECT_EQ(view().figures[2], second);
    robot_.key("Ctrl+Y");
    EXPECT_EQ(view().figures[1], second);
    robot_.key("Ctrl+Z");
    carry_to("panel1.plot");
    EXPECT_EQ(view().figures[1], first) << "dropped on itself";
    carry_to("encoding.base");
    EXPECT_EQ(view().figures[1], first) << "dropped outside the panels";
    EXPECT_FALSE(session_.document.has_unsaved_changes());
}

TEST_F(PanelsTest, ChangesOfPanelsAreUndone) {
    view().figures[1] = DecayFigure{.axis = AxisScale::linear};
    frame();
    const Arrangement before = view();
    robot_.click("panel1.figure");
    robot_.type("pha");
    robot_.key("Down");
    robot_.key("Enter");
    robot_.settle();
    const Figure chosen = view().figures[1];
    ASSERT_FALSE(chosen == before.figures[1]);
    EXPECT_EQ(session_.document.steps().size(), 2u) << "whatever was browsed";
    choose(2, "duplicate");
    robot_.click("panel5.figure");
    robot_.type("wave");
    robot_.key("Enter");
    choose(5, "close");
    EXPECT_EQ(view().panels(), most_places);
    robot_.key("Ctrl+Z");
    ASSERT_EQ(view().panels(), most_places + 1);
    EXPECT_STREQ(id_of(view().figures[5]), "wavelengths");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(view().figures[5], view().figures[2]);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(view().panels(), most_places);
    EXPECT_EQ(view().figures[1], chosen);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(static_cast<const Arrangement&>(view()), before) << "with its options";
    while (session_.document.can_redo()) session_.document.redo();
    EXPECT_EQ(view().figures[1], chosen);
    EXPECT_EQ(view().panels(), most_places);
}

TEST_F(PanelsTest, OptionsAreUndone) {
    session_.preferences.folded = "Sequence, Encoding, Queries & keys, Softmax, More";
    robot_.settle();
    const auto range = [&] { return get<AttentionFigure>(view().figures[0]).range; };
    ASSERT_EQ(range(), RangeMode::automatic);
    robot_.click("attention.range", 0.3);
    EXPECT_EQ(range(), RangeMode::symmetric);
    EXPECT_EQ(session_.document.steps().back(), "Attention: Colour range: ±");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(range(), RangeMode::automatic);
    EXPECT_FALSE(session_.document.can_undo());
    robot_.wheel("panel0.plot", 3);
    const TokenRange zoomed = get<AttentionFigure>(view().figures[0]).columns;
    ASSERT_NE(zoomed, TokenRange{});
    robot_.key("Ctrl+Y");
    EXPECT_EQ(range(), RangeMode::symmetric);
    EXPECT_EQ(get<AttentionFigure>(view().figures[0]).columns, zoomed) << "zooming is not a step";
    // One that is dragged is one step.
    view().figures[1] = MethodsFigure{};
    frame();
    robot_.click("panel1.menu");
    const std::size_t steps = session_.document.steps().size();
    robot_.drag("panel1.option.methods.factor", 0.2, 0.6);
    EXPECT_GT(get<MethodsFigure>(view().figures[1]).factor, 0);
    EXPECT_EQ(session_.document.steps().size(), steps + 1);
    robot_.key("Esc");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(view().figures[1], Figure(MethodsFigure{}));
}

TEST_F(PanelsTest, TheMenuOfAPanelChangesItsOwnFigure) {
    session_.preferences.folded = "Sequence, Encoding, Queries & keys, Softmax, More";
    view().figures[0] = view().figures[1] = RotationHeatmapFigure{};
    const auto distances = [&](int panel) { return get<RotationHeatmapFigure>(view().figure(panel)).distances; };
    robot_.settle();
    ASSERT_NE(gui_.ui().registry.find("rotation_heatmap.distances"), nullptr) << "the sidebar has the same options";
    for (const int panel : {1, 0}) {
        const int other = 1 - panel, before = distances(other);
        const std::string slider = fmt::format("panel{}.option.rotation_heatmap.distances", panel);
        robot_.click(fmt::format("panel{}.menu", panel));
        robot_.drag(slider, 0.2, 0.6);
        EXPECT_GT(distances(panel), 0);
        const int dragged = distances(panel);
        robot_.hover(slider);
        robot_.key("Left");
        EXPECT_LT(distances(panel), dragged);
        EXPECT_EQ(distances(other), before);
        robot_.key("Esc");
    }
}

TEST_F(PanelsTest, ALockedRangeStaysWithItsFigure) {
    const AttentionFigure locked{.range = RangeMode::locked, .range_low = -3, .range_high = 3}, automatic{};
    view().figures[1] = locked, view().figures[2] = automatic;
    robot_.settle();
    session_.document.rearrange("exchange", [](Arrangement& changed) { changed.exchange(1, 2); });
    robot_.settle();
    EXPECT_EQ(view().figures[2], Figure(locked));
    session_.document.undo();
    robot_.settle();
    EXPECT_EQ(view().figures[1], Figure(locked));
}

TEST_F(PanelsTest, EscapeRestoresBeforeItReleasesTheCursor) {
    robot_.click("panel0.plot", 0.5, 0.6);
    robot_.key("Ctrl+M");
    robot_.key("Esc");
    EXPECT_EQ(view().maximised(), std::nullopt);
    EXPECT_TRUE(view().cursor_locked);
    robot_.key("Esc");
    EXPECT_FALSE(view().cursor_locked);
}

TEST_F(PanelsTest, ADuplicateHasSeparateOptions) {
    resize({2000, 1200});
    const double before = width(1);
    choose(1, "duplicate");
    ASSERT_EQ(view().panels(), most_places + 1);
    ASSERT_TRUE(shows(1) && shows(5));
    EXPECT_EQ(view().figures[5], view().figures[1]);
    EXPECT_TRUE(session_.document.has_unsaved_changes());
    robot_.click("panel5.figure");
    robot_.click("panel5.figure/Wavelengths");
    EXPECT_FALSE(view().figures[5] == view().figures[1]);
    choose(5, "duplicate");
    EXPECT_EQ(view().place_of(6), 1);
    choose(5, "close");
    ASSERT_EQ(view().panels(), most_places + 1);
    EXPECT_STREQ(id_of(view().figures[5]), "wavelengths");
    choose(5, "maximise");
    EXPECT_TRUE(shows(5) && !shows(1));
    choose(5, "close");
    EXPECT_EQ(view().panels(), most_places);
    EXPECT_EQ(width(1), before);
    EXPECT_FALSE(session_.document.has_unsaved_changes());
}

TEST_F(PanelsTest, ADragAlongDistancesTakesTheLockedCursorWithIt) {
    session_.files.open_bundled("long-term-phasors");
    view().cursor = {.query = 1000, .key = 990};
    view().cursor_locked = true;
    robot_.settle();
    robot_.hover("panel0.plot", 0.5, 0.985);
    EXPECT_EQ(view().cursor.distance(), 10) << "pointing alone does not move it";
    robot_.drag("panel0.plot", 0.2, 0.5, 0.985, 0.985);  // along the track below the phasors
    EXPECT_NEAR(view().cursor.distance(), 500, 20);
    EXPECT_EQ(view().cursor.query, 1000);
    EXPECT_TRUE(view().cursor_locked);
    robot_.drag("panel0.plot", 0.5, 0.9, 0.985, 0.985);
    EXPECT_NEAR(view().cursor.distance(), 900, 40);
}

TEST_F(PanelsTest, TooltipsExplainColoursLinesAndTracks) {
    const auto said_at = [&](double x, double y) {
        robot_.hover("panel0.plot", 0.5, 0.5);
        robot_.hover("panel0.plot", x, y);
        robot_.rest(1);
        const RegisteredWidget* tooltip = gui_.ui().registry.find("tooltip");
        return tooltip ? tooltip->value : std::string();
    };
    EXPECT_EQ(said_at(0.4, 0.4), "") << "the matrix itself has its read-out";
    EXPECT_THAT(said_at(0.97, 0.5), testing::HasSubstr("weight\nColours show values from 0 to 1"));
    view().figures[0] = WavelengthsFigure{};
    robot_.settle();
    EXPECT_THAT(said_at(0.05, -0.02), testing::HasSubstr("wavelength 2π/wₜ\nThe dots of this colour."));
    view().figures[0] = PhasorsFigure{};
    robot_.settle();
    EXPECT_THAT(said_at(0.6, 0.985), testing::HasSubstr("Distance r\nDrag along the row of query"));
}

TEST_F(PanelsTest, ASceneKeepsThem) {
    choose(0, "duplicate");
    choose(3, "duplicate");
    choose(5, "maximise");
    const TemporaryFolder folder;
    session_.files.save(folder.file("a.json"));
    Scene scene = open_scene(folder.file("a.json"));
    EXPECT_TRUE(scene.warnings.empty());
    EXPECT_EQ(read_view(scene), view());
    session_.files.open_bundled("barbero-prop31");
    robot_.settle();
    EXPECT_TRUE(shows(0) && !shows(5));
    session_.files.open({folder.file("a.json")});
    robot_.settle();
    EXPECT_TRUE(shows(5) && !shows(0));
}

TEST_F(PanelsTest, TypedLettersAreNotCommands) {
    type_into("temperature", "R");
    EXPECT_EQ(session_.document.reference(), nullptr);
}

TEST_F(PanelsTest, TheReadoutInLargeTypeHasAtMostSevenItemsInWords) {
    session_.document.view.figures = {ArrowsFigure{}};
    robot_.settle();
    std::vector<std::string> titles;
    for (const RegisteredWidget& widget : gui_.ui().registry.all())
        if (widget.id.starts_with("readout.")) titles.push_back(widget.label);
    EXPECT_THAT(titles,
                testing::ElementsAre("score", "angle", "contribution g", "query i", "key j", "distance r", "pair"));
}

TEST_F(PanelsTest, TheReadoutInLargeTypeKeepsTheEntryAndItsValue) {
    session_.document.view.figures = {ArrowsFigure{}};
    const auto shows = [&](const char* item) { return gui_.ui().registry.find(item) != nullptr; };
    bool gives_way = false;
    for (int width = 1280; width >= 640; width -= 40) {
        resize({width, 720});
        if (!shows("readout.score")) break;  // there is no row
        if (shows("readout.g"))
            for (const char* item : {"readout.i", "readout.j", "readout.r", "readout.pair"})
                EXPECT_TRUE(shows(item)) << item << " at " << width;
        else
            gives_way = true;
    }
    EXPECT_TRUE(gives_way);
}

}  // namespace
}  // namespace ropewalk
