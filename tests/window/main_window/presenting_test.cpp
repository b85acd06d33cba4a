// Presentations: only the figures are shown, and how to leave.
#include <gmock/gmock.h>

#include "app/figures/page/view_io.h"
#include "app/window/main_window/presenter_strip.h"
#include "core/constructions/construction_list.h"
#include "core/experiment/scene_io.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
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

TEST_F(PresentingTest, LeavesTheLayoutAlone) {
    robot_.key("F5");
    for (int i = 0; i < 3; ++i) {
        frame();
        EXPECT_EQ(session_.document.view.layout, Layout{});
    }
    robot_.settle();
    EXPECT_EQ(find("panel1.plot"), nullptr);
    EXPECT_EQ(find("panel0.restore"), nullptr) << "nothing is maximised";
    EXPECT_EQ(session_.document.steps().size(), 1u);
}

TEST_F(PresentingTest, ShowsNumbersBeforeAndAfterBesideTheFormula) {
    session_.document.view.figures.front() = figure_of("decay");
    session_.document.view.cursor = {.query = 100, .key = 90};
    session_.document.view.cursor_locked = true;
    robot_.key("F5");
    robot_.settle();
    EXPECT_EQ(find("compared"), nullptr) << "nothing has changed";
    session_.document.edit(changed(experiment(), "encoding.base=500"), Gesture::complete);
    robot_.settle();
    ASSERT_NE(find("compared"), nullptr);
    EXPECT_THAT(find("compared")->value, HasSubstr("→"));
    EXPECT_NEAR(find("compared")->rect.right(), find("formula")->rect.right() + find("compared")->rect.width, 30)
        << "the formula is to its left";
    session_.document.forget_before();
    robot_.settle();
    EXPECT_EQ(find("compared"), nullptr);
}

TEST_F(PresentingTest, ShowsBrieflyHowToLeave) {
    robot_.key("F5");
    robot_.settle();
    ASSERT_NE(find("status"), nullptr);
    EXPECT_THAT(status(), HasSubstr("Press Esc to end"));
    EXPECT_LE(find("status")->rect.bottom(), find("panel0.figure")->rect.y) << "the figure is not covered";
    robot_.rest(6);
    EXPECT_EQ(find("status"), nullptr);
    session_.notices.notify("Something went wrong", Notice::Kind::error);
    robot_.settle();
    EXPECT_EQ(status(), "Something went wrong") << "errors are still shown";
    robot_.key("Esc");
    robot_.settle();
    expect_presented(false);
}

TEST_F(PresentingTest, EscapeLeavesAtOnce) {
    session_.document.view.toggle_maximised(1);
    robot_.key("F5");
    robot_.settle();
    EXPECT_EQ(find("panel0.plot"), nullptr);
    session_.document.view.cursor_locked = true;
    robot_.key("Esc");
    robot_.settle();
    EXPECT_NE(find("menu.File"), nullptr);
    EXPECT_TRUE(session_.document.view.cursor_locked);
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
    EXPECT_NE(find("lesson.explore"), nullptr);
    EXPECT_EQ(find("construction"), nullptr) << "the lesson has the same control alone";
}

TEST_F(PresentingTest, ShowsTheFirstFigureAloneAndKeepsTheOthers) {
    const View before = session_.document.view;
    robot_.key("F5");
    robot_.settle();
    EXPECT_NE(find("panel0.plot"), nullptr);
    EXPECT_EQ(find("panel1.plot"), nullptr);
    EXPECT_EQ(session_.document.view.layout, before.layout) << "the scene is not changed by it";
    robot_.key("F5");
    robot_.settle();
    EXPECT_NE(find("panel1.plot"), nullptr);
}

TEST_F(PresentingTest, LargeSlidersAreBelowTheFigure) {
    robot_.key("F5");
    for (const PixelSize size : {PixelSize{1920, 1080}, {1280, 720}, {900, 650}}) {
        resize(size);
        ASSERT_NE(find("strip"), nullptr) << size.width;
        ASSERT_NE(find("encoding.base"), nullptr) << "by default the base,";
        ASSERT_NE(find("construction.alpha"), nullptr) << "and the construction's first number";
        EXPECT_GE(find("encoding.base")->rect.y, find("panel0.plot")->rect.bottom());
        EXPECT_GT(find("construction.alpha")->rect.x, find("encoding.base")->rect.right());
        EXPECT_LE(find("construction.alpha")->rect.right(), size.width);
        EXPECT_LE(find("construction.alpha")->rect.bottom(), size.height);
    }
    const Experiment before = experiment();
    robot_.drag("construction.alpha", 0.3, 0.7, 0.8, 0.8);
    EXPECT_FALSE(experiment() == before);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), before) << "a drag is one step";
}

TEST_F(PresentingTest, TheStripIsPartOfTheSceneAndUndone) {
    robot_.click("temperature", 0.3, 0.5, 1);
    robot_.click("field/strip");
    robot_.click("seq_len.more");
    robot_.click("field/strip");
    const std::vector<std::string> pinned{"temperature", "seq_len"};
    EXPECT_EQ(session_.document.view.presenter, pinned);
    Scene saved = parse_scene(scene_text(session_.document.current_scene()), "saved", {});
    EXPECT_EQ(read_view(saved).presenter, pinned);
    robot_.key("F5");
    robot_.settle();
    EXPECT_NE(find("temperature"), nullptr);
    EXPECT_NE(find("seq_len"), nullptr);
    EXPECT_EQ(find("encoding.base"), nullptr);
    robot_.key("F5");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(session_.document.view.presenter, std::vector<std::string>{"temperature"});
    robot_.click("temperature", 0.3, 0.5, 1);
    robot_.click("field/strip");
    EXPECT_TRUE(session_.document.view.presenter.empty()) << "the same entry takes it away";
}

/// The base of the head's own encoding changes nothing in figures of a training.
TEST(PresenterStrip, HasFieldsOfTheRecipeWhereAModelIsTrained) {
    const Experiment trained = changed({}, "construction=model_head construction.source=trained");
    EXPECT_THAT(presented_fields({}, trained, ""),
                ElementsAre("construction.recipe.encoding.base", "construction.step"));
    EXPECT_THAT(presented_fields({}, changed(trained, "construction.recipe.encoding=nope"), ""),
                ElementsAre("construction.step", testing::StartsWith("construction.recipe.")));
    Experiment read;
    read.construction = ModelHead{};
    EXPECT_THAT(presented_fields({}, read, ""), ElementsAre("encoding.base", "construction.layer"));
}

TEST(PresenterStrip, OfTrainingScenesHasWhatTheyAreAboutAndTheStep) {
    for (const std::string& name : bundled_scenes()) {
        if (!name.starts_with("train-")) continue;
        Scene scene = open_scene(name);
        const View view = read_view(scene);
        EXPECT_EQ(view.presenter.back(), "construction.step") << name;
        const auto shown = presented_fields(view, scene.experiment, "");
        EXPECT_GE(shown.size(), 2u) << name;
        for (const std::string& path : shown)
            EXPECT_TRUE(path.starts_with("construction.recipe.") || path == "construction.step")
                << name << ": " << path;
        EXPECT_THAT(presented_fields(view, scene.experiment, "encoding.base"), ElementsAre("encoding.base"))
            << "the control of a lesson";
    }
}

TEST_F(PresentingTest, ARemotesKeyIsSilentWithoutALesson) {
    robot_.key("PageDown");
    EXPECT_THAT(session_.notices.current().sentence, testing::HasSubstr("no lesson is open"));
    session_.notices.dismiss();
    robot_.key("F5");
    const std::string hint = session_.notices.current().sentence;
    for (const char* key : {"PageDown", "PageUp"}) {
        robot_.key(key);
        EXPECT_EQ(session_.notices.current().sentence, hint) << key;
    }
}

TEST_F(PresentingTest, ALessonIsNotDroppedInANarrowWindow) {
    ASSERT_TRUE(main_window_.tutor().start("previous-token"));
    main_window_.tutor().predict(0);
    robot_.key("F5");
    resize({900, 720});
    ASSERT_NE(find("lesson.next"), nullptr);
    EXPECT_NE(find("panel0.plot"), nullptr);
    EXPECT_NE(find("construction.alpha"), nullptr);
    robot_.key("PageDown");
    EXPECT_NE(find("lesson.back"), nullptr);
}

}  // namespace
}  // namespace ropewalk
