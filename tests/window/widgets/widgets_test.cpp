#include "app/window/widgets/widgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>
#include <string>

#include "tests/window/widgets/widgets_fixture.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;

TEST_F(Window, EveryWidgetIsRegisteredInsideTheWindow) {
    std::set<std::string> ids;
    for (const RegisteredWidget& widget : gui_->ui().registry.all()) {
        EXPECT_TRUE(ids.insert(widget.id).second) << widget.id << " occurs twice";
        EXPECT_GE(widget.rect.width, 1) << widget.id;
        EXPECT_TRUE(widget.visible) << widget.id;
        EXPECT_LE(widget.rect.right(), 640) << widget.id;
    }
    for (const char* id : {"linear", "log", "even", "off", "few", "many", "check", "text", "button", "split"})
        EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_EQ(gui_->ui().registry.find("Logarithmic")->id, "log");
}

TEST_F(Window, SlidersFollowTheMouse) {
    robot_->drag("linear", 0.15, 0.0);
    EXPECT_EQ(linear_, 0);
    EXPECT_EQ(commits_, 1);
    EXPECT_GE(changes_, 5);
    robot_->click("log", 0.3);
    EXPECT_GT(logarithmic_, 10);
    EXPECT_EQ(commits_, 2);
    robot_->drag("even", 0.1, 0.4);
    EXPECT_GT(even_, 64);
    EXPECT_EQ(std::fmod(even_, 2), 0);
    robot_->drag("off", 0.1, 0.5);
    EXPECT_EQ(disabled_, 0.5);
}

TEST_F(Window, APressOnTheHandleChangesNothing) {
    const RegisteredWidget& widget = *gui_->ui().registry.find("linear");
    const double track = widget.rect.width - 118, handle = 0.5 * track / widget.rect.width;
    robot_->click("linear", handle + 2 / widget.rect.width);
    EXPECT_EQ(linear_, 0.5);
    EXPECT_EQ(changes_, 0);
}

TEST_F(Window, SlidersSnapToMarks) {
    const RegisteredWidget& widget = *gui_->ui().registry.find("log");
    const double mark = 0.5 * (widget.rect.width - 118) / widget.rect.width;  // 1000 is the middle of 1 … 10⁶
    robot_->click("log", mark + 3 / widget.rect.width);
    EXPECT_EQ(logarithmic_, 1000);
    robot_->expect("log", "1000 tokens");
}

TEST_F(Window, ALogarithmicTrackFromZeroReachesEverySmallNumber) {
    const RegisteredWidget& widget = *gui_->ui().registry.find("from_zero");
    const double track = (widget.rect.width - 118 - 14) / widget.rect.width, left = 7 / widget.rect.width;
    const auto place_of = [&](double value) { return left + track * std::log1p(value) / std::log1p(1 << 20); };
    for (const double value : {1.0, 3.0, 0.0}) {
        robot_->drag("from_zero", place_of(from_zero_), place_of(value));
        EXPECT_EQ(from_zero_, value);
    }
    robot_->drag("from_zero", place_of(0), place_of(1000));
    EXPECT_NEAR(from_zero_, 1000, 200);
    robot_->drag("from_zero", place_of(from_zero_), 1);
    EXPECT_EQ(from_zero_, 1 << 20);
    from_zero_ = 1;
    robot_->hover("from_zero");
    robot_->key("Shift+Left");
    EXPECT_EQ(from_zero_, 0);
}

TEST_F(Window, ANamedValueStandsAtItsPlace) {
    robot_->expect("named", "last");
    const RegisteredWidget& widget = *gui_->ui().registry.find("named");
    const double end = (widget.rect.width - 118 - 7) / widget.rect.width;  // of the track
    robot_->click("named", end);
    EXPECT_EQ(changes_, 0) << "the handle is there";
    robot_->hover("named");
    robot_->key("Left");
    EXPECT_EQ(named_, 99);
    robot_->key("Right");
    EXPECT_EQ(named_, -1);
    robot_->drag("named", end, 0.3);
    EXPECT_GT(named_, 10);
    EXPECT_LT(named_, 90);
    robot_->drag("named", 0.3, 0.95);
    EXPECT_EQ(named_, -1) << "at the end again";
}

TEST_F(Window, ArrowKeysStep) {
    robot_->hover("linear");
    robot_->key("Right");
    EXPECT_DOUBLE_EQ(linear_, 0.51);
    robot_->key("Shift+Left");
    EXPECT_DOUBLE_EQ(linear_, 0.41);
    robot_->hover("even");
    robot_->key("Up");
    EXPECT_EQ(even_, 66);
    robot_->hover("few");
    robot_->key("Right");
    robot_->key("Right");
    EXPECT_EQ(few_, 1) << "a disabled entry is not stepped to";
    robot_->hover("many");
    robot_->key("Down");
    EXPECT_EQ(many_, 1);
}

TEST_F(Window, ADoubleClickOnTheLabelResets) {
    const auto reset = [&](const char* id) {
        // The label is left of the control.
        const RegisteredWidget& widget = *gui_->ui().registry.find(id);
        robot_->double_click(id, -30 / widget.rect.width);
    };
    logarithmic_ = 5000;
    reset("log");
    EXPECT_EQ(logarithmic_, 10);
    reset("many");
    EXPECT_EQ(many_, 2);
    EXPECT_EQ(resets_, 2);
    EXPECT_EQ(commits_, 2);
}

TEST_F(Window, ChoicesAreClicked) {
    robot_->click("few/Two");
    EXPECT_EQ(few_, 1);
    robot_->click("few/Three");
    EXPECT_EQ(few_, 1);
    robot_->click("many");
    robot_->click("many/Gamma");
    EXPECT_EQ(many_, 2);
    robot_->expect("many", "Gamma");
    EXPECT_EQ(gui_->ui().registry.find("many/Gamma"), nullptr) << "the list closes";
    robot_->click("many");
    robot_->key("Esc");
    EXPECT_EQ(gui_->ui().registry.find("many/Gamma"), nullptr);
    robot_->click("check");
    EXPECT_TRUE(check_);
    robot_->click("button");
    EXPECT_EQ(pressed_, 1);
    robot_->click("linear", 0.2, 0.5, 1);
    EXPECT_EQ(contexts_, 1);
}

TEST_F(Window, TheSplitterIsDraggedClampedAndReset) {
    surface_->events().push(MouseLeft{});
    robot_->drag("split", 0.5, -8.0);
    EXPECT_LT(fraction_, 0.6);
    robot_->drag("split", 0.5, 100.0);
    EXPECT_EQ(fraction_, 0.8);
    robot_->double_click("split");
    EXPECT_EQ(fraction_, 0.6);
}

TEST_F(Window, ATooltipAppearsAfterARest) {
    robot_->hover("linear");
    const Image before = gui_->screenshot();
    EXPECT_GT(gui_->timeout(), 0);
    EXPECT_LT(gui_->timeout(), 1);
    robot_->rest(0.6);
    EXPECT_FALSE(gui_->screenshot().pixels == before.pixels);
}

TEST_F(Window, AnUnchangedFrameIsNotDrawn) {
    frame();
    EXPECT_FALSE(drawn_);
    EXPECT_TRUE(std::isinf(gui_->timeout()));
    linear_ = 0.7;
    frame();
    EXPECT_TRUE(drawn_);
    surface_->events().push(WindowChanged{});
    frame();
    EXPECT_TRUE(drawn_) << "the system may have lost what was drawn";
}

TEST_F(Window, IsDrawnThoughEventsNeverEnd) {
    int skipped = 0, drawn = 0;
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
         drawn < 2 && std::chrono::steady_clock::now() < end;) {
        surface_->events().push(KeyChanged{Key{'A'}, true});
        surface_->events().push(KeyChanged{Key{'A'}, false});
        linear_ = 0.2 + 0.3 * drawn;
        frame();
        ++(drawn_ ? drawn : skipped);
    }
    EXPECT_EQ(drawn, 2);
    if (gui_->times().build_ms < 50) {
        EXPECT_GT(skipped, 0) << "pending events are taken before they are shown";
    }
}

TEST_F(Window, BothThemesAndAllSizesAreDrawn) {
    const Image dark = gui_->screenshot();
    theme_ = &light_theme();
    robot_->settle();
    EXPECT_EQ(gui_->screenshot().pixels[5 * 640 + 1].r > 200, true);
    EXPECT_FALSE(gui_->screenshot().pixels == dark.pixels);
    surface_->resize({1, 1}, 1);
    robot_->settle();
    surface_->resize({1280, 960}, 2);
    robot_->settle();
    EXPECT_EQ(gui_->screenshot().width, 1280);
    robot_->click("check");
    EXPECT_TRUE(check_);
    zoom_ = 1.5;
    surface_->resize({640, 480}, 1);
    robot_->settle();
    theme_ = &dark_theme();
    zoom_ = 1;
    check_ = false;
    surface_->events().push(MouseLeft{});
    robot_->settle();
    gui_->ui().interaction = {};
    robot_->settle();
    EXPECT_TRUE(gui_->screenshot().pixels == dark.pixels) << "the window looks as it did before";
}

class LargeWindow : public Window {
    double scale() const override { return 2; }
};

TEST_F(LargeWindow, ControlsWorkAtScaleTwo) {
    robot_->drag("linear", 0.15, 0.0);
    EXPECT_EQ(linear_, 0);
    robot_->click("many");
    robot_->click("many/Beta");
    EXPECT_EQ(many_, 1);
}

TEST(ParseNumber, ReadsWhatUsersType) {
    const std::pair<const char*, double> cases[] = {
        {"10k", 1e4},         {"1e4", 1e4},      {"10 000", 1e4}, {"500_000", 5e5},      {"2^20", 1048576},
        {"−3", -3},           {"+2.5", 2.5},     {" .5 ", 0.5},   {"1M", 1e6},           {"10\u202f000", 1e4},
        {"∞", INFINITY},      {"−∞", -INFINITY}, {"0", 0},        {"1e400", INFINITY},   {"−1e400", -INFINITY},
        {"2^9999", INFINITY}, {"1/3", 1 / 3.0},  {"−1/4", -0.25}, {"1/1e-310", INFINITY}};
    for (const auto& [text, value] : cases) EXPECT_EQ(parse_number(text), value) << text;
    for (const char* text :
         {"", "abc", "1..2", "nan", "2^", "^2", "1/", "1/0", "0/0", "1/2/3", "10 kg", "1,5", "k", "0x10"})
        EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

TEST(ParseNumber, OffersTheNumberThatWasMeant) {
    const auto wanted = [](const char* text) { return wanted_number(text, NumberKind::real, 0.75); };
    EXPECT_EQ(wanted("0,5"), "it must be a number such as 0.5");
    EXPECT_EQ(wanted("−1,25"), "it must be a number such as -1.25");
    EXPECT_EQ(wanted("0,125"), "it must be a number such as 0.125");
    for (const char* text : {"fast", "10,000", "1,2,3", "/", ","})
        EXPECT_EQ(wanted(text), "it must be a number such as 0.75") << text;
    EXPECT_EQ(wanted_number("1,5", NumberKind::whole, 256), "it must be a whole number such as 256");
}

}  // namespace
}  // namespace ropewalk
