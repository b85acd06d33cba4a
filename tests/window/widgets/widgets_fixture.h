// A window without a display, with one of every control.
#pragma once

#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/window/surface/compat.h"
#include "app/window/surface/egl_surface.h"
#include "app/window/widgets/splitter.h"
#include "app/window/widgets/widgets.h"
#include "tests/window/robot.h"

namespace ropewalk {

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
            const Root root;
            const ImVec2 size = ImGui::GetIO().DisplaySize;
            const Rect whole{0, 0, static_cast<double>(size.x), static_cast<double>(size.y)};
            const SplitterState split = splitter(
                ui, {.id = "split", .area = whole, .default_fraction = 0.6, .min = 0.3, .max = 0.8}, fraction_);
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
                     .min = 1,
                     .max = 1e6,
                     .logarithmic = true,
                     .marks = marks,
                     .default_value = 10},
                    logarithmic_));
        keep(slider(ui,
                    {.control = {.id = "even", .label = "Even"},
                     .min = 2,
                     .max = 256,
                     .integer = true,
                     .step = 2,
                     .default_value = 64},
                    even_));
        keep(slider(ui, {.control = {.id = "off", .label = "Disabled", .enabled = false}, .default_value = 1},
                    disabled_));
        keep(slider(ui,
                    {.control = {.id = "named", .label = "Named"},
                     .max = 100,
                     .integer = true,
                     .default_value = -1,
                     .named_value = -1,
                     .name = "last",
                     .named_place = 100},
                    named_));
        keep(slider(ui,
                    {.control = {.id = "from_zero", .label = "From zero"},
                     .max = 1 << 20,
                     .logarithmic = true,
                     .integer = true},
                    from_zero_));
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
    double linear_ = 0.5, logarithmic_ = 10, even_ = 64, disabled_ = 0.5, named_ = -1, from_zero_ = 0;
    int few_ = 0, many_ = 0, pressed_ = 0;
    bool check_ = false, drawn_ = false;
    std::string text_ = "old", rejected_;
    std::vector<std::string> shortcuts_;  // keys that no widget took
    int changes_ = 0, commits_ = 0, resets_ = 0, contexts_ = 0;
};

}  // namespace ropewalk
