// The gallery: thumbnails drawn in the background, and finding scenes by words, keys or the mouse.
#include "app/window/cards/gallery.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/shared_runs.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

constexpr int patience = 2000;  // steps of 10 ms

class GalleryTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    std::string thumbnail(const std::string& scene) {
        const RegisteredWidget* picture = find("thumbnail." + scene);
        return picture ? picture->value : "out of sight";
    }
    void wait_for(const std::string& scene) {
        for (int i = 0; i < patience && thumbnail(scene) == "drawing …"; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            frame();
        }
    }
    TemporaryFolder folder_;
};

TEST_F(GalleryTest, DrawsVisibleThumbnailsAndCachesThem) {
    robot_.key("Ctrl+Shift+O");
    EXPECT_EQ(find("scene.wendler-exp1-alpha10")->value, "on") << "the scene that is open";
    EXPECT_EQ(thumbnail("scene.barbero-fig1"), "out of sight");
    wait_for("scene.wendler-exp1-alpha10");
    EXPECT_EQ(thumbnail("scene.wendler-exp1-alpha10"), "drawn");
    robot_.key("Esc");
    EXPECT_EQ(find("gallery.find"), nullptr);
    choose("File", "gallery");
    EXPECT_EQ(thumbnail("scene.wendler-exp1-alpha10"), "drawn") << "it was cached";
    session_.preferences.theme = ThemeChoice::light;
    frame();
    EXPECT_EQ(thumbnail("scene.wendler-exp1-alpha10"), "drawn") << "for either theme";
}

TEST_F(GalleryTest, ItTrainsNoModels) {
    keep_training_in({});  // another test may have trained this one to its end
    robot_.key("Ctrl+Shift+O");
    robot_.type("training induction");
    wait_for("scene.train-induction");
    EXPECT_EQ(thumbnail("scene.train-induction"), "Trains a model when opened");
    keep_training_in(shared_runs());
}

TEST_F(GalleryTest, AMillionTokensHaveOneToo) {
    robot_.key("Ctrl+Shift+O");
    robot_.type("bright million");
    EXPECT_EQ(find("scene.wendler-exp1-alpha10"), nullptr);
    wait_for("scene.million");
    EXPECT_EQ(thumbnail("scene.million"), "drawn");
    robot_.key("Enter");
    EXPECT_EQ(experiment(), open_scene("million").experiment);
    EXPECT_EQ(find("gallery.find"), nullptr);
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), open_scene("wendler-exp1-alpha10").experiment);
}

TEST_F(GalleryTest, ArrowsMoveFromRowToRow) {
    robot_.key("Ctrl+Shift+O");
    robot_.key("Right");
    EXPECT_EQ(find("scene.wendler-exp1-alpha100")->value, "on");
    const Rect before = find("scene.wendler-exp1-alpha100")->rect;
    robot_.key("Down");
    EXPECT_EQ(find("scene.wendler-exp1-alpha100")->value, "");
    const auto all = gui_.ui().registry.all();
    const auto below = std::find_if(all.begin(), all.end(), [](const RegisteredWidget& widget) {
        return widget.value == "on" && widget.id.starts_with("scene.");
    });
    ASSERT_NE(below, all.end());
    EXPECT_EQ(below->rect.x, before.x);
    robot_.key("Up");
    robot_.key("Left");
    for (int i = 0; i < 100; ++i) robot_.key("PageUp");
    robot_.key("Left");
    for (int i = 0; i < 100; ++i) robot_.key("Left");
    EXPECT_EQ(find("scene.barbero-apostrophe")->value, "on") << "the first of the first group";
    EXPECT_TRUE(find("scene.barbero-apostrophe")->visible);
    robot_.key("Enter");
    EXPECT_EQ(experiment(), open_scene("barbero-apostrophe").experiment);
}

TEST_F(GalleryTest, EnterOpensTheSceneWhoseTitleContainsTheWords) {
    robot_.key("Ctrl+Shift+O");
    robot_.type("hand");  // scenes of earlier groups mention it, too
    EXPECT_EQ(find("scene.window-by-hand")->value, "on");
    EXPECT_TRUE(find("scene.window-by-hand")->visible);
    robot_.key("Enter");
    EXPECT_EQ(experiment(), open_scene("window-by-hand").experiment);
}

TEST_F(GalleryTest, ArrowsDoNotMoveTheTextCursor) {
    robot_.key("Ctrl+Shift+O");
    robot_.type("yar");
    robot_.key("Left");
    robot_.key("Left");
    robot_.type("n");
    EXPECT_NE(find("scene.yarn-ramp"), nullptr);
    EXPECT_EQ(find("scene.million"), nullptr);
}

TEST_F(GalleryTest, AClickOpensAndUnknownWordsFindNothing) {
    robot_.key("Ctrl+Shift+O");
    robot_.type("qqq zzz");
    robot_.key("Enter");
    EXPECT_EQ(experiment(), open_scene("wendler-exp1-alpha10").experiment);
    robot_.key("Ctrl+Shift+O");
    EXPECT_EQ(find("gallery.find"), nullptr) << "pressing it again closes it";
    robot_.key("Ctrl+Shift+O");
    robot_.click("scene.hong-fig2");
    EXPECT_EQ(experiment(), open_scene("hong-fig2").experiment);
}

TEST_F(GalleryTest, RecentScenesComeFirstAndBrokenOnesShowTheError) {
    ASSERT_TRUE(session_.files.save(folder_.file("mine.json")));
    ASSERT_TRUE(session_.files.save(folder_.file("broken.json")));
    atomic_write(folder_.file("broken.json"), "{\"schema\": 1, \"experiment\": {\"seq_len\": -1}}");
    robot_.key("Ctrl+Shift+O");
    const std::string mine = "file." + folder_.file("mine.json"), broken = "file." + folder_.file("broken.json");
    EXPECT_EQ(find(broken)->value, "on") << "it was saved last";
    wait_for(mine);
    wait_for(broken);
    EXPECT_EQ(thumbnail(mine), "drawn");
    EXPECT_THAT(thumbnail(broken), HasSubstr("seq_len"));
    EXPECT_LT(find(mine)->rect.y, find("scene.barbero-fig1")->rect.y);
    for (const PixelSize& size : {PixelSize{1, 1}, PixelSize{300, 200}, PixelSize{1600, 1000}}) resize(size);
    EXPECT_NE(find(mine), nullptr);
}

TEST(SceneThumbnails, ASlowOneWaitsForTheOthers) {
    SceneThumbnails thumbnails(nullptr);
    const std::vector<ThumbnailRequest> requests{{.scene = "men-table", .width = 224, .height = 144},
                                                 {.scene = "wendler-text", .width = 224, .height = 144}};
    for (int i = 0; i < patience && !thumbnails.find(requests[1]); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        thumbnails.draw(requests);
    }
    const SceneThumbnail* quick = thumbnails.find(requests[1]);
    ASSERT_NE(quick, nullptr);
    for (const Theme* theme : {&dark_theme(), &light_theme()}) {
        EXPECT_EQ(quick->in(*theme).width, 224);
        EXPECT_EQ(quick->in(*theme).height, 144);
        EXPECT_EQ(quick->in(*theme).pixels.front(), theme->panel);
    }
    ThumbnailRequest written_again = requests[1];
    written_again.written += std::chrono::seconds(1);
    EXPECT_EQ(thumbnails.find(written_again), nullptr) << "it may look different now";
}

}  // namespace
}  // namespace ropewalk
