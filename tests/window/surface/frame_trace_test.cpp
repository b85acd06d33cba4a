#include "app/window/frame_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/io/files.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

TEST(FrameTrace, WritesOneLinePerFrame) {
    const TemporaryFolder folder;
    const auto results_of = [](int seq_len, bool coarse) {
        auto results = std::make_shared<Results>();
        results->request.experiment.seq_len = seq_len;
        results->coarse = coarse;
        return results;
    };
    WorkerState state;
    {
        FrameTrace trace(folder.file("frames.csv"));
        const FrameTimes times{.begin = std::chrono::steady_clock::now(), .build_ms = 1.25, .draw_ms = 0};
        trace.add(times, state);
        state.results = results_of(8, false);
        trace.add(times, state);
        state.coarse = results_of(9, true);
        trace.add(times, state);
    }
    const auto line = [](int seq_len, const char* detail) {
        return fmt::format(",1.250,0.000,{:016x},{}\n", hash_fields(Experiment{.seq_len = seq_len}), detail);
    };
    const std::string text = read_file(folder.file("frames.csv"), 4096);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
    EXPECT_THAT(text, testing::StartsWith("begin_ms,build_ms,draw_ms,results,detail\n"));
    EXPECT_THAT(text, testing::HasSubstr(",1.250,0.000,none,none\n"));
    EXPECT_THAT(text, testing::HasSubstr(line(8, "exact")));
    EXPECT_THAT(text, testing::EndsWith(line(9, "coarse")));
}

TEST(FrameTrace, NamesTheFileThatCannotBeWritten) {
    try {
        FrameTrace("/nowhere/frames.csv");
        FAIL();
    } catch (const IoError& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("/nowhere/frames.csv: cannot be written: "));
    }
}

TEST(FrameTrace, ReplacesNothingButATrace) {
    const TemporaryFolder folder;
    const std::string path = folder.file("frames.csv");
    const auto refused = [&] {
        try {
            FrameTrace trace(path);
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    atomic_write(path, "");
    EXPECT_EQ(refused(), "");
    EXPECT_EQ(refused(), "");
    atomic_write(path, "my scene");
    EXPECT_EQ(refused(), path + " exists and is not a trace of frames; choose another name");
    EXPECT_EQ(read_file(path, 4096), "my scene");
}

TEST(FrameTrace, AFullDiskEndsIt) {
    EXPECT_THAT([] { FrameTrace("/dev/full"); },
                testing::ThrowsMessage<IoError>(testing::StartsWith("/dev/full: cannot be written: ")));
}

}  // namespace
}  // namespace ropewalk
