// Distances played from the header of a figure that is for that.
#include <gtest/gtest.h>

#include "tests/window/desk_fixture.h"

namespace ropewalk {
namespace {

using Playing = DeskTest;

TEST_F(Playing, PhasorsArePlayedFromTheirHeader) {
    workbench_.open_bundled("long-term-phasors");
    robot_.settle();
    const auto label = [&] { return gui_.ui().registry.find("panel0.play")->label; };
    EXPECT_EQ(gui_.ui().registry.find("panel1.play"), nullptr) << "a figure that is not for that";
    EXPECT_EQ(label(), "Play");
    robot_.click("panel0.play");
    EXPECT_EQ(label(), "Pause");
    robot_.click("panel0.play");
    EXPECT_EQ(label(), "Play");
}

TEST_F(Playing, TheSpeedOfPlayingIsChosenBesideIt) {
    workbench_.open_bundled("long-term-phasors");
    workbench_.forget_steps();
    robot_.settle();
    const auto label = [&] { return gui_.ui().registry.find("panel0.speed")->label; };
    EXPECT_EQ(gui_.ui().registry.find("panel1.speed"), nullptr) << "a figure that is not played";
    EXPECT_EQ(label(), "1×");
    robot_.wheel("panel0.speed", 1);
    EXPECT_EQ(label(), "2×");
    robot_.wheel("panel0.speed", -2);
    EXPECT_EQ(label(), "0.5×");
    robot_.click("panel0.speed");
    robot_.click("panel0.speed/16×");
    robot_.settle();
    EXPECT_EQ(label(), "16×");
    robot_.wheel("panel0.speed", 1);
    robot_.click("panel0.speed");
    robot_.click("panel0.speed/64×");
    robot_.settle();
    EXPECT_EQ(label(), "64×") << "beside the one that the wheel came to";
    robot_.click("panel0.speed");
    robot_.click("panel0.speed/16×");
    robot_.settle();
    robot_.click("panel0.play");
    robot_.key("-");
    EXPECT_EQ(label(), "8×") << "keys change the same";
    robot_.click("panel0.play");
    EXPECT_FALSE(workbench_.can_undo()) << "it is no step";
}

}  // namespace
}  // namespace ropewalk
