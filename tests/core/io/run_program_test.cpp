#include "core/io/run_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/io/temporaries.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

constexpr int ended_by_signal = -1;

int run_shell(const std::string& script) {
    return run_program({"sh", "-c", script}, Cancel());
}

TEST(RunProgram, ReturnsTheExitCode) {
    EXPECT_EQ(run_shell("exit 7"), 7);
}

TEST(RunProgram, ABlockedSignalIsNotBlockedInTheChild) {
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
    const int code = run_shell("kill -TERM $$; exit 7");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    EXPECT_EQ(code, ended_by_signal);
}

TEST(RunProgram, AnIgnoredSignalIsNotIgnoredInTheChild) {
    const auto handler = std::signal(SIGPIPE, SIG_IGN);
    const int code = run_shell("kill -PIPE $$; exit 7");
    std::signal(SIGPIPE, handler);
    EXPECT_EQ(code, ended_by_signal);
}

TEST(RunProgram, PassesItsInputOn) {
    const std::string input(1 << 20, 'x');  // more than a pipe holds
    EXPECT_EQ(run_program({"sh", "-c", "test $(wc -c) = 1048576"}, Cancel(), input), 0);
    EXPECT_EQ(run_program({"sh", "-c", "exit 3"}, Cancel(), input), 3) << "it need not read it";
    EXPECT_EQ(run_shell("test $(wc -c) = 0"), 0);
}

TEST(RunProgram, ReturnsTheEndOfWhatItReports) {
    std::string errors = "of before";
    const auto run = [&](const std::string& script) {
        return run_program({"sh", "-c", script}, Cancel(), {}, &errors);
    };
    EXPECT_EQ(run("echo out; echo why >&2; exit 3"), 3);
    EXPECT_EQ(errors, "why\n");
    run("head -c 1048576 /dev/zero >&2; echo last >&2");
    EXPECT_EQ(errors.size(), 4096u);
    EXPECT_TRUE(errors.ends_with("last\n"));
    run("true");
    EXPECT_EQ(errors, "");
}

TEST(RunProgram, RejectsInputThatCannotBeHeld) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{.rlim_cur = 1000, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_THROW(run_program({"cat"}, Cancel(), std::string(5000, 'x')), IoError);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
}

TEST(ScratchFolder, OfAKilledProgramIsRemovedByTheNext) {
    const TemporaryFolder place;
    ASSERT_EQ(::setenv("TMPDIR", place.path().c_str(), 1), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const ScratchFolder scratch;
        std::ofstream(scratch.file("step-001.png")) << "left";
        ::raise(SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    ASSERT_EQ(place.names().size(), 1u);
    const std::string left = place.names()[0];
    const ScratchFolder in_use;
    EXPECT_EQ(place.names().size(), 1u) << "it is not locked, so its age does not matter";
    std::filesystem::create_directory(place.file("ropewalk-backup"));
    {
        const ScratchFolder next;
        EXPECT_THAT(place.names(), testing::Not(testing::Contains(left)));
        EXPECT_TRUE(std::filesystem::exists(in_use.file("")));
        EXPECT_EQ(place.names().size(), 3u);
    }
    ::unsetenv("TMPDIR");
    EXPECT_EQ(place.names().size(), 2u);
}

TEST(ScratchFolder, IsNotRemovedWhileItIsBeingMade) {
    const TemporaryFolder place;
    ASSERT_EQ(::setenv("TMPDIR", place.path().c_str(), 1), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (true) {
            remove_abandoned(place.path());
            ::usleep(20);  // without a pause, it might win a hundred times in a row
        }
    }
    for (int count = 0; count < 500; ++count) {
        const ScratchFolder scratch;
        std::ofstream(scratch.file("a")) << "a";
        EXPECT_TRUE(std::filesystem::exists(scratch.file("a"))) << count;
        if (HasFailure()) break;
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::unsetenv("TMPDIR");
    remove_abandoned(place.path());  // what it was removing
    EXPECT_TRUE(place.names().empty());
}

}  // namespace
}  // namespace ropewalk
