// What the present is compared with: whose it is, and what is lost with it.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/window/workbench.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/scene_io.h"
#include "core/settings.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

class ReferenceTest : public testing::Test {
  protected:
    TemporaryFolder folder_;
    Workbench bench_{open_scene("barbero-prop31"), {}};
};

TEST_F(ReferenceTest, IsAnUnsavedChangeUntilItIsSavedOrDropped) {
    ASSERT_FALSE(bench_.has_unsaved_changes());
    bench_.keep_reference();
    EXPECT_TRUE(bench_.has_unsaved_changes());
    bench_.drop_reference();
    EXPECT_FALSE(bench_.has_unsaved_changes());
    bench_.keep_reference();
    const std::string file = folder_.file("pair.json");
    ASSERT_TRUE(bench_.save(file));
    EXPECT_FALSE(bench_.has_unsaved_changes());
    Workbench later(open_scene(file), {});
    EXPECT_FALSE(later.has_unsaved_changes()) << "as it was opened";
    later.drop_reference();
    EXPECT_TRUE(later.has_unsaved_changes());
}

TEST_F(ReferenceTest, IsKeptAndDroppedInStepsOfUndo) {
    const Experiment first = bench_.experiment();
    bench_.keep_reference();
    bench_.keep_reference();
    EXPECT_EQ(bench_.steps().back(), "Reference kept");
    EXPECT_EQ(bench_.step(), 1u) << "the second time nothing was changed";
    const Experiment second = changed(first, "encoding.base=500000");
    bench_.edit(second, Gesture::complete);
    bench_.keep_reference();
    EXPECT_EQ(*bench_.reference(), second);
    bench_.drop_reference();
    EXPECT_EQ(bench_.reference(), nullptr);
    bench_.undo();
    ASSERT_NE(bench_.reference(), nullptr);
    EXPECT_EQ(*bench_.reference(), second);
    bench_.undo();
    ASSERT_NE(bench_.reference(), nullptr);
    EXPECT_EQ(*bench_.reference(), first);
    EXPECT_EQ(bench_.experiment(), second);
    bench_.go_to_step(0);
    EXPECT_EQ(bench_.reference(), nullptr);
    EXPECT_FALSE(bench_.has_unsaved_changes());
    while (bench_.can_redo()) bench_.redo();
    EXPECT_EQ(bench_.reference(), nullptr);
    bench_.undo();
    EXPECT_EQ(*bench_.reference(), second);
}

TEST_F(ReferenceTest, OfAnotherSceneIsNoChangeOfThisOne) {
    bench_.keep_reference();
    bench_.open_bundled("million");
    ASSERT_NE(bench_.reference(), nullptr);
    EXPECT_FALSE(bench_.has_unsaved_changes());
    bench_.undo();
    EXPECT_TRUE(bench_.has_unsaved_changes()) << "where it was kept";
    bench_.redo();
    EXPECT_FALSE(bench_.has_unsaved_changes());
    bench_.keep_reference();
    EXPECT_TRUE(bench_.has_unsaved_changes());
}

TEST_F(ReferenceTest, GoesWithTheSceneThatBroughtIt) {
    const std::string file = folder_.file("pair.json");
    bench_.keep_reference();
    ASSERT_TRUE(bench_.save(file));
    const Experiment kept = *bench_.reference();
    Workbench bench(open_scene("million"), {});
    bench.open({file});
    ASSERT_NE(bench.reference(), nullptr);
    EXPECT_EQ(*bench.reference(), kept);
    bench.open_bundled("barbero-fig1");
    EXPECT_EQ(bench.reference(), nullptr);
    bench.undo();
    ASSERT_NE(bench.reference(), nullptr);
    EXPECT_EQ(*bench.reference(), kept);
    bench.undo();
    EXPECT_EQ(bench.reference(), nullptr);
    bench.keep_reference();
    bench.open_bundled("barbero-fig1");
    ASSERT_NE(bench.reference(), nullptr) << "what a person keeps stays beside other scenes";
    bench.open({file});
    EXPECT_EQ(*bench.reference(), kept);
    bench.undo();
    EXPECT_EQ(*bench.reference(), open_scene("million").experiment);
}

TEST_F(ReferenceTest, MayReadAFileOfTheSameNameAsTheScene) {
    const std::vector<std::int64_t> shape{2, 4};
    std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    for (const char* folder : {"one", "two", "three"}) std::filesystem::create_directory(folder_.file(folder));
    atomic_write(folder_.file("one/q.npy"), npy_bytes(shape, numbers));
    numbers[0] = -1;
    atomic_write(folder_.file("two/q.npy"), npy_bytes(shape, numbers));
    bench_.open({folder_.file("one/q.npy")});
    bench_.keep_reference();
    bench_.open({folder_.file("two/q.npy")});
    EXPECT_EQ(bench_.scene_as_text().find("compared_with"), std::string::npos) << "text goes where the files are not";
    const std::string file = folder_.file("three/scene.json");
    ASSERT_TRUE(bench_.save(file)) << bench_.notice().sentence;
    const Scene saved = open_scene(file);
    const auto hash = [](const Experiment& experiment) { return arrays_of(experiment.construction)->q.content->hash; };
    ASSERT_TRUE(saved.reference);
    EXPECT_EQ(hash(saved.experiment), read_npy(folder_.file("two/q.npy")).hash);
    EXPECT_EQ(hash(*saved.reference), read_npy(folder_.file("one/q.npy")).hash);
}

}  // namespace
}  // namespace ropewalk
