// Leaving a lesson by doing something it does not ask for, and returning to it.
#include <gmock/gmock.h>

#include "app/window/widgets/prose.h"
#include "core/encodings/encoding_list.h"
#include "tests/temporary_folder.h"
#include "tests/window/lessons/lessons_fixture.h"

namespace ropewalk {
namespace {

TEST_F(LessonsTest, ReportsThatAnotherSceneIsOpen) {
    start("previous-token");
    EXPECT_EQ(find("lesson.elsewhere"), nullptr);
    session_.files.open_bundled("alibi-slopes");
    robot_.settle();
    EXPECT_NE(find("lesson.elsewhere"), nullptr);
    robot_.click("lesson.come_back");
    EXPECT_EQ(find("lesson.elsewhere"), nullptr);
}

TEST_F(LessonsTest, ATaskFulfilledByAnotherSceneIsNotDone) {
    start("rotation", 2);
    robot_.click("lesson.explore");
    ASSERT_EQ(value("lesson.title"), "Many pairs");
    const std::string prose = value("lesson.prose0");
    session_.files.open_bundled("million");  // its head dim is 128, the step asks for 64 or more
    robot_.settle();
    EXPECT_NE(value("lesson.task"), "done");
    EXPECT_EQ(value("lesson.prose0"), prose) << "the numbers stay the lesson's";
    robot_.click("lesson.come_back");
    EXPECT_NE(value("lesson.task"), "done");
    type_into("head_dim", "64");
    EXPECT_NE(value("lesson.task"), "done") << "the question comes first";
    robot_.click("lesson.answer1");
    EXPECT_EQ(value("lesson.task"), "done");
}

TEST_F(LessonsTest, ACompletedTaskShowsItsOwnNumbersBesideAnotherScene) {
    start("p-rope", 3);
    if (find("lesson.answer0")) robot_.click("lesson.answer0");
    robot_.click("lesson.show_me");
    robot_.settle();
    ASSERT_EQ(value("lesson.task"), "done");
    const std::string begun = value("lesson.prose0"), told = value("lesson.after0");
    EXPECT_THAT(told, testing::Not(testing::HasSubstr("…")));
    session_.files.open_bundled("formats-bf16");
    robot_.settle();
    EXPECT_EQ(value("lesson.prose0"), begun);
    EXPECT_EQ(value("lesson.after0"), told);
}

TEST_F(LessonsTest, AResumedLessonShowsItsOwnNumbersBesideAnotherScene) {
    start("p-rope", 3);
    if (find("lesson.answer0")) robot_.click("lesson.answer0");
    const std::string begun = value("lesson.prose0");
    const TemporaryFolder folder;
    const std::string state_folder = folder.path();
    Session session(open_scene("formats-bf16"), {});
    {
        Tutor before(session, {.progress_folder = state_folder});
        ASSERT_TRUE(before.start("p-rope", 3));
        before.predict(0);
        before.save();
    }
    session.files.open_bundled("formats-bf16");
    session.preferences.reduced_motion = true;
    Tutor again(session, {.progress_folder = state_folder});
    const auto rest = [&] {
        for (int i = 0; i < 3; ++i) again.update(0), session.computation.ask({}), session.computation.wait();
    };
    again.open();
    rest();
    EXPECT_EQ(again.results_at_start(), nullptr) << "its scene was not opened in this session";
    again.show_solution();
    rest();
    ASSERT_NE(again.results_at_start(), nullptr);
    EXPECT_EQ(words_of(again.step().prose[0], again.results_at_start().get()), begun);
    EXPECT_TRUE(again.has_reached());
    EXPECT_EQ(get<PRope>(session.document.experiment().encoding).p, 0.75) << "and it is solved";
}

TEST_F(LessonsTest, ShowMeIsOneStepOfUndo) {
    start("previous-token");
    const Experiment before = experiment();
    robot_.click("lesson.answer1");
    robot_.click("lesson.show_me");
    EXPECT_EQ(value("lesson.task"), "done");
    EXPECT_EQ(experiment(), changed(before, "construction.alpha=10"));
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before);
    start("rotation");
    robot_.click("lesson.answer1");
    robot_.click("lesson.show_me");
    EXPECT_EQ(value("lesson.task"), "done");
    EXPECT_EQ(session_.document.view.cursor.key, 6);
    EXPECT_TRUE(session_.document.view.cursor_locked) << "the mouse does not move it at once";
}

TEST_F(LessonsTest, NothingIsLockedAndTheLessonCanBeResumed) {
    start("previous-token");
    robot_.click("lesson.explore");
    const Experiment begin = experiment();
    EXPECT_EQ(find("lesson.come_back"), nullptr);
    type_into("encoding.base", "500");
    ASSERT_NE(find("lesson.come_back"), nullptr);
    robot_.hover("lesson.come_back");
    robot_.rest(1);
    EXPECT_TRUE(value("tooltip").starts_with(find("lesson.come_back")->label + "\n")) << "it has one name";
    robot_.click("lesson.answer0");
    const Experiment own = experiment();
    robot_.click("lesson.come_back");
    EXPECT_EQ(experiment(), begin);
    EXPECT_EQ(find("lesson.come_back"), nullptr);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), own);
    session_.files.open_bundled("million");
    robot_.settle();
    EXPECT_NE(find("lesson.come_back"), nullptr) << "the button is also there with another scene";
    robot_.click("lesson.show_me");
    EXPECT_EQ(experiment(), changed(begin, "construction.alpha=10"));
}

TEST_F(LessonsTest, AnotherSceneHasItsControls) {
    start("previous-token");
    EXPECT_EQ(find("seq_len"), nullptr) << "the step has one control";
    robot_.click("lesson.answer0");
    session_.files.open_bundled("p-rope");
    robot_.settle();
    EXPECT_NE(find("seq_len"), nullptr);
    EXPECT_EQ(find("lesson.explore"), nullptr) << "all controls are there";
    ASSERT_NE(find("lesson.elsewhere"), nullptr);
    EXPECT_TRUE(find("lesson.elsewhere")->visible);
    EXPECT_NE(find("lesson.come_back"), nullptr);
    robot_.key("F5");
    robot_.settle();
    EXPECT_EQ(find("lesson.come_back"), nullptr) << "the scene alone is presented";
    EXPECT_NE(find("encoding.p"), nullptr) << "with its strip";
    robot_.key("F5");
    robot_.settle();
    robot_.click("lesson.come_back");
    EXPECT_EQ(find("seq_len"), nullptr);
}

TEST_F(LessonsTest, ItsSceneIsNoBundledOneInTheTitle) {
    start("rotation");
    EXPECT_EQ(value("title"), "What rotation does");
    tutor().show_list();
    robot_.settle();
    EXPECT_EQ(value("title"), "What rotation does") << "also beside the list of lessons";
    tutor().close();
    session_.files.open_bundled("p-rope");
    robot_.settle();
    EXPECT_TRUE(value("title").ends_with("(bundled)")) << value("title");
}

}  // namespace
}  // namespace ropewalk
