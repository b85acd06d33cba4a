#include "core/io/run_program.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <csignal>

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

}  // namespace
}  // namespace ropewalk
