// Presentations: only the figures are shown, and how to leave.
#include <gmock/gmock.h>

#include "core/constructions/construction_list.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class PresentingTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const char* id) { return gui_.ui().registry.find(id); }
    void expect_presented(bool presented) {
        for (const char* id : {"seq_len", "menu.File", "undo", "title"})
            EXPECT_EQ(find(id) == nullptr, presented) << id;
        EXPECT_NE(find("panel0.figure"), nullptr) << "figures keep their titles";
    }
};

TEST_F(PresentingTest, HidesControlsAndEnlargesText) {
    const double before = gui_.ui().scale;
    const double plot = find("panel0.plot")->rect.width;
    robot_.key("F5");
    robot_.settle();
    expect_presented(true);
    EXPECT_NEAR(gui_.ui().scale, 1.4 * before, 1e-9);
    EXPECT_GT(find("panel0.plot")->rect.width, plot);
    robot_.key("F5");
    robot_.settle();
    expect_presented(false);
    EXPECT_EQ(gui_.ui().scale, before);
}

TEST_F(PresentingTest, ShowsBrieflyHowToLeave) {
    robot_.key("F5");
    robot_.settle();
    ASSERT_NE(find("status"), nullptr);
    EXPECT_THAT(status(), HasSubstr("Press Esc to end"));
    for (const char* panel : {"panel0.figure", "panel1.figure"})
        EXPECT_LE(find("status")->rect.bottom(), find(panel)->rect.y) << "no figure is covered";
    robot_.rest(6);
    EXPECT_EQ(find("status"), nullptr);
    session_.notices.notify("Something went wrong", Notice::Kind::error);
    robot_.settle();
    EXPECT_EQ(status(), "Something went wrong") << "errors are still shown";
    robot_.key("Esc");
    robot_.settle();
    expect_presented(false);
}

TEST_F(PresentingTest, EscapeReleasesTheCursorFirstAndThenLeaves) {
    session_.document.view.toggle_maximised(1);
    robot_.key("F5");
    robot_.settle();
    EXPECT_EQ(find("panel0.plot"), nullptr);
    session_.document.view.cursor_locked = true;
    robot_.key("Esc");
    EXPECT_FALSE(session_.document.view.cursor_locked);
    EXPECT_EQ(find("menu.File"), nullptr);
    robot_.key("Esc");
    robot_.settle();
    EXPECT_NE(find("menu.File"), nullptr);
    EXPECT_EQ(session_.document.view.maximised(), 1);
}

TEST_F(PresentingTest, ThePointerAtTheUpperEdgeShowsTheBar) {
    robot_.key("F5");
    robot_.settle();
    surface_.events().push(MouseMoved{300, 20});
    robot_.settle();
    EXPECT_EQ(find("menu.File"), nullptr) << "the pointer is in the bar's area, but not yet at the edge";
    surface_.events().push(MouseMoved{300, 0});
    robot_.settle();
    ASSERT_NE(find("menu.File"), nullptr);
    choose("View", "theme");
    EXPECT_EQ(session_.preferences.theme, ThemeChoice::light);
    surface_.events().push(MouseMoved{300, 0});
    robot_.settle();
    EXPECT_NE(find("menu.File"), nullptr);
    session_.notices.notify("Something went wrong", Notice::Kind::error);
    frame();
    EXPECT_GE(find("status")->rect.y, find("menu.File")->rect.bottom()) << "it does not cover the notice";
    surface_.events().push(MouseMoved{300, 500});
    robot_.settle();
    EXPECT_EQ(find("menu.File"), nullptr);
}

TEST_F(PresentingTest, AnOpenLessonStays) {
    ASSERT_TRUE(main_window_.tutor().start(main_window_.tutor().lessons().front()->id));
    robot_.key("F5");
    robot_.settle();
    expect_presented(true);
    EXPECT_NE(find("lesson.close"), nullptr);
    resize({1100, 700});
    EXPECT_NE(find("lesson.close"), nullptr);
    EXPECT_NE(find("panel0.plot"), nullptr);
}

TEST_F(PresentingTest, TheControlThatTheLessonPointsAtIsShown) {
    ASSERT_TRUE(main_window_.tutor().start("previous-token"));
    main_window_.tutor().predict(0);
    robot_.key("F5");
    robot_.settle();
    const RegisteredWidget* alpha = find("construction.alpha");
    ASSERT_NE(alpha, nullptr);
    EXPECT_GE(alpha->rect.y, find("lesson.next")->rect.bottom()) << "below the lesson";
    EXPECT_EQ(find("construction"), nullptr) << "only this control";
    EXPECT_EQ(find("encoding.base"), nullptr);
    const Experiment before = experiment();
    robot_.hover("construction.alpha");
    robot_.key("Enter");
    robot_.type("10");
    robot_.key("Enter");
    EXPECT_EQ(get<PreviousToken>(experiment().construction).alpha, 10);
    EXPECT_FALSE(experiment() == before);
    robot_.key("F5");
    robot_.settle();
    EXPECT_NE(find("construction"), nullptr);
}

}  // namespace
}  // namespace ropewalk
