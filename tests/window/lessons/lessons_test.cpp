// The lessons next to a live scene, driven by a robot.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/lessons/lessons_fixture.h"

namespace ropewalk {
namespace {

TEST_F(LessonsTest, AKeyOpensTheListAndAClickALesson) {
    EXPECT_EQ(find("lesson.close"), nullptr);
    robot_.key("Ctrl+L");
    ASSERT_NE(find("lessons.rotation"), nullptr);
    EXPECT_EQ(value("lessons.rotation"), "0/4");
    const Experiment before = experiment();
    robot_.click("lessons.previous-token");
    EXPECT_EQ(value("lesson.title"), "What comes before “York”?");
    EXPECT_EQ(experiment(), open_scene("wendler-exp1-alpha1").experiment);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before) << "entering is one step of undo";
    robot_.click("lesson.list");
    EXPECT_NE(find("lessons.rotation"), nullptr);
    robot_.click("lesson.close");
    EXPECT_EQ(find("lesson.close"), nullptr);
    robot_.click("menu.Learn");
    robot_.click("menu/lessons");
    EXPECT_NE(find("lesson.close"), nullptr) << "a menu opens them, too";
    robot_.key("Ctrl+K");
    robot_.type("lesson decay");
    robot_.key("Enter");
    EXPECT_EQ(value("lesson.title"), "The same word, much later") << "and the palette";
}

TEST_F(LessonsTest, AStepIsDoneByKeysAlone) {
    start("previous-token");
    robot_.key("1");
    EXPECT_EQ(value("lesson.answer0"), "chosen wrong");
    robot_.key("2");
    EXPECT_EQ(value("lesson.answer1"), "chosen right");
    EXPECT_EQ(value("lesson.task"), "to do");
    for (int i = 0; i < 30 && gui_.ui().interaction.focused != "construction.alpha"; ++i) robot_.key("Tab");
    ASSERT_EQ(gui_.ui().interaction.focused, "construction.alpha");
    robot_.settle();
    EXPECT_TRUE(find("construction.alpha")->visible) << "it has come into sight";
    robot_.key("Enter");
    robot_.type("100");
    robot_.key("Enter");
    robot_.settle();
    EXPECT_EQ(value("lesson.task"), "done");
}

/// A lesson of three figures whose second step continues with the scene of the first, and points at the last figure.
class OwnLessonTest : public LessonsTest {
  protected:
    OwnLessonTest() {
        const std::string path = folder_.file("own.lesson");
        atomic_write(path, R"(title: Own
about: A lesson of a test.

## First
scene: wendler-exp1-alpha1
figures: attention, decay, entropy
point: construction.alpha
do: Raise Sharpness α to 10.
done: construction.alpha >= 10
solution: construction.alpha=10
Prose.

## Second
point: figure entropy
do: Lower Sharpness α to 1.
done: construction.alpha <= 1
solution: construction.alpha=1
Prose.
)");
        EXPECT_TRUE(tutor().open_file(path)) << session_.complaint();
        robot_.settle();
    }

    TemporaryFolder folder_;
};

TEST_F(OwnLessonTest, AStepThatContinuesLeavesTheSceneUnchanged) {
    type_into("construction.alpha", "20");
    const Experiment own = experiment();
    robot_.click("lesson.next");
    EXPECT_EQ(experiment(), own);
    EXPECT_FALSE(tutor().has_left());
    robot_.click("lesson.back");
    EXPECT_EQ(experiment(), open_scene("wendler-exp1-alpha1").experiment);
    robot_.click("lesson.next");
    EXPECT_EQ(experiment(), changed(open_scene("wendler-exp1-alpha1").experiment, "construction.alpha=10"))
        << "a skipped step's change is made";
}

TEST_F(OwnLessonTest, IsNamedByItsTitleUnlessItsFileHasANumber) {
    EXPECT_EQ(find("lesson.list")->label, "Own  ·  1 of 2");
    start("distance");
    EXPECT_EQ(find("lesson.list")->label, "Lesson 2  ·  1 of 4");
}

TEST_F(OwnLessonTest, TheFigureThatIsPointedAtComesToTheFront) {
    resize({700, 900});
    EXPECT_NE(find("panel1.plot"), nullptr);
    EXPECT_EQ(find("panel2.plot"), nullptr) << "it is behind a tab";
    robot_.click("lesson.next");
    EXPECT_EQ(find("panel1.plot"), nullptr);
    EXPECT_NE(find("panel2.plot"), nullptr);
}

TEST_F(LessonsTest, PageKeysChangeTheStep) {
    start("previous-token");
    const std::string first = value("lesson.title");
    robot_.key("PageUp");
    EXPECT_EQ(value("lesson.title"), first);
    robot_.key("PageDown");
    EXPECT_EQ(value("lesson.title"), "Which pairs notice one token more?");
    robot_.key("PageUp");
    EXPECT_EQ(value("lesson.title"), first);
}

TEST_F(LessonsTest, ThePointedFigureIsLitOnceThePredictionIsMade) {
    start("rotation");
    EXPECT_EQ(find("panel0.lit"), nullptr);
    robot_.click("lesson.answer1");
    robot_.settle();
    ASSERT_NE(find("panel0.lit"), nullptr);
    EXPECT_EQ(value("panel0.lit"), "arrows");
    robot_.click("lesson.close");
    robot_.settle();
    EXPECT_EQ(find("panel0.lit"), nullptr);
}

TEST_F(LessonsTest, TheControlIsScrolledIntoViewOnceAndItsPanelFitsAnyWindow) {
    resize({1100, 700});
    start("previous-token");
    robot_.click("lesson.answer1");
    robot_.settle();
    ASSERT_NE(find("construction.alpha"), nullptr);
    EXPECT_TRUE(find("construction.alpha")->visible);
    EXPECT_EQ(find("encoding.base"), nullptr) << "no other control";
    EXPECT_GT(find("construction.alpha")->rect.y, find("panel0.plot")->rect.bottom()) << "it is below the figure";
    EXPECT_GT(find("panel0.plot")->rect.width, 300);
    robot_.click("lesson.explore");
    EXPECT_NE(find("encoding.base"), nullptr);
    EXPECT_LT(find("lesson.next")->rect.bottom(), find("construction.alpha")->rect.y) << "it is above the controls";
    EXPECT_GT(find("panel0.plot")->rect.width, 300);
    resize({1600, 1000});
    EXPECT_LT(find("construction.alpha")->rect.right(), find("lesson.next")->rect.x) << "it is beside them";
    for (const PixelSize size : {PixelSize{2400, 1400}, {700, 900}, {420, 300}, {1, 1}}) resize(size);
    resize({1600, 1000}, 2);
    EXPECT_EQ(gui_.renderer().debug_messages(), 0) << gui_.renderer().last_debug_message();
}

TEST_F(LessonsTest, ThePairIsNamedInANarrowWindow) {
    resize({820, 720});
    start("rotation", 3);
    EXPECT_EQ(value("readout.pair"), "0");
    EXPECT_THAT(value("readout.wavelength"), testing::HasSubstr("6.283"));
    EXPECT_EQ(find("readout.channels"), nullptr) << "gives way first";
    resize({1280, 720});
    EXPECT_EQ(value("readout.channels"), "0 and 1");
}

TEST_F(LessonsTest, AScrollBarLeavesTheLinesTheirWidth) {
    resize({1280, 1400});
    start("distance");
    const double width = find("lesson.prose0")->rect.width;
    resize({1280, 560});
    EXPECT_EQ(find("lesson.prose0")->rect.width, width);
}

TEST_F(LessonsTest, ANumberIsNotBroken) {
    const Ui& ui = gui_.ui();
    const ProseStyle style = running_prose(*ui.theme, 13);
    const auto lines = [&](const char* text) {
        return paragraph_height(ui, 20, plain_paragraph(text), style, nullptr) / style.line;
    };
    EXPECT_EQ(lines("1 000 000"), 1);
    EXPECT_EQ(lines("to 10 000 times"), 3);
    EXPECT_EQ(lines("1 in 100"), 3);
    EXPECT_EQ(lines("2 1000"), 2) << "two numbers";
}

TEST_F(LessonsTest, ItStaysDuringAPresentation) {
    start("previous-token");
    robot_.key("F5");
    robot_.settle();
    EXPECT_EQ(find("encoding.base"), nullptr);
    ASSERT_NE(find("lesson.next"), nullptr);
    EXPECT_GT(find("panel0.plot")->rect.x, find("lesson.next")->rect.right());
    resize({1100, 700});
    EXPECT_NE(find("lesson.next"), nullptr);
}

TEST_F(LessonsTest, NextOpensTheNextLessonAndFinallyTheList) {
    start("rotation", 3);
    robot_.click("lesson.next");
    EXPECT_EQ(tutor().lesson()->id, "distance");
    start("reaching-farther", 4);
    robot_.click("lesson.next");
    EXPECT_NE(find("lessons.rotation"), nullptr);
}

TEST_F(LessonsTest, AnInvalidHeadLeavesTheWords) {
    start("previous-token");
    Experiment invalid = experiment();
    apply_setting(invalid, "construction=arrays", {});
    session_.document.edit(invalid, Gesture::complete);
    robot_.settle();
    EXPECT_NE(session_.complaint(), "");
    EXPECT_EQ(value("lesson.title"), "What comes before “York”?");
    robot_.click("lesson.come_back");
    EXPECT_EQ(session_.complaint(), "");
}

// ---- saved progress, and files that change

TEST(LessonProgressFile, IsRestoredAtTheNextStart) {
    const TemporaryFolder folder;
    Session session(open_scene("barbero-fig2a"), {});
    const auto save = [](Tutor& tutor) {
        while (tutor.save() < 1) {
        }
    };
    {
        Tutor tutor(session, {.progress_folder = folder.path()});
        EXPECT_TRUE(tutor.is_new());
        tutor.start("semantic", 2);
        tutor.predict(2);
        save(tutor);
    }
    {
        Tutor tutor(session, {.progress_folder = folder.path()});
        EXPECT_FALSE(tutor.is_new());
        EXPECT_FALSE(tutor.is_open()) << "until it is restored";
        EXPECT_EQ(tutor.steps_done(*tutor.lessons().at(6)), 1);
        tutor.restore();
        ASSERT_TRUE(tutor.is_open() && tutor.lesson());
        EXPECT_EQ(tutor.lesson()->id, "semantic");
        EXPECT_EQ(tutor.step_index(), 2);
        EXPECT_FALSE(tutor.has_left());
        EXPECT_EQ(tutor.predicted(), 2) << "the prediction is restored, too";
        tutor.close();
        save(tutor);
    }
    Tutor closed(session, {.progress_folder = folder.path()});
    closed.restore();
    EXPECT_FALSE(closed.is_open());
    const Experiment before = session.document.experiment();
    closed.open();
    EXPECT_EQ(closed.step_index(), 2) << "and opens where it was left,";
    EXPECT_EQ(session.document.experiment(), before) << "without changing the scene";

    atomic_write(folder.file("lessons.json"), R"({"open": 3})");
    const Tutor broken(session, {.progress_folder = folder.path()});
    EXPECT_THAT(session.notices.current().sentence, testing::HasSubstr("Lesson progress was reset"));
    EXPECT_EQ(broken.steps_done(*broken.lessons().at(6)), 0);
}

TEST(LessonProgressFile, ThatOfAnotherWindowIsKept) {
    const TemporaryFolder folder;
    LessonProgress one{.lesson = "rotation", .step = "First", .done = {{"rotation", {"a"}}}},
        other{.lesson = "semantic", .done = {{"rotation", {"b"}}}, .predicted = {{"semantic", {{"c", 2}}}}};
    {
        ProgressFile first(folder.path()), second(folder.path());
        first.save(one);
        first.wait();
        second.save(other);
    }
    const std::map<std::string, std::set<std::string>> both{{"rotation", {"a", "b"}}};
    const LessonProgress saved = ProgressFile(folder.path()).saved();
    EXPECT_EQ(saved, other) << "which got that of the other window";
    EXPECT_EQ(saved.done, both);
    EXPECT_EQ(saved.lesson, "semantic");
    EXPECT_EQ(saved.predicted.at("semantic").at("c"), 2);
}

constexpr const char* own_lesson = R"(title: Mine
about: One line.

## First
scene: wendler-exp1-alpha1
set: seq_len=30
First words.

## Second
Second words.
)";

TEST_F(LessonsTest, ADroppedFileIsOpened) {
    const TemporaryFolder folder;
    const std::string file = folder.file("01-mine.lesson"), broken = folder.file("02-broken.lesson");
    atomic_write(file, own_lesson);
    atomic_write(broken, "no lesson");
    surface_.events().push(FilesDropped{{file}});
    robot_.settle();
    EXPECT_EQ(value("lesson.title"), "First");
    EXPECT_EQ(experiment().seq_len, 30);
    surface_.events().push(FilesDropped{{broken}});
    robot_.settle();
    EXPECT_THAT(session_.notices.current().sentence, testing::HasSubstr("02-broken.lesson"));
    EXPECT_EQ(value("lesson.title"), "First");
}

TEST(LessonFolder, AFileThatIsSavedIsReadAgainWithinASecond) {
    const TemporaryFolder folder;
    const std::string file = folder.file("01-mine.lesson");
    atomic_write(file, own_lesson);
    Session session(open_scene("barbero-fig2a"), {});
    Tutor tutor(session, {.folder = folder.path()});
    ASSERT_TRUE(tutor.start("mine", 1));
    const auto update_for_a_second = [&] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(900);
        while (std::chrono::steady_clock::now() < end) {
            EXPECT_LE(tutor.update(0), 0.5) << "the window wakes to look";
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
    };
    std::string text = own_lesson;
    text.replace(text.find("Second words"), 12, "Other words, more");
    atomic_write(file, text);
    update_for_a_second();
    EXPECT_EQ(tutor.step_index(), 1);
    EXPECT_EQ(tutor.step().prose.at(0).at(0).text, "Other words, more.");

    text.replace(text.find("seq_len=30"), 10, "seq_len=-3");
    atomic_write(file, text);
    update_for_a_second();
    EXPECT_THAT(session.notices.current().sentence, testing::StartsWith(file + ":6: seq_len is -3"));
    EXPECT_EQ(tutor.step().prose.at(0).at(0).text, "Other words, more.");
}

TEST_F(LessonsTest, ACorrectedFileReplacesItsError) {
    const TemporaryFolder folder;
    const std::string head = "title: Mine\nabout: A lesson.\n\n## One\nscene: wendler-exp1-alpha1\n",
                      good = head + "Prose.\n";
    atomic_write(folder.file("mine.lesson"), good);
    Session session(open_scene("barbero-fig2a"), {});
    Tutor tutor(session, {.folder = folder.path()});
    ASSERT_TRUE(tutor.start("mine", 0));
    const auto save = [&](const std::string& text) {
        atomic_write(folder.file("mine.lesson"), text);
        std::this_thread::sleep_for(std::chrono::milliseconds(static_cast<int>(1100 * tutor.update(0))));
        tutor.update(0);
        return session.notices.current().sentence;
    };
    EXPECT_EQ(save(good + "More prose.\n"), "") << "a correct file needs no notice";
    EXPECT_THAT(save(head + "aks: Well?\nProse.\n"), testing::HasSubstr("unknown directive 'aks'"));
    EXPECT_EQ(save(good), "Lesson reloaded");
}

}  // namespace
}  // namespace ropewalk
