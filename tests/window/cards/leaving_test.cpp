// Closing the window: unsaved changes are only lost if the user discards them.
#include <gmock/gmock.h>

#include "app/window/session/session_text.h"
#include "core/experiment/scene_io.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class LeavingTest : public MainWindowTest {
  protected:
    void change_and_ask() {
        Experiment changed = experiment();
        changed.temperature = 2;
        session_.document.edit(changed, Gesture::complete);
        ask();
    }
    void ask() {
        main_window_.ask_to_leave();
        robot_.settle();
    }
    bool asks() { return gui_.ui().registry.find("leave.save") != nullptr; }
};

TEST_F(LeavingTest, WithNothingToLoseIsImmediate) {
    EXPECT_FALSE(main_window_.is_left());
    ask();
    EXPECT_TRUE(main_window_.is_left());
    EXPECT_FALSE(asks());
}

TEST_F(LeavingTest, AsksAboutChangesAndCanBeCalledOff) {
    robot_.key("Ctrl+K");  // the question takes the place of another card
    change_and_ask();
    ASSERT_TRUE(asks());
    EXPECT_THAT(gui_.ui().registry.find("leave.sentence")->value, HasSubstr(session_.document.scene().title));
    robot_.key("Esc");
    EXPECT_FALSE(asks());
    ask();
    ask();
    ASSERT_TRUE(asks()) << "closing twice is not an answer";
    robot_.click("leave.cancel");
    EXPECT_FALSE(asks());
    EXPECT_FALSE(main_window_.is_left());
    EXPECT_EQ(experiment().temperature, 2);
}

TEST_F(LeavingTest, TheSentenceAndTheButtonsAreSeenInALowWindow) {
    change_and_ask();
    for (const PixelSize size : {PixelSize{320, 240}, {2000, 300}}) {
        resize(size);
        const Rect card = gui_.ui().registry.find("card.leave")->rect;
        for (const char* part : {"leave.sentence", "leave.save", "leave.discard"}) {
            const Rect place = gui_.ui().registry.find(part)->rect;
            EXPECT_GE(place.y, card.y) << part;
            EXPECT_LE(place.bottom(), card.bottom()) << part << " " << size.height;
        }
    }
}

TEST_F(LeavingTest, ItsKeyWorksWhileACardIsOpen) {
    for (const char* card : {"Ctrl+K", "F1", "Ctrl+,"}) {
        surface_.request_close(false);
        robot_.key(card);
        robot_.key("Ctrl+Q");
        EXPECT_TRUE(surface_.close_requested()) << card;
        robot_.key("Esc");
        robot_.key("Esc");
    }
}

TEST_F(LeavingTest, DiscardsOnRequest) {
    change_and_ask();
    robot_.click("leave.discard");
    EXPECT_TRUE(main_window_.is_left());
}

TEST_F(LeavingTest, SavesInTheScenesOwnFile) {
    const TemporaryFolder folder;
    const std::string path = folder.file("own.ropewalk.json");
    ASSERT_TRUE(session_.files.save(path));
    change_and_ask();
    robot_.key("Enter");
    EXPECT_TRUE(main_window_.is_left());
    EXPECT_EQ(open_scene(path).experiment.temperature, 2);
}

TEST_F(LeavingTest, WaitsForTheAnswerWhetherToReplaceAChangedFile) {
    const TemporaryFolder folder;
    const std::string path = folder.file("own.ropewalk.json");
    ASSERT_TRUE(session_.files.save(path));
    change_and_ask();
    atomic_write(path, "another's");
    robot_.click("leave.save");
    ASSERT_NE(gui_.ui().registry.find("file.complaint"), nullptr);
    EXPECT_FALSE(main_window_.is_left());
    EXPECT_EQ(read_file(path, 1000), "another's");
    robot_.key("Enter");
    EXPECT_TRUE(main_window_.is_left());
    EXPECT_EQ(open_scene(path).experiment.temperature, 2);
}

TEST_F(LeavingTest, EnterPressesTheFocusedButton) {
    const TemporaryFolder folder;
    const std::string path = folder.file("own.ropewalk.json");
    ASSERT_TRUE(session_.files.save(path));
    change_and_ask();
    for (int tabs = 0; tabs < 9 && gui_.ui().interaction.focused != "leave.cancel"; ++tabs) robot_.key("Tab");
    ASSERT_EQ(gui_.ui().interaction.focused, "leave.cancel");
    robot_.key("Enter");
    EXPECT_FALSE(asks());
    EXPECT_FALSE(main_window_.is_left());
    EXPECT_NE(open_scene(path).experiment.temperature, 2);
}

TEST_F(LeavingTest, WaitsForAFileToBeNamed) {
    const TemporaryFolder folder;
    change_and_ask();
    robot_.click("leave.save");
    ASSERT_NE(gui_.ui().registry.find("file.name"), nullptr) << "a bundled scene cannot be overwritten";
    EXPECT_FALSE(main_window_.is_left());
    robot_.key("Ctrl+A");
    robot_.type(folder.file("named.ropewalk.json").c_str());
    robot_.key("Enter");
    EXPECT_TRUE(main_window_.is_left());
    EXPECT_EQ(open_scene(folder.file("named.ropewalk.json")).experiment.temperature, 2);
}

TEST_F(LeavingTest, StaysIfNoFileIsNamed) {
    const TemporaryFolder folder;
    change_and_ask();
    robot_.click("leave.save");
    robot_.click("file.cancel");
    robot_.key("Ctrl+S");
    ASSERT_NE(gui_.ui().registry.find("file.name"), nullptr);
    robot_.key("Ctrl+A");
    robot_.type(folder.file("later.ropewalk.json").c_str());
    robot_.key("Enter");
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    EXPECT_FALSE(main_window_.is_left()) << "this save was not part of closing";
}

TEST_F(LeavingTest, StaysIfTheFileCannotBeWritten) {
    std::string path;
    {
        const TemporaryFolder folder;
        path = folder.file("own.ropewalk.json");
        ASSERT_TRUE(session_.files.save(path));
    }
    change_and_ask();
    robot_.click("leave.save");
    EXPECT_FALSE(main_window_.is_left());
    EXPECT_EQ(session_.notices.current().kind, Notice::Kind::error);
}

TEST_F(LeavingTest, SaysWhyAHeadThatCannotBeComputedIsNotSaved) {
    Experiment faulty = experiment();
    ropewalk::choose(faulty.construction, "arrays");
    session_.document.edit(faulty, Gesture::complete);
    for (const char* key : {"Ctrl+S", "Ctrl+Shift+S"}) {
        session_.notices.dismiss();
        robot_.key(key);
        EXPECT_THAT(session_.notices.current().sentence, HasSubstr("cannot be saved because")) << key;
        EXPECT_EQ(gui_.ui().registry.find("file.name"), nullptr) << "no name helps";
    }
    ask();
    EXPECT_FALSE(asks());
    EXPECT_THAT(gui_.ui().registry.find("leave.sentence")->value, HasSubstr("cannot be saved because"));
    EXPECT_EQ(gui_.ui().registry.find("leave.discard")->label, "Discard and close");
    robot_.key("Enter");
    EXPECT_FALSE(main_window_.is_left()) << "nothing is lost by accident";
    robot_.click("leave.cancel");
    robot_.key("Ctrl+Z");
    change_and_ask();
    EXPECT_TRUE(asks());
}

TEST_F(LeavingTest, NamesScenesThatWereLeftUnsaved) {
    const TemporaryFolder folder;
    const auto sentence = [&] { return gui_.ui().registry.find("leave.sentence")->value; };
    ASSERT_TRUE(session_.files.save(folder.file("own.ropewalk.json")));
    ASSERT_TRUE(session_.files.open_bundled("p-rope"));
    ask();
    EXPECT_TRUE(main_window_.is_left()) << "nothing was changed";
    robot_.key("Ctrl+Z");
    Experiment changed = experiment();
    changed.temperature = 2;
    session_.document.edit(changed, Gesture::complete);
    ASSERT_TRUE(session_.files.open_bundled("p-rope"));
    EXPECT_THAT(session_.document.left_unsaved(), testing::ElementsAre("own"));
    ask();
    ASSERT_NE(gui_.ui().registry.find("leave.discard"), nullptr);
    EXPECT_FALSE(asks()) << "the current scene has no changes";
    EXPECT_THAT(sentence(), HasSubstr("'own' has unsaved changes, which closing discards"));
    robot_.key("Esc");
    ASSERT_TRUE(session_.files.open({folder.file("own.ropewalk.json")}));
    EXPECT_THAT(session_.document.left_unsaved(), testing::ElementsAre("own")) << "the reopened scene is another one";
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+Z");
    EXPECT_THAT(session_.document.left_unsaved(), testing::IsEmpty()) << "it is the current scene again";
}

TEST_F(LeavingTest, NamesChangedScenesWithoutAFileOfTheirOwn) {
    const auto change = [&] { session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete); };
    const std::string bundled = session_.document.scene().title;
    change();
    ASSERT_TRUE(session_.files.open_text(R"({"schema": 1, "title": "Pasted", "experiment": {}})"));
    ASSERT_TRUE(main_window_.tutor().start("previous-token"));
    change();
    ASSERT_TRUE(session_.files.open_bundled("million"));
    EXPECT_THAT(session_.document.left_unsaved(), testing::ElementsAre("Pasted", bundled)) << "not the lesson's";
}

TEST_F(LeavingTest, NamesTheSceneOfALessonThatWasSaved) {
    const TemporaryFolder folder;
    ASSERT_TRUE(main_window_.tutor().start("previous-token"));
    ASSERT_TRUE(session_.files.save(folder.file("own.ropewalk.json")));
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    ASSERT_TRUE(session_.files.open_bundled("million"));
    EXPECT_THAT(session_.document.left_unsaved(), testing::Contains("own"));
}

TEST_F(LeavingTest, KnowsTheScenesOfLessonsAfterACrash) {
    ASSERT_TRUE(main_window_.tutor().start("previous-token"));
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    ASSERT_TRUE(session_.files.open_bundled("million"));
    const std::string text = session_as_text(session_.document);
    Notices notices;
    Document recovered(open_scene("alibi-slopes"), notices);
    ASSERT_TRUE(recover(recovered, notices, text, ""));
    EXPECT_EQ(recovered.count_of_steps(), session_.document.count_of_steps());
    EXPECT_THAT(recovered.left_unsaved(), testing::Not(testing::Contains(main_window_.tutor().lesson()->title)));
}

TEST_F(LeavingTest, AsksWhileAnExportIsWritten) {
    const TemporaryFolder folder;
    const Page page = session_.exports.page_of({{session_.document.view.figures[1]}}, {});
    const Sweep sweep{.path = "temperature", .from = 1, .to = 2, .steps = 200};
    ASSERT_TRUE(session_.exports.export_video(page, sweep, folder.file("slow.png")));
    ask();
    ASSERT_NE(gui_.ui().registry.find("leave.discard"), nullptr);
    EXPECT_THAT(gui_.ui().registry.find("leave.sentence")->value, HasSubstr("still running"));
    EXPECT_FALSE(main_window_.is_left());
    EXPECT_TRUE(session_.exports.is_writing()) << "asking does not stop the export";
    robot_.click("leave.discard");
    EXPECT_TRUE(main_window_.is_left());
    session_.exports.stop_writing();
}

TEST_F(LeavingTest, FilesThatAreDroppedMeanwhileEndTheQuestion) {
    const TemporaryFolder folder;
    const std::string path = folder.file("other.ropewalk.json");
    ASSERT_TRUE(session_.files.save(path));
    change_and_ask();
    ASSERT_TRUE(asks());
    surface_.events().push(FilesDropped{{path}});
    robot_.settle();
    EXPECT_FALSE(asks()) << "it was about another scene";
    EXPECT_FALSE(main_window_.is_left());
    robot_.key("Ctrl+Shift+S");
    ASSERT_NE(gui_.ui().registry.find("file.name"), nullptr);
    surface_.events().push(FilesDropped{{path}});
    robot_.settle();
    EXPECT_EQ(gui_.ui().registry.find("file.name"), nullptr) << "it would save the other scene";
}

TEST_F(LeavingTest, AsksNothingAboutWhatALessonAskedFor) {
    Tutor& tutor = main_window_.tutor();
    ASSERT_TRUE(tutor.start("previous-token"));
    while (!tutor.step().has_task()) tutor.next();
    tutor.show_solution();
    robot_.settle();
    ASSERT_TRUE(session_.document.has_unsaved_changes());
    ask();
    EXPECT_TRUE(main_window_.is_left());
}

TEST_F(LeavingTest, AsksAboutWhatALessonDidNotAskFor) {
    ASSERT_TRUE(main_window_.tutor().start("previous-token"));
    change_and_ask();
    EXPECT_TRUE(asks());
}

TEST_F(LeavingTest, AsksAboutTheSceneOfAClosedLesson) {
    ASSERT_TRUE(main_window_.tutor().start("previous-token"));
    main_window_.tutor().close();
    change_and_ask();
    EXPECT_TRUE(asks());
}

TEST_F(LeavingTest, APreviewIsNotWhatIsLeft) {
    const TemporaryFolder folder;
    ASSERT_TRUE(session_.files.save(folder.file("own.ropewalk.json")));
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    robot_.key("Ctrl+K");
    robot_.type("temperature 1");
    ASSERT_FALSE(session_.document.has_unsaved_changes()) << "it shows the saved head";
    ask();
    EXPECT_TRUE(asks());
    EXPECT_FALSE(main_window_.is_left());
}

TEST_F(LeavingTest, AsksAboutThePresenterStrip) {
    const TemporaryFolder folder;
    ASSERT_TRUE(session_.files.save(folder.file("own.ropewalk.json")));
    session_.document.rearrange("Add", [](Arrangement& changed) { changed.presenter.push_back("temperature"); });
    ask();
    EXPECT_TRUE(asks());
}

}  // namespace
}  // namespace ropewalk
