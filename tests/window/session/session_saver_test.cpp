// When the session is saved for recovery, and what comes of a save that fails.
#include "app/window/session/session_saver.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "app/window/session/preferences.h"
#include "app/window/session/session.h"
#include "core/experiment/scene_io.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SavedSession : public testing::Test {
  protected:
    void set_length(int seq_len, Gesture gesture = Gesture::complete) {
        Experiment changed = session_.document.experiment();
        changed.seq_len = seq_len;
        session_.document.edit(changed, gesture);
    }
    /// Returns the content of the saved file; empty if there is none.
    std::string saved() {
        recovery_.wait();
        std::error_code error;
        for (const std::string& name : names_in(state_, error))
            if (name.ends_with(".json")) return read_file((state_ / name).string(), Recovery::max_bytes);
        return {};
    }

    const TemporaryFolder folder_;
    const fs::path state_ = folder_.file("state");
    Session session_{open_scene("barbero-fig2a")};
    Recovery recovery_{state_};
    SessionSaver saver_{recovery_};
};

/// Calls save() as often as it asks for until done() or half a minute has passed.
template <class Save, class Done>
void save_until(Save&& save, Done&& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::duration<double>(std::min(save(), 1.0)));
}

TEST_F(SavedSession, IsSavedAgainAfterAFailureThatIsToldOnce) {
    atomic_write(state_.string(), "a file where the folder should be");
    set_length(77);
    saver_.save(session_);
    recovery_.wait();
    saver_.save(session_);
    EXPECT_THAT(session_.notices.current().sentence, HasSubstr("cannot be saved for recovery: " + state_.string()));
    session_.notices.notify("something else");
    saver_.save(session_);
    EXPECT_EQ(session_.notices.current().sentence, "something else");
    fs::remove(state_);
    save_until([&] { return saver_.save(session_); }, [&] { return !saved().empty(); });
    EXPECT_THAT(saved(), HasSubstr("\"seq_len\": 77"));
    EXPECT_EQ(saver_.save(session_), infinity) << "nothing is left to be done";
}

TEST_F(SavedSession, HasUndoneSteps) {
    set_length(77);
    session_.document.undo();
    saver_.save(session_, SessionSaver::When::soon);
    EXPECT_THAT(saved(), HasSubstr("77"));
}

TEST_F(SavedSession, KnowsWhenItsSceneWasSaved) {
    const std::string own = folder_.file("own.json");
    ASSERT_TRUE(session_.files.save(own));
    set_length(77);
    saver_.save(session_);
    ASSERT_TRUE(session_.files.save(own));
    const auto stamp = fmt::format("\"written\": {}", stamp_of(own)->written.time_since_epoch().count());
    save_until([&] { return saver_.save(session_); }, [&] { return saved().find(stamp) != std::string::npos; });
    EXPECT_THAT(saved(), HasSubstr(stamp));
}

TEST_F(SavedSession, HasNoPreview) {
    set_length(77);
    saver_.save(session_, SessionSaver::When::soon);
    set_length(99, Gesture::ongoing);
    saver_.save(session_, SessionSaver::When::never);
    EXPECT_THAT(saved(), HasSubstr("\"seq_len\": 77"));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    saver_.save(session_, SessionSaver::When::soon);
    EXPECT_THAT(saved(), HasSubstr("\"seq_len\": 99"));
}

TEST_F(SavedSession, IsSavedAtTheEndAlsoIfItsFolderWasRemoved) {
    set_length(77);
    saver_.save(session_);
    EXPECT_THAT(saved(), HasSubstr("\"seq_len\": 77"));
    fs::remove_all(state_);
    saver_.save_at_end(session_);
    EXPECT_THAT(saved(), HasSubstr("\"seq_len\": 77"));
}

TEST(SavedPreferences, AreSavedAgainAfterAFailure) {
    const TemporaryFolder folder;
    const std::string config = folder.file("config");
    atomic_write(config, "a file where the folder should be");
    PreferencesFile file(config);
    const Preferences chosen{.text_size = 1.2};
    file.save({});
    file.save(chosen);
    file.wait();
    fs::remove(config);
    save_until([&] { return file.save(chosen); }, [&] { return fs::exists(config + "/preferences.json"); });
    file.wait();
    EXPECT_EQ(PreferencesFile(config).saved(), chosen);
}

}  // namespace
}  // namespace ropewalk
