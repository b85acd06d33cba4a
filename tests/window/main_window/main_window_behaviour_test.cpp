// The window's behaviour over several actions: undo of opening, duration of notices, input to cards,
// layouts in small windows, and the status line.
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "app/figures/figure_list.h"
#include "app/plot/fonts.h"
#include "app/window/main_window/commands.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::Not;

class Behaviour : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    void drop(const std::vector<std::string>& paths) {
        surface_.events().push(FilesDropped{paths});
        robot_.settle();
    }
    double seconds_to_next_frame() { return gui_.timeout(); }
};

TEST_F(Behaviour, PicturesFollowATextAsItIsTyped) {
    session_.files.open_bundled("wendler-text");
    robot_.settle();
    const Experiment before = experiment();
    const auto with_text = [&](const std::string& text) { return changed(before, "construction.text=" + text); };
    robot_.click("construction.text");
    robot_.type("d");
    EXPECT_EQ(experiment(), with_text("d"));
    EXPECT_EQ(session_.computation.state().results->request.experiment, experiment());
    robot_.type("og");
    robot_.key("Enter");
    EXPECT_EQ(experiment(), with_text("dog"));
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before) << "one step, however many keys";

    robot_.click("construction.text");
    robot_.type("cat");
    EXPECT_EQ(experiment(), with_text("cat"));
    robot_.key("Esc");
    EXPECT_EQ(experiment(), before);
}

TEST_F(Behaviour, UndoingOpenBringsTheWholeSceneBack) {
    const TemporaryFolder folder;
    session_.files.save(folder.file("a.json"));
    robot_.drag("temperature", 0.3, 0.6);
    const Experiment edited = experiment();
    session_.document.view.figures[1] = WavelengthsFigure{};
    robot_.settle();
    const View view = session_.document.view;

    choose("File", "scenes");
    robot_.click("scene.barbero-prop31");
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), edited);
    EXPECT_EQ(session_.document.scene().path, folder.file("a.json"));
    EXPECT_EQ(session_.document.view.figures, view.figures);
    EXPECT_TRUE(session_.document.has_unsaved_changes());
    robot_.key("Ctrl+S");
    EXPECT_EQ(open_scene(folder.file("a.json")).experiment, edited);
    robot_.key("Ctrl+Shift+Z");
    EXPECT_TRUE(session_.document.scene().bundled);
    EXPECT_EQ(experiment(), open_scene("barbero-prop31").experiment);
}

TEST_F(Behaviour, OneSceneIsNeverSavedOverAnother) {
    const TemporaryFolder folder;
    session_.files.save(folder.file("a.json"));
    robot_.drag("temperature", 0.3, 0.6);
    session_.files.save(folder.file("b.json"));
    const Experiment b = experiment();
    drop({folder.file("a.json")});
    robot_.drag("temperature", 0.6, 0.2);
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+S");
    EXPECT_EQ(open_scene(folder.file("b.json")).experiment, b);
    EXPECT_FALSE(open_scene(folder.file("a.json")).experiment == b);
}

TEST_F(Behaviour, ASuccessfulOpenClearsTheErrorBefore) {
    drop({"/no/such/scene.json"});
    EXPECT_EQ(session_.notices.current().kind, Notice::Kind::error);
    drop({bundled_scene_path("barbero-prop31")});
    EXPECT_THAT(status(), Not(HasSubstr("no/such")));
}

TEST_F(Behaviour, NotesAreReplacedByTheReadoutAfterAWhile) {
    robot_.hover("panel0.plot");
    const std::string readout = status();
    robot_.drag("temperature", 0.3, 0.6);
    robot_.hover("panel0.plot");
    robot_.key("Ctrl+Z");
    EXPECT_THAT(status(), HasSubstr("Undone. Temperature: 1"));
    EXPECT_GT(seconds_to_next_frame(), 1);
    EXPECT_LT(seconds_to_next_frame(), 5);
    robot_.rest(4.5);
    EXPECT_EQ(status(), readout);
    robot_.rest(1);
    EXPECT_TRUE(std::isinf(seconds_to_next_frame())) << "an idle window sleeps";
}

TEST_F(Behaviour, ErrorsDisappearAtTheNextAction) {
    type_into("temperature", "-1");
    EXPECT_THAT(status(), HasSubstr("Temperature"));
    robot_.rest(6);
    EXPECT_THAT(status(), HasSubstr("Temperature"));
    robot_.click("panel0.plot");
    EXPECT_THAT(status(), HasSubstr("i ="));
}

TEST_F(Behaviour, InvalidHeadsAreRefused) {
    robot_.click("construction");
    robot_.click("construction/Amplitudes and phases");
    const Experiment before = experiment();
    robot_.click("construction.amplitudes");
    robot_.key("Ctrl+A");
    robot_.type("1, 2, 3");
    robot_.key("Enter");
    EXPECT_EQ(experiment(), before);
    EXPECT_THAT(status(), HasSubstr("3 values"));
    robot_.click("construction.amplitudes");
    robot_.key("Ctrl+A");
    robot_.type("2");
    robot_.key("Enter");
    EXPECT_EQ(get<Bands>(experiment().construction).amplitudes, std::vector<double>{2});
    EXPECT_THAT(status(), Not(HasSubstr("3 values")));
    EXPECT_EQ(session_.complaint(), "");
}

TEST_F(Behaviour, AShortVisitToATinySizeKeepsTheLayout) {
    const Layout before = session_.document.view.layout;
    resize({1, 1});
    resize({300, 200});
    resize({1600, 1000});
    EXPECT_EQ(session_.document.view.layout, before);
    robot_.drag("split.sidebar", 0.5, 8);
    EXPECT_FALSE(session_.document.view.layout == before);
}

TEST_F(Behaviour, KeysOfACardLeaveTheSceneAlone) {
    robot_.drag("temperature", 0.3, 0.6);
    const Experiment edited = experiment();
    robot_.key("Ctrl+O");
    ASSERT_NE(find("file.cancel"), nullptr);
    for (const char* key : {"Ctrl+Z", "Ctrl+T", "Left", "Home"}) robot_.key(key);
    EXPECT_EQ(experiment(), edited);
    EXPECT_EQ(session_.preferences.theme, ThemeChoice::dark);
    robot_.key("Esc");
    EXPECT_EQ(find("file.cancel"), nullptr);
    robot_.key("Ctrl+Z");
    EXPECT_FALSE(experiment() == edited);
}

TEST_F(Behaviour, SavingStartsWithTheNameAndSurvivesAFailure) {
    const TemporaryFolder folder;
    robot_.key("Ctrl+Shift+S");
    robot_.key("Ctrl+A");
    robot_.type("/no/such/folder/mine.json");
    robot_.key("Enter");
    ASSERT_NE(find("file.name"), nullptr) << "the card stays open";
    EXPECT_EQ(find("file.name")->value, "/no/such/folder/mine.json");
    robot_.click("file.name");
    robot_.key("Ctrl+A");
    robot_.type(folder.file("mine.json"));
    robot_.key("Enter");
    EXPECT_EQ(find("file.name"), nullptr);
    EXPECT_EQ(open_scene(folder.file("mine.json")).experiment, experiment());
}

TEST_F(Behaviour, ScenesAreChosenByKeysAndByTheirDescription) {
    robot_.key("Ctrl+B");
    ASSERT_NE(find("scene.barbero-fig2a"), nullptr);
    robot_.click("scene.barbero-fig2a", 0.9, 0.9);
    EXPECT_EQ(experiment(), open_scene("barbero-fig2a").experiment);
    robot_.key("Ctrl+B");
    robot_.key("Down");
    robot_.key("Enter");
    const auto names = bundled_scenes();
    const auto next = std::find(names.begin(), names.end(), "barbero-fig2a") + 1;
    EXPECT_EQ(experiment(), open_scene(*next).experiment);
    EXPECT_EQ(find("scene.barbero-fig2a"), nullptr);
}

class BehaviourInPixels : public MainWindowTest {
  protected:
    BehaviourInPixels() : MainWindowTest("wendler-exp1-alpha10", true) {}
};

TEST_F(BehaviourInPixels, NothingUnderACardShowsATooltip) {
    robot_.key("Ctrl+O");
    robot_.click("panel1.figure");  // takes the focus from the name, whose caret blinks
    const Image before = gui_.screenshot();
    robot_.rest(1.5);
    EXPECT_TRUE(gui_.screenshot().pixels == before.pixels);
}

TEST_F(Behaviour, ThePoolingBadgeIsThatOfTheFrame) {
    session_.files.open_bundled("million");
    robot_.settle();
    ASSERT_NE(find("panel0.badge"), nullptr);
    get<AttentionFigure>(session_.document.view.figures[0]).pooling = Pooling::min;
    frame();
    ASSERT_NE(find("panel0.badge"), nullptr) << "the previous badge is shown meanwhile";
    EXPECT_THAT(find("panel0.badge")->label, HasSubstr("max"));
    robot_.settle();
    EXPECT_THAT(find("panel0.badge")->label, HasSubstr("min"));
}

TEST_F(Behaviour, EscapeClosesTheMenuOfAPanel) {
    robot_.click("panel0.menu");
    robot_.settle();
    ASSERT_NE(find("panel0.export"), nullptr);
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(find("panel0.export"), nullptr);
}

TEST_F(Behaviour, TheReadoutIsTheEntrysOwnValue) {
    session_.files.open_bundled("million");
    robot_.settle();
    robot_.click("panel0.plot", 0.4, 0.6);
    const Cursor cursor = session_.document.view.cursor;
    const auto row =
        open_backend("reference", 1)
            ->attend(make_problem(experiment()),
                     Viewport::one_to_one({cursor.query, cursor.query + 1}, {cursor.key, cursor.key + 1}), {});
    EXPECT_THAT(status(), HasSubstr("weight " + readable(row.weights.mean[0])));
    EXPECT_THAT(status(), Not(HasSubstr("entries")));
}

TEST_F(Behaviour, ASlidersDragReachesBothEnds) {
    robot_.drag("seq_len", 0.3, 1.0);
    EXPECT_EQ(experiment().seq_len, 1 << 20);
    robot_.drag("seq_len", 0.3, -0.5);
    EXPECT_EQ(experiment().seq_len, 1);
}

TEST_F(Behaviour, SlidersThatCountPairsEndAtTheLast) {
    for (const auto& [construction, slider, last] :
         {std::tuple{"construction=single_frequency", "construction.pair", "15"},
          {"construction=semantic", "construction.d0", "30"}}) {
        session_.document.edit(changed({.head_dim = 32}, construction), Gesture::complete);
        robot_.settle();
        robot_.drag(slider, 0.1, 1.0);
        EXPECT_EQ(find(slider)->value, last);
    }
}

TEST_F(Behaviour, TheSeedIsShownWhereItMatters) {
    session_.document.edit({.construction = Ones{}}, Gesture::complete);
    robot_.settle();
    EXPECT_EQ(find("seed"), nullptr);
    session_.document.edit({.construction = Gaussian{}}, Gesture::complete);
    robot_.settle();
    EXPECT_NE(find("seed"), nullptr);
}

TEST_F(Behaviour, AFigureReopensItsScene) {
    const TemporaryFolder folder;
    robot_.drag("temperature", 0.3, 0.6);
    const Experiment edited = experiment();
    for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
        session_.exports.export_page(session_.exports.page_of({{session_.document.view.figures[1]}}, {}),
                                     folder.file(name));
        for (int i = 0; i < 500 && session_.exports.is_writing(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            session_.refresh();
        }
    }
    for (const char* name : {"a.svg", "a.pdf", "a.png"}) {
        session_.files.open_bundled("barbero-prop31");
        drop({folder.file(name)});
        EXPECT_EQ(experiment(), edited) << name << ": " << session_.notices.current().sentence;
        robot_.key("Ctrl+S");
        EXPECT_NE(find("file.name"), nullptr) << "a figure is not overwritten by saving";
        robot_.key("Esc");
    }
}

TEST_F(Behaviour, ClosingCancelsAnExport) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a.svg"), "old");
    {
        Session closed(open_scene("million", {"construction=gaussian"}),
                       {.computation = {.backend = {.id = "reference"}}});
        closed.exports.export_page(closed.exports.page_of({{closed.document.view.figures[0]}}, {}),
                                   folder.file("a.svg"));  // would take hours
        EXPECT_TRUE(closed.exports.is_writing());
    }
    EXPECT_EQ(read_file(folder.file("a.svg"), 1 << 20), "old");
    EXPECT_THAT(folder.names(), testing::ElementsAre("a.svg"));
}

TEST_F(Behaviour, ReportsWhichOfSeveralFilesWasOpened) {
    drop({bundled_scene_path("barbero-prop31"), bundled_scene_path("million")});
    EXPECT_EQ(experiment(), open_scene("barbero-prop31").experiment);
    EXPECT_THAT(status(), HasSubstr("only barbero-prop31.json"));
}

TEST_F(Behaviour, EveryLabelFits) {
    const double room = gui_.ui().label_width - 8;
    const auto expect_room = [&](const auto& fields) {
        walk_fields(fields, [&](const std::string& path, const Field& field, const auto&) {
            const double width = measure_text(field.label, 12, Weight::regular).width;
            EXPECT_TRUE(!field.in_controls || width <= room) << path << ": " << field.label << " takes " << width;
        });
    };
    expect_room(Experiment{});
    for_each_alternative<Encoding>(expect_room);
    for_each_alternative<Construction>(expect_room);
    for_each_alternative<Figure>(expect_room);
}

TEST_F(Behaviour, CommandsForThePointedPanelOutliveIt) {
    const int panels = session_.document.view.panels();
    robot_.key("Ctrl+D");
    robot_.settle();
    ASSERT_EQ(session_.document.view.panels(), panels + 1);
    for (int panel = 0; panel <= panels; ++panel) robot_.hover("panel" + std::to_string(panel) + ".plot");
    robot_.hover("seq_len");
    robot_.key("Ctrl+Z");
    ASSERT_EQ(session_.document.view.panels(), panels);
    for (const char* keys : {"Ctrl+K", "Esc", "P", "Ctrl+M"}) robot_.key(keys);
    EXPECT_EQ(session_.document.view.maximised(), 0) << "the first panel is meant once the pointed one is closed";
}

TEST_F(Behaviour, CommandsHaveTheirOwnIdsAndKeys) {
    std::set<std::string> ids, shortcuts;
    for (const Command& command : commands()) {
        EXPECT_TRUE(ids.insert(command.id).second) << command.id;
        EXPECT_EQ(find_command(command.id), &command);
        for (const KeyPress& press : command.keys)
            if (press.key != Key::none) {
                EXPECT_TRUE(shortcuts.insert(name_of(press.key, press.modifiers)).second) << command.id;
            }
    }
    EXPECT_EQ(find_command("no_command"), nullptr);
}

}  // namespace
}  // namespace ropewalk
