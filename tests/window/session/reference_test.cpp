// The reference: its scene, saving it and undo.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/window/session/session.h"
#include "core/experiment/scene_io.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

class ReferenceTest : public testing::Test {
  protected:
    TemporaryFolder folder_;
    Session session_{open_scene("barbero-prop31"), {}};
};

TEST_F(ReferenceTest, IsAnUnsavedChangeUntilItIsSavedOrCleared) {
    ASSERT_FALSE(session_.has_unsaved_changes());
    session_.set_reference();
    EXPECT_TRUE(session_.has_unsaved_changes());
    session_.clear_reference();
    EXPECT_FALSE(session_.has_unsaved_changes());
    session_.set_reference();
    const std::string file = folder_.file("pair.json");
    ASSERT_TRUE(session_.save(file));
    EXPECT_FALSE(session_.has_unsaved_changes());
    Session later(open_scene(file), {});
    EXPECT_FALSE(later.has_unsaved_changes()) << "as it was opened";
    later.clear_reference();
    EXPECT_TRUE(later.has_unsaved_changes());
}

TEST_F(ReferenceTest, IsSetAndClearedInStepsOfUndo) {
    const Experiment first = session_.experiment();
    session_.set_reference();
    session_.set_reference();
    EXPECT_EQ(session_.steps().back(), "Reference set");
    EXPECT_EQ(session_.step(), 1u) << "the second time nothing was changed";
    const Experiment second = changed(first, "encoding.base=500000");
    session_.edit(second, Gesture::complete);
    session_.set_reference();
    EXPECT_EQ(*session_.reference(), second);
    session_.clear_reference();
    EXPECT_EQ(session_.reference(), nullptr);
    session_.undo();
    ASSERT_NE(session_.reference(), nullptr);
    EXPECT_EQ(*session_.reference(), second);
    session_.undo();
    ASSERT_NE(session_.reference(), nullptr);
    EXPECT_EQ(*session_.reference(), first);
    EXPECT_EQ(session_.experiment(), second);
    session_.go_to_step(0);
    EXPECT_EQ(session_.reference(), nullptr);
    EXPECT_FALSE(session_.has_unsaved_changes());
    while (session_.can_redo()) session_.redo();
    EXPECT_EQ(session_.reference(), nullptr);
    session_.undo();
    EXPECT_EQ(*session_.reference(), second);
}

TEST_F(ReferenceTest, OfAnotherSceneIsNotAChangeOfThisOne) {
    session_.set_reference();
    session_.open_bundled("million");
    ASSERT_NE(session_.reference(), nullptr);
    EXPECT_FALSE(session_.has_unsaved_changes());
    session_.undo();
    EXPECT_TRUE(session_.has_unsaved_changes()) << "in the scene where it was set";
    session_.redo();
    EXPECT_FALSE(session_.has_unsaved_changes());
    session_.set_reference();
    EXPECT_TRUE(session_.has_unsaved_changes());
}

TEST_F(ReferenceTest, IsRemovedWithTheSceneThatContainedIt) {
    const std::string file = folder_.file("pair.json");
    session_.set_reference();
    ASSERT_TRUE(session_.save(file));
    const Experiment reference = *session_.reference();
    Session session(open_scene("million"), {});
    session.open({file});
    ASSERT_NE(session.reference(), nullptr);
    EXPECT_EQ(*session.reference(), reference);
    session.open_bundled("barbero-fig1");
    EXPECT_EQ(session.reference(), nullptr);
    session.undo();
    ASSERT_NE(session.reference(), nullptr);
    EXPECT_EQ(*session.reference(), reference);
    session.undo();
    EXPECT_EQ(session.reference(), nullptr);
    session.set_reference();
    session.open_bundled("barbero-fig1");
    ASSERT_NE(session.reference(), nullptr) << "a reference set by the user stays beside other scenes";
    session.open({file});
    EXPECT_EQ(*session.reference(), reference);
    session.undo();
    EXPECT_EQ(*session.reference(), open_scene("million").experiment);
}

TEST_F(ReferenceTest, MayReadAFileOfTheSameNameAsTheScene) {
    const std::vector<std::int64_t> shape{2, 4};
    std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    for (const char* folder : {"one", "two", "three"}) std::filesystem::create_directory(folder_.file(folder));
    atomic_write(folder_.file("one/q.npy"), npy_bytes(shape, numbers));
    numbers[0] = -1;
    atomic_write(folder_.file("two/q.npy"), npy_bytes(shape, numbers));
    session_.open({folder_.file("one/q.npy")});
    session_.set_reference();
    session_.open({folder_.file("two/q.npy")});
    EXPECT_EQ(session_.scene_as_text().find("compared_with"), std::string::npos)
        << "copied text cannot refer to its files";
    const std::string file = folder_.file("three/scene.json");
    ASSERT_TRUE(session_.save(file)) << session_.notice().sentence;
    const Scene saved = open_scene(file);
    const auto hash = [](const Experiment& experiment) { return arrays_of(experiment.construction)->q.content->hash; };
    ASSERT_TRUE(saved.reference);
    EXPECT_EQ(hash(saved.experiment), read_npy(folder_.file("two/q.npy")).hash);
    EXPECT_EQ(hash(*saved.reference), read_npy(folder_.file("one/q.npy")).hash);
}

// Settings between two heads name their files, and the caption and the command line are made of them; nothing may look
// for the files where the program happens to have been started.
TEST_F(ReferenceTest, WithArraysIsNamedWithoutReadingThem) {
    const std::vector<double> rows(std::size_t{64} * 8, 0.5);
    for (const char* name : {"q.npy", "k.npy", "other.npy"})
        atomic_write(folder_.file(name), npy_bytes(std::vector<std::int64_t>{64, 8}, std::span(rows)));
    atomic_write(folder_.file("arrays.json"), R"({"schema": 1,
        "experiment": {"head_dim": 8, "seq_len": 64, "construction": {"id": "arrays", "q": "q.npy", "k": "k.npy"}},
        "compared_with": {"head_dim": 8, "seq_len": 64, "construction": {"id": "arrays", "q": "other.npy", "k": "k.npy"}}})");
    const Scene scene = open_scene(folder_.file("arrays.json"));
    ASSERT_TRUE(scene.reference);
    EXPECT_EQ(settings_between(scene.experiment, *scene.reference), Settings{"construction.q=other.npy"});
    Session session(scene, {});
    EXPECT_THAT(session.call_of(session.view.figures.front()), testing::HasSubstr("arrays.json"));
    EXPECT_TRUE(session.notice().sentence.empty()) << session.notice().sentence;
}

}  // namespace
}  // namespace ropewalk
