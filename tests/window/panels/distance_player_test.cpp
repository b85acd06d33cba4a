// The animation of the distance.
#include "app/window/panels/distance_player.h"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

TEST(DistancePlayer, ARowTakesTwelveSeconds) {
    DistancePlayer player;
    Cursor cursor{.query = 599, .key = 599, .pair = 3};
    player.play(cursor, 2000);
    for (int frame = 0; frame < 60; ++frame) player.advance(0.1, cursor);
    EXPECT_NEAR(cursor.distance(), 300, 1) << "half of it in six";
    EXPECT_EQ(cursor.query, 599);
    EXPECT_EQ(cursor.pair, 3);
    for (int frame = 0; frame < 70; ++frame) player.advance(0.1, cursor);
    EXPECT_NEAR(cursor.distance(), 50, 1) << "then it starts again";
}

TEST(DistancePlayer, NoTokenOfALongRowIsSkippedAtTheUsualSpeed) {
    DistancePlayer player;
    Cursor cursor{.query = 99'999, .key = 99'999};
    player.play(cursor, 100'000);
    EXPECT_EQ(player.tokens_per_second(cursor), 60);
    for (int frame = 1; frame <= 30; ++frame) {
        player.advance(1.0 / 60, cursor);
        EXPECT_NEAR(cursor.distance(), frame, 1);
    }
    player.set_speed(1000);
    player.advance(0.5, cursor);
    EXPECT_NEAR(cursor.distance(), 30'030, 1);
}

TEST(DistancePlayer, FewTokensTakeLongerEach) {
    DistancePlayer player;
    Cursor cursor{.query = 9, .key = 9};
    player.play(cursor, 10);
    player.advance(0.49, cursor);
    EXPECT_EQ(cursor.distance(), 0);
    player.advance(0.02, cursor);
    EXPECT_EQ(cursor.distance(), 1);
    player.set_speed(4);
    player.advance(0.5, cursor);
    EXPECT_EQ(cursor.distance(), 5);
}

TEST(DistancePlayer, ContinuesFromWhereTheCursorWasMoved) {
    DistancePlayer player;
    Cursor cursor{.query = 99, .key = 99};
    player.play(cursor, 100);
    cursor.key = 49;
    player.advance(0.01, cursor);
    EXPECT_EQ(cursor.distance(), 50);
}

TEST(DistancePlayer, AShortRowIsReplacedByTheLast) {
    DistancePlayer player;
    Cursor cursor{.query = 2, .key = 1};
    player.play(cursor, 500);
    EXPECT_EQ(cursor.query, 499);
    Cursor only{};
    player.play(only, 1);
    player.advance(3, only);
    EXPECT_EQ(only, Cursor{});
}

TEST(DistancePlayer, ItsSpeedIsLimited) {
    DistancePlayer player;
    player.set_speed(1e9);
    EXPECT_EQ(player.speed(), DistancePlayer::fastest);
    player.set_speed(0);
    EXPECT_EQ(player.speed(), DistancePlayer::slowest);
}

}  // namespace
}  // namespace ropewalk
