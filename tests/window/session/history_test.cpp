// Steps of undo, without a session.
#include "app/window/session/history.h"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

TEST(History, MayBeginWithTheCurrentValue) {
    History<int> history(0);
    history.change(1, "one", Gesture::complete);
    history.change(2, "two", Gesture::complete);
    history.undo();
    history.forget_steps();
    EXPECT_EQ(history.current(), 1);
    EXPECT_FALSE(history.can_undo() || history.can_redo());
}

TEST(History, HasOneStepPerGesture) {
    History<int> history(0);
    history.change(1, "a", Gesture::ongoing), history.change(2, "a", Gesture::ongoing),
        history.change(3, "a", Gesture::ongoing);
    history.end_gesture();
    history.change(4, "b", Gesture::complete);
    EXPECT_EQ(history.undo(), "b");
    EXPECT_EQ(history.current(), 3);
    EXPECT_EQ(history.undo(), "a");
    EXPECT_EQ(history.current(), 0);
    EXPECT_EQ(history.undo(), "");
    EXPECT_EQ(history.redo(), "a");
    history.change(9, "c", Gesture::complete);
    EXPECT_FALSE(history.can_redo());
}

TEST(History, AGestureThatEndsWhereItBeganKeepsTheRedoHistory) {
    History<int> history(0);
    history.change(1, "one", Gesture::complete);
    history.change(2, "two", Gesture::complete);
    history.undo();
    history.change(5, "tried", Gesture::ongoing);
    EXPECT_FALSE(history.can_redo());
    history.change(1, "tried", Gesture::ongoing);
    history.end_gesture();
    EXPECT_EQ(history.steps().size(), 3u);
    EXPECT_EQ(history.redo(), "two");
    EXPECT_EQ(history.current(), 2);
    history.undo();
    history.change(7, "b", Gesture::ongoing);
    history.end_gesture();
    EXPECT_FALSE(history.can_redo());
    EXPECT_EQ(history.undo(), "b");
}

}  // namespace
}  // namespace ropewalk
