#include "core/io/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/error.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

TEST(RegularFile, DoesNotReleaseWhoWaitsToWriteToAPipe) {
    using namespace std::chrono_literals;
    const TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::atomic<bool> released = false;
    std::thread writer([&] {
        const Descriptor open(pipe, O_WRONLY);
        released = true;
    });
    std::this_thread::sleep_for(50ms);  // until it waits
    EXPECT_THROW(RegularFile{pipe}, IoError);
    std::this_thread::sleep_for(50ms);
    EXPECT_FALSE(released);
    const Descriptor reader(pipe, O_RDONLY | O_NONBLOCK);
    writer.join();
}

}  // namespace
}  // namespace ropewalk
