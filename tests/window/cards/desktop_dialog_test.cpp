// Opening, saving and exporting with the desktop's file dialog, and with the file browser where there is none.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

/// A desktop whose dialog answers as the test wants.
class DesktopSurface : public EglSurface {
  public:
    using EglSurface::EglSurface;
    std::unique_ptr<FileDialog> ask_for_file(FileDialogRequest request) override {
        struct Given : FileDialog {
            explicit Given(const FileDialogAnswer& own_answer) : answer_now(own_answer) {}
            FileDialogAnswer answer() const override { return answer_now; }
            const FileDialogAnswer& answer_now;
        };
        asked = std::move(request);
        return std::make_unique<Given>(answer);
    }
    FileDialogRequest asked;
    FileDialogAnswer answer;
};

class DesktopDialogTest : public testing::Test {
  protected:
    DesktopDialogTest() {
        session_.preferences.folder = folder_.path();
        robot_.settle();
    }
    bool is_browser_open() { return gui_.ui().registry.find("file.name") != nullptr; }
    void ask_where_to_save() {
        robot_.key("Ctrl+Shift+S");
        robot_.settle();
    }
    void settle_with(FileDialogAnswer::State state, const std::string& path = {}) {
        surface_.answer = {state, path};
        robot_.settle();
    }

    TemporaryFolder folder_;
    DesktopSurface surface_{SurfaceOptions{.width = 1280, .height = 800, .scale = 1, .keeps_pixels = false}};
    Session session_{open_scene("wendler-exp1-alpha10"), {}};
    Gui gui_{surface_, 1.0 / 60};
    MainWindow main_window_{gui_, session_};
    Robot robot_{gui_, [this] { main_window_.frame(); }};
};

TEST_F(DesktopDialogTest, SavesWhereTheDesktopSays) {
    using State = FileDialogAnswer::State;
    ask_where_to_save();
    EXPECT_FALSE(is_browser_open());
    EXPECT_TRUE(surface_.asked.saves);
    EXPECT_EQ(surface_.asked.folder.string(), folder_.path());
    settle_with(State::open);
    ASSERT_NE(gui_.ui().registry.find("dialog.cancel"), nullptr) << "the window says why it waits";
    const std::string path = folder_.file("there.json");
    std::ofstream(path) << "replaced, as the desktop asked";
    settle_with(State::chosen, path);
    EXPECT_FALSE(is_browser_open());
    EXPECT_EQ(session_.document.scene().path, path);
    EXPECT_EQ(open_scene(path).experiment, session_.document.experiment());
}

TEST_F(DesktopDialogTest, AsksItselfWhatTheDesktopDidNotAsk) {
    std::ofstream(folder_.file("there.json")) << "kept";
    std::ofstream(folder_.file("there.txt"));
    ask_where_to_save();
    settle_with(FileDialogAnswer::State::chosen, folder_.file("there.txt"));
    ASSERT_TRUE(is_browser_open());
    EXPECT_THAT(gui_.ui().registry.find("file.complaint")->value, HasSubstr("the name must end in"));
    EXPECT_EQ(gui_.ui().registry.find("file.name")->value, "there.txt");
}

TEST_F(DesktopDialogTest, AsksItselfAboutTheCaption) {
    FileBrowser browser;
    browser.ask({.title = "Export",
                 .kind = FileQuestion::Kind::save,
                 .extensions = {".svg"},
                 .name = "d.svg",
                 .written_beside = [](const std::string& path) { return path + ".txt"; }});
    const std::string figure = folder_.file("d.svg");
    std::ofstream(figure) << "replaced, as the desktop asked";
    EXPECT_EQ(browser.take(figure), figure);
    std::ofstream(figure + ".txt") << "kept";
    EXPECT_EQ(browser.take(figure), std::nullopt);
}

TEST_F(DesktopDialogTest, CancelledOrUnavailable) {
    using State = FileDialogAnswer::State;
    ask_where_to_save();
    settle_with(State::cancelled);
    EXPECT_FALSE(is_browser_open());
    surface_.answer = {State::open, {}};
    ask_where_to_save();
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(gui_.ui().registry.find("dialog.cancel"), nullptr);
    surface_.answer = {State::opening, {}};
    ask_where_to_save();
    robot_.key("Esc");
    settle_with(State::unavailable);
    EXPECT_FALSE(is_browser_open()) << "nobody waits for that dialog";
    ask_where_to_save();
    EXPECT_TRUE(is_browser_open());
    robot_.key("Esc");
    session_.preferences.desktop_dialogs = false;
    surface_.asked = {};
    ask_where_to_save();
    EXPECT_TRUE(is_browser_open());
    EXPECT_EQ(surface_.asked.title, "");
}

TEST_F(DesktopDialogTest, RecentPlacesAreOneClickAway) {
    const TemporaryFolder other;
    const std::string path = other.file("mine.json");
    ASSERT_TRUE(session_.files.save(path));
    session_.preferences.desktop_dialogs = false;
    ask_where_to_save();
    const RegisteredWidget* place = gui_.ui().registry.find("file.place2");
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(place->label, std::filesystem::path(other.path()).filename().string());
    robot_.click("file.place2");
    robot_.settle();
    EXPECT_NE(gui_.ui().registry.find("file.mine.json"), nullptr);
}

}  // namespace
}  // namespace ropewalk
