// Words of the glossary in a lesson's text.
#include <cmath>
#include <cstdlib>

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

class LessonsInPixels : public LessonsTest {
  protected:
    LessonsInPixels() : LessonsTest(true) {}

    /// Returns whether a word is underlined with dots.
    bool has_dots(const Rect& word) {
        const Image drawn = gui_.screenshot();
        const auto row = [&](double x) {
            const int y = static_cast<int>(std::round(word.bottom() - 2));
            return drawn.pixels[static_cast<std::size_t>(y * drawn.width + static_cast<int>(x))];
        };
        const Color ground = row(find("lesson.title")->rect.x - 8);
        int dots = 0;
        for (double x = word.x; x < word.right(); ++x) dots += std::abs(row(x).r - ground.r) > 6;
        return dots > word.width / 4;  // a letter's tail is narrower
    }
};

TEST_F(LessonsInPixels, AWordThatIsScrolledAwayTakesItsDotsAlong) {
    resize({1280, 560});
    start("rotation");
    ASSERT_NE(find("lesson.prose0.term0"), nullptr);
    EXPECT_TRUE(has_dots(find("lesson.prose0.term0")->rect));
    surface_.events().push(MouseMoved{200, 300});
    int scrolled_away = 0;
    for (int step = 0; step < 60; ++step) {
        surface_.events().push(MouseWheel{0, -0.02});  // a pixel or two
        robot_.settle();
        const double top = find("lesson.title")->rect.bottom() + 8;
        for (const RegisteredWidget& widget : gui_.ui().registry.all())
            if (widget.id.starts_with("lesson.prose0.term") && !widget.visible && widget.rect.bottom() - 2 > top) {
                EXPECT_FALSE(has_dots(widget.rect)) << widget.id << " at " << widget.rect.y;
                ++scrolled_away;
            }
    }
    EXPECT_GT(scrolled_away, 0);
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
