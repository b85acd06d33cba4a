// Questions and tasks of lessons: what is shown before, when they are done, and after.
#include <gmock/gmock.h>

#include "app/window/lessons/demonstration.h"
#include "app/window/widgets/prose.h"
#include "tests/window/lessons/lessons_fixture.h"

namespace ropewalk {
namespace {

TEST_F(LessonsTest, TheEndOfEveryExplanationIsInSight) {
    resize({1280, 640});
    start("distance");
    const auto expect_end = [&](const char* id) {
        robot_.settle();
        ASSERT_NE(find(id), nullptr) << id;
        EXPECT_LE(find(id)->rect.bottom(), find("lesson.next")->rect.y) << id;
    };
    for (const char* answer : {"3", "1", "2"}) {
        robot_.key(answer);
        expect_end("lesson.show_me");
    }
    robot_.click("lesson.show_me");
    robot_.rest(Demonstration::seconds + 0.2);
    ASSERT_EQ(value("lesson.task"), "done");
    expect_end("lesson.after0");
    EXPECT_TRUE(find("lesson.title")->visible) << "the title stays above what is scrolled";
    EXPECT_FALSE(find("lesson.prose0")->visible);
}

TEST_F(LessonsTest, TheTaskIsInSightOnReturnAndTheConclusionAmongAllControls) {
    resize({1280, 720});
    start("rotation");
    robot_.key("1");
    const auto expect_task = [&](const char* when) {
        robot_.settle();
        ASSERT_NE(find("lesson.show_me"), nullptr) << when;
        EXPECT_LE(find("lesson.show_me")->rect.bottom(), find("lesson.next")->rect.y - 20) << "it does not fade";
    };
    expect_task("after an answer");
    start("rotation", 1);
    start("rotation", 0);
    EXPECT_EQ(value("lesson.task"), "to do") << "on return";
    expect_task("on return");
    robot_.key("2");
    expect_task("after another answer");
    start("rotation", 3);
    robot_.key("2");
    robot_.click("lesson.show_me");
    robot_.rest(Demonstration::seconds + 0.2);
    ASSERT_EQ(value("lesson.task"), "done");
    for (const char* layout : {"beside the figures", "above the controls", "beside the figures"}) {
        robot_.settle();
        EXPECT_TRUE(find("lesson.after0")->visible) << layout;
        robot_.click("lesson.explore");
    }
    resize({1600, 640});
    EXPECT_TRUE(find("lesson.after0")->visible) << "beside the controls";
}

TEST_F(LessonsTest, TheConclusionFollowsTheDragThatCompletesTheTask) {
    start("previous-token");
    robot_.click("lesson.answer1");
    robot_.drag("construction.alpha", 0.1, 0.7);
    ASSERT_GT(number_at(experiment(), "construction.alpha").value_or(0), 10);
    ASSERT_EQ(value("lesson.task"), "done");
    EXPECT_EQ(value("lesson.after0"), words_of(tutor().step().after[0], tutor().results().get()));
}

TEST_F(LessonsTest, APredictionComesBeforeTheExplanation) {
    start("previous-token");
    EXPECT_EQ(find("lesson.ring"), nullptr);
    EXPECT_EQ(find("lesson.show_me"), nullptr);
    EXPECT_EQ(value("lesson.task"), "");
    EXPECT_EQ(find("lesson.task.text"), nullptr) << "the task may give the answer away";
    robot_.click("lesson.answer0");
    EXPECT_EQ(value("lesson.answer0"), "chosen wrong");
    EXPECT_EQ(value("lesson.answer1"), " right") << "the right answer is shown";
    EXPECT_EQ(value("lesson.answer2"), "");
    EXPECT_EQ(value("lesson.task"), "to do");
    EXPECT_EQ(value("lesson.task.text"), "Raise Sharpness α to 10.");
    ASSERT_NE(find("lesson.ring"), nullptr);
    EXPECT_EQ(value("lesson.ring"), "construction.alpha");
    const Rect ring = find("lesson.ring")->rect, control = find("construction.alpha")->rect;
    EXPECT_TRUE(ring.contains({control.x, control.y}) && ring.contains({control.right() - 1, control.bottom() - 1}));
    robot_.click("lesson.answer1");
    EXPECT_EQ(value("lesson.answer1"), "chosen right") << "the answer can be changed";
}

TEST_F(LessonsTest, ItNoticesWhatWasDoneAndKeepsItsNumbers) {
    start("previous-token");
    EXPECT_THAT(value("lesson.prose1"), testing::HasSubstr("0.5866"));
    robot_.click("lesson.answer1");
    EXPECT_EQ(find("lesson.after0"), nullptr);
    type_into("construction.alpha", "5");
    EXPECT_THAT(value("lesson.prose1"), testing::HasSubstr("0.5866")) << "the prose shows the numbers before the task";
    EXPECT_EQ(value("lesson.task"), "to do");
    type_into("construction.alpha", "20");
    EXPECT_EQ(value("lesson.task"), "done");
    EXPECT_THAT(value("lesson.after0"), testing::HasSubstr("1.00000"));
    EXPECT_EQ(value("lesson.dot0"), "done");
    EXPECT_THAT(value("lesson.question"), testing::HasSubstr("0.5866")) << "it is about the beginning of the step";
    type_into("construction.alpha", "15");
    EXPECT_EQ(tutor().results_when_reached()->request.experiment, experiment()) << "this completes it, too";
    const std::string told = value("lesson.after0");
    type_into("construction.alpha", "2");
    EXPECT_EQ(value("lesson.after0"), told) << "it is about the end of the task";
    EXPECT_EQ(value("lesson.task"), "done") << "a completed task stays completed";
    tutor().enter(0);
    robot_.settle();
    EXPECT_EQ(find("lesson.after0"), nullptr) << "the step has started again";
    type_into("construction.alpha", "10");
    ASSERT_EQ(value("lesson.task"), "done");
    EXPECT_NE(value("lesson.after0"), told);
    robot_.click("lesson.next");
    EXPECT_EQ(value("lesson.title"), "Which pairs notice one token more?");
}

TEST_F(LessonsTest, ShowMeMovesTheSlider) {
    session_.preferences.reduced_motion = false;
    start("previous-token");
    robot_.click("lesson.answer0");
    const auto alpha = [&] { return number_at(experiment(), "construction.alpha").value_or(0); };
    const double before = alpha();
    const std::size_t steps = session_.document.steps().size();
    robot_.click("lesson.show_me");
    robot_.rest(0.2);
    const double between = alpha();
    EXPECT_GT(between, before);
    EXPECT_LT(between, 10);
    robot_.rest(1);
    EXPECT_EQ(alpha(), 10);
    EXPECT_EQ(value("lesson.task"), "done");
    EXPECT_EQ(session_.document.steps().size(), steps + 1);
    tutor().reload_step();
    robot_.settle();
    robot_.click("lesson.show_me");
    robot_.rest(0.2);
    type_into("construction.alpha", "3");
    robot_.rest(1);
    EXPECT_EQ(alpha(), 3) << "the user's own change ends it";
}

TEST_F(LessonsTest, ShowMeMovesTheCursor) {
    session_.preferences.reduced_motion = false;
    start("rotation");
    robot_.click("lesson.answer1");
    robot_.click("lesson.show_me");
    robot_.rest(0.2);
    EXPECT_GT(session_.document.cursor().key, 6);
    EXPECT_LT(session_.document.cursor().key, 9);
    robot_.rest(Demonstration::seconds);
    EXPECT_EQ(session_.document.cursor(), (Cursor{.query = 9, .key = 6}));
    EXPECT_EQ(value("lesson.task"), "done");
    tutor().reload_step();
    robot_.settle();
    EXPECT_EQ(session_.document.cursor(), (Cursor{.query = 9, .key = 9}));
    robot_.click("lesson.show_me");
    robot_.rest(0.2);
    session_.document.view.cursor.key = 2;
    robot_.rest(Demonstration::seconds);
    EXPECT_EQ(session_.document.cursor().key, 2) << "the user's own move ends it";
}

TEST_F(LessonsTest, EveryTaskIsVisibleInASmallWindow) {
    resize({1100, 700});
    for (const auto& lesson : tutor().lessons())
        for (int step = 0; step < static_cast<int>(lesson->steps.size()); ++step) {
            if (!lesson->steps[static_cast<std::size_t>(step)].has_task()) continue;
            start(lesson->id.c_str(), step);
            ASSERT_NE(find("lesson.task"), nullptr);
            EXPECT_LE(find("lesson.task")->rect.bottom(), find("lesson.back")->rect.y) << lesson->id << " " << step + 1;
        }
}

}  // namespace
}  // namespace ropewalk
