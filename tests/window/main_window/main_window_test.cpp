// The whole window without a display: every control is moved once and changes the results; commands, keys,
// files, notices.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "app/figures/figure_list.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

TEST_F(MainWindowTest, OpensWithALiveFigure) {
    ASSERT_TRUE(session_.computation.state().results);
    EXPECT_FALSE(session_.computation.state().results->all_of<ViewQuestion>().empty());
    EXPECT_EQ(session_.complaint(), "");
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    EXPECT_EQ(gui_.renderer().debug_messages(), 0) << gui_.renderer().last_debug_message();
}

TEST_F(MainWindowTest, EverySliderOfTheExperimentChangesTheResults) {
    std::vector<std::string> sliders;
    walk_fields(experiment(), [&](const std::string& path, const Field&, const auto& value) {
        const bool is_number = std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>;
        if (is_number && gui_.ui().registry.find(path)) sliders.push_back(path);
    });
    EXPECT_GE(sliders.size(), 7u);
    for (const std::string& path : sliders) {
        const Experiment before = experiment();
        const auto results = session_.computation.state().results;
        robot_.drag(path, 0.2, 0.6);
        EXPECT_FALSE(experiment() == before) << path;
        EXPECT_NE(session_.computation.state().results, results) << path;
        EXPECT_EQ(session_.computation.state().results->request.experiment, experiment()) << path;
        robot_.key("Ctrl+Z");
        EXPECT_EQ(experiment(), before) << path << " takes one step to undo";
    }
}

TEST_F(MainWindowTest, EveryEncodingAndConstructionCanBeChosen) {
    for_each_alternative<Encoding>([&](const auto& encoding) {
        robot_.click("encoding");
        robot_.click(std::string("encoding/") + encoding.title);
        EXPECT_STREQ(id_of(experiment().encoding), encoding.id);
        EXPECT_EQ(session_.complaint(), "") << encoding.id;
    });
    for_each_alternative<Construction>([&](const auto& construction) {
        robot_.click("construction");
        robot_.click(std::string("construction/") + construction.title);
        EXPECT_STREQ(id_of(experiment().construction), construction.id);
    });
    robot_.click("construction");
    robot_.click("construction/Arrays from files");
    EXPECT_THAT(status(), HasSubstr("names no file"));
    EXPECT_TRUE(session_.computation.state().results);
}

TEST_F(MainWindowTest, EveryEncodingIsDrawnWithALengthOfZeroThatItRefuses) {
    for_each_alternative<Encoding>([&](const auto& encoding) {
        Experiment next = experiment();
        ropewalk::choose(next.encoding, encoding.id);
        for (FieldRef& field : ChoiceRef(next.encoding).fields().list())  // as a session may still hold it
            if (int** length = std::get_if<int*>(&field.value);
                length && field.field.name == std::string_view("original_length"))
                **length = 0;
        session_.document.edit(next, Gesture::complete);
        robot_.settle();
        EXPECT_STREQ(id_of(experiment().encoding), encoding.id);
    });
}

TEST_F(MainWindowTest, TypedNonsenseIsRefusedWithAMessage) {
    const Experiment before = experiment();
    type_into("encoding.base", "rope");
    EXPECT_EQ(experiment(), before);
    type_into("encoding.base", "-5");
    EXPECT_EQ(experiment(), before);
    EXPECT_THAT(status(), HasSubstr("Base θ is −5"));
    type_into("seq_len", "99999999999999999999");
    EXPECT_EQ(experiment(), before);
    EXPECT_THAT(status(), HasSubstr("Length N is 10²⁰; it must be a whole number from 1 to " + readable(1 << 20)));
    type_into("encoding.base", "500k");
    EXPECT_EQ(get<Rope>(experiment().encoding).base, 500'000);
}

TEST_F(MainWindowTest, LocksAndMovesTheCursor) {
    robot_.click("panel0.plot", 0.5, 0.6);
    EXPECT_TRUE(session_.document.view.cursor_locked);
    const Cursor locked = session_.document.view.cursor;
    robot_.hover("panel0.plot", 0.4, 0.4);
    EXPECT_EQ(session_.document.view.cursor, locked);
    robot_.key("Up");
    EXPECT_EQ(session_.document.view.cursor.query, locked.query - 1);
    robot_.key("Esc");
    EXPECT_FALSE(session_.document.view.cursor_locked);
    robot_.hover("panel0.plot", 0.45, 0.5);
    EXPECT_FALSE(session_.document.view.cursor == locked);
    EXPECT_EQ(session_.computation.state().results->request.cursor, session_.document.view.cursor);
}

TEST_F(MainWindowTest, ALockedCellReturnsWhenThereAreEnoughTokensAgain) {
    const int last = experiment().seq_len - 1;
    const Cursor cell{last - 2, last - 5, 3}, corner{3, 3, 3};
    session_.document.view.cursor = cell, session_.document.view.cursor_locked = true;
    Experiment shorter = experiment();
    shorter.seq_len = 4;
    session_.document.edit(shorter, Gesture::complete);
    robot_.settle();
    EXPECT_EQ(session_.document.cursor(), corner);
    EXPECT_THAT(status(), HasSubstr("i = 3 "));
    session_.document.undo();
    EXPECT_EQ(session_.document.cursor(), cell);
    session_.document.redo();
    robot_.settle();
    robot_.key("Left");
    EXPECT_EQ(session_.document.cursor(), (Cursor{3, 2, 3})) << "moved from its visible position";
    session_.document.undo();
    EXPECT_EQ(session_.document.cursor(), (Cursor{3, 2, 3}));
}

TEST_F(MainWindowTest, ZoomsPansAndFits) {
    const auto& figure = get<AttentionFigure>(session_.document.view.figures[0]);
    robot_.wheel("panel0.plot", 3);
    const TokenRange zoomed = figure.columns;
    EXPECT_GT(zoomed.high - zoomed.low, 0);
    EXPECT_LT(zoomed.high - zoomed.low, 20);
    robot_.drag("panel0.plot", 0.5, 0.45);
    EXPECT_GT(figure.columns.low, zoomed.low);
    EXPECT_NEAR(figure.columns.high - figure.columns.low, zoomed.high - zoomed.low, 1e-9);
    robot_.key("Home");
    EXPECT_EQ(figure.columns, TokenRange{});
}

TEST_F(MainWindowTest, LinesThatRepresentAFieldAreDragged) {
    Experiment changed = experiment();
    changed.construction = AtDistance{.distance = 6};
    session_.document.edit(changed, Gesture::complete);
    session_.document.view.figures[1] = DecayFigure{.axis = AxisScale::linear};
    robot_.settle();
    const std::string line = "panel1.handle.construction.distance";
    const RegisteredWidget* found = gui_.ui().registry.find(line);
    ASSERT_NE(found, nullptr);
    const double pixels = 40, before = found->rect.centre().x;
    robot_.drag(line, 0.5, 0.5 + pixels / (found->rect.width - 1));
    const int moved = get<AtDistance>(experiment().construction).distance;
    EXPECT_GT(moved, 6);
    found = gui_.ui().registry.find(line);
    EXPECT_EQ(found->value, fmt::format("{}", moved));
    const double a_token = (found->rect.centre().x - before) / (moved - 6);
    EXPECT_NEAR(found->rect.centre().x, before + pixels, a_token) << "it went where the mouse took it";
    EXPECT_EQ(session_.document.steps().back(), fmt::format("Target distance r₀: {} tokens", moved));
    EXPECT_FALSE(session_.document.view.cursor_locked);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(get<AtDistance>(experiment().construction).distance, 6) << "one step";
    // A click locks the cursor, as everywhere.
    robot_.click(line, 0.5, 0.6);
    EXPECT_TRUE(session_.document.view.cursor_locked);
    EXPECT_EQ(session_.document.view.cursor.distance(), 6);
    EXPECT_EQ(get<AtDistance>(experiment().construction).distance, 6);
}

TEST_F(MainWindowTest, LinesStayOnTheirAxisDuringADrag) {
    Experiment changed = experiment();
    changed.construction = AtDistance{.distance = 6};
    changed.encoding = SelfExtend{.window = 3, .original_length = 20};
    session_.document.edit(changed, Gesture::complete);
    session_.document.view.figures[1] = DecayFigure{.axis = AxisScale::linear};
    session_.document.view.figures[2] = PositionMapFigure{};
    robot_.settle();
    robot_.drag("panel1.handle.construction.distance", 0.5, 2000);
    EXPECT_EQ(get<AtDistance>(experiment().construction).distance, experiment().seq_len - 1);
    const auto trained = [&] { return get<SelfExtend>(experiment().encoding).original_length; };
    robot_.drag("panel2.handle.encoding.original_length", 0.5, 0.5, 0.5, -2000);
    EXPECT_GT(trained(), 20);
    EXPECT_LT(trained(), 2 * experiment().seq_len) << "the axis does not follow the line";
    EXPECT_NE(gui_.ui().registry.find("panel2.handle.encoding.original_length"), nullptr) << "it can be dragged back";
}

/// The history moves its steps when it grows.
TEST_F(MainWindowTest, ACurveIsPinnedFirstOfAll) {
    session_.document.view.figures[1] = DecayFigure{};
    robot_.settle();
    Session fresh(session_.document.scene(), {});
    const Experiment before = fresh.document.experiment();
    DecayFigure pinned;
    pinned.pin(before);
    fresh.document.draw({1, DecayFigure{}, pinned}, fresh.document.experiment(), Gesture::complete);
    EXPECT_EQ(fresh.document.experiment(), before);
    EXPECT_EQ(fresh.notices.current().sentence, "");
}

TEST_F(MainWindowTest, ADoubleClickOnATitleMaximises) {
    const Figure before = session_.document.view.figures[1];
    robot_.double_click("panel1.figure");
    EXPECT_EQ(session_.document.view.maximised(), 1);
    EXPECT_EQ(session_.document.view.figures[1], before) << "the list that the first click opened chooses nothing";
    robot_.double_click("panel1.figure");
    EXPECT_EQ(session_.document.view.maximised(), std::nullopt);
    EXPECT_EQ(session_.document.view.figures[1], before);
}

TEST_F(MainWindowTest, LettersAreNotCommandsUnderAnOpenList) {
    robot_.click("encoding");
    robot_.key("R");
    EXPECT_EQ(session_.document.reference(), nullptr);
    robot_.key("Esc");
    robot_.click("panel1.menu");
    robot_.key("R");
    EXPECT_EQ(session_.document.reference(), nullptr);
    robot_.key("Esc");
    robot_.key("R");
    EXPECT_NE(session_.document.reference(), nullptr);
}

TEST_F(MainWindowTest, LinesThatRepresentAnOptionAreDragged) {
    session_.document.view.figures[1] = PositionMapFigure{};
    robot_.settle();
    const auto trained = [&] { return get<PositionMapFigure>(session_.document.view.figures[1]).trained; };
    const Experiment before = experiment();
    robot_.drag("panel1.handle.trained", 0.5, 0.5, 0.5, -20);
    EXPECT_GT(trained(), before.seq_len / 2);
    EXPECT_EQ(experiment(), before);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(trained(), 0);
}

TEST_F(MainWindowTest, PanelsShowTheChosenFigure) {
    for_each_alternative<Figure>([&](const auto& figure) {
        robot_.click("panel2.figure");
        robot_.click(std::string("panel2.figure/") + figure.title);
        EXPECT_STREQ(id_of(session_.document.view.figures[2]), figure.id);
        robot_.key("Esc");
    });
}

TEST_F(MainWindowTest, MenusOfLowerPanelsStayInTheWindow) {
    for_each_alternative<Figure>([&](const Figure& figure) {
        session_.document.view.figures[4] = figure;
        robot_.click("panel4.menu");
        const RegisteredWidget* last = gui_.ui().registry.find("panel4.export");
        ASSERT_NE(last, nullptr) << id_of(figure);
        EXPECT_TRUE(last->visible) << id_of(figure);
        EXPECT_LE(last->rect.bottom(), 1000 - 6) << id_of(figure);
        robot_.key("Esc");
    });
}

TEST_F(MainWindowTest, LockingARangeKeepsTheColours) {
    session_.preferences.folded = "Sequence, Encoding, Queries & keys, More";
    robot_.settle();
    robot_.click("attention.range/Locked");
    const auto& figure = get<AttentionFigure>(session_.document.view.figures[0]);
    ASSERT_EQ(figure.range, RangeMode::locked);
    const double high = figure.range_high;
    EXPECT_GT(high, 0.9);
    robot_.drag("temperature", 0.5, 0.9);
    EXPECT_EQ(figure.range_high, high);
}

TEST_F(MainWindowTest, ASceneOpensWithTheRangeThatItLocks) {
    const TemporaryFolder folder;
    const auto figure = [&]() -> AttentionFigure& { return get<AttentionFigure>(session_.document.view.figures[0]); };
    figure().range = RangeMode::locked;
    figure().range_low = 0.125;
    figure().range_high = 0.25;
    session_.files.save(folder.file("locked.json"));
    session_.files.open_bundled("wendler-exp1-alpha1");
    robot_.settle();
    ASSERT_NE(figure().range, RangeMode::locked);
    session_.files.open({folder.file("locked.json")});
    robot_.settle();
    EXPECT_EQ(figure().range, RangeMode::locked);
    EXPECT_EQ(figure().range_low, 0.125);
    EXPECT_EQ(figure().range_high, 0.25);
}

TEST_F(MainWindowTest, ArrowsBrowseAList) {
    const Experiment before = experiment();
    const auto is_listed = [&] { return gui_.ui().registry.find("encoding/NoPE") != nullptr; };
    robot_.click("encoding");
    robot_.key("Down");
    robot_.key("Down");
    const auto chosen = experiment().encoding.index();
    EXPECT_NE(chosen, before.encoding.index());
    robot_.key("Enter");
    robot_.settle();
    EXPECT_FALSE(is_listed());
    EXPECT_EQ(experiment().encoding.index(), chosen);
    robot_.click("encoding");
    robot_.key("Down");
    EXPECT_NE(experiment().encoding.index(), chosen);
    robot_.key("Esc");
    robot_.settle();
    EXPECT_FALSE(is_listed());
    EXPECT_EQ(experiment().encoding.index(), chosen);
    robot_.key("Ctrl+Z");
    robot_.settle();
    EXPECT_EQ(experiment(), before);
}

TEST_F(MainWindowTest, NeverOverwritesABundledScene) {
    const TemporaryFolder folder;
    robot_.drag("temperature", 0.2, 0.4);
    EXPECT_TRUE(session_.document.has_unsaved_changes());
    const std::string bundled = read_file(bundled_scene_path("wendler-exp1-alpha10"), 1 << 20);
    session_.files.save(bundled_scene_path("wendler-exp1-alpha10"));
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("cannot be overwritten"));
    EXPECT_EQ(read_file(bundled_scene_path("wendler-exp1-alpha10"), 1 << 20), bundled);
    session_.files.save(folder.file("mine.json"));
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    EXPECT_EQ(open_scene(folder.file("mine.json")).experiment, experiment());
    session_.files.save("/no/such/folder/mine.json");
    EXPECT_EQ(session_.notices.current().kind, Notice::Kind::error);
}

TEST_F(MainWindowTest, BrokenFilesAreNoticesAndChangeNothing) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("broken.json")) << "{\"schema\": 1, ";
    std::ofstream(folder.file("broken.npy")) << "not an array";
    const Experiment before = experiment();
    for (const char* name : {"broken.json", "broken.npy", "missing.json"}) {
        surface_.events().push(FilesDropped{{folder.file(name)}});
        robot_.settle();
        EXPECT_THAT(status(), HasSubstr(name));
        EXPECT_EQ(experiment(), before);
    }
}

TEST_F(MainWindowTest, ExportsFromAPanel) {
    const TemporaryFolder folder;
    for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
        session_.exports.export_page(session_.exports.page_of({{session_.document.view.figures[1]}}, {}),
                                     folder.file(name));
        for (int i = 0; i < 500 && session_.exports.is_writing(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            session_.refresh();
        }
        EXPECT_THAT(session_.notices.current().sentence, HasSubstr("Exported"));
        EXPECT_GT(read_file(folder.file(name), 1 << 24).size(), 500u);
    }
}

TEST_F(MainWindowTest, SurvivesAnySize) {
    for (const PixelSize size :
         {PixelSize{1100, 700}, PixelSize{1, 1}, PixelSize{300, 200}, PixelSize{3200, 2000}, PixelSize{1600, 1000}}) {
        resize(size, size.width == 3200 ? 2 : 1);
        EXPECT_EQ(session_.complaint(), "");
    }
    EXPECT_EQ(gui_.renderer().debug_messages(), 0) << gui_.renderer().last_debug_message();
}

TEST_F(MainWindowTest, ChangesTheTheme) {
    robot_.key("Ctrl+T");
    EXPECT_EQ(session_.preferences.theme, ThemeChoice::light);
    EXPECT_EQ(gui_.renderer().debug_messages(), 0) << gui_.renderer().last_debug_message();
}

TEST_F(MainWindowTest, PicksABundledScene) {
    choose("File", "scenes");
    robot_.click("scene.barbero-prop31");
    EXPECT_EQ(session_.document.scene().title, open_scene("barbero-prop31").title);
    EXPECT_EQ(experiment(), open_scene("barbero-prop31").experiment);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), open_scene("wendler-exp1-alpha10").experiment);
}

}  // namespace
}  // namespace ropewalk
