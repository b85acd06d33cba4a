// Unavailable commands and settings give the reason.
#include <gmock/gmock.h>

#include "app/figures/figure_list.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class ObstacleTest : public MainWindowTest {};

TEST_F(ObstacleTest, ADisabledButtonGivesTheReason) {
    robot_.hover("redo");
    robot_.rest(1);
    ASSERT_NE(gui_.ui().registry.find("tooltip"), nullptr);
    EXPECT_THAT(gui_.ui().registry.find("tooltip")->value, HasSubstr("Unavailable: there is nothing to redo."));
}

TEST_F(ObstacleTest, AnUnavailableKeyGivesTheReason) {
    robot_.key("Ctrl+Y");
    EXPECT_EQ(status(), "Redo: there is nothing to redo");
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    robot_.key("Ctrl+Z");
    robot_.key("Ctrl+Y");
    EXPECT_EQ(experiment().temperature, 2);
}

TEST_F(ObstacleTest, EverySettingThatCannotBeAppliedGivesTheReasonBelow) {
    const auto height_of_menu = [&](const char* compared) {
        session_.document.view.figures[1] = DecayFigure{.compared = compared};
        robot_.settle();
        robot_.click("panel1.menu");
        robot_.settle();
        const double height = gui_.ui().registry.find("panel1.export")->rect.y -
                              gui_.ui().registry.find("panel1.option.decay.compared.0.0.value")->rect.y;
        robot_.key("Esc");
        return height;
    };
    const double without = height_of_menu("encoding=nope | encoding=yarn");
    EXPECT_GT(height_of_menu("encoding=nope | encoding.base=-1"), without + 15) << "a line with the reason";
    EXPECT_GT(height_of_menu("encoding=what | encoding.base=-1"), without + 30) << "one for each";
}

TEST_F(ObstacleTest, ACurveThatCannotBePinnedGivesTheReason) {
    session_.document.view.figures.assign(most_places, ContributionsFigure{});
    robot_.settle();
    robot_.key("P");
    EXPECT_EQ(status(), "Pin a curve: no figure shows a curve that can be pinned");
    session_.document.view.figures[1] = TrainingFigure{};
    robot_.settle();
    robot_.key("P");
    EXPECT_EQ(status(), "Pin a curve: nothing is trained here");
    session_.document.view.figures[1] = DecayFigure{.quantity = DecayQuantity::weight};
    robot_.settle();
    robot_.key("P");
    EXPECT_EQ(status(), "Pin a curve: only logits can be pinned, not weights");
    robot_.click("panel1.menu");
    robot_.hover("panel1.pin");
    robot_.rest(1);
    ASSERT_NE(gui_.ui().registry.find("tooltip"), nullptr);
    EXPECT_THAT(gui_.ui().registry.find("tooltip")->value, HasSubstr("only logits can be pinned"));
}

}  // namespace
}  // namespace ropewalk
