#include "core/io/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "core/error.h"
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
    EXPECT_EQ(read_file(folder.file("old"), 10), "old");
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
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
}

TEST(Files, WhenThereIsNoRoomTheOldFileStays) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "old");
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 1000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string message = message_of([&] { atomic_write(folder.file("a"), std::string(100'000, 'x')); });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(message, HasSubstr("exceed the system's size limit"));
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
    EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(Files, ACancelledWriteLeavesTheOldFileAndNoOther) {
    const TemporaryFolder folder;
    atomic_write(folder.file("a"), "old");
    const std::atomic<std::uint64_t> generation{1};
    EXPECT_THROW(atomic_write(folder.file("a"), "new", Cancel(generation, 0)), Cancelled);
    EXPECT_EQ(read_file(folder.file("a"), megabyte), "old");
    EXPECT_THAT(folder.names(), ElementsAre("a"));
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
