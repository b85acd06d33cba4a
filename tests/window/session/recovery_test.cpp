// Recovery of the session of a killed process.
#include "app/window/session/recovery.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "app/window/session/late_session.h"
#include "core/io/files.h"
#include "core/numbers/numbers.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

/// Saves a text in a separate process, which is then killed.
void save_and_die(const TemporaryFolder& folder, const char* text) {
    const pid_t child = ::fork();
    if (child == 0) {
        {
            Recovery recovery(folder.path());
            recovery.save(text);
        }
        ::kill(::getpid(), SIGKILL);
    }
    siginfo_t end{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT), 0);  // it remains as a zombie
    ASSERT_EQ(end.si_code, CLD_KILLED);
}

TEST(Recovery, ReturnsWhatAKilledProcessSaved) {
    const TemporaryFolder folder;
    save_and_die(folder, "first");
    Recovery recovery(folder.path());
    const auto left = recovery.take_recovered();
    ASSERT_TRUE(left);
    EXPECT_EQ(left->text, "first");
    EXPECT_FALSE(recovery.take_recovered()) << "it is returned once";
    recovery.accept(*left);
    EXPECT_EQ(read_file(left->file.string(), 100), "first") << "until another file contains it";
    recovery.save("first, opened");
    recovery.wait();
    EXPECT_FALSE(std::filesystem::exists(left->file));
    recovery.forget();
    EXPECT_TRUE(folder.names().empty());
}

TEST(Recovery, AnAcceptedSessionIsForgottenWithThatOfThisProcess) {
    const TemporaryFolder folder;
    save_and_die(folder, "first");
    Recovery recovery(folder.path());
    recovery.accept(recovery.take_recovered().value());
    recovery.forget();
    EXPECT_TRUE(folder.names().empty());
}

TEST(Recovery, ASessionWhoseOpeningEndsTheProgramIsOnlyOffered) {
    const TemporaryFolder folder;
    save_and_die(folder, "fatal");
    {
        Recovery dying(folder.path());
        const auto left = dying.take_recovered();
        ASSERT_TRUE(left);
        EXPECT_TRUE(Recovery(folder.path()).recoverable().empty()) << "it is being opened";
    }
    Recovery recovery(folder.path());
    EXPECT_FALSE(recovery.take_recovered());
    ASSERT_EQ(recovery.recoverable().size(), 1u);
    const auto chosen = recovery.take(recovery.recoverable().front().path);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->text, "fatal");
}

TEST(Recovery, StartsAtTheSameTimeTakeDifferentSessions) {
    const TemporaryFolder folder;
    for (const char* text : {"one", "two"}) save_and_die(folder, text);
    Recovery first(folder.path()), second(folder.path());
    const auto one = first.take_recovered(), another = second.take_recovered();
    ASSERT_TRUE(one && another);
    EXPECT_NE(one->file, another->file);
    EXPECT_NE(read_file(one->file.string(), 100), read_file(another->file.string(), 100));
}

TEST(Recovery, CountsTheOthersAndReturnsAnyOfThem) {
    const TemporaryFolder folder;
    for (const char* text : {"first", "second", "third"}) save_and_die(folder, text), ::usleep(20'000);
    Recovery recovery(folder.path());
    ASSERT_TRUE(recovery.save("mine"));
    const auto newest = recovery.take_recovered();
    ASSERT_TRUE(newest);
    EXPECT_EQ(newest->text, "third");
    EXPECT_EQ(newest->others, 2u) << "this process's session is not recoverable";
    const auto others = recovery.recoverable();
    ASSERT_EQ(others.size(), 2u);
    EXPECT_EQ(others[0].when.size(), std::string("2026-11-25 14:03").size());
    const auto oldest = recovery.take(others[1].path);
    ASSERT_TRUE(oldest);
    EXPECT_EQ(oldest->text, "first");
    EXPECT_FALSE(recovery.take("/proc/none/such"));
    recovery.set_aside("set aside");
    ASSERT_EQ(recovery.recoverable().size(), 2u);
    EXPECT_EQ(recovery.take(recovery.recoverable()[0].path)->text, "set aside");
    EXPECT_EQ(recovery.take(recovery.recoverable()[0].path)->text, "second");
    EXPECT_TRUE(recovery.recoverable().empty());
}

TEST(Recovery, WhatCannotBeReadIsNeverLost) {
    const TemporaryFolder folder;
    std::vector<std::string> saved;
    for (const char* text : {"not a scene", "nor this"}) {
        save_and_die(folder, text);
        Recovery recovery(folder.path());
        const auto left = recovery.take_recovered();
        ASSERT_TRUE(left);
        saved.push_back(recovery.reject(*left).string());
        EXPECT_TRUE(recovery.recoverable().empty());
        ASSERT_TRUE(recovery.save("another session"));
        recovery.forget();
    }
    EXPECT_EQ(read_file(saved[0], 100), "not a scene");
    EXPECT_EQ(read_file(saved[1], 100), "nor this");
    save_and_die(folder, std::string((16 << 20) + 1, ' ').c_str());  // above the limit for reading
    const auto large = Recovery(folder.path()).take_recovered();
    ASSERT_TRUE(large);
    EXPECT_EQ(large->text, "");
    EXPECT_EQ(std::filesystem::file_size(large->file), (16u << 20) + 1);
}

TEST(Recovery, DoesNotTouchTheSessionOfARunningProcess) {
    const TemporaryFolder folder;
    Recovery own(folder.path());
    EXPECT_FALSE(Recovery(folder.path()).has_others());
    ASSERT_TRUE(own.save("mine"));
    own.wait();
    EXPECT_FALSE(Recovery(folder.path()).take_recovered());
    EXPECT_TRUE(Recovery(folder.path()).has_others());
    EXPECT_FALSE(own.has_others()) << "but its own";
    own.forget();
    EXPECT_TRUE(folder.names().empty());
    own.forget();
}

TEST(Recovery, HoldsItsSessionAlsoAfterTheFolderWasRemoved) {
    const TemporaryFolder folder;
    Recovery own(folder.path());
    own.save("before");
    own.wait();
    std::filesystem::remove_all(folder.path());
    own.save("after");
    own.wait();
    EXPECT_FALSE(Recovery(folder.path()).take_recovered()) << "it is in use";
    own.forget();
    EXPECT_TRUE(folder.names().empty());
}

TEST(LateSession, IsToldOfOnceItsProcessHasEnded) {
    const TemporaryFolder folder;
    std::optional<Recovery> ending(folder.path());
    ending->save("late");
    ending->wait();
    const Recovery own(folder.path());
    LateSession session(own);
    Notices notices;
    EXPECT_LE(session.look(notices), 0.5);
    EXPECT_EQ(notices.current().sentence, "");
    ending.reset();
    while (notices.current().sentence.empty()) {
        ASSERT_LE(session.look(notices), 0.5);
        ::usleep(20'000);
    }
    EXPECT_THAT(notices.current().sentence, testing::HasSubstr("can be recovered"));
    EXPECT_EQ(session.look(notices), infinity);
}

TEST(LateSession, ThatWasSetAsideIsNotTold) {
    const TemporaryFolder folder;
    const Recovery own(folder.path());
    own.set_aside("by the user");
    Notices notices;
    EXPECT_EQ(LateSession(own).look(notices), 0.5);
    EXPECT_EQ(notices.current().sentence, "");
    { Recovery(folder.path()).save("ended before"); }
    LateSession late(own);
    notices.notify("Opened a model");
    EXPECT_EQ(late.look(notices), 0.5);
    EXPECT_EQ(notices.current().sentence, "Opened a model") << "it is read first";
    notices.dismiss();
    LateSession(own).look(notices);
    EXPECT_THAT(notices.current().sentence, testing::HasSubstr("can be recovered"));
}

/// In containers that share a home every process has the id 1.
TEST(Recovery, ProcessesOfTheSameIdSaveIntoFilesOfTheirOwn) {
    const TemporaryFolder folder;
    {
        Recovery one(folder.path()), another(folder.path());
        for (int round = 0; round < 2; ++round) {
            one.save("one"), another.save("another");
            ::usleep(20'000);
        }
    }
    Recovery recovery(folder.path());
    std::vector<std::string> texts;
    while (const auto left = recovery.take_recovered()) texts.push_back(left->text);
    std::ranges::sort(texts);
    EXPECT_EQ(texts, (std::vector<std::string>{"another", "one"}));
}

TEST(Recovery, LocksWithoutASessionAreRemoved) {
    const TemporaryFolder folder;
    const auto make = [&](const char* name, int seconds_ago) {
        atomic_write(folder.file(name), "");
        std::filesystem::last_write_time(
            folder.file(name), std::filesystem::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
    };
    make("desk-77-1.lock", 10), make("desk-78-1.lock", 0), make("mine.lock", 10);
    Recovery(folder.path()).save("new");
    EXPECT_FALSE(std::filesystem::exists(folder.file("desk-77-1.lock")));
    EXPECT_TRUE(std::filesystem::exists(folder.file("desk-78-1.lock"))) << "its process may be about to take it";
    EXPECT_TRUE(std::filesystem::exists(folder.file("mine.lock")));
}

TEST(Recovery, SavesTheLatestAndNothingUnfinished) {
    const TemporaryFolder folder;
    {
        Recovery recovery(folder.path());
        for (std::size_t i = 0; i < 50; ++i)
            while (!recovery.save(std::string(1000 + i, 'x'))) ::usleep(100);
    }
    const auto names = folder.names();
    const auto saved =
        std::find_if(names.begin(), names.end(), [](const auto& name) { return name.ends_with(".json"); });
    ASSERT_NE(saved, names.end());
    EXPECT_EQ(read_file(folder.file(*saved), 1 << 20), std::string(1049, 'x'));
}

TEST(Recovery, WithoutAFolderNothingIsSaved) {
    Recovery recovery({});
    EXPECT_TRUE(recovery.save("text"));
    EXPECT_THAT(recovery.failure(), testing::HasSubstr("HOME")) << "the user is told";
    EXPECT_FALSE(recovery.take_recovered());
    recovery.forget();
    EXPECT_FALSE(Recovery("/proc/none/such").take_recovered());
}

}  // namespace
}  // namespace ropewalk
