// The settings in one dialog, and images on the clipboard.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>

#include "app/plot/fonts.h"
#include "app/window/session/image_clipboard.h"
#include "app/window/widgets/row.h"
#include "core/error.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

class SettingsTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
};

TEST_F(SettingsTest, ApplyAtOnce) {
    session_.preferences.reduced_motion = false;
    robot_.key("Ctrl+,");
    robot_.click("settings.theme/Light");
    EXPECT_EQ(session_.preferences.theme, ThemeChoice::light);
    robot_.click("settings.reduced_motion");
    EXPECT_TRUE(session_.preferences.reduced_motion);
    robot_.click("settings.backend");
    robot_.click("settings.backend/CPU");
    EXPECT_EQ(session_.preferences.backend, BackendChoice::cpu);
    robot_.click("settings.formula");
    EXPECT_FALSE(session_.preferences.formula);
    robot_.hover("settings.text_size");
    const double before = session_.preferences.text_size;
    robot_.key("Right");
    EXPECT_GT(session_.preferences.text_size, before);
    EXPECT_EQ(find("settings.folder"), nullptr) << "what is remembered is no setting";
    robot_.key("Esc");
    EXPECT_EQ(find("settings.theme"), nullptr);
}

TEST_F(SettingsTest, NoLabelIsCut) {
    robot_.key("Ctrl+,");
    const double left = find("settings.close")->rect.x;
    int shown = 0;
    for (const RegisteredWidget& widget : gui_.ui().registry.all()) {
        if (!widget.id.starts_with("settings.") || widget.id == "settings.close") continue;
        ++shown;
        EXPECT_GE(widget.rect.x - left, measure_text(widget.label, text_size, Weight::regular).width + label_gap)
            << widget.label;
    }
    EXPECT_GE(shown, 6);
    robot_.key("Esc");

    for (const PixelSize size : {PixelSize{1280, 720}, {1600, 1000}, {1920, 1080}}) {
        resize(size);
        robot_.key("F1");
        for (const RegisteredWidget& widget : gui_.ui().registry.all())
            if (widget.id.starts_with("keys/")) {
                EXPECT_EQ("keys/" + widget.label, widget.id);
            }
        robot_.key("Esc");
    }
}

TEST(ImageClipboard, IsThatOfAnotherProgram) {
    const TemporaryFolder folder;
    const std::string path = std::getenv("PATH"), display = std::getenv("DISPLAY") ? std::getenv("DISPLAY") : "";
    unsetenv("WAYLAND_DISPLAY");
    setenv("DISPLAY", ":0", 1);
    setenv("PATH", folder.path().c_str(), 1);
    EXPECT_FALSE(has_image_clipboard());
    EXPECT_THROW(copy_png("a", Cancel()), IoError);
    atomic_write(folder.file("xclip"), "#!/bin/sh\n/bin/cat >" + folder.file("copied") + "\n");
    ::chmod(folder.file("xclip").c_str(), 0755);
    EXPECT_TRUE(has_image_clipboard());
    const std::string image(1 << 20, 'x');  // more than a pipe holds
    copy_png(image, Cancel());
    EXPECT_EQ(read_file(folder.file("copied"), 1 << 21), image);
    atomic_write(folder.file("xclip"), "#!/bin/sh\nexit 1\n");
    ::chmod(folder.file("xclip").c_str(), 0755);
    EXPECT_THROW(copy_png(image, Cancel()), IoError);
    atomic_write(folder.file("xclip"), "#!/bin/sh\nexec /bin/sleep 60\n");
    ::chmod(folder.file("xclip").c_str(), 0755);
    std::atomic<std::uint64_t> generation = 1;
    EXPECT_THROW(copy_png(image, Cancel(generation, 0)), Cancelled) << "closing the window does not wait for it";
    setenv("PATH", path.c_str(), 1);
    display.empty() ? unsetenv("DISPLAY") : setenv("DISPLAY", display.c_str(), 1);
}

}  // namespace
}  // namespace ropewalk
