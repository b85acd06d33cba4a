// Words of the glossary in a lesson's text.
#include "app/plot/fonts.h"
#include "app/window/widgets/prose.h"
#include "tests/window/lessons/lessons_fixture.h"

namespace ropewalk {
namespace {

TEST_F(LessonsTest, WordsOfTheGlossaryShowTheirMeaning) {
    start("rotation");
    const RegisteredWidget* word = find("lesson.prose0.term0");
    ASSERT_NE(word, nullptr);
    const std::string name = word->value;
    robot_.hover("lesson.prose0.term0");
    robot_.rest(1);
    ASSERT_NE(find("tooltip"), nullptr);
    EXPECT_TRUE(find("tooltip")->value.starts_with(name + "\n"));
    robot_.hover("panel0.plot");
    robot_.rest(1);
    EXPECT_EQ(find("tooltip"), nullptr);
    robot_.click("lesson.prose0.term0");
    robot_.hover("lesson.next");
    robot_.rest(1);
    ASSERT_NE(find("tooltip"), nullptr) << "a click pins it";
    EXPECT_TRUE(find("tooltip")->value.starts_with(name + "\n"));
    session_.document.view.cursor_locked = true;
    robot_.key("Esc");
    EXPECT_EQ(find("tooltip"), nullptr);
    EXPECT_TRUE(session_.document.view.cursor_locked) << "the key does nothing else";
}

TEST_F(LessonsTest, WordsOfTheGlossaryAreReachedByTab) {
    start("rotation");
    for (int i = 0; i < 50 && gui_.ui().interaction.focused != "lesson.prose0.term0"; ++i) robot_.key("Tab");
    ASSERT_EQ(gui_.ui().interaction.focused, "lesson.prose0.term0");
    robot_.key("Enter");
    ASSERT_NE(find("tooltip"), nullptr);
    tutor().enter(1);
    robot_.settle();
    EXPECT_EQ(find("tooltip"), nullptr) << "it goes with its word";
    EXPECT_EQ(gui_.ui().interaction.pinned, "");
}

TEST_F(LessonsTest, ANumberStaysWithTheWordItBelongsTo) {
    const Ui& ui = gui_.ui();
    const ProseStyle style = running_prose(*ui.theme, 17);
    const auto lines = [&](const char* text) {
        const double width = measure_text("between key", style.size, style.weight).width + 1;
        return paragraph_height(ui, width, plain_paragraph(text), style, nullptr) / style.line;
    };
    EXPECT_EQ(lines("between key a between"), 2);
    EXPECT_EQ(lines("between key 6 between"), 3) << "between / key 6 / between";
    EXPECT_EQ(lines("between all 6 tokens"), 2);
}

}  // namespace
}  // namespace ropewalk
