// Files that processes claim by locks: where others hold every lock, and where locks do not work.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "app/window/session/recovery.h"
#include "core/error.h"
#include "core/io/files.h"
#include "core/io/run_program.h"
#include "tests/faults/fault.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

TEST(ScratchFolder, IsGivenUpIfOthersLockEveryOne) {
    let_fail(Call::lock, 1, true);
    EXPECT_THROW(ScratchFolder(), IoError);
    EXPECT_TRUE(stop_failing());
}

TEST(FilesThatBelongTogether, DoNotWaitWhereLocksDoNotWork) {
    const TemporaryFolder folder;
    const auto time_to_write = [&](Call failing) {
        let_fail(failing, 1, true);
        const auto start = std::chrono::steady_clock::now();
        write_together({{folder.file("a"), "a"}, {folder.file("b"), "b"}});
        EXPECT_TRUE(stop_failing());
        return std::chrono::steady_clock::now() - start;
    };
    EXPECT_LT(2 * time_to_write(Call::lock_anywhere), time_to_write(Call::lock));
}

TEST(RecoveryWithoutLocks, FindsTheSessionsOfProcessesThatEnded) {
    const TemporaryFolder folder;
    let_fail(Call::lock_anywhere, 1, true);
    const pid_t child = ::fork();
    if (child == 0) {
        Recovery recovery(folder.path());
        for (const char* text : {"first", "second"}) {
            recovery.save(text);
            recovery.wait();
        }
        ::raise(SIGSTOP);
        ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
    ASSERT_TRUE(WIFSTOPPED(status));
    EXPECT_FALSE(Recovery(folder.path()).take_recovered()) << "its process still runs";
    EXPECT_TRUE(Recovery(folder.path()).has_others());
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);

    Recovery recovery(folder.path());
    const auto left = recovery.take_recovered();
    ASSERT_TRUE(left);
    EXPECT_EQ(left->text, "second");
    EXPECT_EQ(left->others, 0u) << "every save replaces the one before";
    recovery.accept(*left);
    recovery.save("recovered");
    recovery.wait();
    EXPECT_TRUE(recovery.recoverable().empty()) << "its own is in use";
    recovery.forget();
    EXPECT_TRUE(stop_failing());
    EXPECT_TRUE(folder.names().empty()) << testing::PrintToString(folder.names());
}

}  // namespace
}  // namespace ropewalk
