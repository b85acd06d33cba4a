// The bundled lessons: each can be completed.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "app/lessons/lesson_check.h"
#include "app/lessons/library.h"
#include "core/evaluation/open_backend.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

std::vector<std::string> lesson_ids() {
    std::vector<std::string> ids;
    const LessonLibrary library;
    for (const auto& lesson : library.lessons()) ids.push_back(lesson->id);
    return ids;
}

TEST(Lessons, ThereAreSixteen) {
    const auto ids = lesson_ids();
    EXPECT_EQ(ids.size(), 16u);
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size());
    EXPECT_EQ(ids.front(), "rotation");
    const std::string list = read_file(ROPEWALK_SOURCE_DIR "/assets/lessons/README.md", 1 << 20);
    for (const LiveNumberKind& kind : live_number_kinds())
        EXPECT_THAT(list, testing::HasSubstr("`" + kind.signature + "`")) << "the manual of lessons names it";
}

class LessonOf : public testing::TestWithParam<std::string> {};

TEST_P(LessonOf, CanBeCompletedFromEndToEnd) {
    const LessonLibrary library;
    const auto lesson = library.find(GetParam());
    Evaluator evaluator(open_backend("cpu", 2));
    EXPECT_GE(lesson->steps.size(), 4u);
    EXPECT_LE(lesson->steps.size(), 7u);
    EXPECT_FALSE(lesson->source.empty());
    for (int step = 0; step < static_cast<int>(lesson->steps.size()); ++step) {
        SCOPED_TRACE(fmt::format("{}:{}", lesson->file, lesson->steps[static_cast<std::size_t>(step)].line));
        EXPECT_THAT(check_step(*lesson, step, evaluator).faults, testing::IsEmpty());
        const LessonStep& told = lesson->steps[static_cast<std::size_t>(step)];
        Scene start = start_of(*lesson, step);
        const auto& figures = read_view(start).figures;
        EXPECT_TRUE(told.pointer.figure.empty() ||
                    std::any_of(figures.begin(), figures.end(),
                                [&](const Figure& figure) { return id_of(figure) == told.pointer.figure; }))
            << "it points at a visible figure";
        EXPECT_FALSE(has_left(told, start.experiment, solved(*lesson, step, start).experiment))
            << "doing what it asks for is not leaving it";
    }
}

INSTANTIATE_TEST_SUITE_P(Bundled, LessonOf, testing::ValuesIn(lesson_ids()), [](const auto& test) {
    std::string name = test.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace ropewalk
