#include "app/window/surface/surface.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>

#include "app/window/surface/egl_surface.h"
#include "app/window/surface/glfw_surface.h"
#include "core/error.h"
#include "core/gpu/gl_backend.h"
#include "core/numbers/numbers.h"
#include "tests/fresh_process.h"
#include "tests/xvfb.h"

namespace ropewalk {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Opens a surface, or checks that the error gives a reason and an alternative. Prints the result for `said`, which
/// runs this test in a separate process.
template <class S>
void opens_or_says_why() {
    std::string answer = "(opened)";
    try {
        const S surface({.width = 100, .height = 100});
        EXPECT_GT(surface.framebuffer_size().width, 0);
    } catch (const DisplayError& error) {
        answer = error.what();
        EXPECT_THAT(answer, HasSubstr("'ropewalk figure'"));
    }
    say(answer);
}
TEST(Surfaces, AWindowOpensOrGivesTheReason) {
    opens_or_says_why<GlfwSurface>();
}
TEST(Surfaces, OffscreenOpensOrGivesTheReason) {
    opens_or_says_why<EglSurface>();
}

TEST(Surfaces, WithoutADisplayTheReasonIsGiven) {
    EXPECT_THAT(said("-u DISPLAY -u WAYLAND_DISPLAY", "Surfaces.AWindowOpensOrGivesTheReason"),
                AllOf(HasSubstr("DISPLAY"), HasSubstr("'ropewalk figure'")));
}

TEST(Surfaces, ADeadDisplayIsNamed) {
    EXPECT_THAT(said("-u WAYLAND_DISPLAY DISPLAY=:987", "Surfaces.AWindowOpensOrGivesTheReason"),
                AllOf(HasSubstr(":987"), HasSubstr("'ropewalk figure'")));
}

TEST(Surfaces, AnOldOpenGlIsNamedWithWhatIsNeeded) {
    if (may_have_graphics_card()) GTEST_SKIP() << "only Mesa's drivers can be made to claim an older version";
    const std::string answer = said("MESA_GL_VERSION_OVERRIDE=2.1", "Surfaces.OffscreenOpensOrGivesTheReason");
    if (answer.find("OpenGL without a display is unavailable") != answer.npos) GTEST_SKIP() << answer;
    EXPECT_THAT(answer, AllOf(HasSubstr("OpenGL 2.1"), HasSubstr("needs 3.3"), HasSubstr("'ropewalk figure'")));
}

TEST(Surfaces, OpenGl33IsEnough) {
    const std::string answer = said("MESA_GL_VERSION_OVERRIDE=3.3", "Surfaces.OffscreenOpensOrGivesTheReason");
    if (answer.find("OpenGL without a display is unavailable") != answer.npos) GTEST_SKIP() << answer;
    EXPECT_EQ(answer, "(opened)");
}

TEST(Surfaces, ADisplayWithoutGlxIsNamed) {
    const Xvfb server("-extension GLX");
    if (server.display().empty()) GTEST_SKIP() << "Xvfb does not start";
    EXPECT_THAT(said("-u WAYLAND_DISPLAY DISPLAY=" + server.display(), "Surfaces.AWindowOpensOrGivesTheReason"),
                AllOf(HasSubstr("GLX"), HasSubstr("'ropewalk figure'")));
}

TEST(Surfaces, AWindowOpensOnADisplayUnlessItsOpenGlIsTooOld) {
    const Xvfb server("");
    if (server.display().empty()) GTEST_SKIP() << "Xvfb does not start";
    const std::string display = "-u WAYLAND_DISPLAY DISPLAY=" + server.display();
    EXPECT_EQ(said(display, "Surfaces.AWindowOpensOrGivesTheReason"), "(opened)");
    EXPECT_EQ(said(display + " MESA_GL_VERSION_OVERRIDE=3.3", "Surfaces.AWindowOpensOrGivesTheReason"), "(opened)");
    EXPECT_THAT(said(display + " MESA_GL_VERSION_OVERRIDE=2.1", "Surfaces.AWindowOpensOrGivesTheReason"),
                AllOf(HasSubstr("OpenGL 2.1"), HasSubstr("needs 3.3")));
}

TEST(Surfaces, NonsenseThatADisplayStatesIsNoScale) {
    for (const double nonsense : {0.0, -2.0, std::nan(""), infinity}) EXPECT_EQ(scale_stated(nonsense), 1);
    EXPECT_EQ(scale_stated(1.25), 1.25);
    EXPECT_EQ(scale_stated(0.01), smallest_scale);
    EXPECT_EQ(scale_stated(1500.0 / 96), largest_scale);
}

class Offscreen : public testing::Test {
  protected:
    void SetUp() override {
        try {
            surface_ = std::make_unique<EglSurface>(SurfaceOptions{.width = 30, .height = 20, .scale = 2});
        } catch (const DisplayError& error) {
            GTEST_SKIP() << error.what();
        }
    }

    std::unique_ptr<EglSurface> surface_;
};

TEST_F(Offscreen, SizesAreThoseOfTheScale) {
    EXPECT_EQ(surface_->framebuffer_size(), (PixelSize{60, 40}));
    surface_->begin_frame();
    EXPECT_EQ(surface_->read_pixels().pixels.size(), 60u * 40);
    surface_->resize({7, 5}, 1);
    EXPECT_TRUE(surface_->events().pending());
    surface_->begin_frame();
    EXPECT_EQ(surface_->read_pixels().pixels.size(), 35u);
}

TEST_F(Offscreen, AWaitEndsWhenAnotherThreadWakesIt) {
    const auto start = std::chrono::steady_clock::now();
    std::jthread other([&] { surface_->wake(); });
    surface_->wait(infinity);
    surface_->wait(0.01);
    surface_->events().push(WindowChanged{});
    surface_->wait(infinity);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

}  // namespace
}  // namespace ropewalk
