// Sweeps: played in the window, and exported as images and videos.
#include "app/window/session/video.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>

#include "app/figures/figure_list.h"
#include "core/evaluation/open_backend.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class VideoTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    Page page() {
        return session_.exports.page_of({{session_.document.view.figures[1]}}, {.figure = {60, 40}, .scale = 1});
    }
    void right_click_and_sweep(const char* field) {
        robot_.click(field, 0.5, 0.5, 1);
        robot_.click("field/sweep");
    }
    void finish_writing() {
        for (int i = 0; i < 1000 && session_.exports.is_writing(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            frame();
        }
    }
    Sweep sweep_{.path = "construction.alpha", .from = 1, .to = 100, .steps = 3, .spacing = Spacing::logarithmic};
    TemporaryFolder folder_;
};

TEST_F(VideoTest, ImagesAreThoseOfTheSteps) {
    ASSERT_TRUE(session_.exports.export_video(page(), sweep_, folder_.file("a.png")));
    finish_writing();
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("3 images"));
    EXPECT_THAT(folder_.names(), testing::UnorderedElementsAre("a-001.png", "a-002.png", "a-003.png"));
    Page shown = page();
    Evaluator evaluator(open_backend("cpu", 1));
    const auto show = [&](const std::string& alpha) {
        shown.experiment = changed(shown.experiment, "construction.alpha=" + alpha);
    };
    for (const char* alpha : {"1", "10", "100"}) {
        show(alpha);
        shown.ranges = ranges_of(shown, evaluator, {});
    }
    show("10");
    EXPECT_EQ(read_file(folder_.file("a-002.png"), 1 << 24), make_page(shown, evaluator, "png", {}));
    shown.ranges = {};
    EXPECT_NE(read_file(folder_.file("a-002.png"), 1 << 24), make_page(shown, evaluator, "png", {}))
        << "on its own its axis is shorter";
}

TEST_F(VideoTest, ExistingImagesAreNotReplaced) {
    atomic_write(folder_.file("a-002.png"), "mine");
    EXPECT_FALSE(session_.exports.export_video(page(), sweep_, folder_.file("a.png"))) << "before anything is drawn";
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("already exists"));
    EXPECT_THAT(folder_.names(), testing::ElementsAre("a-002.png"));
    EXPECT_EQ(read_file(folder_.file("a-002.png"), 100), "mine");
}

TEST_F(VideoTest, ImagesThatAreTooLargeAreRefusedBeforeTheyAreComputed) {
    Page large = page();
    large.options.scale = 1000;
    EXPECT_FALSE(session_.exports.export_video(large, sweep_, folder_.file("a.png")));
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("pixels"));
    EXPECT_FALSE(session_.exports.is_writing());
}

TEST_F(VideoTest, ReportsMissingFfmpeg) {
    const std::string path = std::getenv("PATH");
    ASSERT_EQ(setenv("PATH", folder_.path().c_str(), 1), 0);
    EXPECT_FALSE(has_video_maker());
    EXPECT_FALSE(session_.exports.export_video(page(), sweep_, folder_.file("a.gif")));
    setenv("PATH", path.c_str(), 1);
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("ffmpeg, which is not installed"));
    EXPECT_TRUE(folder_.names().empty());
}

/// Uses scripts as ffmpeg: one that writes its arguments, and one that fails.
TEST_F(VideoTest, TheOutputOfFfmpegBecomesTheFile) {
    const std::string path = std::getenv("PATH");
    const std::string maker = folder_.file("ffmpeg");
    const auto video_with = [&](const std::string& script) {
        atomic_write(maker, script);
        std::filesystem::permissions(maker, std::filesystem::perms::owner_all);
        setenv("PATH", (folder_.path() + ":" + path).c_str(), 1);
        Page dark = page();
        dark.options.theme = &dark_theme();
        session_.exports.export_video(dark, sweep_, folder_.file("a.mp4"));
        finish_writing();
        setenv("PATH", path.c_str(), 1);
    };
    video_with("#!/bin/sh\nfor last; do :; done\nls \"$(dirname \"$last\")\" > \"$last\"\n");
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("Exported"));
    EXPECT_THAT(read_file(folder_.file("a.mp4"), 1 << 20), HasSubstr("step-001.png\nstep-002.png\nstep-003.png"));
    video_with("#!/bin/sh\nfor last; do :; done\necho \"$@\" > \"$last\"\n");
    const Color ground = dark_theme().panel;
    EXPECT_THAT(read_file(folder_.file("a.mp4"), 1 << 20),
                HasSubstr(fmt::format("color=0x{:02x}{:02x}{:02x},", ground.r, ground.g, ground.b)))
        << "if a side is odd";
    video_with("#!/bin/sh\nexit 3\n");
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("exit code 3"));
    video_with("#!/bin/sh\nprintf 'Input\\nno \\033[31mencoder\\nConversion failed!\\n\\n' >&2\nexit 3\n");
    EXPECT_THAT(session_.notices.current().sentence,
                testing::EndsWith("a.mp4: ffmpeg failed with exit code 3: no \\x1b[31mencoder"));
    EXPECT_THAT(folder_.names(), testing::UnorderedElementsAre("a.mp4", "ffmpeg")) << "nothing else is left";
}

TEST_F(VideoTest, AnExportCanBeCancelled) {
    sweep_.steps = 1000;
    ASSERT_TRUE(session_.exports.export_video(page(), sweep_, folder_.file("a.png")));
    robot_.key("Esc");
    finish_writing();
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("Export cancelled"));
    EXPECT_TRUE(folder_.names().empty());
}

TEST_F(VideoTest, ASweepEndsWhenASettingIsPreviewed) {
    right_click_and_sweep("construction.alpha");
    robot_.click("sweep.play");
    for (int i = 0; i < 20; ++i) frame();
    robot_.key("Ctrl+K");
    robot_.type("temperature 3");
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(experiment().temperature, 1);
    EXPECT_EQ(session_.document.count_of_steps(), 2u) << "the sweep's";
}

TEST_F(VideoTest, ASweepIsFoundByItsName) {
    const Experiment before = experiment();
    robot_.key("Ctrl+K");
    robot_.type("sweep");
    robot_.key("Enter");
    robot_.type("temperature");
    robot_.key("Enter");
    robot_.settle();
    ASSERT_NE(find("sweep.play"), nullptr);
    robot_.click("sweep.play");
    for (int i = 0; i < 200; ++i) frame();
    EXPECT_NE(experiment().temperature, before.temperature);
}

TEST_F(VideoTest, ARightClickOnASliderPlaysItsSweep) {
    const Experiment before = experiment();
    right_click_and_sweep("construction.alpha");
    ASSERT_NE(find("sweep.play"), nullptr);
    robot_.click("sweep.play");
    std::vector<double> seen;
    for (int i = 0; i < 200; ++i) {
        frame();
        walk_fields(experiment(), [&](const std::string& path, const Field&, const auto& value) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, double>)
                if (path == "construction.alpha" && (seen.empty() || seen.back() != value)) seen.push_back(value);
        });
    }
    EXPECT_GT(seen.size(), 10u);
    robot_.key("Esc");
    robot_.settle();
    session_.document.undo();
    EXPECT_EQ(experiment(), before) << "one step of undo";
}

TEST_F(VideoTest, ASweepContinuesAfterAClickOnACellAndEndsWithAChange) {
    const auto play = [&] {
        right_click_and_sweep("construction.alpha");
        robot_.click("sweep.play");
        for (int i = 0; i < 20; ++i) frame();
    };
    const auto moves = [&] {
        const Experiment now = experiment();
        for (int i = 0; i < 40; ++i) frame();
        return !(experiment() == now);
    };
    play();
    ASSERT_TRUE(moves());
    robot_.hover("panel0.plot", 0.5, 0.6);
    robot_.click("panel0.plot", 0.5, 0.6);
    EXPECT_TRUE(session_.document.view.cursor_locked);
    EXPECT_TRUE(moves()) << "a cell was locked";
    robot_.drag("temperature", 0.3, 0.6);
    EXPECT_FALSE(moves()) << "the user changed something";
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("The sweep stopped at step"));
}

TEST_F(VideoTest, UndoEndsASweepAndRestoresItsBeginning) {
    const Experiment before = experiment();
    right_click_and_sweep("construction.alpha");
    robot_.click("sweep.play");
    for (int i = 0; i < 60; ++i) frame();
    ASSERT_NE(experiment(), before);
    EXPECT_THAT(find("status")->value, HasSubstr("sweep: step "));
    robot_.key("Ctrl+Z");
    for (int i = 0; i < 60; ++i) frame();
    EXPECT_EQ(experiment(), before);
    EXPECT_EQ(find("status")->value.find("sweep"), std::string::npos);
}

TEST_F(VideoTest, EndsBeyondTheFieldsRangeAreRefused) {
    right_click_and_sweep("construction.alpha");
    const std::string before = find("sweep.from")->value;
    for (const char* beyond : {"1e99", "1e400"}) {
        type_into("sweep.from", beyond);
        EXPECT_EQ(find("sweep.from")->value, before);
        EXPECT_THAT(session_.notices.current().sentence, testing::StartsWith("From is ")) << beyond;
        EXPECT_THAT(session_.notices.current().sentence, HasSubstr("it must be a number from")) << beyond;
    }
}

TEST_F(VideoTest, ASweepWithEqualEndsDoesNotBegin) {
    right_click_and_sweep("construction.alpha");
    for (const char* end : {"sweep.from", "sweep.to"}) type_into(end, "5");
    EXPECT_EQ(find("sweep.from")->value, find("sweep.to")->value);
    robot_.click("sweep.play");
    robot_.key("Enter");
    EXPECT_NE(find("sweep.play"), nullptr) << "the card stays";
}

TEST_F(VideoTest, AVideoOfTheUsualSizeHasSpaceForTheLabelsOfTheBundledScenes) {
    Evaluator evaluator(open_backend("cpu", 1));
    for (const char* name : {"p-rope", "barbero-apostrophe"}) {
        session_.files.open_bundled(name);
        const Page video = session_.exports.page_of({{session_.document.view.figures.front()}}, Preferences{}.video);
        EXPECT_THAT(omitted_of(video, evaluator, {}).parts, testing::IsEmpty()) << name;
    }
}

TEST_F(VideoTest, ASweepEndsWithAnyOtherChange) {
    const Experiment before = experiment();
    right_click_and_sweep("construction.alpha");
    robot_.click("sweep.play");
    for (int i = 0; i < 20; ++i) frame();
    Panels::duplicate(session_, 1);
    for (int i = 0; i < 20; ++i) frame();
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("The sweep stopped at step"));
    EXPECT_EQ(session_.document.count_of_steps(), 3u);
    session_.document.undo();
    session_.document.undo();
    EXPECT_EQ(experiment(), before);
}

TEST_F(VideoTest, ARightClickOnAFiguresSliderPlaysItsSweep) {
    session_.document.view.figures[3] = TruncationFigure{.p = 0.25};
    const auto p = [&] { return get<TruncationFigure>(session_.document.view.figures[3]).p; };
    robot_.click("panel3.menu");
    robot_.click("panel3.option.truncation.p", 0.5, 0.5, 1);
    ASSERT_NE(find("sweep.play"), nullptr);
    EXPECT_EQ(find("panel3.option.truncation.p"), nullptr) << "the list is closed";
    robot_.click("sweep.play");
    std::set<double> seen;
    for (int i = 0; i < 200; ++i) frame(), seen.insert(p());
    EXPECT_GT(seen.size(), 10u);
    robot_.key("Esc");
    robot_.settle();
    EXPECT_EQ(session_.document.count_of_steps(), 2u) << "the whole sweep is one step";
    EXPECT_THAT(session_.document.steps().back(), HasSubstr("Truncated spectra: Compare at p"));
    session_.document.undo();
    EXPECT_EQ(p(), 0.25);
}

TEST_F(VideoTest, ASweepOfAnOptionEndsWithAnotherFigureInItsPlace) {
    session_.document.view.figures[0] = TruncationFigure{};
    session_.preferences.folded = "Sequence, Encoding, Queries & keys, Softmax, More";
    robot_.settle();
    robot_.click("truncation.p", 0.5, 0.5, 1);  // in the sidebar
    robot_.click("sweep.play");
    for (int i = 0; i < 20; ++i) frame();
    EXPECT_THAT(find("status")->value, HasSubstr("sweep: step "));
    session_.document.view.figures[0] = DecayFigure{};
    for (int i = 0; i < 3; ++i) frame();
    EXPECT_EQ(find("status")->value.find("(sweep"), std::string::npos);
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("The sweep stopped at step"));
}

TEST_F(VideoTest, AVideoOfAnOptionShowsItInItsPanelAlone) {
    session_.document.view.figures[3] = session_.document.view.figures[1] = TruncationFigure{.p = 0.25};
    const Sweep sweep{.path = "p", .panel = 3, .from = 0.5, .to = 1, .steps = 2};
    const Page all = session_.exports.page_of_all({});
    const Page last = page_at(all, sweep, 1);
    ASSERT_EQ(last.figures.size(), all.figures.size());
    for (std::size_t i = 0; i < all.figures.size(); ++i)
        EXPECT_EQ(last.figures[i].figure,
                  all.figures[i].panel == 3 ? Figure(TruncationFigure{.p = 1}) : all.figures[i].figure);
    EXPECT_EQ(last.experiment, all.experiment);
}

TEST_F(VideoTest, AVideoHasItsOwnPageStyle) {
    session_.preferences.page.figure.width = 85;
    right_click_and_sweep("construction.alpha");
    ASSERT_NE(find("video.theme/Dark"), nullptr);
    robot_.click("video.theme/Dark");
    EXPECT_EQ(session_.preferences.video.theme, ThemeChoice::dark);
    EXPECT_EQ(session_.preferences.page.theme, ThemeChoice::light);
    EXPECT_EQ(session_.preferences.video.figure.width, 170);
    robot_.drag("video.figure.height", 0.2, 0.4);
    EXPECT_NE(session_.preferences.video.figure.height, 130);
    robot_.double_click("video.figure.height", -0.2);  // its label
    EXPECT_EQ(session_.preferences.video.figure.height, 130) << "the usual height";
}

TEST_F(VideoTest, TheCardShowsTheFirstPageAndReportsWhatDoesNotFit) {
    session_.preferences.video.sheet = {170, 106};
    right_click_and_sweep("construction.alpha");
    wait_for_preview("sweep");
    EXPECT_EQ(find("sweep.preview")->value, "170 × 130 mm, 964 × 738 pixels");
    EXPECT_EQ(find("sweep.word"), nullptr);
    robot_.click("sweep.figure");
    robot_.click("sweep.figure/All figures");
    wait_for_preview("sweep");
    ASSERT_NE(find("sweep.word"), nullptr);
    EXPECT_THAT(find("sweep.word")->value, HasSubstr("its smallest figure is "));
    robot_.click("sweep.enlarge");
    EXPECT_EQ(session_.preferences.video.figure.height, 130) << "the size of one figure is separate";
    wait_for_preview("sweep");
    EXPECT_EQ(find("sweep.word"), nullptr);
    session_.preferences.video.sheet = Preferences{}.video.sheet;
    wait_for_preview("sweep");
    frame();
    EXPECT_EQ(find("sweep.word"), nullptr) << "all figures can be read in a video of the usual size";
}

}  // namespace
}  // namespace ropewalk
