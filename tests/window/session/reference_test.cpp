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
    ASSERT_FALSE(session_.document.has_unsaved_changes());
    session_.document.set_reference();
    EXPECT_TRUE(session_.document.has_unsaved_changes());
    session_.document.clear_reference();
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    session_.document.set_reference();
    const std::string file = folder_.file("pair.json");
    ASSERT_TRUE(session_.files.save(file));
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    Session later(open_scene(file), {});
    EXPECT_FALSE(later.document.has_unsaved_changes()) << "as it was opened";
    later.document.clear_reference();
    EXPECT_TRUE(later.document.has_unsaved_changes());
}

TEST_F(ReferenceTest, ABackendThatDoesNotOpenIsNotTriedAgainInEveryFrame) {
    // As if a driver failed after the first backend was opened.
    const_cast<ComputationOptions&>(session_.computation.options()).backend.id = "none";
    session_.document.set_reference();
    session_.refresh();
    const int number = session_.notices.current().number;
    EXPECT_EQ(session_.notices.current().kind, Notice::Kind::error);
    for (int i = 0; i < 3; ++i) session_.refresh();
    EXPECT_EQ(session_.notices.current().number, number);
}

TEST_F(ReferenceTest, IsAskedNothingThatIsMeantForAnotherHead) {
    const auto about_last_token = [](const Experiment& head) {
        return Needs{EntryQuestion{.query = head.seq_len - 1, .key = 0}};
    };
    session_.document.set_reference();
    session_.refresh();
    session_.computation.also_ask(about_last_token);
    session_.computation.also_ask(Other::reference, about_last_token);
    // As when both change later in the same frame.
    session_.document.edit(changed(session_.document.experiment(), "seq_len=4"), Gesture::complete);
    session_.document.set_reference();
    session_.document.edit(changed(session_.document.experiment(), "seq_len=5"), Gesture::complete);
    session_.computation.ask({});
    session_.computation.ask(Other::reference, {});
    std::vector<Needs> asked;
    for (const Request& request : session_.computation.asked()) asked.push_back(request.needs);
    EXPECT_THAT(asked, testing::ElementsAre(Needs{EntryQuestion{.query = 4, .key = 0}},
                                            Needs{EntryQuestion{.query = 3, .key = 0}}));
}

TEST_F(ReferenceTest, IsSetAndClearedInStepsOfUndo) {
    const Experiment first = session_.document.experiment();
    session_.document.set_reference();
    session_.document.set_reference();
    EXPECT_EQ(session_.document.steps().back(), "Reference set");
    EXPECT_EQ(session_.document.step(), 1u) << "the second time nothing was changed";
    const Experiment second = changed(first, "encoding.base=500000");
    session_.document.edit(second, Gesture::complete);
    session_.document.set_reference();
    EXPECT_EQ(*session_.document.reference(), second);
    session_.document.clear_reference();
    EXPECT_EQ(session_.document.reference(), nullptr);
    session_.document.undo();
    ASSERT_NE(session_.document.reference(), nullptr);
    EXPECT_EQ(*session_.document.reference(), second);
    session_.document.undo();
    ASSERT_NE(session_.document.reference(), nullptr);
    EXPECT_EQ(*session_.document.reference(), first);
    EXPECT_EQ(session_.document.experiment(), second);
    session_.document.go_to_step(0);
    EXPECT_EQ(session_.document.reference(), nullptr);
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    while (session_.document.can_redo()) session_.document.redo();
    EXPECT_EQ(session_.document.reference(), nullptr);
    session_.document.undo();
    EXPECT_EQ(*session_.document.reference(), second);
}

TEST_F(ReferenceTest, OfAnotherSceneIsNotAChangeOfThisOne) {
    session_.document.set_reference();
    session_.files.open_bundled("million");
    ASSERT_NE(session_.document.reference(), nullptr);
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    session_.document.undo();
    EXPECT_TRUE(session_.document.has_unsaved_changes()) << "in the scene where it was set";
    session_.document.redo();
    EXPECT_FALSE(session_.document.has_unsaved_changes());
    session_.document.set_reference();
    EXPECT_TRUE(session_.document.has_unsaved_changes());
}

TEST_F(ReferenceTest, IsRemovedWithTheSceneThatContainedIt) {
    const std::string file = folder_.file("pair.json");
    session_.document.set_reference();
    ASSERT_TRUE(session_.files.save(file));
    const Experiment reference = *session_.document.reference();
    Session session(open_scene("million"), {});
    session.files.open({file});
    ASSERT_NE(session.document.reference(), nullptr);
    EXPECT_EQ(*session.document.reference(), reference);
    session.files.open_bundled("barbero-fig1");
    EXPECT_EQ(session.document.reference(), nullptr);
    session.document.undo();
    ASSERT_NE(session.document.reference(), nullptr);
    EXPECT_EQ(*session.document.reference(), reference);
    session.document.undo();
    EXPECT_EQ(session.document.reference(), nullptr);
    session.document.set_reference();
    session.files.open_bundled("barbero-fig1");
    ASSERT_NE(session.document.reference(), nullptr) << "a reference set by the user stays beside other scenes";
    session.files.open({file});
    EXPECT_EQ(*session.document.reference(), reference);
    session.document.undo();
    EXPECT_EQ(*session.document.reference(), open_scene("million").experiment);
}

TEST_F(ReferenceTest, MayReadAFileOfTheSameNameAsTheScene) {
    const std::vector<std::int64_t> shape{2, 4};
    std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    for (const char* folder : {"one", "two", "three"}) std::filesystem::create_directory(folder_.file(folder));
    atomic_write(folder_.file("one/q.npy"), npy_bytes(shape, numbers));
    numbers[0] = -1;
    atomic_write(folder_.file("two/q.npy"), npy_bytes(shape, numbers));
    session_.files.open({folder_.file("one/q.npy")});
    session_.document.set_reference();
    session_.files.open({folder_.file("two/q.npy")});
    EXPECT_EQ(scene_text(session_.document.current_scene()).find("compared_with"), std::string::npos)
        << "copied text cannot refer to its files";
    const std::string file = folder_.file("three/scene.json");
    ASSERT_TRUE(session_.files.save(file)) << session_.notices.current().sentence;
    const Scene saved = open_scene(file);
    const auto hash = [](const Experiment& experiment) {
        return arrays_of(experiment.construction)->q.content->hash();
    };
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
        "experiment": {"head_dim": 8, "seq_len": 64, "pairing": "interleaved",
                       "construction": {"id": "arrays", "q": "q.npy", "k": "k.npy"}},
        "compared_with": {"head_dim": 8, "seq_len": 64, "pairing": "interleaved",
                          "construction": {"id": "arrays", "q": "other.npy", "k": "k.npy"}}})");
    const Scene scene = open_scene(folder_.file("arrays.json"));
    ASSERT_TRUE(scene.reference);
    EXPECT_EQ(settings_between(scene.experiment, *scene.reference), Settings{"construction.q=other.npy"});
    Session session(scene, {});
    EXPECT_THAT(session.exports.call_of(session.document.view.figures.front()), testing::HasSubstr("arrays.json"));
    EXPECT_TRUE(session.notices.current().sentence.empty()) << session.notices.current().sentence;
}

}  // namespace
}  // namespace ropewalk
