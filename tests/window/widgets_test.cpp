#include "app/window/widgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/window/compat.h"
#include "app/window/egl_surface.h"
#include "app/window/splitter.h"
#include "tests/window/robot.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A window with one of every control, without a display.
class Window : public testing::Test {
  protected:
    void SetUp() override {
        try {
            surface_ = std::make_unique<EglSurface>(
                SurfaceOptions{.width = 640, .height = 480, .scale = scale(), .debug = true});
        } catch (const DisplayError& error) {
            GTEST_SKIP() << error.what();
        }
        gui_ = std::make_unique<Gui>(*surface_, 1.0 / 60);
        robot_ = std::make_unique<Robot>(*gui_, [this] { frame(); });
        robot_->settle();
    }

    void TearDown() override {
        if (gui_) {
            EXPECT_EQ(gui_->renderer().debug_messages(), 0) << gui_->renderer().last_debug_message();
        }
    }

    virtual double scale() const { return 1; }

    void frame() {
        Ui& ui = gui_->begin_frame({.theme = theme_, .zoom = zoom_});
        {
            const Root root(ui);
            const ImVec2 size = ImGui::GetIO().DisplaySize;
            const Rect whole{0, 0, static_cast<double>(size.x), static_cast<double>(size.y)};
            const SplitterState split = splitter(
                ui, {.id = "split", .area = whole, .default_fraction = 0.6, .least = 0.3, .greatest = 0.8}, fraction_);
            ImGui::SetCursorScreenPos(compat::vector({split.first.x + ui.px(12), split.first.y + ui.px(10)}));
            compat::begin_child("controls", compat::vector({split.first.width - ui.px(24), split.first.height}));
            controls(ui);
            ImGui::EndChild();
        }
        for (const KeyPress& press : ui.input.keys) shortcuts_.push_back(name_of(press.key, press.modifiers));
        drawn_ = gui_->end_frame();
    }

    void controls(Ui& ui) {
        static constexpr double marks[] = {100, 1000};
        section(ui, "Controls");
        keep(slider(
            ui,
            {.control = {.id = "linear", .label = "Linear", .help = {.title = "A number", .text = "between 0 and 1"}},
             .default_value = 0.25},
            linear_));
        keep(slider(ui,
                    {.control = {.id = "log", .label = "Logarithmic"},
                     .unit = "tokens",
                     .least = 1,
                     .greatest = 1e6,
                     .logarithmic = true,
                     .marks = marks,
                     .default_value = 10},
                    logarithmic_));
        keep(slider(ui,
                    {.control = {.id = "even", .label = "Even"},
                     .least = 2,
                     .greatest = 256,
                     .integer = true,
                     .step = 2,
                     .default_value = 64},
                    even_));
        keep(slider(ui, {.control = {.id = "off", .label = "Disabled", .enabled = false}, .default_value = 1},
                    disabled_));
        static constexpr Entry few[] = {{"One"}, {"Two"}, {"Three", "", false}};
        keep(segmented(ui, {.id = "few", .label = "Few"}, few, few_));
        static constexpr Entry many[] = {{"Alpha", "the first"}, {"Beta", "the second"}, {"Gamma", "the third"}};
        keep(combo(ui, {.id = "many", .label = "Many"}, many, many_, 2));
        keep(checkbox(ui, {.id = "check", .label = "Check"}, check_));
        std::string typed = text_;
        keep(text_input(ui, {.id = "text", .label = "Text"}, typed, "hint"));
        if (typed == "nonsense")
            refuse(ui, "text", "Text is nonsense");
        else
            text_ = typed;
        if (button(ui, {.id = "button", .label = "Press"})) ++pressed_;
        note(ui, "A note.");
    }

    void keep(const WidgetState& state) {
        changes_ += state.changed;
        commits_ += state.committed;
        resets_ += state.reset;
        contexts_ += state.context;
        if (!state.rejected.empty()) rejected_ = state.rejected;
    }

    std::unique_ptr<EglSurface> surface_;
    std::unique_ptr<Gui> gui_;
    std::unique_ptr<Robot> robot_;
    const Theme* theme_ = &dark_theme();
    double zoom_ = 1, fraction_ = 0.6;
    double linear_ = 0.5, logarithmic_ = 10, even_ = 64, disabled_ = 0.5;
    int few_ = 0, many_ = 0, pressed_ = 0;
    bool check_ = false, drawn_ = false;
    std::string text_ = "old", rejected_;
    std::vector<std::string> shortcuts_;  // keys that no widget took
    int changes_ = 0, commits_ = 0, resets_ = 0, contexts_ = 0;
};

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
    const double track = widget.rect.width - 100, handle = 0.5 * track / widget.rect.width;
    robot_->click("linear", handle + 2 / widget.rect.width);
    EXPECT_EQ(linear_, 0.5);
    EXPECT_EQ(changes_, 0);
}

TEST_F(Window, SlidersSnapToMarks) {
    const RegisteredWidget& widget = *gui_->ui().registry.find("log");
    const double mark = 0.5 * (widget.rect.width - 100) / widget.rect.width;  // 1000 is the middle of 1 … 10⁶
    robot_->click("log", mark + 3 / widget.rect.width);
    EXPECT_EQ(logarithmic_, 1000);
    robot_->expect("log", "1000 tokens");
}

TEST_F(Window, NumbersAreTyped) {
    robot_->click("log", 0.95);
    robot_->type("2.5k");
    EXPECT_EQ(logarithmic_, 10);
    robot_->key("Enter");
    EXPECT_EQ(logarithmic_, 2500);
    EXPECT_EQ(commits_, 1);

    robot_->key_down("Ctrl");
    robot_->click("log", 0.2);
    robot_->key_up("Ctrl");
    robot_->type("nonsense");
    robot_->key("Enter");
    EXPECT_EQ(logarithmic_, 2500);
    EXPECT_THAT(rejected_, HasSubstr("Logarithmic is 'nonsense'; it must be a number"));
    robot_->expect("refusal", rejected_);
    EXPECT_EQ(gui_->ui().registry.find("refusal")->rect.y, gui_->ui().registry.find("log")->rect.y);
    robot_->key("Home");
    EXPECT_EQ(gui_->ui().registry.find("refusal"), nullptr) << "until the next key";

    robot_->click("log", 0.95);
    robot_->type("77");
    robot_->key("Esc");
    EXPECT_EQ(logarithmic_, 2500);

    robot_->click("log", 0.95);
    robot_->type("88");
    robot_->click("check");
    EXPECT_EQ(logarithmic_, 88) << "a click elsewhere keeps what was typed";
}

TEST_F(Window, ATextThatIsRefusedStaysToBeMended) {
    robot_->click("text");
    robot_->type("nonsense");
    robot_->key("Enter");
    EXPECT_EQ(text_, "old");
    robot_->expect("text", "nonsense");
    robot_->expect("refusal", "Text is nonsense");
    robot_->click("text");
    robot_->key("End");
    robot_->type("!");
    robot_->key("Enter");
    EXPECT_EQ(text_, "nonsense!");
    robot_->expect("text", "nonsense!");

    robot_->click("text");
    robot_->type("nonsense");
    robot_->key("Enter");
    robot_->click("text");
    robot_->key("Esc");
    robot_->expect("text", "nonsense!");

    robot_->click("text");
    robot_->type("nonsense");
    robot_->key("Enter");
    robot_->expect("refusal", "Text is nonsense");
    robot_->click("text");
    EXPECT_EQ(gui_->ui().registry.find("refusal"), nullptr);
    robot_->key("Enter");
    robot_->expect("refusal", "Text is nonsense");  // it might have been right by now
    text_ = "other";
    robot_->settle();
    robot_->expect("text", "other");
}

TEST_F(Window, ArrowKeysStep) {
    robot_->hover("linear");
    robot_->key("Right");
    EXPECT_DOUBLE_EQ(linear_, 0.501);
    robot_->key("Shift+Left");
    EXPECT_DOUBLE_EQ(linear_, 0.491);
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
        // The label stands left of the control.
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

TEST_F(Window, TextIsEdited) {
    robot_->click("text");
    robot_->key("Ctrl+A");
    robot_->type("new θ");
    robot_->key("Backspace");
    robot_->type("α");
    EXPECT_EQ(text_, "old");
    robot_->key("Enter");
    EXPECT_EQ(text_, "new α");
    EXPECT_EQ(commits_, 1);
    robot_->click("text");
    robot_->key("Ctrl+A");
    robot_->key("Ctrl+C");
    EXPECT_EQ(surface_->clipboard(), "new α");
    robot_->type("other");
    robot_->key("Esc");
    EXPECT_EQ(text_, "new α");
}

TEST_F(Window, KeysOfAnEditedTextAreNoShortcuts) {
    robot_->click("text");
    for (const char* key : {"Ctrl+Z", "Left", "Ctrl+S", "F11", "Esc"}) robot_->key(key);
    EXPECT_THAT(shortcuts_, ElementsAre("Ctrl+S", "F11"));
    robot_->key("Ctrl+Z");
    EXPECT_EQ(shortcuts_.back(), "Ctrl+Z");
}

TEST_F(Window, AClickElsewhereTakesTheFocusAway) {
    robot_->click("even", 0.3);
    robot_->hover("button");
    const double before = even_;
    robot_->key("Right");
    EXPECT_EQ(even_, before + 2);
    robot_->click("button");
    robot_->key("Right");
    EXPECT_EQ(even_, before + 2);
    EXPECT_THAT(shortcuts_, ElementsAre("Right"));
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

TEST_F(Window, RobotScriptsRunAndSayWhereTheyFail) {
    robot_->run(
        "# a comment\nclick check\nexpect check on\n\ndrag linear 0.1 0.6\nclick \"few/Two\"\nexpect few Two\nkey "
        "Ctrl+Z\n");
    EXPECT_TRUE(check_);
    EXPECT_EQ(few_, 1);
    const auto message = [&](const char* script) -> std::string {
        try {
            robot_->run(script);
        } catch (const InputError& error) {
            return error.what();
        }
        return "(no error)";
    };
    EXPECT_THAT(message("click check\nclick nothing"), HasSubstr("line 2: there is no widget 'nothing'"));
    EXPECT_THAT(message("expect few One"), HasSubstr("shows 'Two' where 'One' is expected"));
    EXPECT_THAT(message("dance few"), HasSubstr("no action"));
    EXPECT_THAT(message("key Ctrl+Nothing"), HasSubstr("no key"));
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

TEST(ParseNumber, ReadsWhatPeopleType) {
    const std::pair<const char*, double> cases[] = {
        {"10k", 1e4},    {"1e4", 1e4},      {"10 000", 1e4}, {"500_000", 5e5}, {"2^20", 1048576},
        {"−3", -3},      {"+2.5", 2.5},     {" .5 ", 0.5},   {"1M", 1e6},      {"10\u202f000", 1e4},
        {"∞", INFINITY}, {"−∞", -INFINITY}, {"0", 0}};
    for (const auto& [text, value] : cases) EXPECT_EQ(parse_number(text), value) << text;
    for (const char* text : {"", "abc", "1..2", "nan", "1e999", "2^", "^2", "10 kg", "1,5", "k", "0x10", "2^9999"})
        EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

}  // namespace
}  // namespace ropewalk
