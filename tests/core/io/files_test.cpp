#include "core/io/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "core/error.h"
#include "core/io/descriptor.h"
#include "core/io/temporaries.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t megabyte = 1u << 20;

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "(no error)";
}

/// Returns the message of an act during which no file may have more than 1000 bytes.
std::string message_without_room(const std::function<void()>& act) {
    rlimit before{};
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 1000;
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::string message = message_of(act);
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    return message;
}

mode_t permissions(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

TEST(Files, WhatIsWrittenIsRead) {
    const TemporaryFolder folder;
    std::string bytes(300'000, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
    atomic_write(folder.file("a"), bytes);
    EXPECT_EQ(read_file(folder.file("a"), megabyte), bytes);
    atomic_write(folder.file("a"), "");
    EXPECT_EQ(read_file(folder.file("a"), 0), "");
    EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(Files, ReadingStopsAtTheLimit) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "12345");
    EXPECT_EQ(read_file(folder.file("a"), 5), "12345");
    EXPECT_THROW(read_file(folder.file("a"), 4), LimitError);
    EXPECT_THAT(message_of([&] { read_file(folder.file("a"), 4); }),
                HasSubstr("has 5 bytes, more than the limit of 4"));
}

TEST(Files, WhatCannotBeReadIsNamedWithItsReason) {
    const TemporaryFolder folder;
    EXPECT_THROW(read_file(folder.file("none"), megabyte), IoError);
    EXPECT_THAT(message_of([&] { read_file(folder.file("none"), megabyte); }),
                HasSubstr("none: cannot be read: there is no such file"));
    EXPECT_THAT(message_of([&] { read_file(folder.path(), megabyte); }), HasSubstr("it is a folder"));
    ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
    EXPECT_THAT(message_of([&] { read_file(folder.file("pipe"), megabyte); }), HasSubstr("not a regular file"));
}

TEST(Files, WritingKeepsPermissions) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a");
    atomic_write(path, "old");
    ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
    atomic_write(path, "new");
    EXPECT_EQ(permissions(path), 0640u);
    EXPECT_EQ(read_file(path, megabyte), "new");
}

TEST(Files, ANewFileObeysTheUmask) {
    const TemporaryFolder folder;
    const mode_t before = ::umask(027);
    atomic_write(folder.file("a"), "new");
    ::umask(before);
    EXPECT_EQ(permissions(folder.file("a")), 0640u);
}

TEST(Files, WritingFollowsSymbolicLinks) {
    const TemporaryFolder folder;
    atomic_write(folder.file("target"), "old");
    std::filesystem::create_symlink("target", folder.file("link"));
    std::filesystem::create_symlink(folder.file("link"), folder.file("second"));
    atomic_write(folder.file("second"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("second")));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
    EXPECT_EQ(read_file(folder.file("target"), megabyte), "new");

    std::filesystem::create_symlink("created", folder.file("dangling"));
    atomic_write(folder.file("dangling"), "made");
    EXPECT_EQ(read_file(folder.file("created"), megabyte), "made");

    std::filesystem::create_symlink("circle", folder.file("circle"));
    EXPECT_THAT(message_of([&] { atomic_write(folder.file("circle"), "x"); }), HasSubstr("form a loop"));
}

TEST(Files, WhatCannotBeWrittenIsNamedWithItsReason) {
    const TemporaryFolder folder;
    EXPECT_THROW(atomic_write(folder.path(), "x"), IoError);
    EXPECT_THAT(message_of([&] { atomic_write(folder.path(), "x"); }), HasSubstr("it is a folder"));
    EXPECT_THAT(message_of([&] { atomic_write(folder.file("no/such/a"), "x"); }),
                HasSubstr("/no/such' does not exist; create it"));
    EXPECT_THAT(message_of([&] { atomic_write("/dev/null", "x"); }), HasSubstr("not a regular file"));
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const std::string end = fmt::format("/proc/self/fd/{}", pipe[1]);  // as /dev/stdout is; a link to "pipe:[…]"
    EXPECT_THAT(message_of([&] { atomic_write(end, "x"); }), HasSubstr("or '-' for standard output"));
    for (const int descriptor : pipe) ::close(descriptor);
    atomic_write(folder.file("plain"), "x");
    for (const std::string& below : {folder.file("plain/a"), folder.file("plain/b/a")})
        EXPECT_THAT(message_of([&] { atomic_write(below, "x"); }),
                    HasSubstr(below + ": cannot be written: '" + folder.file("plain") + "' is not a folder; name a"));
    EXPECT_THAT(message_of([&] { read_file(folder.file("plain/a"), megabyte); }), HasSubstr("plain' is not a folder"));
    std::filesystem::remove(folder.file("plain"));
    EXPECT_THAT(message_of([&] { atomic_write("", "x"); }), HasSubstr("cannot be written"));
    EXPECT_THAT(folder.names(), ElementsAre());
}

TEST(Files, WhetherAFileCanBeWrittenIsKnownBefore) {
    const TemporaryFolder folder;
    require_writable(folder.file("new"));
    EXPECT_TRUE(folder.names().empty());
    atomic_write(folder.file("old"), "old");
    require_writable(folder.file("old"));
    for (const std::string& path : {folder.path(), folder.file("no/such/a"), folder.file("old/a"),
                                    folder.file(std::string(300, 'a')), std::string("/dev/null")})
        EXPECT_EQ(message_of([&] { require_writable(path); }), message_of([&] { atomic_write(path, "x"); })) << path;
    for (const char* nowhere : {"/proc/new", "/sys/new"}) {  // folders that let root write, but hold no new files
        if (!std::filesystem::is_directory(std::filesystem::path(nowhere).parent_path())) continue;
        const std::string message = message_of([&] { require_writable(nowhere); });
        EXPECT_THAT(message, HasSubstr("cannot be written"));
        EXPECT_EQ(message, message_of([&] { atomic_write(nowhere, "x"); }));
    }
    EXPECT_EQ(read_file(folder.file("old"), 10), "old");
    EXPECT_THAT(folder.names(), ElementsAre("old"));
}

/// Runs as an ordinary user, whom permissions bind.
TEST(Files, PermissionsAreRespected) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "old");
    ASSERT_EQ(::chmod(folder.file("a").c_str(), 0444), 0);
    std::filesystem::create_directory(folder.file("locked"));
    ASSERT_EQ(::chmod(folder.file("locked").c_str(), 0555), 0);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
    const bool root = ::geteuid() == 0;
    if (root && ::seteuid(65534) != 0) GTEST_SKIP() << "runs as root and cannot become another user";
    const std::string folder_message = message_of([&] { atomic_write(folder.file("locked/b"), "x"); });
    const std::string file_message = message_of([&] { atomic_write(folder.file("a"), "new"); });
    ASSERT_TRUE(!root || ::seteuid(0) == 0);
    EXPECT_THAT(folder_message, HasSubstr("permission denied"));
    EXPECT_THAT(file_message, HasSubstr("permission denied"));
    EXPECT_EQ(reason(EROFS, folder.file("a")), "the disk is read-only; choose another folder");
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
}

TEST(Files, WhatCannotBeLookedAtIsNotMissing) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("locked/inner"));
    std::filesystem::create_directory(folder.file("listed"));
    std::filesystem::create_symlink("loop", folder.file("loop"));
    std::ofstream(folder.file("a")) << "a";
    const std::string long_name = folder.file(std::string(300, 'x'));
    EXPECT_TRUE(is_there(folder.file("a")));
    EXPECT_FALSE(is_there(folder.file("b")));
    EXPECT_FALSE(is_there(folder.file("a/b")));
    require_readable_folder(folder.file("locked"));
    EXPECT_THAT(message_of([&] { require_readable_folder(folder.file("b")); }), HasSubstr("no such folder"));
    EXPECT_THAT(message_of([&] { require_readable_folder(folder.file("a")); }), HasSubstr("no such folder"));
    for (const auto& look : {std::function<void(const std::string&)>(is_there),
                             std::function<void(const std::string&)>(require_readable_folder)}) {
        EXPECT_THAT(message_of([&] { look(folder.file("loop")); }), HasSubstr("its symbolic links form a loop"));
        EXPECT_THAT(message_of([&] { look(long_name); }), HasSubstr("its name is too long"));
    }

    ASSERT_EQ(::chmod(folder.file("locked").c_str(), 0700), 0);
    ASSERT_EQ(::chmod(folder.file("listed").c_str(), 0744), 0);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
    if (::geteuid() != 0 || ::seteuid(65534) != 0) GTEST_SKIP() << "only root can become another user";
    const std::string inside = message_of([&] { is_there(folder.file("locked/config.json")); }),
                      locked = message_of([&] { require_readable_folder(folder.file("locked")); }),
                      inner = message_of([&] { require_readable_folder(folder.file("locked/inner")); }),
                      listed = message_of([&] { require_readable_folder(folder.file("listed")); });
    ASSERT_EQ(::seteuid(0), 0);
    for (const std::string& message : {inside, locked, inner, listed})
        EXPECT_THAT(message, HasSubstr("cannot be read: permission denied"));
}

TEST(Files, WhenThereIsNoRoomTheOldFileStays) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "old");
    const std::string large(100'000, 'x');
    EXPECT_THAT(message_without_room([&] { atomic_write(folder.file("a"), large); }),
                HasSubstr("exceed the system's size limit"));
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
    EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(Files, ThatBelongTogetherAreAllReplacedOrNone) {
    const TemporaryFolder folder;
    const std::string a = folder.file("a"), b = folder.file("b"), large(100'000, 'x');
    const auto expect_both = [&](const char* bytes) {
        for (const std::string& path : {a, b}) EXPECT_EQ(read_file(path, megabyte), bytes);
        EXPECT_THAT(folder.names(), testing::UnorderedElementsAre("a", "b"));
    };
    write_together({{a, "old"}, {b, "old"}});
    expect_both("old");
    EXPECT_THAT(message_of([&] {
                    write_together({{a, "new"}, {folder.file("no/b"), "new"}});
                }),
                HasSubstr("no/b: cannot be written: the folder"));
    expect_both("old");
    EXPECT_THAT(message_without_room([&] {
                    write_together({{a, "new"}, {b, large}});
                }),
                HasSubstr("/b: cannot be written: the file would exceed the system's size limit"));
    expect_both("old");
    const std::atomic<std::uint64_t> generation{1};
    EXPECT_THROW(write_together({{a, "new"}, {b, "new"}}, Cancel(generation, 0)), Cancelled);
    const std::string to_a = folder.file("to_a");
    std::filesystem::create_symlink(a, to_a);
    EXPECT_THAT(
        [&] {
            write_together({{a, "new"}, {to_a, "new"}});
        },
        testing::ThrowsMessage<IoError>(testing::HasSubstr("it is the same file as " + a)));
    std::filesystem::remove(to_a);
    expect_both("old");
    write_together({{a, "new"}, {b, "new"}});
    expect_both("new");
}

TEST(Files, ThatBelongTogetherWaitForAnotherProgramAtMostASecond) {
    using namespace std::chrono_literals;
    const TemporaryFolder folder;
    const Descriptor directory(folder.path(), O_RDONLY | O_DIRECTORY);
    const auto write = [&](const char* bytes) {
        write_together({{folder.file("a"), bytes}, {folder.file("b"), bytes}});
    };
    using Clock = std::chrono::steady_clock;
    ASSERT_EQ(::flock(directory.get(), LOCK_EX), 0);
    Clock::time_point start = Clock::now();
    write("old");
    EXPECT_GE(Clock::now() - start, 1s);

    start = Clock::now();
    std::atomic<bool> is_released = false;
    std::thread other([&] {
        std::this_thread::sleep_for(50ms);
        if (Clock::now() - start < 900ms) {  // later it may have stopped waiting
            for (const char* name : {"a", "b"}) EXPECT_EQ(read_file(folder.file(name), megabyte), "old") << name;
        }
        is_released = true;
        ::flock(directory.get(), LOCK_UN);
    });
    write("new");
    EXPECT_TRUE(is_released || Clock::now() - start >= 1s);
    other.join();
    EXPECT_THAT(folder.names(), testing::UnorderedElementsAre("a", "b"));
}

TEST(Files, ACancelledWriteLeavesTheOldFileAndNoOther) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "old");
    const std::atomic<std::uint64_t> generation{1};
    EXPECT_THROW(atomic_write(folder.file("a"), "new", Cancel(generation, 0)), Cancelled);
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
    EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(Files, AKilledWriteLeavesTheOldFileAndNoOther) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "old");
    const std::string large(std::size_t{256} << 20, 'x');
    const pid_t child = ::fork();
    if (child == 0) {
        atomic_write(folder.file("a"), large);
        ::_exit(0);
    }
    ::usleep(20'000);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it was written before it could be killed";
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
    EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(Files, WhatNobodyHasLockedIsRemovedByTheNextWriteWhateverItsAge) {
    const TemporaryFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string name = temporary_name(folder.path());
        const Descriptor file(name, O_WRONLY | O_CREAT, 0600);
        if (!lock_temporary(file.get(), name)) ::_exit(1);
        ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::string in_use = temporary_name(folder.path());
    const Descriptor file(in_use, O_WRONLY | O_CREAT, 0600);
    ASSERT_TRUE(lock_temporary(file.get(), in_use));
    ASSERT_EQ(folder.names().size(), 2u);
    atomic_write(folder.file("a"), "new");
    EXPECT_THAT(folder.names(), testing::UnorderedElementsAre("a", std::filesystem::path(in_use).filename().string()));
}

TEST(Files, ATemporaryThatIsBeingRemovedIsNotLocked) {
    const TemporaryFolder folder;
    const std::string name = temporary_name(folder.path());
    const Descriptor made(name, O_WRONLY | O_CREAT, 0600), remover(name, O_RDONLY);
    ASSERT_EQ(::flock(remover.get(), LOCK_EX), 0);
    EXPECT_FALSE(lock_temporary(made.get(), name)) << "another program holds its lock";
    ASSERT_EQ(::flock(remover.get(), LOCK_UN), 0);
    EXPECT_TRUE(lock_temporary(made.get(), name));
    ::unlink(name.c_str());
    EXPECT_FALSE(lock_temporary(made.get(), name)) << "it has lost its name";
}

/// In a container the process always has the same number, so that old names collided with new ones.
TEST(Files, WhatAKilledProgramLeftIsRemovedAndStopsNobody) {
    const TemporaryFolder folder;
    const auto hour_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    const auto leave = [&](const std::string& name) {
        std::ofstream(folder.file(name)) << "left";
        std::filesystem::last_write_time(folder.file(name), hour_ago);
    };
    for (int count = 0; count < 50; ++count) leave(fmt::format(".ropewalk-{}-{}.tmp", ::getpid(), count));
    leave(".ropewalk-in-use.tmp");
    leave("other.tmp");
    std::ofstream(folder.file(".ropewalk-young.tmp")) << "being made";
    const Descriptor in_use(folder.file(".ropewalk-in-use.tmp"), O_RDONLY);
    ASSERT_EQ(::flock(in_use.get(), LOCK_EX), 0);
    atomic_write(folder.file("a"), "new");
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "new");
    EXPECT_THAT(folder.names(),
                testing::UnorderedElementsAre("a", "other.tmp", ".ropewalk-in-use.tmp", ".ropewalk-young.tmp"));
}

TEST(Files, AnotherUsersFileKeepsItsOwner) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give files to other users";
    const TemporaryFolder folder;
    const std::string path = folder.file("a");
    atomic_write(path, "old");
    ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
    atomic_write(path, "new");
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 65534u);
    EXPECT_EQ(status.st_gid, 65534u);

    ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
    ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
    ASSERT_EQ(::seteuid(1), 0);
    const std::string of_other = message_of([&] { atomic_write(path, "taken"); });
    ASSERT_EQ(::seteuid(0), 0);
    EXPECT_THAT(of_other, HasSubstr("belongs to another user"));
    EXPECT_EQ(read_file(path, megabyte), "new");
}

TEST(Files, APathWithANulIsNoPathBeforeIt) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "old");
    const std::string path = folder.file("a") + std::string("\0.npy", 5);
    EXPECT_THAT(message_of([&] { read_file(path, megabyte); }), HasSubstr("contains a NUL byte"));
    EXPECT_THAT(message_of([&] { atomic_write(path, "new"); }), HasSubstr("contains a NUL byte"));
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
}

TEST(Files, StampsCanBeThoseOfOneKindOfFile) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a.lesson"), "one");
    atomic_write(folder.file("b.txt"), "other");
    std::filesystem::create_directory(folder.file("c.lesson"));
    EXPECT_EQ(stamps_in(folder.path()).size(), 2u);
    const auto lessons = stamps_in(folder.path(), ".lesson");
    ASSERT_EQ(lessons.size(), 1u);
    EXPECT_EQ(lessons.at("a.lesson"), stamp_of(folder.file("a.lesson")));
    EXPECT_TRUE(stamps_in(folder.file("none"), ".lesson").empty());
}

TEST(Files, ImpostorsAreRecognised) {
    EXPECT_EQ(impostor(""), "is empty");
    EXPECT_THAT(impostor("version https://git-lfs.github.com/spec/v1\noid sha256:00\n"), HasSubstr("Git LFS pointer"));
    EXPECT_THAT(impostor("\n <!DOCTYPE html><html>"), HasSubstr("HTML page"));
    EXPECT_THAT(impostor("<HTML><body>404"), HasSubstr("HTML page"));
    EXPECT_THAT(impostor("\x1f\x8b\x08rest"), HasSubstr("gzip"));
    EXPECT_THAT(impostor("PK\x03\x04rest"), HasSubstr("extract"));
    EXPECT_THAT(impostor("\x80\x04\x95rest"), HasSubstr("pickle"));
    EXPECT_EQ(impostor("{\"schema\": 1}"), "");
    EXPECT_EQ(impostor("   "), "");
    EXPECT_EQ(impostor("\x93NUMPY\x01"), "");
}

}  // namespace
}  // namespace ropewalk
