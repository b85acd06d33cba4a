// Lesson files: parsing, complaints, and a folder of them.
#include <gmock/gmock.h>

#include "app/lessons/lesson_check.h"
#include "app/lessons/library.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

constexpr const char* small_lesson = R"(title: Small
about: One line.

## First
scene: wendler-exp1-alpha1
set: seq_len=30  cursor.query=29
set: cursor.key=28
figures: decay axis=linear, row_of_nothing
point: construction.alpha
ask: What *then*?
- This
  Because of {weight(29, 28):.3}.
* That
do: Raise it to {construction.alpha}.
done: construction.alpha >= 10 and weight(29, 28) > 0.9
solution: construction.alpha=10
One line
continues.

Another *paragraph* of {seq_len} tokens.

after: It is {weight(29, 28):.1%}.

Indeed.

## Second
point: figure decay
Only prose.
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
}
std::string good_lesson() {
    return with(small_lesson, ", row_of_nothing", "");
}

std::string complaint_about(const std::string& text) {
    try {
        const Lesson lesson = parse_lesson(text, "a.lesson");
        for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step)
            solved(lesson, step, start_of(lesson, step));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(LessonFile, IsReadWithAllItsParts) {
    const Lesson lesson = parse_lesson(good_lesson(), "folder/07-small.lesson");
    EXPECT_EQ(lesson.id, "small");
    EXPECT_EQ(lesson.title, "Small");
    ASSERT_EQ(lesson.steps.size(), 2u);
    const LessonStep& first = lesson.steps[0];
    EXPECT_EQ(first.settings.size(), 3u);
    EXPECT_EQ(first.pointer.control, "construction.alpha");
    ASSERT_EQ(first.expectations.size(), 2u);
    EXPECT_FALSE(first.expectations[0].is_right);
    EXPECT_EQ(first.expectations[0].explanation.size(), 1u);
    EXPECT_TRUE(first.expectations[1].is_right);
    ASSERT_EQ(first.prose.size(), 2u);
    EXPECT_EQ(first.prose[0].at(0).text, "One line continues.");
    EXPECT_TRUE(first.prose[1].at(1).is_emphasised);
    EXPECT_EQ(first.after.size(), 2u);
    EXPECT_EQ(lesson.steps[1].pointer.figure, "decay");
    EXPECT_FALSE(lesson.steps[1].has_task());
    EXPECT_EQ(lesson_id("rotation.lesson"), "rotation");
    for (const auto& [file, number] : {std::pair{"lessons/01-rotation.lesson", "1"},
                                       {"10-base.lesson", "10"},
                                       {"my-lesson-2.lesson", ""},
                                       {"2nd.lesson", ""}})
        EXPECT_EQ(lesson_number(file), number) << file;
}

TEST(LessonFile, AStepStartsWhereTheOneBeforeItEnded) {
    const Lesson lesson = parse_lesson(good_lesson(), "a.lesson");
    Scene first = start_of(lesson, 0), second = start_of(lesson, 1);
    EXPECT_EQ(first.experiment, changed(open_scene("wendler-exp1-alpha1").experiment, "seq_len=30"));
    EXPECT_EQ(second.experiment, changed(first.experiment, "construction.alpha=10"));
    EXPECT_EQ(solved(lesson, 0, first).experiment, second.experiment);
    const View view = read_view(first);
    EXPECT_EQ(view.cursor.query, 29);
    EXPECT_EQ(view.cursor.key, 28);
    EXPECT_STREQ(id_of(view.figures[0]), "decay");
}

TEST(LessonFile, QuotedSettingsCanContainBlanks) {
    std::string text = good_lesson();
    text.replace(text.find("set: seq_len=30"), 15,
                 "set: construction=text construction.text='the cat''s hat' seq_len=4");
    const Experiment experiment = start_of(parse_lesson(text, "a.lesson"), 0).experiment;
    EXPECT_EQ(experiment, changed(open_scene("wendler-exp1-alpha1").experiment,
                                  "construction=text construction.text='the cat''s hat' seq_len=4"));
}

TEST(LessonFile, ReadsWithNumbersInTheirStyle) {
    Evaluator evaluator(open_backend("cpu", 2));
    const LessonCheck step = check_step(parse_lesson(good_lesson(), "a.lesson"), 0, evaluator);
    EXPECT_THAT(step.faults, testing::IsEmpty());
    EXPECT_EQ(step.before.at(1), "Another paragraph of 30 tokens.");
    EXPECT_EQ(step.before.at(4), "Because of 0.587.");
    EXPECT_EQ(step.before.back(), "Raise it to 1.");
    EXPECT_EQ(step.after.front(), "It is 100.0 %.");
}

TEST(LessonFile, FaultsOfATaskAreFound) {
    Evaluator evaluator(open_backend("cpu", 2));
    const auto faults = [&](const std::string& text) {
        return check_step(parse_lesson(text, "a.lesson"), 0, evaluator).faults;
    };
    EXPECT_THAT(faults(with(good_lesson(), "done: construction.alpha >= 10", "done: construction.alpha >= 50")).at(0),
                testing::HasSubstr("solution"));
    EXPECT_THAT(faults(with(good_lesson(), "construction.alpha >= 10 and weight(29, 28) > 0.9", "seq_len = 30")).at(0),
                testing::HasSubstr("already done when the step begins"));
    EXPECT_THAT(faults(with(good_lesson(), "{seq_len}", "{encoding.p}")).at(0),
                testing::HasSubstr("encoding.p has no value"));
}

TEST(LessonFile, ErrorsNameTheLineAndTheRemedy) {
    EXPECT_EQ(complaint_about(good_lesson()), "");
    const struct {
        const char *from, *to, *complaint;
    } cases[] = {
        {"title: Small\n", "", "a.lesson:1: the lesson has no 'title:'"},
        {"about:", "abuot:", "a.lesson:2: 'abuot: One line.' is not allowed before the first step"},
        {"scene: wendler-exp1-alpha1", "scene: nowhere", "a.lesson:5: unknown bundled scene 'nowhere'"},
        {"scene: wendler-exp1-alpha1", "scene: ../scenes/million", "a.lesson:5: unknown bundled scene"},
        {"scene: wendler-exp1-alpha1\n", "", "a.lesson:4: the first step has no 'scene:'"},
        {"seq_len=30 ", "seq_len=0 ", "a.lesson:6: seq_len is 0"},
        {"seq_len=30 ", "length=30 ", "a.lesson:6: unknown number 'length'"},
        {"seq_len=30 ", "encoding.p=1 ", "a.lesson:6: unknown field 'encoding.p'"},
        {"seq_len=30 ", "weight=1 ", "a.lesson:6: weight cannot be set"},
        {"cursor.key=28", "cursor.distance=3", "a.lesson:7: cursor.distance cannot be set"},
        {"cursor.key=28", "cursor.key=x", "a.lesson:7: cursor.key must be"},
        {"decay axis=linear", "decoy", "a.lesson:8: unknown figure 'decoy'"},
        {"axis=linear", "axis=round", "a.lesson:8: axis is 'round'"},
        {"point: construction.alpha", "point: alpha", "a.lesson:9: unknown field 'alpha' to point at"},
        {"point: figure decay", "point: figure decoy", "a.lesson:27: unknown figure 'decoy'"},
        {"* That", "- That", "a.lesson:4: a question needs at least two answers"},
        {"ask: What", "ask What", "a.lesson:"},
        {"What *then*?", "What *then?", "a.lesson:10: '*' has no matching '*'"},
        {"{weight(29, 28):.3}", "{weight(29, 28):3}", "a.lesson:12: '3' is not a number format"},
        {"{weight(29, 28):.3}", "{wait}", "a.lesson:12: unknown number 'wait'; the numbers are score(i, j), "},
        {"{seq_len}", "{seq_len", "a.lesson:20: '{' has no matching '}'"},
        {"alpha >= 10", "alpha => 10", "a.lesson:15: "},
        {"alpha >= 10", "alpha >= ten", "a.lesson:15: 'ten' is not a number"},
        {"construction.alpha >= 10", "encoding = rop",
         "a.lesson:15: encoding cannot be 'rop'; it must be 'rope', 'nope'"},
        {"construction.alpha >= 10", "encoding > rope", "a.lesson:15: encoding can only be compared with = and !="},
        {"done: construction.alpha >= 10 and weight(29, 28) > 0.9\n", "",
         "a.lesson:4: 'do:' and 'done:' belong together"},
        {"solution: construction.alpha=10\n", "", "a.lesson:4: 'done:' and 'solution:' belong together"},
        {"solution: construction.alpha=10", "solution: construction.alpha=-1", "a.lesson:16: construction.alpha is -1"},
        {"Only prose.", "Prose.\nscene: million", "a.lesson:29: 'scene:' must come before the text of its step"},
        {"Only prose.", "hint: nothing", "a.lesson:28: unknown directive 'hint'"},
        {"Only prose.", "", "a.lesson:26: the step has no text"},
        {"## Second", "## First", "a.lesson:26: two steps have the title 'First'"},
        {"One line.", "One line.\nabout: Two.", "a.lesson:3: 'about:' appears twice"},
        {"## Second", "## ", "a.lesson:26: the step has no title"},
        {"## Second", "##  ", "a.lesson:26: the step has no title"},
        {"* That", "* ", "a.lesson:13: the answer is empty"},
        {"One line.", "One\xff line.", "a.lesson:2: the line"},
    };
    for (const auto& [from, to, complaint] : cases)
        EXPECT_THAT(complaint_about(with(good_lesson(), from, to)), testing::StartsWith(complaint)) << to;
    std::string long_one = good_lesson();
    for (int i = 0; i <= most_steps; ++i) long_one += fmt::format("\n## Step {}\nProse.\n", i);
    EXPECT_THAT(complaint_about(long_one), testing::HasSubstr("at most 20 steps"));
    EXPECT_THAT(complaint_about(std::string(100'000, 'x')), testing::HasSubstr("100000 bytes"));
    EXPECT_THAT(complaint_about(""), testing::HasSubstr("no 'title:'"));
}

TEST(LessonFile, AnyChangedFileIsReadOrRejected) {
    const std::string text = good_lesson();
    int read = 0;
    for (std::size_t seed = 0; seed < 4000; ++seed) {
        std::string mutated = text;
        const std::size_t at = seed * 7919 % text.size();
        if (seed % 3 == 0)
            mutated.erase(at, 1 + seed % 40);
        else if (seed % 3 == 1)
            mutated[at] = "*{}:#-\n \x80="[seed % 10];
        else
            mutated.insert(at, text.substr(seed * 31 % text.size(), seed % 60));
        try {
            const Lesson lesson = parse_lesson(mutated, "a.lesson");
            ++read;
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), testing::StartsWith("a.lesson:"));
        }
    }
    EXPECT_GT(read, 100) << "most changes are of prose";
}

TEST(LessonFile, ChangingAStepsOwnFieldsIsNotLeavingIt) {
    const Lesson lesson = parse_lesson(good_lesson(), "a.lesson");
    const Experiment start = start_of(lesson, 0).experiment;
    EXPECT_FALSE(has_left(lesson.steps[0], start, changed(start, "construction.alpha=77")));
    EXPECT_TRUE(has_left(lesson.steps[0], start, changed(start, "encoding.base=77")));
    EXPECT_TRUE(has_left(lesson.steps[0], start, changed(start, "construction=ones")));
    LessonStep choosing = lesson.steps[0];
    choosing.pointer.control = "encoding";
    EXPECT_FALSE(has_left(choosing, start, changed(start, "encoding=p_rope encoding.p=0.5")));
}

TEST(LessonLibrary, AFolderReplacesAndAddsLessonsAndIsWatched) {
    const TemporaryFolder folder;
    LessonLibrary library(folder.path());
    EXPECT_EQ(library.refresh(), "");
    const std::size_t bundled = library.lessons().size();
    atomic_write(folder.file("01-rotation.lesson"), good_lesson());
    atomic_write(folder.file("50-mine.lesson"), good_lesson());
    EXPECT_EQ(library.refresh(), "");
    ASSERT_EQ(library.lessons().size(), bundled + 1);
    EXPECT_EQ(library.find("rotation")->title, "Small");
    const auto mine = library.find("mine");
    ASSERT_NE(mine, nullptr);
    EXPECT_EQ(library.lessons().back(), mine);

    atomic_write(folder.file("50-mine.lesson"), with(good_lesson(), "point: ", "pont: "));
    EXPECT_EQ(library.refresh(), folder.file("50-mine.lesson") +
                                     ":9: unknown directive 'pont'; the directives are scene, "
                                     "set, figures, point, ask, do, done, solution, after");
    EXPECT_EQ(library.find("mine"), mine) << "the last valid text stays";
    EXPECT_EQ(library.refresh(), "") << "it is reported once";
    atomic_write(folder.file("50-mine.lesson"), with(good_lesson(), "Small", "Mended"));
    EXPECT_EQ(library.refresh(), "");
    EXPECT_EQ(library.find("mine")->title, "Mended");

    std::filesystem::remove(folder.file("50-mine.lesson"));
    std::filesystem::remove(folder.file("01-rotation.lesson"));
    EXPECT_EQ(library.refresh(), "");
    EXPECT_EQ(library.lessons().size(), bundled);
    EXPECT_EQ(library.find("rotation")->title, "What rotation does");
}

}  // namespace
}  // namespace ropewalk
