// What must not end the window: an exception while a frame is built, and windows too small for their parts.
#include <gmock/gmock.h>

#include <array>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/surface/imgui_canvas.h"
#include "core/error.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

/// A surface whose clipboard cannot be read, and which can stop to work.
class BrokenSurface : public EglSurface {
  public:
    using EglSurface::EglSurface;
    std::string clipboard() override { throw std::runtime_error("the clipboard is broken"); }
    void set_cursor(CursorShape) override {
        if (is_broken) throw std::runtime_error("the surface is broken");
        if (throws_other) throw Cancelled();
    }

    double scale() const override {
        if (has_no_scale) throw std::runtime_error("the scale is unknown");
        return EglSurface::scale();
    }

    // A frame is drawn with one size, and a picture is read with another.
    void begin_frame() override {
        sizes_asked_ = 0;
        EglSurface::begin_frame();
    }
    PixelSize framebuffer_size() const override {
        if (sizes_asked_ && ++*sizes_asked_ == 2 && has_no_pictures) throw std::bad_alloc();
        return EglSurface::framebuffer_size();
    }
    void end_frame() override {
        sizes_asked_.reset();
        EglSurface::end_frame();
    }

    bool is_broken = false, throws_other = false, has_no_scale = false, has_no_pictures = false;

  private:
    mutable std::optional<int> sizes_asked_;  // since drawing began
};

class BrokenFrame : public testing::Test {
  protected:
    BrokenFrame() { robot_.settle(); }

    BrokenSurface surface_{{.width = 1100, .height = 700, .scale = 1, .keeps_pixels = false}};
    Session session_{open_scene("wendler-exp1-alpha10"), {}};
    Gui gui_{surface_, 1.0 / 60};
    MainWindow main_window_{gui_, session_};
    Robot robot_{gui_, [this] {
                     main_window_.frame();
                     session_.computation.wait();
                 }};
};

TEST_F(BrokenFrame, BecomesANoticeAndKeepsTheSession) {
    const Experiment edited = changed(session_.document.experiment(), "temperature=3");
    session_.document.edit(edited, Gesture::complete);
    robot_.key("Ctrl+V");
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("the clipboard is broken"));
    EXPECT_EQ(session_.notices.current().kind, Notice::Kind::error);
    EXPECT_EQ(session_.document.experiment(), edited);
    EXPECT_FALSE(main_window_.is_failing());
    robot_.settle();
    EXPECT_THAT(gui_.ui().registry.find("status")->value, HasSubstr("the clipboard is broken"));
    robot_.key("Ctrl+Z");
    EXPECT_EQ(session_.document.experiment().temperature, 1) << "and the window works on";
}

TEST_F(BrokenFrame, ThatDoesNotBeginBecomesANotice) {
    surface_.has_no_scale = true;
    main_window_.frame();
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("the scale is unknown"));
    surface_.has_no_scale = false;
    robot_.settle();
    EXPECT_FALSE(main_window_.is_failing());
}

TEST_F(BrokenFrame, APictureThatCannotBeTakenBecomesANotice) {
    surface_.has_no_pictures = true;
    robot_.key("F12");
    EXPECT_EQ(session_.notices.current().sentence, "Not enough memory");
    EXPECT_FALSE(main_window_.is_failing());
}

TEST_F(BrokenFrame, InACardOrAnOpenListIsClosedWhole) {
    robot_.key("Ctrl+K");
    robot_.click("encoding");
    for (int i = 0; i < 3; ++i) robot_.key("Ctrl+V");  // into the palette's text or the window
    robot_.key("Esc");
    robot_.key("Esc");
    robot_.settle();
    EXPECT_FALSE(main_window_.is_failing());
    ASSERT_NE(gui_.ui().registry.find("status"), nullptr);
}

TEST_F(BrokenFrame, AgainAndAgainLeavesTheReasonAndUndo) {
    const Experiment first = session_.document.experiment();
    session_.document.edit(changed(first, "temperature=3"), Gesture::complete);
    surface_.is_broken = true;
    for (int i = 0; i < 3; ++i) main_window_.frame();
    EXPECT_TRUE(main_window_.is_failing());
    EXPECT_THAT(gui_.ui().registry.find("status")->value, HasSubstr("the surface is broken"));
    robot_.key("Ctrl+Z");
    EXPECT_EQ(session_.document.experiment(), first);
    surface_.is_broken = false;
    robot_.settle();
    EXPECT_FALSE(main_window_.is_failing()) << "once frames can be built again they are";
}

/// A surface whose clipboard belongs to a program that hangs.
class UnansweredSurface : public EglSurface {
  public:
    using EglSurface::EglSurface;
    std::string clipboard() override { return failure_ = "the owner does not answer", std::string(); }
    std::string take_clipboard_failure() override { return std::exchange(failure_, {}); }

  private:
    std::string failure_;
};

TEST(UnansweredPaste, BecomesANoticeInTheWindowAndInAText) {
    UnansweredSurface surface({.width = 1100, .height = 700, .scale = 1, .keeps_pixels = false});
    Session session(open_scene("wendler-exp1-alpha10"), {});
    Gui gui(surface, 1.0 / 60);
    MainWindow window(gui, session);
    Robot robot(gui, [&] {
        window.frame();
        session.computation.wait();
    });
    robot.settle();
    const Experiment before = session.document.experiment();
    for (const char* card : {"", "Ctrl+K"}) {
        session.notices.dismiss();
        if (*card) robot.key(card);
        robot.key("Ctrl+V");
        EXPECT_EQ(session.notices.current().sentence, "the owner does not answer") << card;
        EXPECT_EQ(session.notices.current().kind, Notice::Kind::error);
    }
    EXPECT_EQ(session.document.experiment(), before);
}

class TinyWindow : public MainWindowTest {
  protected:
    static constexpr std::array<double, 7> scales{0.75, 1, 1.1, 1.3, 1.5, 2, 3};

    /// Draws what is open in windows of 1 to 400 pixels each way, and makes the window large again. Sizes do not divide
    /// each other, so that parts begin at any fraction of a pixel.
    void shrink(int step, std::span<const double> at = scales) {
        int height = 1;
        for (const double scale : at) {
            for (int width = 1; width <= 400; width += step, height = 1 + (height + 142) % 400) {
                surface_.resize({width, height}, scale);
                main_window_.frame();
                ASSERT_FALSE(main_window_.is_failing()) << width << " × " << height << ", scale " << scale;
                ASSERT_EQ(session_.notices.current().kind, Notice::Kind::note) << session_.notices.current().sentence;
            }
        }
        resize({1600, 1000}, 1);
        ASSERT_NE(gui_.ui().registry.find("status"), nullptr);
    }
};

TEST_F(TinyWindow, OfAnySizeIsDrawn) {
    shrink(3);
    for (int width = 290; width < 340; ++width) resize({width, 300}, 1.1);
    resize({1600, 1000}, 1);
    ASSERT_NE(gui_.ui().registry.find("status"), nullptr);
}

TEST_F(TinyWindow, ListsAreDrawnToo) {
    for (const char* list : {"encoding", "construction", "menu.File"}) {
        robot_.click(list);
        shrink(17);
        robot_.key("Esc");
    }
}

TEST_F(TinyWindow, CardsAreDrawnToo) {
    std::size_t card = 0;
    for (const char* key : {"Ctrl+K", "Ctrl+E", "Ctrl+Shift+E", "Ctrl+G", "Ctrl+H", "F1", "Ctrl+O", "Ctrl+Shift+O",
                            "Ctrl+Shift+L", "Ctrl+,", "Ctrl+L", "F5"}) {
        robot_.key(key);
        shrink(11, {&scales[card++ % scales.size()], 1});
        robot_.key("Esc");
    }
}

/// A number that is typed has a field of its own.
TEST_F(TinyWindow, EditedNumbersAreDrawnToo) {
    robot_.key_down("Ctrl");
    robot_.click("temperature");
    robot_.key_up("Ctrl");
    shrink(7);
}

TEST_F(BrokenFrame, IsAnyExceptionNotOnlyAStandardOne) {
    surface_.throws_other = true;
    main_window_.frame();
    surface_.throws_other = false;
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("could not be drawn"));
    robot_.settle();
    EXPECT_FALSE(main_window_.is_failing());
}

/// ImGui has no arc for radii below about a millionth of a pixel, and divides by their number.
TEST_F(TinyWindow, RoundedPartsOfAboutAPixelAreFilled) {
    gui_.begin_frame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (double width = 0; width < 4; width += 0.01)
        for (const double x : {100.0, 100.25, 100.4999999, 1000.1})
            for (const double extra : {0.0, 1e-7, 1e-6, 1e-5}) {
                const ImVec2 low{static_cast<float>(x), 10},
                    high{static_cast<float>(x + width + extra), static_cast<float>(10 + 2 + extra)};
                compat::fill_rect(list, low, high, IM_COL32_WHITE, 4);
                compat::fill_rect(list, low, high, IM_COL32_WHITE, 4, ImDrawFlags_RoundCornersLeft);
                compat::outline_rect(list, low, high, IM_COL32_WHITE, 4, 1);
            }
    ImGui::EndFrame();
}

}  // namespace
}  // namespace ropewalk
