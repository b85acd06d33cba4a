// The edited scene by itself: no worker, no file and no window is needed to edit, undo and compare.
#include "app/window/session/document.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "app/window/session/layouts.h"
#include "core/experiment/scene_io.h"
#include "core/experiment/settings.h"

namespace ropewalk {
namespace {

class DocumentTest : public testing::Test {
  protected:
    Experiment with(const std::string& settings) const { return changed(document_.experiment(), settings); }

    Notices notices_;
    Document document_{open_scene("barbero-prop31"), notices_};
};

TEST_F(DocumentTest, ADragIsOneStepAndKnowsThatItIsOne) {
    const Experiment before = document_.experiment();
    for (const char* distance : {"3", "5", "9"}) {
        document_.edit(with(std::string("construction.distance=") + distance), Gesture::ongoing);
        EXPECT_TRUE(document_.is_dragging());
    }
    document_.end_gesture();
    EXPECT_FALSE(document_.is_dragging());
    EXPECT_EQ(document_.count_of_steps(), 2u);
    EXPECT_TRUE(document_.has_unsaved_changes());
    document_.undo();
    EXPECT_EQ(document_.experiment(), before);
    EXPECT_FALSE(document_.has_unsaved_changes());
    document_.redo();
    EXPECT_EQ(document_.experiment(), with("construction.distance=9"));
}

TEST_F(DocumentTest, ATextThatIsTypedAndTakenBackLeavesNothing) {
    Scene scene = open_scene("model-induction");
    apply_setting(scene.experiment, "seq_len=5", {});
    document_.open(scene);
    const Experiment before = document_.experiment();
    for (const char* text : {"the cat sat on", "the cat sat on the mat"})
        document_.edit(with(fmt::format("construction.text='{}'", text)), Gesture::ongoing);
    EXPECT_NE(document_.experiment().seq_len, 5) << "the length follows the text";
    Experiment back = document_.experiment();
    back.construction = before.construction;
    document_.edit(back, Gesture::ongoing);
    document_.end_gesture();
    EXPECT_EQ(document_.experiment(), before);
    EXPECT_FALSE(document_.has_unsaved_changes());
}

TEST_F(DocumentTest, TheCursorComesBackFromHeadsThatWereTooSmallForIt) {
    const int length = document_.experiment().seq_len;
    View& view = document_.view;
    const auto pass_through = [&](std::initializer_list<int> lengths) {
        for (const int tokens : lengths) document_.edit(with(fmt::format("seq_len={}", tokens)), Gesture::ongoing);
    };
    const Cursor on_last_row{length - 1, length / 2, 3}, inside{length - 2, length / 3, 3};
    for (const Cursor first : {on_last_row, inside})
        for (const bool is_locked : {false, true}) {
            view.cursor = first, view.cursor_locked = is_locked;
            pass_through({length / 4, 2 * length, length});
            document_.end_gesture();
            EXPECT_EQ(view.cursor, first) << "the gesture was taken back";
            pass_through({length / 4, 2 * length});
            document_.end_gesture();
            const bool follows = first == on_last_row && !is_locked;
            EXPECT_EQ(view.cursor, (Cursor{follows ? 2 * length - 1 : first.query, first.key, 3}));
            document_.undo();
            EXPECT_EQ(view.cursor, first);
        }
    view.cursor = inside, view.cursor_locked = false;
    pass_through({length / 4});
    view.cursor = {1, 0, 0};  // by hand, during the gesture
    pass_through({length});
    EXPECT_EQ(view.cursor, (Cursor{1, 0, 0}));
}

TEST_F(DocumentTest, OptionsAreNoDragOfTheHead) {
    const Figure before = document_.view.figures[1];
    get<AttentionFigure>(document_.view.figures[1]).quantity = Quantity::scores;
    document_.set_options(1, before, Gesture::ongoing);
    EXPECT_FALSE(document_.is_dragging());
    document_.set_options(1, document_.view.figures[1], Gesture::complete);
    document_.undo();
    EXPECT_EQ(document_.view.figures[1], before);
}

TEST_F(DocumentTest, WhatCannotBeComputedIsRefusedWithASentence) {
    const Experiment before = document_.experiment();
    Experiment wrong = before;
    wrong.temperature = -1;
    document_.edit(wrong, Gesture::complete);
    EXPECT_EQ(document_.experiment(), before);
    EXPECT_EQ(notices_.current().kind, Notice::Kind::error);
    EXPECT_EQ(document_.fault(), "");
}

TEST_F(DocumentTest, TheReferenceIsPartOfTheScene) {
    const Experiment first = document_.experiment();
    document_.set_reference();
    document_.edit(with("temperature=2"), Gesture::complete);
    ASSERT_NE(document_.reference(), nullptr);
    EXPECT_EQ(*document_.reference(), first);
    EXPECT_EQ(document_.current_scene().reference, first);
    document_.open(open_scene("barbero-fig1"));
    ASSERT_NE(document_.reference(), nullptr) << "it stays when another scene is opened";
    document_.undo();
    EXPECT_EQ(document_.experiment().temperature, 2);
    document_.clear_reference();
    EXPECT_EQ(document_.reference(), nullptr);
    document_.undo();
    EXPECT_NE(document_.reference(), nullptr);
}

TEST_F(DocumentTest, LayoutsNeedNothingElse) {
    Layouts layouts(document_, notices_, {});
    const std::vector<Figure> before = document_.view.figures;
    layouts.choose("Curves");
    EXPECT_NE(document_.view.figures, before);
    EXPECT_EQ(document_.rearranged(), 1);
    EXPECT_TRUE(layouts.save("mine"));
    layouts.remove("mine");
    EXPECT_EQ(layouts.deleted(), "mine");
    document_.undo();
    EXPECT_EQ(document_.view.figures, before);
}

TEST(NoticesTest, FailuresBecomeSentences) {
    Notices notices;
    EXPECT_TRUE(notices.attempt([] {}));
    EXPECT_TRUE(notices.current().sentence.empty());
    EXPECT_FALSE(notices.attempt([] { throw std::runtime_error("The disk is full"); }));
    EXPECT_EQ(notices.current().sentence, "The disk is full");
    EXPECT_EQ(notices.current().kind, Notice::Kind::error);
    const int number = notices.current().number;
    EXPECT_FALSE(notices.attempt([]() -> void { throw std::bad_alloc(); }));
    EXPECT_EQ(notices.current().number, number + 1);
}

}  // namespace
}  // namespace ropewalk
