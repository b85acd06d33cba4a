// Sessions of other runs, and their recovery.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "app/window/session/session_text.h"
#include "core/experiment/settings.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

/// A window with two sessions to recover.
class RecoveredSessionTest : public testing::Test {
  protected:
    RecoveredSessionTest() {
        int process = 5'000'000;  // no process has such a large id
        for (const char* name : {"million", "barbero-prop31"}) {
            Session other(open_scene(name), {});
            other.document.edit(changed(other.document.experiment(), "temperature=3"), Gesture::complete);
            atomic_write(folder_.file(fmt::format("desk-{}-1.json", process++)), session_as_text(other.document));
        }
    }
    const RegisteredWidget* find(const std::string& id) { return gui_.ui().registry.find(id); }
    std::string id_of_first() { return "session." + recovery_.recoverable().front().path.string(); }
    Experiment experiment() { return session_.document.experiment(); }

    TemporaryFolder folder_;
    Recovery recovery_{folder_.path()};
    EglSurface surface_{{.width = 1600, .height = 1000, .scale = 1, .keeps_pixels = false}};
    Session session_{open_scene("wendler-exp1-alpha10"), {}};
    Gui gui_{surface_, 1.0 / 60};
    MainWindow main_window_{gui_, session_, {}, &recovery_};
    Robot user_{gui_, [this] {
                    main_window_.frame();
                    session_.computation.wait();
                }};
};

TEST_F(RecoveredSessionTest, TheNoticeCountsTheOthers) {
    const auto left = recovery_.take_recovered();
    ASSERT_TRUE(left && recover(session_.document, session_.notices, recovery_, *left));
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("One more session can be recovered: press Ctrl+K"));
    const auto last = recovery_.take_recovered();
    ASSERT_TRUE(last && recover(session_.document, session_.notices, recovery_, *last));
    EXPECT_EQ(session_.notices.current().sentence.find("earlier"), std::string::npos);
}

TEST_F(RecoveredSessionTest, ARecoveredSessionReplacesTheCurrentOne) {
    const auto choose_first = [&] {
        user_.key("Ctrl+K");
        user_.type("recover");
        user_.key("Enter");
        ASSERT_EQ(recovery_.recoverable().size(), 2u);
        const RegisteredWidget* const entry = find(id_of_first());
        ASSERT_NE(entry, nullptr);
        EXPECT_FALSE(entry->label.empty());
        EXPECT_EQ(entry->label.find("desk-"), std::string::npos) << "the scene's title is shown";
        user_.click(id_of_first());
    };
    user_.settle();
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    const Experiment first = experiment();
    choose_first();
    EXPECT_EQ(experiment().temperature, 3);
    EXPECT_NE(experiment(), first);
    EXPECT_THAT(
        session_.notices.current().sentence,
        testing::AllOf(HasSubstr("Session recovered"), HasSubstr("2 more sessions can be recovered: press Ctrl+K")));
    choose_first();
    EXPECT_EQ(experiment(), first) << "the current session was set aside, and is the newest";
}

TEST_F(RecoveredSessionTest, ASessionThatWasSetAsideIsNotACrash) {
    const std::filesystem::path aside = recovery_.set_aside(session_as_text(session_.document));
    EXPECT_EQ(recovery_.recoverable().size(), 3u);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(recovery_.take_recovered());
    EXPECT_FALSE(recovery_.take_recovered());
    ASSERT_EQ(recovery_.recoverable().size(), 1u);
    EXPECT_EQ(recovery_.recoverable().front().path, aside);
}

TEST_F(RecoveredSessionTest, AMissingSessionLeavesTheCurrentOne) {
    user_.settle();
    session_.document.edit(changed(experiment(), "temperature=2"), Gesture::complete);
    const Experiment before = experiment();
    user_.key("Ctrl+K");
    user_.type("recover");
    user_.key("Enter");
    const std::string chosen = id_of_first();
    std::filesystem::remove(recovery_.recoverable().front().path);
    user_.click(chosen);
    EXPECT_EQ(session_.notices.current().sentence, "That session no longer exists");
    EXPECT_EQ(experiment(), before);
    EXPECT_EQ(folder_.names().size(), 1u) << "nothing was set aside, and no lock remains";
}

TEST_F(RecoveredSessionTest, AnUnchangedSessionIsNotSetAside) {
    user_.settle();
    user_.key("Ctrl+K");
    user_.type("recover");
    user_.key("Enter");
    user_.click(id_of_first());
    EXPECT_EQ(experiment().temperature, 3);
    EXPECT_EQ(recovery_.recoverable().size(), 1u);
}

}  // namespace
}  // namespace ropewalk
