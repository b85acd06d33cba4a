#include "app/window/frame_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
        EXPECT_STREQ(error.what(), "cannot write /nowhere/frames.csv");
    }
}

}  // namespace
}  // namespace ropewalk
