// Every input in tests/fuzz/corpus, and damage to it: read or refused in time, and nothing else.
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <random>

#include "core/io/files.h"
#include "tests/fuzz/targets.h"
#include "tests/mutation.h"

namespace ropewalk {
namespace {

/// Returns the processor time of all threads: others may keep the machine busy.
double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

class Corpus : public testing::TestWithParam<FuzzTarget> {};

TEST_P(Corpus, IsReadOrRefused) {
    constexpr int damages = 100;
    std::mt19937 random(1);
    int inputs = 0, read = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ROPEWALK_SOURCE_DIR "/tests/fuzz/corpus/" +
                                                                 std::string(GetParam().name))) {
        SCOPED_TRACE(entry.path().string());
        const std::string bytes = read_file(entry.path().string(), 1 << 20);
        for (int round = 0; round <= damages; ++round) {
            const double start = processor_seconds();
            ASSERT_NO_THROW(read += is_read(GetParam(), round ? mutated(bytes, random) : bytes)) << "round " << round;
            EXPECT_LT(processor_seconds() - start, 1) << "round " << round;
        }
        ++inputs;
    }
    EXPECT_GT(inputs, 3);
    EXPECT_GT(read, 0) << "nothing was valid";
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(fuzz_targets().begin(), fuzz_targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace ropewalk
