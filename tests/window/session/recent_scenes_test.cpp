// Files that were opened or saved last.
#include "app/window/session/recent_scenes.h"

#include <gmock/gmock.h>

#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;

TEST(RecentScenes, AreListedNewestFirst) {
    const TemporaryFolder folder;
    for (const char* name : {"a", "b", "c"}) atomic_write(folder.file(name), "{}");
    {
        RecentScenes recent(folder.path());
        for (const char* name : {"a", "b", "a", "gone"}) recent.add(folder.file(name));
        EXPECT_THAT(recent.paths(), ElementsAre(folder.file("a"), folder.file("b")));
    }
    RecentScenes again(folder.path());
    again.add(folder.file("c"));
    EXPECT_THAT(again.paths(), ElementsAre(folder.file("c"), folder.file("a"), folder.file("b")));
}

TEST(RecentScenes, ThoseOfAnotherWindowAreKept) {
    const TemporaryFolder folder;
    for (const char* name : {"a", "b", "c"}) atomic_write(folder.file(name), "{}");
    RecentScenes first(folder.path());
    {
        RecentScenes second(folder.path());
        for (const char* name : {"a", "b"}) second.add(folder.file(name));
    }
    first.add(folder.file("c"));
    EXPECT_THAT(first.paths(), ElementsAre(folder.file("c"), folder.file("b"), folder.file("a")));
}

TEST(RecentScenes, AreLimitedAndTolerateDamage) {
    const TemporaryFolder folder;
    std::string text("\0\xff rubbish\nnot/absolute\n", 24);
    for (int i = 0; i < 100; ++i) {
        const std::string name = folder.file("s" + std::to_string(i));
        atomic_write(name, "{}");
        text += name + '\n';
    }
    atomic_write(folder.file("recent"), text);
    EXPECT_EQ(RecentScenes(folder.path()).paths().size(), RecentScenes::most);
    EXPECT_TRUE(RecentScenes().paths().empty());
}

class StepsTest : public MainWindowTest {
  protected:
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    TemporaryFolder folder_;
};

TEST_F(StepsTest, SavedScenesAreFoundAgainInThePalette) {
    ASSERT_TRUE(session_.files.save(folder_.file("mine.json")));
    session_.files.open_bundled("million");
    robot_.key("Ctrl+B");
    robot_.type("mine.json");
    ASSERT_NE(find("file." + folder_.file("mine.json")), nullptr);
    robot_.key("Enter");
    EXPECT_EQ(session_.document.scene().path, folder_.file("mine.json"));
}

TEST_F(StepsTest, AnyStepOfTheHistoryCanBeReached) {
    const Experiment first = experiment();
    for (const char* settings : {"seq_len=30", "seq_len=40", "temperature=2"})
        session_.document.edit(changed(experiment(), settings), Gesture::complete);
    const Experiment last = experiment();
    robot_.key("Ctrl+H");
    robot_.click("step.1");
    EXPECT_EQ(experiment(), changed(first, "seq_len=30"));
    robot_.key("Ctrl+H");
    ASSERT_NE(find("step.3"), nullptr) << "undone steps can be redone";
    robot_.click("step.3");
    EXPECT_EQ(experiment(), last);
    robot_.key("Ctrl+H");
    robot_.click("step.0");
    EXPECT_EQ(experiment(), first);
    EXPECT_FALSE(session_.document.can_undo());
}

TEST_F(StepsTest, SpacePlaysTheDistance) {
    robot_.key("Space");
    for (int i = 0; i < 60; ++i) frame();
    const int distance = session_.document.view.cursor.distance();
    EXPECT_GT(distance, 0);
    EXPECT_TRUE(session_.document.view.cursor_locked);
    robot_.key("Space");
    const Cursor paused = session_.document.view.cursor;
    for (int i = 0; i < 60; ++i) frame();
    EXPECT_EQ(session_.document.view.cursor, paused);
}

}  // namespace
}  // namespace ropewalk
