// Arrays, models and their configs, dropped on the window.
#include <gmock/gmock.h>

#include <chrono>
#include <limits>
#include <thread>

#include "core/experiment/scene_io.h"
#include "core/fields/fields.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/models/open_model.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"
#include "tests/zip_bytes.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

class OpenFilesTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const char* id) { return gui_.ui().registry.find(id); }
    /// Runs frames until the model that is being opened is shown or refused.
    void wait_for_model() {
        while (!session_.files.opening().empty()) robot_.settle();
        robot_.settle();
    }
    void drop_model(const std::string& folder) {
        surface_.events().push(FilesDropped{{folder}});
        robot_.settle();
        wait_for_model();
    }
};

TEST_F(OpenFilesTest, DroppedArraysBecomeQueriesAndKeys) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {7, 4};
    std::vector<double> values(28, 0.5);
    atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(values)));
    surface_.events().push(FilesDropped{{folder.file("q.npy")}});
    robot_.settle();
    ASSERT_NE(find("arrays.accept"), nullptr) << "pairing and scale are asked";
    robot_.click("arrays.accept");
    EXPECT_EQ(experiment().head_dim, 4);
    EXPECT_EQ(experiment().seq_len, 7);
    EXPECT_EQ(session_.complaint(), "");
    EXPECT_EQ(session_.document.scene().title, "q.npy");
    EXPECT_EQ(session_.document.scene().path, "") << "no other scene's file is overwritten";
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("as both queries and keys"));
    values.back() = 3;
    atomic_write(folder.file("k.npy"), npy_bytes(shape, std::span<const double>(values)));
    surface_.events().push(FilesDropped{{folder.file("k.npy")}});
    robot_.settle();
    robot_.click("arrays.accept");
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("Opened k.npy as keys"));
    EXPECT_TRUE(session_.document.has_unsaved_changes());
    session_.document.undo();
    EXPECT_EQ(session_.document.scene().title, "q.npy");
    session_.document.redo();
    session_.files.save(folder.file("scene.json"));
    EXPECT_EQ(open_scene(folder.file("scene.json")).experiment.seq_len, 7);
    const TemporaryFolder other;
    atomic_write(other.file("q.npy"), "another file of this name");
    session_.files.save(other.file("scene.json"));
    atomic_write(folder.file("q.npy"), "written again since it was opened");
    session_.files.save(other.file("scene.json"));
    EXPECT_EQ(open_scene(other.file("scene.json")).experiment.seq_len, 7) << "the array was copied";
    EXPECT_THAT(other.names(), testing::UnorderedElementsAre("k.npy", "q-2.npy", "q.npy", "scene.json"));
}

TEST_F(OpenFilesTest, ArraysOfSeveralHeadsAreGuessedAndAsked) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {3, 7, 4};
    std::vector<double> values(84, 0.5);
    atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(values)));
    const Experiment before = experiment();
    surface_.events().push(FilesDropped{{folder.file("q.npy")}});
    robot_.settle();
    EXPECT_EQ(experiment(), before) << "nothing is opened before it is answered";
    ASSERT_NE(find("arrays.head"), nullptr);
    robot_.click("arrays.accept");
    EXPECT_EQ(experiment().pairing, Pairing::half_split);
    EXPECT_EQ(experiment().scale, Scale::sqrt_d);
    double last = 0;
    walk_fields(experiment(), [&](const std::string& path, const Field& field, const auto&) {
        if (path == "construction.head") last = field.slider_max;
    });
    EXPECT_EQ(last, 2) << "of three heads";
    surface_.events().push(FilesDropped{{folder.file("q.npy")}});
    robot_.settle();
    robot_.key("Esc");
    EXPECT_EQ(find("arrays.accept"), nullptr);
}

TEST_F(OpenFilesTest, TheCommandLinesArraysAreAskedAboutToo) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {3, 7, 4};
    atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(std::vector<double>(84, 0.5))));
    const Experiment before = experiment();
    EXPECT_TRUE(main_window_.open({folder.file("q.npy")}));
    robot_.settle();
    EXPECT_EQ(experiment(), before);
    EXPECT_NE(find("arrays.pairing"), nullptr);
    robot_.key("Esc");
    EXPECT_FALSE(main_window_.open({folder.file("none.npy")}));
}

TEST_F(OpenFilesTest, ArraysThatCannotBeOpenedAreNotAskedAbout) {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::vector<std::int64_t>& shape, double value) {
        std::size_t count = 1;
        for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
        const std::vector<double> values(count, value);
        atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(values)));
        EXPECT_FALSE(main_window_.open({folder.file("q.npy")}));
        robot_.settle();
        EXPECT_EQ(find("arrays.accept"), nullptr);
        return session_.notices.current().sentence;
    };
    EXPECT_THAT(refusal({7, 5}, 0.5), HasSubstr("q.npy: head_dim is 5; it must be an even number"));
    EXPECT_THAT(refusal({3, 7, 5}, 0.5), HasSubstr("q.npy: head_dim is 5; it must be an even number"));
    EXPECT_THAT(refusal({0, 4}, 0.5), HasSubstr("q.npy: seq_len is 0; it must be a whole number from 1"));
    EXPECT_THAT(refusal({0, 7, 4}, 0.5), HasSubstr("of shape [0, 7, 4]"));
    EXPECT_THAT(refusal({2, 0, 7, 4}, 0.5), HasSubstr("of shape [2, 0, 7, 4]"));
    EXPECT_THAT(refusal({7, 4}, std::numeric_limits<double>::infinity()), HasSubstr("must be finite"));
}

TEST_F(OpenFilesTest, ArraysComeWithoutCurvesOfOtherConstructions) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {7, 4};
    atomic_write(folder.file("q.npy"), npy_bytes(shape, std::span<const double>(std::vector<double>(28, 0.5))));
    session_.document.view.figures = {figure_of("decay")};
    set_options(session_.document.view.figures[0], {"compared=construction.alpha=3 | encoding=nope"});
    robot_.settle();
    main_window_.open({folder.file("q.npy")});
    robot_.settle();
    robot_.click("arrays.accept");
    Figure expected = figure_of("decay");
    set_options(expected, {"compared=encoding=nope"});
    EXPECT_EQ(session_.document.view.figures[0], expected);
}

TEST_F(OpenFilesTest, CapturedLayersAreAskedForByLayerAndHead) {
    const TemporaryFolder folder;
    const std::int64_t shape[] = {7, 2, 4};
    const std::vector<double> values(56, 0.5);
    const std::string array = npy_bytes(shape, std::span<const double>(values));
    atomic_write(folder.file("cache.npz"), zip_of({{"blocks.1.attn.hook_q.npy", array, true},
                                                   {"blocks.1.attn.hook_k.npy", array},
                                                   {"blocks.5.attn.hook_q.npy", array, true},
                                                   {"blocks.5.attn.hook_k.npy", array}}));
    surface_.events().push(FilesDropped{{folder.file("cache.npz")}});
    robot_.settle();
    ASSERT_NE(find("arrays.layer"), nullptr);
    ASSERT_NE(find("arrays.head"), nullptr);
    EXPECT_EQ(find("arrays.batch"), nullptr);
    robot_.click("arrays.accept");
    EXPECT_EQ(session_.complaint(), "");
    EXPECT_EQ(number_at(experiment(), "construction.layer"), 1) << "the first layer that is there";
    EXPECT_EQ(experiment().head_dim, 4);
    EXPECT_EQ(experiment().seq_len, 7);
    EXPECT_EQ(experiment().pairing, Pairing::half_split);
    EXPECT_EQ(experiment().scale, Scale::sqrt_d);
    session_.document.edit(changed(experiment(), "construction.layer=5 construction.head=1"), Gesture::complete);
    const TemporaryFolder other;
    session_.files.save(other.file("scene.json"));
    const Experiment saved = open_scene(other.file("scene.json")).experiment;
    EXPECT_EQ(number_at(saved, "construction.layer"), 5) << "the captures were copied";
    EXPECT_TRUE(std::filesystem::exists(other.file("cache.npz")));
    atomic_write(folder.file("qk.npz"), zip_of({{"q.npy", array}, {"k.npy", array}}));
    surface_.events().push(FilesDropped{{folder.file("qk.npz")}});
    robot_.settle();
    EXPECT_EQ(find("arrays.layer"), nullptr);
    robot_.click("arrays.accept");
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("Opened qk.npz as both queries and keys. Pairing: "));
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr(name_of(experiment().pairing).title));
}

TEST_F(OpenFilesTest, AModelsFolderOpensWithItsHeads) {
    drop_model(std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction");
    EXPECT_EQ(session_.complaint(), "");
    EXPECT_EQ(experiment().head_dim, 64);
    EXPECT_EQ(std::string(id_of(experiment().construction)), "model_head");
    EXPECT_EQ(session_.document.scene().title, "induction");
    const auto note = [&] { return note_of(experiment().construction, experiment().shape()); };
    EXPECT_EQ(note(), "3 words have no token and are left out: 'The', 'mat,', 'cat's'.");
    EXPECT_THAT(session_.notices.current().sentence, testing::EndsWith(". " + note()));
    session_.document.edit(changed(experiment(), "construction.text='the cat sat'"), Gesture::complete);
    EXPECT_EQ(note(), "");
    session_.document.undo();
    session_.document.undo();
    EXPECT_NE(std::string(id_of(experiment().construction)), "model_head");
}

TEST_F(OpenFilesTest, AModelIsOpenedBesideTheFrames) {
    const Experiment before = experiment();
    session_.files.begin_model(std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction");
    EXPECT_EQ(session_.files.opening(), "induction");
    session_.files.begin_model("/nowhere/at/all");
    EXPECT_EQ(session_.files.opening(), "all") << "another folder takes its place";
    wait_for_model();
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("/nowhere/at/all"));
    EXPECT_EQ(experiment(), before);
    session_.files.begin_model(std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction");
    session_.files.stop_opening();
    robot_.settle();
    EXPECT_EQ(session_.files.opening(), "");
    EXPECT_EQ(experiment(), before);
}

/// What is asked on a card is about the scene that is open.
TEST_F(OpenFilesTest, AModelWaitsForOpenCards) {
    const Experiment before = experiment();
    const std::string folder = std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction";
    const auto held = shared_model(folder);  // so that opening it takes no time
    robot_.key("Ctrl+Shift+S");
    session_.files.begin_model(folder);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    robot_.settle();
    EXPECT_EQ(experiment(), before);
    robot_.key("Esc");
    wait_for_model();
    EXPECT_EQ(session_.document.scene().title, "induction");
}

TEST_F(OpenFilesTest, ABadgeRestoresWhatTheModelWasTrainedWith) {
    drop_model(std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction");
    EXPECT_EQ(find("as_trained"), nullptr);
    const Experiment trained = experiment();
    session_.document.edit(changed(trained, "encoding.base=500"), Gesture::complete);
    robot_.settle();
    ASSERT_NE(find("as_trained"), nullptr);
    robot_.click("as_trained");
    EXPECT_EQ(experiment(), trained);
}

TEST_F(OpenFilesTest, AConfigFileSetsWhatItSays) {
    const TemporaryFolder folder;
    atomic_write(folder.file("config.json"),
                 R"({"model_type": "llama", "hidden_size": 256, "num_attention_heads": 8, "rope_theta": 500000,
                     "rope_scaling": {"rope_type": "linear", "factor": 4.0}})");
    surface_.events().push(FilesDropped{{folder.file("config.json")}});
    robot_.settle();
    EXPECT_EQ(session_.complaint(), "");
    EXPECT_EQ(experiment().head_dim, 32);
    EXPECT_EQ(std::string(id_of(experiment().encoding)), "linear");
    EXPECT_EQ(number_at(experiment(), "encoding.base"), 500'000.0);
    EXPECT_EQ(experiment().pairing, Pairing::half_split);
}

}  // namespace
}  // namespace ropewalk
