// Opening, saving and exporting with the file browser: typed names, and names that are refused.
#include "app/window/cards/file_browser.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class FileBrowserTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    bool is_open() { return find("file.name") != nullptr; }
    void answer(const std::string& name) {
        robot_.type(name);
        robot_.key("Enter");
    }
    void ask_for_export() {
        robot_.click("panel1.menu");
        robot_.click("panel1.export");
        wait_for_preview();
        robot_.click("export.accept");
        robot_.settle();
    }
    void finish_writing() {
        for (int i = 0; i < 500 && session_.exports.is_writing(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            frame();
        }
    }
    void expect_complaint(const std::string& sentence, const std::string& name) {
        ASSERT_TRUE(is_open()) << "the dialog stays";
        EXPECT_EQ(find("file.name")->value, name);
        ASSERT_NE(find("file.complaint"), nullptr);
        EXPECT_THAT(find("file.complaint")->value, HasSubstr(sentence));
        EXPECT_FALSE(session_.exports.is_writing());
    }

    void expect_entered() {
        ASSERT_TRUE(is_open()) << "the dialog stays";
        EXPECT_EQ(find("file.name")->value, "");
        EXPECT_EQ(find("file.complaint"), nullptr);
    }

    TemporaryFolder folder_;
};

TEST_F(FileBrowserTest, TypingGoesIntoTheName) {
    robot_.key("Ctrl+O");
    answer(bundled_scene_path("barbero-fig2a"));
    EXPECT_FALSE(is_open());
    EXPECT_EQ(experiment(), open_scene("barbero-fig2a").experiment);
    robot_.key("Ctrl+O");
    answer("no-such.json");
    expect_complaint("There is no file 'no-such.json' in this folder", "no-such.json");
    answer(folder_.file("gone.json"));
    expect_complaint(fmt::format("There is no file '{}'", folder_.file("gone.json")), folder_.file("gone.json"));
    EXPECT_THAT(find("file.complaint")->value, testing::Not(HasSubstr("in this folder")));
    answer(bundled_scene_path("wendler-exp1-alpha10"));
    EXPECT_EQ(experiment(), open_scene("wendler-exp1-alpha10").experiment) << "the name was selected again";
}

TEST_F(FileBrowserTest, AComplaintIsSeenInALowWindow) {
    for (const PixelSize size : {PixelSize{320, 240}, {2000, 300}}) {
        resize(size);
        robot_.key("Ctrl+O");
        answer("no-such.json");
        robot_.settle();
        ASSERT_NE(find("file.complaint"), nullptr);
        const Rect card = find("card.file browser")->rect, complaint = find("file.complaint")->rect;
        EXPECT_GE(complaint.y, card.y) << size.height;
        EXPECT_LE(complaint.bottom(), card.bottom()) << size.height;
        robot_.key("Esc");
    }
}

TEST_F(FileBrowserTest, ATildeIsTheHomeFolder) {
    const std::string before = std::getenv("HOME") ? std::getenv("HOME") : "";
    setenv("HOME", folder_.path().c_str(), 1);
    robot_.key("Ctrl+Shift+S");
    answer("~/mine.json");
    setenv("HOME", before.c_str(), 1);
    EXPECT_FALSE(is_open());
    EXPECT_THAT(folder_.names(), testing::Contains("mine.json"));
}

TEST_F(FileBrowserTest, TheProposedNameIsSelected) {
    robot_.key("Ctrl+Shift+S");
    EXPECT_EQ(find("file.name")->value, "wendler-exp1-alpha10.ropewalk.json");
    answer(folder_.file("mine"));
    EXPECT_FALSE(is_open());
    EXPECT_EQ(open_scene(folder_.file("mine.ropewalk.json")).experiment, experiment());
    ask_for_export();
    answer(folder_.file("alpha0.1"));
    EXPECT_FALSE(is_open());
    finish_writing();
    EXPECT_THAT(folder_.names(), testing::UnorderedElementsAre("mine.ropewalk.json", "alpha0.1.svg"));
}

TEST_F(FileBrowserTest, TypingContinuesAfterAFolderWasEntered) {
    std::filesystem::create_directory(folder_.file("inner"));
    robot_.key("Ctrl+Shift+S");
    answer(folder_.path());
    ASSERT_NE(find("file.inner/"), nullptr);
    robot_.click("file.inner/");
    answer("mine.json");
    EXPECT_EQ(open_scene(folder_.file("inner/mine.json")).experiment, experiment());
}

TEST_F(FileBrowserTest, OfManyFilesOnlyThoseInSightAreDrawn) {
    constexpr int count = 3000;
    const auto row = [](int file) { return fmt::format("file.{:04}.json", file); };
    for (int file = 0; file < count; ++file) std::ofstream(folder_.file(row(file).substr(5)));
    const auto drawn = [&] {
        const auto all = gui_.ui().registry.all();
        return std::count_if(all.begin(), all.end(), [](const auto& each) { return each.id.ends_with(".json"); });
    };
    robot_.key("Ctrl+O");
    answer(folder_.path());
    ASSERT_NE(find(row(0)), nullptr);
    EXPECT_LT(drawn(), 40);
    robot_.wheel(row(0), -2);
    EXPECT_EQ(find(row(0)), nullptr);
    robot_.key("Shift+Tab");
    EXPECT_EQ(gui_.ui().interaction.focused, row(count - 1));
    EXPECT_TRUE(find(row(count - 1))->visible);
    for (int i = 0; i < 25; ++i) robot_.key("Shift+Tab");
    const std::string focused = row(count - 26);
    EXPECT_EQ(gui_.ui().interaction.focused, focused);
    EXPECT_TRUE(find(focused)->visible);
    robot_.wheel(focused, 100);
    EXPECT_EQ(gui_.ui().interaction.focused, focused) << "also when it was scrolled away";
    EXPECT_FALSE(find(focused)->visible);
    EXPECT_LT(drawn(), 40);
    robot_.key("Enter");
    EXPECT_EQ(find("file.name")->value, focused.substr(5));
}

TEST_F(FileBrowserTest, AModelsFolderIsOpenedAndAnotherEntered) {
    const std::string models = std::string(ROPEWALK_SOURCE_DIR) + "/assets/models", model = models + "/induction";
    const auto wait_for_model = [&] {
        EXPECT_FALSE(is_open());
        while (!session_.files.opening().empty()) robot_.settle();
        robot_.settle();
        EXPECT_EQ(session_.document.scene().title, "induction");
        robot_.key("Ctrl+Z");
    };
    choose("File", "open_model");
    answer(models);
    expect_entered();
    answer("");
    expect_complaint("This folder has no config.json", "");
    answer("induction/");
    wait_for_model();
    choose("File", "open_model");
    answer(model);
    wait_for_model();
    choose("File", "open_model");
    ASSERT_NE(find("file.induction/"), nullptr) << "starts beside the model opened last";
    robot_.click("file.induction/");
    robot_.key("Enter");
    wait_for_model();
    robot_.key("Ctrl+O");
    answer(model);
    expect_entered();
}

TEST_F(FileBrowserTest, AnExportThatCannotStartKeepsItsName) {
    ask_for_export();
    answer(folder_.file("no/such/a.svg"));
    expect_complaint("does not exist; create it", folder_.file("no/such/a.svg"));
    answer(" ");
    expect_complaint("Enter a file name first", " ");
    answer(folder_.file("a.gif"));
    expect_complaint("ends in .gif; the name must end in .svg", folder_.file("a.gif"));
    std::filesystem::create_directory(folder_.file("b.svg"));
    answer(folder_.file("b"));
    expect_complaint("Press Replace", folder_.file("b"));
    robot_.key("Enter");
    expect_complaint("it is a folder", folder_.file("b"));
    answer(folder_.file("c.SVG"));
    EXPECT_FALSE(is_open());
    finish_writing();
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("Exported"));
    EXPECT_THAT(read_file(folder_.file("c.SVG"), 1 << 24), HasSubstr("<svg"));
}

TEST_F(FileBrowserTest, ACaptionIsNotReplacedUnasked) {
    session_.preferences.page.paper.caption_file = CaptionFile::latex;
    atomic_write(folder_.file("d.caption.tex"), "mine");
    ask_for_export();
    answer(folder_.file("d.svg"));
    expect_complaint("'d.caption.tex' already exists. Press Replace", folder_.file("d.svg"));
    EXPECT_EQ(read_file(folder_.file("d.caption.tex"), 1000), "mine");
    robot_.key("Enter");
    EXPECT_FALSE(is_open());
    finish_writing();
    EXPECT_THAT(read_file(folder_.file("d.caption.tex"), 1000), HasSubstr("\\caption{"));
}

TEST_F(FileBrowserTest, AFigureAndItsCaptionAreBothAskedAbout) {
    session_.preferences.page.paper.caption_file = CaptionFile::text;
    for (const char* name : {"d.svg", "d.caption.txt"}) atomic_write(folder_.file(name), "mine");
    ask_for_export();
    answer(folder_.file("d.svg"));
    expect_complaint("'d.svg' and 'd.caption.txt' already exist. Press Replace to overwrite them.",
                     folder_.file("d.svg"));
    robot_.key("Enter");
    EXPECT_FALSE(is_open());
    finish_writing();
    for (const char* name : {"d.svg", "d.caption.txt"}) EXPECT_NE(read_file(folder_.file(name), 1 << 24), "mine");
}

TEST_F(FileBrowserTest, ASceneThatChangedElsewhereIsNotReplacedUnasked) {
    const std::string path = folder_.file("own.json");
    ASSERT_TRUE(session_.files.save(path));
    robot_.drag("temperature", 0.3, 0.6);
    robot_.key("Ctrl+S");
    EXPECT_FALSE(is_open()) << "it was this window that changed it";
    const std::string title = session_.document.scene().title;
    atomic_write(path, "another's");
    robot_.key("Ctrl+S");
    expect_complaint("'own.json' has changed since you opened or saved this scene. Press Replace", "own.json");
    robot_.key("Esc");
    EXPECT_FALSE(is_open());
    EXPECT_EQ(read_file(path, 1000), "another's");
    robot_.key("Ctrl+S");
    robot_.key("Enter");
    EXPECT_FALSE(is_open());
    EXPECT_EQ(open_scene(path).experiment, experiment());
    EXPECT_EQ(session_.document.scene().path, path);
    EXPECT_EQ(session_.document.scene().title, title);
    robot_.key("Ctrl+S");
    EXPECT_FALSE(is_open()) << "it is as this window wrote it";
    atomic_write(path, "another's again");
    robot_.key("Ctrl+S");
    robot_.key("Ctrl+A");
    answer("mine.json");
    EXPECT_FALSE(is_open());
    EXPECT_EQ(read_file(path, 1000), "another's again");
    EXPECT_EQ(open_scene(folder_.file("mine.json")).experiment, experiment());
}

TEST_F(FileBrowserTest, ASceneThatChangedSinceItWasOpenedIsNotReplacedUnasked) {
    const std::string path = folder_.file("opened.scene");  // saving proposes no such name
    atomic_write(path, read_file(bundled_scene_path("barbero-fig2a"), 1 << 20));
    ASSERT_TRUE(session_.files.open({path}));
    atomic_write(path, "another's");
    robot_.key("Ctrl+S");
    expect_complaint("'opened.scene' has changed since", "opened.scene");
    EXPECT_EQ(read_file(path, 1000), "another's");
    robot_.key("Enter");
    EXPECT_FALSE(is_open());
    EXPECT_EQ(open_scene(path).experiment, experiment());
}

TEST_F(FileBrowserTest, ASceneWhoseFolderIsGoneIsSavedElsewhere) {
    const std::filesystem::path folder = folder_.file("sub");
    std::filesystem::create_directory(folder);
    ASSERT_TRUE(session_.files.save((folder / "own.json").string()));
    std::filesystem::remove_all(folder);
    robot_.drag("temperature", 0.3, 0.6);
    robot_.key("Ctrl+S");
    ASSERT_TRUE(is_open());
    expect_complaint("cannot be written: the folder", "own.json");
    robot_.key("Ctrl+A");
    answer(folder_.file("mine.json"));
    EXPECT_FALSE(is_open());
    EXPECT_EQ(open_scene(folder_.file("mine.json")).experiment, experiment());
}

TEST_F(FileBrowserTest, ASceneThatWasDeletedIsWrittenAgain) {
    const std::string path = folder_.file("own.json");
    ASSERT_TRUE(session_.files.save(path));
    std::filesystem::remove(path);
    robot_.key("Ctrl+S");
    EXPECT_FALSE(is_open());
    EXPECT_EQ(open_scene(path).experiment, experiment());
}

TEST_F(FileBrowserTest, OneFileIsWrittenAtATime) {
    session_.files.open_bundled("million");
    EXPECT_TRUE(session_.exports.export_page(session_.exports.page_of({{session_.document.view.figures[0]}}, {}),
                                             folder_.file("a.png")));
    EXPECT_FALSE(session_.exports.export_page(session_.exports.page_of({{session_.document.view.figures[0]}}, {}),
                                              folder_.file("b.png")));
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("still running"));
    finish_writing();
    EXPECT_FALSE(session_.exports.export_page(session_.exports.page_of({{session_.document.view.figures[0]}}, {}),
                                              folder_.file("b.gif")));
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("png, svg or pdf for a figure"));
    EXPECT_THAT(folder_.names(), testing::ElementsAre("a.png"));
}

TEST_F(FileBrowserTest, StartsInTheFolderUsedLast) {
    const TemporaryFolder folder;
    robot_.key("Ctrl+Shift+S");
    robot_.key("Ctrl+A");
    answer(folder.file("mine.ropewalk.json"));
    ASSERT_FALSE(is_open());
    EXPECT_EQ(session_.preferences.folder, folder.path());
    robot_.key("Ctrl+O");
    answer("mine.ropewalk.json");
    EXPECT_EQ(session_.document.scene().path, std::filesystem::weakly_canonical(folder.file("mine.ropewalk.json")));
    session_.preferences.folder = "/no/such/folder";
    robot_.key("Ctrl+O");
    EXPECT_TRUE(is_open()) << "the folder may be gone";
}

}  // namespace
}  // namespace ropewalk
